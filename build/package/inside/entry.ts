import { getRawAsset } from 'node:sea'
import { start } from '../../../bin/start.js'
import { createLoader } from './loader.ts'

/** The main script of an executable. Nothing is unpacked: each file is read where it lies in memory. */
const { version, build, compiled } = JSON.parse(textOf('about.json')) as About
const withCache = new Set(compiled)
const load = createLoader(
  {
    text: textOf,
    compiled: (name) => (withCache.has(name) ? bytesOf(`${name}.compiled`) : undefined),
  },
  require,
)
start(load('main.cjs') as Parameters<typeof start>[0], { version, build: () => build })

/** What the executable knows of itself. */
export interface About {
  readonly version: string
  /** `executable linux-x64` */
  readonly build: string
  /** The files of dist that have an asset beside them with what V8 compiled of them. */
  readonly compiled: readonly string[]
}

function bytesOf(name: string): Buffer {
  return Buffer.from(getRawAsset(name) as ArrayBuffer)
}

function textOf(name: string): string {
  return bytesOf(name).toString()
}
