import { describe, expect, test } from 'vitest'
import type { Resource, VerbGroup } from '../../../src/commands/cli/verb.ts'
import { topics } from '../../../src/commands/help/topics.ts'
import { onceForText } from '../../../src/once.ts'
import { entries } from '../../../src/program.ts'
import { atTerminal, endedWith, payroll } from '../../payroll.ts'

/** Help reads no settings. */
const home = '/nowhere'

const run = (words: string) => payroll(words.split(' '), { home })

/** The words that lead to every command, verbs under verbs too. */
async function everyCommand(): Promise<string[][]> {
  const below = (words: string[], inside: Resource | VerbGroup): string[][] => [
    words,
    ...('verbs' in inside ? (inside.verbs ?? []).flatMap((verb) => below([...words, verb.name], verb)) : []),
  ]
  const all = await Promise.all(entries.map(async ({ name, load }) => below([name], await load())))
  return [[], ...all.flat()]
}

describe('payroll help <command>', () => {
  test('prints what --help prints, byte for byte, for every command', async () => {
    for (const words of await everyCommand()) {
      const [helped, asked] = await Promise.all([
        payroll(['help', ...words], { home }),
        payroll([...words, '--help'], { home }),
      ])
      expect([words, helped.code, helped.out, helped.err]).toEqual([words, 0, asked.out, ''])
    }
  })

  test.each([
    ['candidates.ireland --help', 'help candidates'],
    ['help candidates.ireland list', 'help candidates list'],
    ['commands candidates.ireland list', 'commands candidates list'],
    ['candidates create -h', 'help candidates create'],
  ])('takes the country in the noun, and -h: %s', async (typed, meant) => {
    const { out } = await run(meant)
    expect(await run(typed)).toMatchObject({ code: 0, err: '', out })
  })

  test('shows the verbs of a noun before anything else, and no option of every command', async () => {
    const { out } = await run('help candidates')
    for (const verb of ['create', 'list', 'get', 'update', 'export', 'import', 'drafts'])
      expect(out).toMatch(new RegExp(`^  ${verb} +\\S`, 'm'))
    expect(out.indexOf('Verbs:')).toBeLessThan(out.indexOf('Examples:'))
    expect(out).not.toContain('--timeout')
  })

  test('shows examples of a verb before its options, and one line on the options of every command', async () => {
    const { out } = await run('help candidates create')
    expect(out.indexOf('Examples:')).toBeLessThan(out.indexOf('Options:'))
    expect(out).toMatch(/\nOptions of every command .*payroll help options\n$/)
    expect(out).not.toContain('--timeout')
  })

  test.each([
    ['check', '--uk', 'for people paid in the UK\n'],
    ['candidates find', '--uk', 'for people paid in the UK\n'],
    ['candidates list', '--uk', 'for people paid in the UK (the default,'],
    ['documents export', '--out', 'write into this folder\n'],
    ['documents get', '--out', 'save the document to this file or into this folder;'],
    ['history', '--since', 'since this day, such as 2026-11-01 or 1/11/2026\n'],
    ['changes', '--since', 'or since this mark\n'],
    ['changes forget', '--all', 'all marks\n'],
    ['completion', 'itself', 'Print the completion script of a shell.\n'],
  ])('of %s says of %s what it does there', async (words, _, says) => {
    expect((await run(`help ${words}`)).out).toContain(says)
  })

  test.each([
    ['candidate', 'There is no command candidate. Did you mean candidates?'],
    ['exit-code', 'Did you mean exit-codes?'],
    ['P45', 'There is no command P45.\nSee payroll --help.'],
    ['candidates crate', 'candidates has no verb crate. Did you mean create?'],
    ['candidates zodiac', 'candidates has no verb zodiac.\nSee payroll candidates --help.'],
  ])('payroll help %s is exit 2, and says what to type', async (words, says) => {
    expect(await run(`help ${words}`)).toMatchObject({ ...endedWith(2, says), out: '' })
  })
})

describe('payroll help <topic>', () => {
  test.each(topics)('%s is a page of its own, named by payroll --help', async (name) => {
    const { code, out, err } = await run(`help ${name}`)
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').length).toBeGreaterThan(8)
    expect((await run('--help')).out).toContain(name)
  })

  test('options lists every option that works everywhere', async () => {
    const { out } = await run('help options')
    const options = ['--profile', '-o, --output', '--json', '--out', '-q, --quiet', '-y, --yes', '--help']
    for (const option of options) expect(out).toContain(option)
  })
})

test('payroll help 8 is the page of the exit codes', async () => {
  expect(await run('help 8')).toMatchObject({ code: 0, out: (await run('help exit-codes')).out })
})

test('payroll alone fits a screen of 24 lines, and names every command', async () => {
  const { code, out } = await payroll([], { home })
  expect(code).toBe(0)
  expect(out.split('\n').length).toBeLessThanOrEqual(24)
  for (const { name } of entries) expect(out).toContain(name)
  expect(out).toMatch(/^ *Look back and undo +history, undo$/m)
})

describe('help', () => {
  const sorted = (text: string) => text.split(/\s+/).sort()
  const shownWide = onceForText(async (words) => {
    const wide = atTerminal(`help ${words}`.trim().split(' '), { home, columns: 1000 })
    await wide.ended
    return wide.screen()
  })

  test.each([40, 80, 120])('fits %i columns and breaks no word', async (columns) => {
    const all = [...(await everyCommand()), ...topics.map((name) => [name])]
    for (const words of all) {
      const shown = atTerminal(['help', ...words], { home, columns })
      expect((await shown.ended).code).toBe(0)
      const narrow = shown.screen()
      for (const line of narrow.split('\n')) {
        // A word that is longer than the screen stays whole, and so does a command or a term.
        const isWhole = /^\s*\S+$|^ {2}\S/.test(line)
        expect([words, line, line.length <= columns || isWhole]).toEqual([words, line, true])
      }
      expect(sorted(narrow)).toEqual(sorted(await shownWide(words.join(' '))))
    }
  })

  test('ignores a variable that other commands refuse', async () => {
    const env = { PAYROLL_OUTPUT: 'pdf' }
    expect((await payroll(['help', 'candidates'], { home, env })).code).toBe(0)
  })
})
