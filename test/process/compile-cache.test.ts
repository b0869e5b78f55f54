import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { launch, nodes, tool } from './built.ts'

const list = ['vat-codes', 'list', '--json']

/** A home whose folder of the settings has this mode. */
function homeWith(mode: number) {
  const home = freshHome()
  const settings = join(home, '.config', 'payroll')
  mkdirSync(settings, { recursive: true })
  chmodSync(settings, mode)
  return { home, compiled: join(settings, 'compiled') }
}

const run = (node: string, argv: readonly string[], home: string, env: Record<string, string> = {}) =>
  launch(node, [tool, ...argv], { home, env }).ended

/** The files below a folder, by their paths. */
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

describe.each(nodes)('what %s compiled of the tool', (node) => {
  test('is kept for the next start, in a folder of the user alone', async () => {
    const { env } = await loopback()
    const { home, compiled } = homeWith(0o700)
    const first = await run(node, list, home, env)
    expect(first.code).toBe(0)
    expect(statSync(compiled).mode & 0o777).toBe(0o700)
    const files = filesBelow(compiled)
    expect(files.length).toBeGreaterThan(3)
    const times = () => files.map((file) => statSync(file).mtimeMs)
    const before = times()
    expect(await run(node, list, home, env)).toEqual(first)
    expect(times()).toEqual(before)
  })

  test('is not used of a file that was changed since, to a text of the same length', async () => {
    const { home, compiled } = homeWith(0o700)
    const copy = freshHome()
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(join(tool, '../..', part), join(copy, part), { recursive: true })
    const help = async () => {
      const words = [join(copy, 'bin/payroll.js'), 'vat-codes', 'list', '--help']
      return (await launch(node, words, { home }).ended).out
    }
    expect(await help()).toContain('List the default VAT codes')
    expect(filesBelow(compiled).length).toBeGreaterThan(3)
    const chunk = join(copy, 'dist/chunks/vat-codes.cjs')
    writeFileSync(chunk, readFileSync(chunk, 'utf8').replace('the default', 'the changed'))
    expect(await help()).toContain('List the changed VAT codes')
  })

  test('is used of a function that was called, too', async () => {
    const { env } = await loopback()
    const { home } = homeWith(0o700)
    const compiledOf = async (...flags: string[]) => {
      const log = join(home, 'v8.log')
      const words = [
        '--log-function-events',
        `--logfile=${log}`,
        '--no-logfile-per-isolate',
        ...flags,
        tool,
        ...list,
      ]
      expect((await launch(node, words, { home, env }).ended).code).toBe(0)
      return readFileSync(log, 'utf8').match(/^function,interpreter,.*,fetchPage$/gm)?.length ?? 0
    }
    expect(await compiledOf()).toBeGreaterThan(0)
    expect(await compiledOf()).toBe(0)
  })

  test('is not used where its file was damaged', async () => {
    const { env } = await loopback()
    const { home, compiled } = homeWith(0o700)
    const first = await run(node, list, home, env)
    for (const file of filesBelow(compiled)) {
      const damaged = readFileSync(file)
      for (let at = 100; at < damaged.length; at += 50) damaged[at] = (damaged[at] ?? 0) ^ 0x55
      writeFileSync(file, damaged)
    }
    expect(await run(node, list, home, env)).toEqual(first)
    for (const file of filesBelow(compiled)) writeFileSync(file, '')
    expect(await run(node, list, home, env)).toEqual(first)
  })

  test('is not kept where there are no settings: a read leaves nothing behind', async () => {
    const { env } = await loopback()
    const home = freshHome()
    expect(await run(node, list, home, env)).toMatchObject({ code: 0 })
    expect(existsSync(join(home, '.config'))).toBe(false)
  })

  test('is neither kept nor used in a folder that others may enter', async () => {
    const { env } = await loopback()
    const { home, compiled } = homeWith(0o755)
    expect(await run(node, list, home, env)).toMatchObject({ code: 0 })
    expect(existsSync(compiled)).toBe(false)
  })
})
