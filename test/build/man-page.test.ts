import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manualOf } from '../../build/package/manual.ts'
import { freshHome, payroll } from '../payroll.ts'

const pages = manualOf('1.2.3', new Date('2026-04-06T23:59:00Z'))

/** The page of a command, as roff reads it. */
async function pageOf(...words: string[]): Promise<string> {
  const page = (await pages).find(({ name }) => name === `${['payroll', ...words].join('-')}.1`)
  return String(page?.bytes)
}
const hasMandoc = spawnSync('mandoc', ['-T', 'lint', '/dev/null']).error === undefined
const without = hasMandoc ? '' : ' (skipped: there is no mandoc)'

/** The page as a person reads it, with what roff is told taken out. */
const readable = (page: string) =>
  page
    .replaceAll('\\-', '-')
    .replaceAll('\\(aq', "'")
    .replace(/\\f[BIR]|\\&/g, '')

describe('a man page', () => {
  test('of a command has its options, exit codes, examples and the pages around it', async () => {
    const out = await pageOf('candidates', 'update')
    expect(out).toMatch(/^\.TH PAYROLL-CANDIDATES-UPDATE 1 "2026-04-06" "payroll \d/)
    const page = readable(out)
    expect(page).toContain('.SH SYNOPSIS\n.B payroll candidates update\n<id> [options]\n')
    expect(page).toContain('.TP\n--set <path=value>\n')
    expect(page).toContain('.TP\n8\nthe outcome is unknown')
    expect(page).not.toContain('.TP\n9\n')
    expect(page).toContain('.SH SEE ALSO\n.BR payroll (1),\n.BR payroll-candidates (1)\n')
  })

  test('payroll(1) has every command, options, environment and exit codes', async () => {
    const raw = await pageOf()
    // man warns of others in the locale C.
    expect(raw).toContain('temporary, unknown, partial, ...')
    expect(raw).not.toContain('…')
    const page = readable(raw)
    for (const part of ['payroll-candidates(1)', '-o, --output <format>', 'PAYROLL_BASE_URL', 'config.json'])
      expect(page).toContain(part)
    expect(page.match(/^\.SH .*/gm)).toEqual(
      expect.arrayContaining(['.SH ENVIRONMENT', '.SH FILES', '.SH EXIT STATUS', '.SH EXAMPLES']),
    )
  })

  test('has of the environment what the command names, and pages of the commands that its text names', async () => {
    const update = readable(await pageOf('candidates', 'update'))
    expect(update).toMatch(/^\.SH ENVIRONMENT\n\.TP\nPAYROLL_COUNTRY\n/m)
    expect(update).toMatch(/^\.TP\nVISUAL\n/m)
    expect(update).not.toMatch(/^\.TP\nPAYROLL_PROFILE\n/m)
    const serve = readable(await pageOf('sandbox', 'serve'))
    expect(serve).not.toContain('.SH ENVIRONMENT')
    expect(serve).toContain('.BR payroll-routes-list (1)')
  })
})

describe('the man pages of a package', () => {
  test('are one for each command that payroll commands lists, and each names only pages that are there', async () => {
    const listed = (await payroll(['commands', '--all', '--json'])).json()
    const names = (await pages).map(({ name }) => name)
    const commands = listed.map(({ command }: { command: string }) => `${command.replaceAll(' ', '-')}.1`)
    expect(names).toEqual(expect.arrayContaining(commands))
    expect(new Set(names).size).toBe(names.length)
    for (const { bytes } of await pages) {
      const named = [...readable(String(bytes)).matchAll(/^\.BR (\S+) \(1\)/gm)]
      expect(names).toEqual(expect.arrayContaining(named.map(([, name]) => `${name}.1`)))
    }
  })

  test('have the name that is looked for and a summary in one line, with a small letter where it is a word', async () => {
    for (const { name, bytes } of await pages) {
      const [, looked, summary] =
        /^\.SH NAME\n(\S+) - (.+?)\n\.SH SYNOPSIS$/ms.exec(readable(String(bytes))) ?? []
      expect([name, `${looked}.1`]).toEqual([name, name])
      expect([name, summary]).toEqual([name, expect.not.stringMatching(/^[A-Z][a-z]|\.$/)])
    }
  })

  test('have every option of their command', async () => {
    const listed = (await payroll(['commands', '--all', '--json'])).json()
    for (const { command, options } of listed) {
      const page = (await pages).find(({ name }) => name === `${command.replaceAll(' ', '-')}.1`)
      // The options of every command are in payroll(1).
      const own =
        command === 'payroll' ? options : options.filter(({ flags }: any) => flags !== '--out <file>')
      for (const { flags } of own) expect(readable(String(page?.bytes))).toContain(`.TP\n${flags}\n`)
    }
  })

  test.skipIf(!hasMandoc)(`have no fault for mandoc but the missing date${without}`, async () => {
    const folder = join(freshHome(), 'man1')
    mkdirSync(folder, { recursive: true })
    const files = (await pages).map(({ name, bytes }) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    })
    const lint = ['-T', 'lint', '-W', 'style', ...files]
    const { stdout, stderr } = spawnSync('mandoc', lint, { encoding: 'utf8' })
    const faults = `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
    expect(faults.filter((line) => !line.includes('missing date'))).toEqual([])
  })
})
