import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInFacts } from '../../../src/model/facts/facts.ts'
import { otherRecords } from '../../every-operation.ts'
import { payroll } from '../../payroll.ts'
import { draftsIn, firstAnswers, stopForm } from '../drafts/draft-fixture.ts'

type Schema = Record<string, any>

interface Row {
  readonly command: string
  readonly prints: string | null
  readonly answers: readonly Schema[]
  readonly error?: Schema
}

const sandbox = ['--profile', 'sandbox']

/** Strict, so that a keyword nobody knows is an error. */
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
})
addFormats.default(ajv)
ajv.addVocabulary(['x-sensitive', 'x-section', 'x-assumed', 'x-with'])

/** What payroll says itself has what is declared and nothing else; a record of the service may have more. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  const isOpen = '$ref' in schema || 'anyOf' in schema || 'additionalProperties' in schema
  // A field that is called properties is none of these.
  return schema.type === 'object' && schema.properties && !isOpen
    ? { ...inside, additionalProperties: false }
    : inside
}

let rows: readonly Row[]
let home: string
const run = (typed: string) => payroll([...typed.split(' '), ...sandbox, '--yes'], { home })

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'payroll-test-'))
  rows = (await run('commands --all --json')).json()
  for (const { schema, sent } of (await run('schema')).json()) {
    if (schema === 'openapi') continue
    for (const option of sent ? ['', ' --answer'] : [' --answer'])
      ajv.addSchema((await run(`schema ${schema}${option}`)).json())
  }
  expect((await run('sandbox seed')).code).toBe(0)
  writeFileSync(join(home, 'passport.txt'), 'Specimen')
  writeFileSync(join(home, 'given.json'), JSON.stringify(builtInFacts.all))
  writeFileSync(join(home, 'change.csv'), 'Agency reference,City\nSANDBOX-UK-01,York\nSANDBOX-UK-02,Hull\n')
  await stopForm(['candidates', 'create'], { home }, firstAnswers)
})

afterAll(() => rmSync(home, { recursive: true }))

/** Holds an answer against one form of what its command declares. */
function hold(typed: string, answer: unknown, form: number): void {
  const row = rows.findLast(({ command }) => `payroll ${typed} `.startsWith(`${command} `))
  const schema = row?.answers[form]
  if (!schema) throw new Error(`${typed}: ${row?.command} declares no form ${form}`)
  const isValid = ajv.compile(closed(schema))
  expect([typed, isValid(answer) || isValid.errors]).toEqual([typed, true])
  const { 'x-with': option = '' } = schema
  expect(typed).toContain(option)
}

/** A command on the sandbox, which form of its answer comes, and how it ends. */
type Tried = readonly [typed: string, form?: number, code?: number]

/** One after another: what one makes, the next finds. */
const tried: readonly Tried[] = [
  ['candidates create --file examples/candidate-uk.json --find'],
  ['candidates create --file examples/candidate-ireland.json --ireland'],
  ['candidates create --set agencyRef=NEW-1 --set forename=Ann --set surname=Sample', 1],
  ['candidates create --set agencyRef=NEW-2 --set forename=Bob --set surname=Sample --dry-run', 2],
  ['candidates list'],
  ['candidates list --ireland'],
  ['candidates find SANDBOX'],
  ['candidates get SANDBOX-UK-01'],
  ['candidates update SANDBOX-UK-01 --set city=York'],
  ['candidates update SANDBOX-UK-01 --set city=Hull --changes', 2],
  ['candidates update SANDBOX-UK-01 --set city=Hull --changes', 2],
  ['candidates update SANDBOX-UK-01 --set city=Leeds --dry-run', 3],
  ['candidates update SANDBOX-UK-01 --set city=Hull --dry-run', 3],
  ['candidates export -o json'],
  ['candidates import examples/starters.csv --dry-run', 1],
  ['candidates import examples/starters.csv --settle 0'],
  ['candidates import resolve examples/starters.csv'],
  ['candidates import $HOME/change.csv --update --dry-run', 2],
  ['candidates import $HOME/change.csv --update --settle 0'],
  ['undo --run $RUN --dry-run'],
  ['undo --run $RUN'],
  ['candidates drafts list'],
  ['candidates drafts delete $DRAFT'],
  ['payment-rates create --set code=NEW --set description=New'],
  ['payment-rates list'],
  ['vat-codes list'],
  ['timesheets list'],
  ['timesheets export -o json'],
  ['timesheets missing --week-ending 2026-04-26'],
  ['payslips list'],
  ['payslips list --legacy'],
  ['payslips list --sum', 1],
  ['payslips compare --period 3 --with 2'],
  ['documents create --employee SANDBOX-UK-02 --upload $HOME/passport.txt'],
  ['documents list --employee SANDBOX-UK-02'],
  ['documents list', 1],
  ['documents get $DOCUMENT --employee SANDBOX-UK-02'],
  ['documents get $DOCUMENT --employee SANDBOX-UK-02 --out $HOME/saved.txt', 1],
  ['documents delete $DOCUMENT --employee SANDBOX-UK-02'],
  ['documents export --out $HOME/documents'],
  ['check', 0, 9],
  ['check accept $RULE --person $PERSON'],
  ['check accepted'],
  ['check rules'],
  ['changes --mark payday'],
  ['candidates update SANDBOX-UK-03 --set city=York'],
  ['changes --since payday'],
  ['changes marks'],
  ['changes forget payday'],
  ['undo $ENTRY --dry-run'],
  ['undo $ENTRY'],
  ['history'],
  ['history forget --all'],
  ['facts'],
  ['facts list'],
  ['facts export'],
  ['facts import $HOME/given.json'],
  ['auth status'],
  ['auth connect-url --client-id payroll-cli'],
  ['auth client --client-id payroll-cli'],
  ['profiles list'],
  ['profiles show sandbox'],
  ['routes list'],
  ['routes check'],
  ['routes export'],
  ['doctor'],
  ['sandbox path'],
  ['sandbox seed'],
  ['sandbox reset'],
  ['api GET /svc/candidates'],
  ['api POST /svc/candidates --dry-run', 1],
  ['explain'],
  ['explain sortCode', 1],
  ['explain candidates.uk.bankSetting.sortCode', 2],
  ['template'],
  ['template candidates.uk', 1],
  ['schema'],
  ['schema candidates.uk', 1],
  ['commands'],
  ['commands --all', 1],
  ['commands candidates list', 2],
]

/** Their answers need a terminal, a database of PostgreSQL, or a consent in the browser. */
const triedElsewhere = ['journal', 'auth token', 'sandbox serve']

describe('the answers of payroll commands --json', () => {
  test('are those of each command on the sandbox, and a key that is not declared is refused', async () => {
    const words: Record<string, string> = { HOME: home }
    const written = async (typed: string, query: string) =>
      (await run(`${typed} --query ${query} --raw`)).out.trim()
    for (const [typed, form = 0, code = 0] of tried) {
      if (typed.includes('$DRAFT')) words.DRAFT = draftsIn(home)[0].id
      if (typed.includes('$RUN')) words.RUN = await written('history --limit 1', '[0].run')
      if (typed.includes('$ENTRY')) words.ENTRY = await written('history --limit 1', '[0].id')
      if (typed.includes('$DOCUMENT'))
        words.DOCUMENT = await written('documents list --employee SANDBOX-UK-02', '[-1].id')
      if (typed.includes('$RULE')) words.RULE = await written('check', '[0].rule')
      if (typed.includes('$PERSON')) words.PERSON = await written('check', '[0].reference')
      const filled = typed.replace(/\$([A-Z]+)/g, (_, name) => words[name] ?? '')
      const answer = await run(filled)
      expect([typed, answer.code, answer.code === code ? '' : answer.err]).toEqual([typed, code, ''])
      hold(typed, answer.json(), form)
    }
  }, 60_000)

  test('are tried for every command that prints JSON', () => {
    const nouns = ['candidates', ...otherRecords.map(({ name }) => name)]
    // What the verbs of these answer is declared once.
    const verbOf = (words: string) => words.replace(new RegExp(`^(${nouns.join('|')}) `), '')
    const left = rows.filter(({ command, answers }) => {
      const verb = verbOf(command.replace('payroll ', ''))
      const isTried = tried.some(([typed]) => `${verbOf(typed)} `.startsWith(`${verb} `))
      return answers.length > 0 && !isTried && !triedElsewhere.some((each) => verb.startsWith(each))
    })
    expect(left.map(({ command }) => command)).toEqual([])
  })

  test('are none of a command that prints nothing or text: profiles set, completion', async () => {
    const silent = rows.filter(({ prints, answers }) => prints !== null && answers.length === 0)
    const nothing = [
      ...['auth login', 'auth logout', 'profiles use', 'profiles set', 'profiles remove', 'routes set'],
      ...['routes reset', 'journal login', 'journal logout'],
    ]
    expect(silent.map(({ command, prints }) => [command, prints])).toEqual([
      ...nothing.map((words) => [`payroll ${words}`, 'nothing']),
      ['payroll completion', 'text'],
      ['payroll facts reset', 'nothing'],
    ])
    const words = ['profiles', 'set', 'acme', '--base-url', 'https://payroll.example.com']
    const set = await payroll(words, { home })
    expect([set.code, set.out]).toEqual([0, ''])
  })

  test('refer to records of the service by the $id of what payroll schema prints', () => {
    const named = JSON.stringify(rows).match(/urn:payroll:[\w.:-]+/g) ?? []
    const references = [...new Set(named)].filter((each) => /:(sent|answered)$/.test(each))
    expect(references.length).toBeGreaterThan(8)
    expect(references.filter((each) => !ajv.getSchema(each))).toEqual([])
  })
})

test.each([
  ['candidates get NOBODY', 'not-found'],
  ['candidates lst', 'usage'],
  ['candidates update SANDBOX-UK-01 --set DOB=31/02/1990', 'input'],
  ['candidates import examples/starters.csv --json --where x', 'usage'],
])('an error has the shape that the first row of payroll commands declares: %s', async (typed, code) => {
  const refused = await run(`${typed} --json`)
  expect([refused.code > 0, refused.error().code]).toEqual([true, code])
  const isValid = ajv.compile(closed(rows[0]?.error))
  expect(isValid({ error: refused.error() }) || isValid.errors).toBe(true)
})
