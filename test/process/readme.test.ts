import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { launch, toolAlone } from './built.ts'
import { asShown, firstStart, newReader, readme, shownIn, typed, withoutIds } from './readme-lines.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('a reader of the README in an empty home', () => {
  test('can type each of its lines, in order, and sees what it prints', async () => {
    const reader = await newReader()
    const lines = typed.filter(({ line }) => !line.includes('npm '))
    expect(lines.length).toBeGreaterThan(30)
    for (const { line, prints } of lines) {
      if (reader.exports(line)) continue
      if (prints !== undefined) {
        const printed = asShown(withoutIds(await reader.terminal(line)), withoutIds(prints))
        expect.soft(`$ ${line}\n${printed}`).toBe(`$ ${line}\n${withoutIds(prints)}`)
      } else if (line.startsWith('payroll sandbox serve')) await serves(line)
      else if (line === 'payroll candidates create --ireland') await reader.asks(line, 'Agency reference')
      else if (line === 'payroll candidates update SANDBOX-UK-01') await reader.asks(line, 'The whole record')
      else if (line === 'payroll undo') await reader.asks(line, 'Send the old values of 1 record back')
      else {
        const { code, err } = await reader.types(line)
        // The made-up people share an account.
        expect.soft(code, `${line}\n${err}`).toBe(line === 'payroll check' ? 9 : 0)
      }
    }

    async function serves(line: string): Promise<void> {
      const { printed, child, ended } = reader.shell(`exec ${line}`)
      const address = await printed((text) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0])
      expect((await fetch(`${address}/svc/candidates`)).status).toBe(503)
      child.kill('SIGINT')
      await ended
    }
  })

  test('has payroll on the PATH by its first lines, and no longer by its last', {
    timeout: 120_000,
  }, async () => {
    const [install = '', ...others] = typed
      .filter(({ line }) => line.includes('npm '))
      .map(({ line }) => line)
    expect(typed[0]?.line).toBe(install)
    expect(typed.at(-1)?.line).toBe(others.at(-1))
    const home = freshHome()
    const folder = join(home, 'payroll')
    toolAlone(folder)
    const shell = (line: string) =>
      launch('bash', ['-c', `PATH=${home}/npm/bin:$PATH; ${line}`], {
        home,
        cwd: folder,
        env: { npm_config_prefix: `${home}/npm`, npm_config_offline: 'true' },
      }).ended
    // The packages of npm ci are those of this test.
    expect(install).toMatch(/^npm ci && npm install --global \./)
    expect(await shell(install.replace('npm ci && ', ''))).toMatchObject({ code: 0 })
    expect(await shell('cd / && payroll --version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d/),
    })
    expect(await shell(others.at(-1) ?? '')).toMatchObject({ code: 0 })
    expect((await shell('cd / && command -v payroll')).out).not.toContain(home)
  })

  test('sees at a first start what docs/systems.md shows', async () => {
    const reader = await newReader()
    const [exported, ...lines] = firstStart('$ ')
    expect(reader.exports(exported?.line ?? '')).toBe(true)
    expect(lines.length).toBe(3)
    for (const { line, prints = '' } of lines)
      expect(asShown(await reader.terminal(line), prints)).toBe(prints)
  })

  test('sees what docs/import.md shows, with the files that it shows first', async () => {
    const reader = await newReader()
    reader.exports('export PAYROLL_PROFILE=sandbox')
    await reader.types('payroll sandbox seed')
    for (const { line, prints = '' } of shownIn('docs/import.md', '$ ')) {
      const [, name = ''] = /^cat (\S+)$/.exec(line) ?? []
      const file = join(reader.home, name)
      if (name !== '' && !existsSync(file)) writeFileSync(file, `${prints}\n`)
      const printed = name === '' ? await reader.terminal(line) : readFileSync(file, 'utf8')
      expect.soft(asShown(withoutMarks(printed), prints), line).toBe(prints)
    }
  })

  test('sees in the picture of a table what a terminal of 80 columns shows', async () => {
    const picture = readFileSync(join(root, 'docs/screens/list.svg'), 'utf8')
    const words = [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)
    const [command = '', ...table] = words.join(' ').split(/(?= Person )/)
    const reader = await newReader()
    reader.exports('export PAYROLL_PROFILE=sandbox')
    await reader.types('payroll sandbox seed')
    const line = command.replace('$ ', '')
    expect(typed.map((each) => each.line)).toContain(line)
    expect(inOneLine(table.join(' '))).toBe(inOneLine(await reader.terminal(line)))
  })

  test('can give the lines for cron to cron', async () => {
    const reader = await newReader()
    const [, address = '', command = ''] = /^(PAYROLL_BASE_URL=\S+)\n(?:\S+ ){5}(.+)$/m.exec(readme) ?? []
    writeFileSync(join(reader.home, '.payroll-key'), reader.key)
    const { code, out, err } = await reader.shell(`export ${address}; ${command}`).ended
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
    expect(readFileSync(join(reader.home, 'payslips.csv'), 'utf8').split('\n').length).toBeGreaterThan(100)
  })
})

/** A CSV without what only Excel needs. */
const withoutMarks = (text: string) => text.replace('\uFEFF', '').replaceAll('\r\n', '\n').trimEnd()

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
