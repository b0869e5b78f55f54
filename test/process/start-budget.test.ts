import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { launch, nodes, tool } from './built.ts'

/** Written when the process ends: what it loaded of Node since its start, and which files of ours. */
const preload = `const before = new Set(process.moduleLoadList)
process.on('exit', () => {
  const builtIns = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ') && !before.has(name))
  const fs = process.getBuiltinModule('node:fs')
  const files = Object.keys(require.cache).filter((name) => name.endsWith('.cjs') && name !== __filename)
  const bytes = files.reduce((sum, name) => sum + fs.statSync(name).size, 0)
  fs.writeFileSync(process.env.LOADED, JSON.stringify({ builtIns, files, bytes }))
})`

interface Loaded {
  readonly builtIns: readonly string[]
  readonly files: readonly string[]
  readonly bytes: number
}

async function loaded(
  node: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Loaded> {
  const home = freshHome()
  const [script, report] = [join(home, 'preload.cjs'), join(home, 'loaded.json')]
  writeFileSync(script, preload)
  const ended = await launch(node, ['--require', script, tool, ...argv], {
    home,
    env: { ...env, LOADED: report },
  }).ended
  expect(ended).toMatchObject({ code: 0, signal: null })
  return JSON.parse(readFileSync(report, 'utf8'))
}

/**
 * Each costs a short command some milliseconds, and none of them is of use to it. Node 22 loads `esm/assert` with the module
 * that keeps what was compiled.
 */
const unwanted =
  /undici|child_process|perf_hooks|worker|http2|tls|zlib|webstreams|crypto|readline|fs\/promises|fs\/streams|(?<!esm\/)assert/

/** Measured, and some room: what goes beyond is a decision. */
const short = [
  { argv: ['--version'], most: { files: 0, bytes: 0, builtIns: 25 } },
  { argv: ['--help'], most: { files: 5, bytes: 108_000, builtIns: 33 } },
  { argv: ['vat-codes', 'list', '--json'], most: { files: 7, bytes: 243_500, builtIns: 42 } },
  { argv: ['candidates', 'list', '--json'], most: { files: 8, bytes: 271_000, builtIns: 42 } },
]

describe.each(nodes)('with %s a short command', (node) => {
  test.each(short)('$argv loads few and small files, and little of Node', async ({ argv, most }) => {
    const { env } = await loopback()
    const { builtIns, files, bytes } = await loaded(node, argv, env)
    expect(builtIns.filter((name) => unwanted.test(name))).toEqual([])
    expect(files.length > 0).toBe(most.files > 0)
    expect(files.length).toBeLessThanOrEqual(most.files)
    expect(bytes).toBeLessThanOrEqual(most.bytes)
    expect(builtIns.length).toBeLessThanOrEqual(most.builtIns)
  })
})
