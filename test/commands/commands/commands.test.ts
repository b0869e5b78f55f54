import { describe, expect, test } from 'vitest'
import { exitCodes } from '../../../src/errors.ts'
import { entries } from '../../../src/program.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { loopback } from '../targets.ts'

interface Row {
  readonly command: string
  readonly writes: boolean
  readonly deletes: boolean
  readonly readsInput: string | null
  readonly aliases: readonly string[]
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

async function listed(): Promise<readonly Row[]> {
  const run = await payroll(['commands', '--json'])
  expect([run.code, run.err]).toEqual([0, ''])
  return run.json()
}

const rowOf = (rows: readonly Row[], command: string) => rows.find((row) => row.command === command)

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

  test('has the arguments and the options of each, with what they take', async () => {
    const row = rowOf(await listed(), 'payroll candidates list')
    expect(row?.options).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: '--where', takes: 'condition', repeatable: true }),
        expect.objectContaining({ name: '--ireland', takes: null, repeatable: false }),
        expect.objectContaining({ name: '--out', takes: 'file' }),
      ]),
    )
    const get = rowOf(await listed(), 'payroll candidates get')
    expect(get?.arguments).toEqual([expect.objectContaining({ name: 'id', required: true })])
    expect(get?.aliases).toEqual(['show', 'view'])
    const argumentsOf = async (command: string) => rowOf(await listed(), command)?.arguments
    expect(await argumentsOf('payroll timesheets import')).toMatchObject([{ type: 'file', values: [] }])
    expect(await argumentsOf('payroll api')).toMatchObject([
      { type: 'choice', values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      { type: 'text', values: [] },
    ])
  })

  test('has what the help of each says besides, and the options that one cannot be combined with', async () => {
    const row = rowOf(await listed(), 'payroll candidates list')
    expect(row?.notes[0]).toMatch(/^A condition of --where is a field/)
    expect(row?.options.find(({ name }) => name === '--ireland')?.conflicts).toEqual(['--uk'])
  })

  test('says of each option what follows it: its type, and the bounds of a number', async () => {
    const { options } = rowOf(await listed(), 'payroll candidates list') ?? { options: [] }
    const typeOf = (name: string) => options.find((option) => option.name === name)
    expect(typeOf('--size')).toMatchObject({ type: 'number', least: 1, most: 100 })
    expect(typeOf('--ireland')).toMatchObject({ type: 'flag', least: null, most: null })
    expect(typeOf('--out')).toMatchObject({ type: 'file' })
    expect(typeOf('--where')).toMatchObject({ type: 'text' })
    const [first] = await listed()
    expect(first?.options.find(({ name }) => name === '--output')).toMatchObject({ type: 'choice' })
    expect(first?.options.find(({ name }) => name === '--columns')).toMatchObject({ type: 'list' })
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
      'payroll routes import': 'record',
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
    for (const { command, options, arguments: taken } of await listed()) {
      for (const { name, type, conflicts } of options) {
        for (const conflict of conflicts) {
          const other = options.find((option) => option.name === conflict)
          expect(other?.conflicts).toContain(name)
          const typed = [
            [name, type],
            [conflict, other?.type ?? ''],
          ].flatMap(([word = '', kind = '']) => (kind === 'flag' ? [word] : [word, values[kind] ?? 'a']))
          const words = taken.filter(({ required }) => required).map(() => 'x')
          const run = await payroll([...command.split(' ').slice(1), ...words, ...typed], { home })
          expect([command, run.code, run.err]).toEqual([
            command,
            2,
            expect.stringMatching(/cannot be combined/),
          ])
        }
      }
    }
  })

  test('has the version, that of the format, and the options of every command in its first row', async () => {
    const [first] = await listed()
    expect(first).toMatchObject({ command: 'payroll', version: '0.0.0-test', formatVersion: 1 })
    expect(first?.options).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: '--output', values: expect.arrayContaining(['json']) }),
      ]),
    )
    expect(first?.exitCodes).toEqual([...Object.values(exitCodes), 129, 130, 143])
  })

  test('says of each whether it writes: what a read-only profile refuses, and nothing else', async () => {
    const writing = (await listed()).filter(({ writes }) => writes).map(({ command }) => command)
    expect(writing).toEqual([
      'payroll candidates create',
      'payroll candidates update',
      'payroll candidates import',
      'payroll candidates drafts resume',
      'payroll payment-rates create',
      'payroll payment-rates update',
      'payroll payment-rates import',
      'payroll payment-rates drafts resume',
      'payroll timesheets create',
      'payroll timesheets update',
      'payroll timesheets import',
      'payroll timesheets drafts resume',
      'payroll documents create',
      'payroll documents update',
      'payroll documents delete',
      'payroll documents drafts resume',
      'payroll auth login',
      'payroll auth token',
      'payroll undo',
      'payroll api',
    ])
  })

  test('has exit code 8 for what writes, 9 for imports, documents export, check, changes and undo, 3 for what reads a record, and 4 for what calls the service', async () => {
    const rows = await listed()
    const having = (code: number) =>
      rows
        .slice(1)
        .filter((row) => row.exitCodes.includes(code))
        .map(({ command }) => command)
    expect(having(8)).toEqual(rows.filter(({ writes }) => writes).map(({ command }) => command))
    expect(having(9)).toEqual([
      'payroll candidates import',
      'payroll payment-rates import',
      'payroll timesheets import',
      'payroll documents export',
      'payroll check',
      'payroll changes',
      'payroll undo',
    ])
    expect(having(3)).toContain('payroll routes import')
    expect(having(4)).toContain('payroll payslips list')
    expect(having(4)).not.toContain('payroll explain')
    expect(rows.every((row) => [0, 1, 2, 130].every((code) => row.exitCodes.includes(code)))).toBe(true)
  })

  test.each([
    ['payroll commands candidates list --json', ['payroll candidates list']],
    ['payroll help candidates list --json', ['payroll candidates list']],
    ['payroll help candidates ls --json', ['payroll candidates list']],
    [
      'payroll help sandbox -o json',
      ['serve', 'faults', 'reset', 'seed', 'path'].map((verb) => `payroll sandbox ${verb}`),
    ],
  ])(
    'has with the words of a command that command alone, as help has it for a program: %s',
    async (typed, names) => {
      const run = await payroll(typed.split(' ').slice(1))
      expect([run.code, run.err]).toEqual([0, ''])
      const all = await listed()
      expect(run.json()).toEqual(names.map((name) => rowOf(all, name)))
    },
  )

  test('is a table for a person', async () => {
    const { out } = await payroll(['commands', '-o', 'table'])
    expect(out).toMatch(/payroll api +yes/i)
  })
})

describe('an error of a run with --json', () => {
  test('names the commands that help, as next', async () => {
    const { run, home } = await loopback()
    const refused = await payroll(['vat-codes', 'list', '--json', '--profile', 'production'], { home })
    expect(refused.error()).toMatchObject({
      hint: 'payroll profiles set production --base-url https://…',
      next: [],
    })
    const none = await run(['candidates', 'get', '4f1c-9', '--json'])
    expect(none.error().next).toEqual([])
    const other = await run(['documents', 'create', '--json'])
    expect(other.error().next).toEqual(['payroll documents create --help'])
  })

  test('keeps the command of its hint apart from how to go on', async () => {
    const home = freshHome()
    const sandbox = ['--profile', 'sandbox']
    await payroll(['sandbox', 'seed', '--problems', ...sandbox], { home })
    const { error } = await payroll(['check', '--only', 'no-bank', '--json', ...sandbox], { home })
    expect(error()).toMatchObject({
      hint: 'What a rule means: payroll check rules. To keep one quiet: payroll check accept <rule> --person <reference>',
      next: ['payroll check rules'],
    })
  })

  test('has an empty next where none is named', async () => {
    const env = { PAYROLL_API_KEY: 'CANARYkey0000' }
    const refused = await payroll(['vat-codes', 'list', '--json'], { env })
    expect(refused.error()).toMatchObject({ hint: 'Set PAYROLL_BASE_URL too.', next: [] })
  })
})
