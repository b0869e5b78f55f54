import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'shell-quote'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../../src/errors.ts'
import { countries } from '../../../src/model/countries/countries.ts'
import { entries } from '../../../src/program.ts'
import { commandsIn } from '../../../src/text/named-commands.ts'
import { freshHome, payroll } from '../../payroll.ts'

interface Row {
  readonly command: string
  readonly writes: boolean
  readonly deletes: boolean
  readonly readsInput: string | null
  readonly arguments: readonly { name: string; required: boolean; repeatable: boolean }[]
  readonly options: readonly {
    name: string
    takes: string | null
    type: string
    values: readonly string[]
    repeatable: boolean
    conflicts: readonly string[]
  }[]
  readonly notes: readonly (string | readonly [string, string])[]
  readonly exitCodes: readonly number[]
}

async function listed(home = freshHome()): Promise<readonly Row[]> {
  const run = await payroll(['commands', '--all', '--json'], { home })
  expect([run.code, run.err]).toEqual([0, ''])
  return run.json()
}

const rowOf = (rows: readonly Row[], command: string) => {
  const row = rows.find((each) => each.command === command)
  if (!row) throw new Error(`payroll commands does not list ${command}`)
  return row
}

describe('payroll commands --json', () => {
  test('names every command that help has, each once', async () => {
    const rows = await listed()
    const names = rows.map(({ command }) => command)
    expect(new Set(names).size).toBe(names.length)
    for (const { name } of entries)
      expect(names.some((each) => each.startsWith(`payroll ${name}`))).toBe(true)
    for (const command of names.slice(1)) {
      const help = await payroll([...command.split(' ').slice(1), '--help'])
      expect([command, help.code, help.out.includes(command)]).toEqual([command, 0, true])
    }
  })

  test('has the arguments and the options of each, with what they take, and its notes', async () => {
    const rows = await listed()
    const { options, notes } = rowOf(rows, 'payroll candidates list')
    expect(notes[0]).toMatch(/^A condition of --where is a field/)
    const option = (name: string) => options.find((each) => each.name === name)
    expect(option('--where')).toMatchObject({ type: 'text', takes: 'condition', repeatable: true })
    const flag = {
      type: 'flag',
      takes: null,
      repeatable: false,
      least: null,
      most: null,
      conflicts: expect.arrayContaining(countries.flatMap(({ flag }) => (flag === '--ireland' ? [] : flag))),
    }
    expect(option('--ireland')).toMatchObject(flag)
    expect(option('--out')).toMatchObject({ type: 'file', takes: 'file' })
    expect(option('--size')).toMatchObject({ type: 'number', least: 1, most: 100 })
    const get = { arguments: [{ name: 'id', required: true }] }
    expect(rowOf(rows, 'payroll candidates get')).toMatchObject(get)
    expect(rowOf(rows, 'payroll timesheets import').arguments).toMatchObject([{ type: 'file', values: [] }])
    expect(rowOf(rows, 'payroll api').arguments).toMatchObject([
      { type: 'choice', values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      { type: 'text', values: [] },
    ])
  })

  test('says which commands delete, on the service or on this computer, and what each reads standard input for', async () => {
    const rows = await listed()
    const deleting = rows.filter(({ deletes }) => deletes)
    const commandsThat = (write: boolean) =>
      deleting.filter(({ writes }) => writes === write).map(({ command }) => command)
    expect(commandsThat(true)).toEqual(['payroll documents delete'])
    expect(commandsThat(false)).toEqual(
      expect.arrayContaining([
        'payroll candidates drafts delete',
        'payroll profiles remove',
        'payroll auth logout',
        'payroll routes reset',
        'payroll changes forget',
        'payroll history forget',
        'payroll journal logout',
        'payroll sandbox reset',
      ]),
    )
    const readers = rows.flatMap(({ command, readsInput }) => (readsInput ? [[command, readsInput]] : []))
    expect(Object.fromEntries(readers)).toMatchObject({
      'payroll candidates create': 'record',
      'payroll candidates update': 'record',
      'payroll timesheets import': 'rows',
      'payroll auth login': 'secret',
      'payroll api': 'record',
      'payroll candidates import resolve': 'rows',
    })
  })

  test('names each pair of options that is refused, at both of them, and typing it is exit 2', async () => {
    const home = freshHome()
    const values: Record<string, string> = {
      number: '1',
      choice: 'x',
      day: '2026-04-01',
      file: 'a',
      text: 'a=b',
    }
    const typed = (name: string, type: string) => (type === 'flag' ? [name] : [name, values[type] ?? 'a'])
    for (const { command, options, arguments: taken } of await listed()) {
      const words = taken.filter(({ required }) => required).map(() => 'x')
      for (const { name, type, conflicts } of options) {
        for (const conflict of conflicts) {
          const other = options.find((option) => option.name === conflict)
          expect(other?.conflicts).toContain(name)
          if (name > conflict) continue
          const both = [...typed(name, type), ...typed(conflict, other?.type ?? '')]
          const { code, err } = await payroll([...command.split(' ').slice(1), ...words, ...both], { home })
          const pair = new RegExp(`(${name} and ${conflict}|${conflict} and ${name}) cannot be combined\\.`)
          expect([command, code, err]).toEqual([command, 2, expect.stringMatching(pair)])
        }
      }
    }
  })

  test('has the version, that of the format, and the options of every command in its first row', async () => {
    const [first] = await listed()
    expect(first).toMatchObject({ command: 'payroll', version: '0.0.0-test', formatVersion: 1 })
    const option = (name: string) => first?.options.find((each) => each.name === name)
    const output = { type: 'choice', values: expect.arrayContaining(['json']) }
    expect(option('--output')).toMatchObject(output)
    expect(option('--columns')).toMatchObject({ type: 'list' })
    expect(first?.exitCodes).toEqual([...new Set(Object.values(exitCodes)), 129, 130, 143])
  })

  test('says of each whether it writes: what a read-only profile refuses, and nothing else', async () => {
    const writing = (await listed()).filter(({ writes }) => writes).map(({ command }) => command)
    const records = ['create', 'update', 'import']
    const nouns = ['candidates', 'payment-rates', 'timesheets']
    expect(writing).toEqual([
      ...nouns.flatMap((noun) => records.map((verb) => `payroll ${noun} ${verb}`)),
      ...['create', 'update', 'delete'].map((verb) => `payroll documents ${verb}`),
      ...['payroll undo', 'payroll auth login', 'payroll auth token', 'payroll api'],
    ])
  })

  test('has exit code 8 for what writes, 9 for imports, documents export, check, changes and undo, 3 for what reads a record, and 4 for what calls the service', async () => {
    const rows = await listed()
    const having = (code: number) =>
      rows.filter((row, at) => at > 0 && row.exitCodes.includes(code)).map(({ command }) => command)
    expect(having(8)).toEqual(rows.filter(({ writes }) => writes).map(({ command }) => command))
    const partial = ['documents export', 'check', 'changes', 'undo']
    const imports = ['candidates import', 'payment-rates import', 'timesheets import']
    expect(having(9)).toEqual([...imports, ...partial].map((words) => `payroll ${words}`))
    expect(having(3)).toContain('payroll candidates create')
    expect(having(4)).toContain('payroll payslips list')
    expect(having(4)).not.toContain('payroll explain')
    expect(rows.every((row) => [0, 1, 2, 130].every((code) => row.exitCodes.includes(code)))).toBe(true)
  })

  const facts = ['', ' list', ' export', ' import', ' reset'].map((verb) => `payroll facts${verb}`)
  const sandbox = ['serve', 'reset', 'seed', 'path'].map((verb) => `payroll sandbox ${verb}`)
  test.each([
    ['commands candidates list --json', ['payroll candidates list']],
    ['commands facts --json', facts],
  ])('has the command that its words name, with those behind it: payroll %s', async (typed, names) => {
    const run = await payroll(typed.split(' '))
    expect([run.code, run.err]).toEqual([0, ''])
    const all = await listed()
    expect(run.json()).toEqual(names.map((name) => rowOf(all, name)))
  })

  test('has a name and a sentence of each where none is named, and of those in a group', async () => {
    const all = (await listed()).slice(1)
    const short = (rows: readonly any[]) =>
      rows.map(({ command, summary }) => ({ command, summary: summary.split('. ')[0] }))
    const run = await payroll(['commands', '--json'])
    expect([run.code, run.json()]).toEqual([0, short(all)])
    expect(run.out.length).toBeLessThan(12 * 1024)
    const inGroup = all.filter(({ command }) => sandbox.includes(command))
    expect((await payroll('commands sandbox -o json'.split(' '))).json()).toEqual(short(inGroup))
  })

  test('is a table for a person', async () => {
    const { out } = await payroll(['commands', '--all', '-o', 'table'])
    expect(out).toMatch(/payroll api +yes/i)
  })
})

describe('an error of a run with --json', () => {
  test.each([
    [
      'vat-codes list --profile production',
      'payroll profiles set production --base-url https://…',
      // What is left to fill in cannot be run.
      [],
    ],
    ['vat-codes list', 'Set PAYROLL_BASE_URL too.', []],
    ['documents create', 'See payroll documents create --help.', ['payroll documents create --help']],
    [
      'check --only below-minimum --profile sandbox',
      'What a rule means: payroll check rules --profile sandbox. To keep one quiet: payroll check accept <rule> --person <reference> --profile sandbox',
      ['payroll check rules --profile sandbox'],
    ],
  ])('names the commands that help, as next: %s', async (words, hint, next) => {
    const home = freshHome()
    if (words.startsWith('check')) await payroll('sandbox seed --profile sandbox'.split(' '), { home })
    const env = words === 'vat-codes list' ? { PAYROLL_API_KEY: 'CANARYkey0000' } : {}
    const { error } = await payroll([...words.split(' '), '--json'], { home, env })
    expect(error()).toMatchObject({ hint, next })
  })
})

const root = fileURLToPath(new URL('../../../src', import.meta.url))
const nouns = entries.map(({ name }) => name)

/** The texts of a file, with a word instead of each value that is put in. */
function textsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('payroll ')) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    if (ts.isTemplateExpression(node)) {
      // What follows a word without a blank is an option with its blank, or nothing: `payroll auth login${flag}`.
      const join = (before: string, { literal }: ts.TemplateSpan) =>
        `${before}${/(^|[\s'"/=(])$/.test(before) ? 'put-in' : ''}${literal.text}`
      found.push(node.templateSpans.reduce(join, node.head.text))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

const named = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => textsIn(`${root}/${name}`).map((text) => ({ name, text })))
  // The heading of a table in a database, and the description in an OpenAPI document.
  .filter(({ text }) => !/^payroll journal, version|listens on the default/.test(text))
  .flatMap(({ name, text }) => commandsIn(text, nouns).map((command) => [command, name] as const))

let rows: readonly Row[]
beforeAll(async () => {
  rows = await listed('/nowhere')
})

/** The words up to a pipe, a redirection or a comment; `<id>` is a word. */
function wordsOf(command: string): string[] {
  const parts = parse(command.replace(/<[\w-]+>/g, 'put-in'))
  const end = parts.findIndex((part) => typeof part !== 'string')
  return (end < 0 ? parts : parts.slice(0, end)).map(String)
}

/** What is wrong with a command, by what `payroll commands` says of it. */
function problemOf(command: string): string | undefined {
  const [tool = '', ...typed] = wordsOf(command)
  const noun = Math.max(
    0,
    typed.findIndex((word) => nouns.includes(word)),
  )
  // Options of every command may stand before the noun.
  const words = [tool, ...typed.slice(noun), ...typed.slice(0, noun)]
  const row = rows.findLast(({ command: each }) => each.split(' ').every((word, at) => words[at] === word))
  if (!row || row.command === 'payroll') return 'no such command'
  const options = new Map([...row.options, ...(rows[0]?.options ?? [])].map((each) => [each.name, each]))
  const rest = words.slice(row.command.split(' ').length)
  let given = 0
  while (rest.length > 0) {
    const [flag = '', value] = (rest.shift() ?? '').split(/=(.*)/)
    if (flag === '-o') rest.shift()
    else if (!flag.startsWith('-')) given += 1
    else {
      const option = options.get(flag)
      if (!option) return `no option ${flag}`
      if (option.takes !== null && value === undefined && rest.shift() === undefined)
        return `nothing behind ${flag}`
    }
  }
  const isOver = given > row.arguments.length && !row.arguments.some(({ repeatable }) => repeatable)
  const isShort = given < row.arguments.filter(({ required }) => required).length
  return isOver ? 'too many words' : isShort && !words.includes('--help') ? 'too few words' : undefined
}

describe('a command that a text of payroll names', () => {
  test('is found in many texts', () => {
    expect(named.length).toBeGreaterThan(150)
  })

  test.each([
    ['payroll auth logn', 'no such command'],
    ['payroll auth login --brwser', 'no option --brwser'],
    ['payroll auth login --profile', 'nothing behind --profile'],
    ['payroll candidates get', 'too few words'],
    ['payroll candidates list in York', 'too many words'],
    ['payroll candidates list --json | jq .', undefined],
  ])('is judged: %s', (command, problem) => {
    expect(problemOf(command)).toBe(problem)
  })

  test.each(named)('can be typed: %s (%s)', (command) => {
    expect(problemOf(command)).toBeUndefined()
  })
})
