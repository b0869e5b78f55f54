import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Script } from 'node:vm'
import type { Host } from '../../../src/context/host.ts'
import { createLoader } from '../../../src/files/local/loader.ts'
import type { main } from '../../../src/main.ts'

/**
 * Writes what V8 compiles of the files of dist while some commands run, for the executable to start from: what a
 * function was compiled to is only there once it has run. Run by the Node of the executable, with a fixed seed for the
 * hashes of names, so that the same files come out each time: `compile.mjs <dist> <folder to write to> <hash of flags>`.
 */
const [, , dist = '', folder = '', flags = ''] = process.argv

const version = '0.0.0'

/**
 * What people type often, and what each of them loads. All of it in the sandbox: with answers from a network the order of
 * what is compiled would be another each time, and V8 numbers it.
 */
const often = [
  ['--help'],
  ['vat-codes', 'list', '--json'],
  ['candidates', 'list', '--json'],
  ['sandbox', 'seed'],
  ['candidates', 'list', '-o', 'table'],
  ['candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York'],
]

const scripts = new Map<string, Script>()
const files = { text: (name: string) => readFileSync(join(dist, name), 'utf8'), compiled: () => undefined }
const load = createLoader(files, createRequire(import.meta.url), (name, script) => scripts.set(name, script))
const tool = load('main.cjs') as { readonly main: typeof main }

const home = mkdtempSync(join(tmpdir(), 'payroll-compile-'))
try {
  for (const argv of often) await tool.main(hostFor(argv), version)
} finally {
  rmSync(home, { recursive: true })
}
for (const [name, script] of scripts) {
  const path = join(folder, `${name}.compiled`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, withFlags(script.createCachedData()))
}

function hostFor(argv: readonly string[]): Host {
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })
  return {
    argv,
    env: { PAYROLL_CONFIG_DIR: home, PAYROLL_PROFILE: 'sandbox' },
    stdin: Readable.from([]),
    stdout: nowhere(),
    stderr: nowhere(),
    now: () => Date.UTC(2026, 0, 1),
    monotonicNow: () => 0,
    sleep: async () => {},
    onSignal: () => () => {},
    raiseSignal: () => {},
    node: process.versions.node,
  }
}

/**
 * V8 refuses what was compiled under other flags than its own, and a fixed seed is a flag. It changes no instruction: names
 * are hashed anew as they are loaded. The fourth number of the head is the hash of the flags (V8, code-serializer.h).
 */
function withFlags(compiled: Buffer): Buffer {
  compiled.writeUInt32LE(Number(flags), 3 * 4)
  return compiled
}
