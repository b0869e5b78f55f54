import { getRawAsset } from 'node:sea'
import { start } from '../../../bin/start.js'
import { keyringWord } from '../../../src/credentials/keyring-program.ts'
import { createLoader } from '../../../src/files/local/loader.ts'

/** What the executable knows of itself. */
export interface About {
  readonly version: string
  /** `executable linux-x64` */
  readonly build: string
  readonly commit: string
  /** The files of dist that have an asset beside them with what V8 compiled of them. */
  readonly compiled: readonly string[]
}

const about = JSON.parse(textOf('about.json')) as About

// The main script. Nothing is unpacked: each file is read where it lies in memory.
if (process.argv[2] === keyringWord) {
  const { answerKeyring } = require('./keyring.ts') as typeof import('./keyring.ts')
  answerKeyring()
} else {
  const withCache = new Set(about.compiled)
  const load = createLoader(
    {
      text: textOf,
      compiled: (name) => (withCache.has(name) ? bytesOf(`${name}.compiled`) : undefined),
    },
    require,
  )
  const { version, build, commit } = about
  start(load('main.cjs') as Parameters<typeof start>[0], {
    version,
    build: () => build,
    commit: () => commit,
  })
}

function bytesOf(name: string): Buffer {
  return Buffer.from(getRawAsset(name) as ArrayBuffer)
}

function textOf(name: string): string {
  // The bundler leaves no letter beyond ASCII.
  return bytesOf(name).toString('latin1')
}
