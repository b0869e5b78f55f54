import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exitCodeRows } from '../src/commands/cli/exit-codes.ts'
import { exitCodes } from '../src/errors.ts'
import { freshHome, payroll } from './payroll.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Every command of the README, from `payroll` to what the shell takes over. */
const commands = [...readme.matchAll(/(?<![\w/:."'-])payroll ((?:--?[a-z]|[a-z])[^`|>\n#&)]*)/g)]
  .map(([, words = '']) => words.trim())
  .filter((words) =>
    /^(--|candidates|payment-rates|timesheets|payslips|documents|check|changes|history|undo|profiles|auth|sandbox|routes|doctor|explain|api|template|schema|completion)/.test(
      words,
    ),
  )

describe('the README', () => {
  test('shows commands', () => {
    expect(commands.length).toBeGreaterThan(10)
  })

  test.each([...new Set(commands)])(
    'shows a command that exists, with options it has: payroll %s',
    async (words) => {
      const argv = words.split(/\s+/).filter((word) => word !== '…')
      // From there on, help would be data.
      const form = argv.findIndex((word) => /^(-o|--json|--query|--columns|--excel)$/.test(word))
      const typed = form < 0 ? argv : argv.slice(0, form)
      const { code, out, err } = await payroll([...typed, '--help'])
      expect(err).toBe('')
      const { out: global } = await payroll(['help', 'options'])
      for (const option of argv.filter((word) => word.startsWith('--')))
        expect(out + global).toContain(`${option} `)
      expect(code).toBe(0)
    },
  )

  test('shows every screen that is drawn, and none that is not', () => {
    const shown = [...readme.matchAll(/\(docs\/screens\/(\w+\.svg)\)/g)].map(([, name]) => name).sort()
    const drawn = readdirSync(new URL('../docs/screens/', import.meta.url)).sort()
    expect(shown).toEqual(drawn)
  })

  test('lists the exit codes there are', () => {
    const listed = [...readme.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    // Two codes of the output may have one number, which has one row.
    expect(listed).toEqual([...new Set(Object.values(exitCodes))])
    const cells = (row: readonly string[]) => `| ${row.join(' | ')} |`.replace('|  |', '| |')
    for (const row of exitCodeRows) expect(readme.replaceAll('`', '')).toContain(cells(row))
  })

  test('gives a first command that does what it says', async () => {
    const [, command = ''] = /npx payroll (.*)\n/.exec(readme) ?? []
    const home = freshHome()
    const created = await payroll(command.split(' '), { home })
    expect(created.err).toContain('Created')
    expect(created.code).toBe(0)
    const listed = await payroll(['--profile', 'sandbox', 'candidates', 'list', '--ireland'], { home })
    expect(listed.json()).toEqual([created.json()])
  })
})
