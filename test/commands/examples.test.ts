import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'shell-quote'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { StopSignal } from '../../src/errors.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { serveSandbox } from '../../src/sandbox/serve.ts'
import { type Postgres, startPostgres, withoutPostgres } from '../import/shared-journal/postgres.ts'
import { asTyped, atTerminal, freshHome, keys, payroll, type Run, type Terminal } from '../payroll.ts'
import { answerForm, enterBut } from '../prompts/form-driver.ts'
import { makeSandbox } from '../start-sandbox.ts'
import { addressOn } from './auth/browser/address-on.ts'
import { consent } from './auth/connected.ts'
import { firstAnswers, stopForm } from './drafts/draft-fixture.ts'
import { body } from './targets.ts'

/** Where a person types an example. */
interface Desk {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Types a line that prepares another. */
  readonly run: (line: string) => Promise<Run>
}

/** What examples need besides the profiles and files that every one has. */
interface Preparation {
  /** The examples that it is of, without `payroll` before them. Of several, the last counts. */
  readonly of: RegExp
  /** The profile that they use; without one the sandbox. */
  readonly profile?: 'production' | 'acme'
  readonly before?: (desk: Desk) => Promise<void>
  /** What stands in the example for an id that only the desk knows, and the id. */
  readonly idsAt?: (desk: Desk) => Readonly<Record<string, string>>
  /** They ask: what a person answers at a terminal. Where input is given, nothing is asked. */
  readonly answers?: (terminal: Terminal) => Promise<unknown>
  readonly runsUntil?: 'Ctrl-C'
  /** How they end where the computer lacks what they need, and what they say then. */
  readonly orEndsWith?: readonly [code: number, says: string]
}

const form = (replies: Record<string, string | readonly string[]>) => (terminal: Terminal) =>
  answerForm(terminal, enterBut({ 'What next?': 'Send', ...replies }))

/** Answers questions one after another: what the screen shows, and what is typed then. */
const typing =
  (...replies: readonly (readonly [shown: string, typed: string])[]) =>
  async (terminal: Terminal) => {
    for (const [shown, typed] of replies) await terminal.type(shown, `${typed}${keys.enter}`)
  }

/** The id of the drafts in the examples. */
const draftId = '3f2a1b2c'

/** Answers a form as far as a question, and gives its draft the id of the examples. */
const draftBy =
  (argv: readonly string[], replies: Record<string, string>, stopAt: string) =>
  async ({ home, env }: Desk) => {
    await stopForm(argv, { home, env }, replies, stopAt)
    const folder = join(home, 'drafts')
    for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, `${draftId}.json`))
  }

const runs =
  (...lines: readonly string[]) =>
  async ({ run }: Desk) => {
    for (const line of lines) expect([line, (await run(line)).code]).toEqual([line, 0])
  }

/** Gives a person the account of another. */
const shareAccount =
  'payroll candidates update SANDBOX-UK-02 --set accountNumber=00000001 --unset IBANReference --yes'

/** Imports, and leaves the journal as a run does that is killed once the first row is to be sent. */
const killedImport = (line: string) => async (desk: Desk) => {
  await runs(line)(desk)
  const folder = join(desk.home, 'imports')
  const [name = ''] = readdirSync(folder)
  const text = readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, name), text.slice(0, text.indexOf('\n', text.indexOf('"state":"intent"')) + 1))
}

/** The ids of the one write of a desk and of its run. The history is sealed, so they stay as they are. */
function idsOfWrite({ home }: Desk): Record<string, string> {
  const folder = join(home, 'history')
  const [name = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  const { id, run } = JSON.parse(readFileSync(join(folder, name), 'utf8').split('\n')[0] ?? '')
  return { '3f2a91c0': id, '7be01d42': run }
}

const preparations: readonly Preparation[] = [
  { of: /^changes (--since|forget payday)/, before: runs('payroll changes --mark payday') },
  { of: /^facts import facts/, before: runs('payroll facts export --out facts.json') },
  {
    of: /^facts import valacdos/,
    // Made-up weights.
    before: async () => writeFileSync('valacdos.txt', `070116 070116 MOD10${' 1'.repeat(14)}\n`),
  },
  { of: /^candidates create --(ireland|from)/, answers: form({ Forename: 'Aoife', Surname: 'Example' }) },
  { of: /^candidates import staff/, before: runs('payroll candidates export --out staff.xlsx') },
  { of: /^candidates import resolve/, before: killedImport('payroll candidates import starters.csv --yes') },
  { of: /^candidates drafts/, before: draftBy(['candidates', 'create'], firstAnswers, 'Date of birth') },
  {
    of: /^candidates update SANDBOX-UK-01 +# opens/,
    answers: form({
      'What next?': ['Edit', 'Send'],
      'Which part?': 'Job title',
      'Job title': 'Crane driver',
    }),
  },
  { of: /^payment-rates create$/, answers: form({ Description: 'Nights', Code: 'NIGHT-2' }) },
  {
    of: /^payment-rates drafts/,
    before: draftBy(['payment-rates', 'create'], { Description: 'Nights' }, 'What next?'),
  },
  { of: /^payment-rates import re/, before: killedImport('payroll payment-rates import rates.csv --yes') },
  { of: /^timesheets import resolve/, before: killedImport('payroll timesheets import week-32.csv --yes') },
  { of: /^timesheets drafts/, before: draftBy(['timesheets', 'create'], { Assignment: 'A-1' }, 'From') },
  {
    of: /^undo/,
    before: runs('payroll candidates update SANDBOX-UK-01 --set city=York --yes'),
    idsAt: idsOfWrite,
  },
  { of: /^undo$/, answers: typing(['Send the old values of 1 record back', 'y']) },
  { of: /^payslips export --since-last/, before: runs('payroll sandbox seed --payslips 300') },
  {
    of: /^documents create SANDBOX-UK-01 +# asks/,
    answers: typing(
      ['File', 'passport.pdf'],
      ['Name', ''],
      ['Description', ''],
      ['Upload passport.pdf', 'y'],
    ),
  },
  { of: /^auth/, profile: 'production' },
  {
    of: /^auth login --profile production/,
    answers: typing(['API key for', sandboxKey]),
  },
  {
    of: /^auth login --profile production --browser/,
    answers: async ({ screen }) => fetch(await consent(await addressOn(screen))),
  },
  {
    of: /^auth token --client-id/,
    before: async () => writeFileSync('address.txt', 'http://127.0.0.1:8123/callback?code=made-up'),
    orEndsWith: [6, 'redirect_uri is missing'],
  },
  {
    of: /^auth token --refresh/,
    before: async () => writeFileSync('refresh-token.txt', 'made-up'),
    orEndsWith: [6, 'invalid_grant'],
  },
  { of: /^routes/, profile: 'production' },
  { of: /^routes reset/, before: runs('payroll routes set payslips.list "GET /svc/payslips"') },
  { of: /^journal/, profile: 'acme' },
  { of: /^journal login/, answers: typing(['Password for', 'made up']) },
  { of: /^journal logout/, before: runs('payroll journal login --profile acme < password.txt') },
  { of: /^profiles set acme --key-store keyring/, orEndsWith: [4, 'no keyring service'] },
  {
    // Its script is printed by a library, past the streams of the command.
    of: /^completion fish/,
    before: async () => {
      const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
      onTestFinished(() => printed.mockRestore())
    },
  },
  { of: /^check(?! a| rules)/, orEndsWith: [9, 'finding'] },
  { of: /^check accept/, before: runs(shareAccount) },
  {
    of: /^check accept .*--again/,
    before: runs(shareAccount, 'payroll check accept shared-account --person SANDBOX-UK-02'),
  },
  { of: /^sandbox serve/, runsUntil: 'Ctrl-C' },
  { of: /^sandbox reset/, answers: typing(['Delete every record', 'y']) },
]

/** What a person has in the folder that the examples name. */
function makeFiles(rateId: string): void {
  const people = { agencyRef: 'NEW-1', Forename: 'Ann', Surname: 'Example' }
  const week = {
    ...{ subcontractorRef: 'SANDBOX-UK-01', assignmentRef: 'ASSIGNMENT-UK-01', taxYear: '2026/27' },
    ...{ startDate: '2026-11-09', endDate: '2026-11-15', taxPeriodConfig: 'Week 32' },
  }
  const row = { ...week, 'rates[0].rateId': rateId, 'rates[0].rate': '21.40', 'rates[0].units': '37.5' }
  const table = (record: object) => `${Object.keys(record).join(',')}\n${Object.values(record).join(',')}\n`
  const rate = { description: 'Early shift', code: 'EARLY', type: 'HOURLY', units: 'HOURS', hoursPerUnit: 1 }
  const files: Record<string, string> = {
    'starter.json': JSON.stringify(body('examples/candidate-uk.json')),
    'today.json': JSON.stringify({ starter: body('examples/candidate-ireland.json') }),
    'change.json': '{"generalSetting":{"city":"Cork"}}',
    'starters.csv': table(people),
    'staff.csv': table({ agencyRef: 'SANDBOX-UK-01', 'Tax code': 'BR' }),
    'rate.json': JSON.stringify(rate),
    'rates.csv': table({ ...rate, type: 'RATE', units: 'HOURLY', status: 'ACTIVE' }),
    'week-32.json': JSON.stringify({ ...week, rates: [{ rateId, rate: '21.40', units: '37.5' }] }),
    'week-32.csv': table(row),
    'passport.pdf': '%PDF-1.4 made up',
    'scan.png': 'made up',
    'key.txt': `${sandboxKey}\n`,
    'password.txt': 'made up\n',
    'ca.pem': readFileSync(new URL('../fixtures/tls/authority.pem', import.meta.url), 'utf8'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(name, text)
  mkdirSync('downloads')
}

/** A seeded sandbox: its file is copied for each example, and so its records have the same ids in all. */
let seeded: string
/** By the ids of the examples, with the kind of record before them where an id is of several. */
let ids: Readonly<Record<string, string>>
let database: Postgres | undefined
/** The service that the profiles production and acme lead to. */
let service: Awaited<ReturnType<typeof makeSandbox>>
let server: { readonly baseUrl: string; readonly close: () => Promise<void> }

beforeAll(async () => {
  seeded = mkdtempSync(join(tmpdir(), 'payroll-examples-'))
  const at = { home: seeded, env: { PAYROLL_PROFILE: 'sandbox' } }
  await payroll(['sandbox', 'seed'], at)
  const listed = async (words: string): Promise<any[]> => (await payroll(words.split(' '), at)).json()
  // Everybody's, each with its person.
  const document = (await listed('documents list --uk')).find(({ id }) => id !== null)
  ids = {
    '4f1c…': document.person.id,
    '--ireland 4f1c…': (await listed('candidates list --ireland'))[0].id,
    '9a3f…': document.id,
    '7c2e…': (await listed('payment-rates list'))[0].id,
    '51d0…': (await listed('timesheets list'))[0].id,
    '6e20…': (await listed('payslips list'))[0].id,
  }
  if (!withoutPostgres) {
    database = await startPostgres()
    database.sql('create database journal owner payroll')
  }
  service = await makeSandbox()
  server = await serveSandbox({ app: service.app, port: 0 })
  const journal = database ? ['--journal', database.url('journal')] : []
  for (const [name, more] of [
    ['production', ['--unprotected']],
    ['acme', journal],
  ] as const) {
    await payroll(asTyped`profiles set ${name} --base-url ${server.baseUrl} ${more}`, at)
    await payroll(['auth', 'login', '--profile', name], { ...at, input: sandboxKey })
  }
}, 60_000)

afterAll(async () => {
  await server.close()
  service.close()
  database?.remove()
  rmSync(seeded, { recursive: true, force: true })
})

/** A folder with the files that the examples name, and a home with profiles and a seeded sandbox. */
async function openDesk(
  words: string,
): Promise<Desk & { readonly prepared: Preparation; readonly ids: typeof ids }> {
  const home = freshHome()
  for (const name of readdirSync(seeded)) cpSync(join(seeded, name), join(home, name), { recursive: true })
  const [folder, before] = [freshHome(), process.cwd()]
  process.chdir(folder)
  // The files of a project share a process: the next one starts where this one did.
  onTestFinished(() => process.chdir(before))
  makeFiles(ids['7c2e…'] ?? '')
  const applying = preparations.filter(({ of }) => of.test(words))
  const prepared: Preparation = Object.assign({}, ...applying)
  const env = { PAYROLL_PROFILE: prepared.profile ?? 'sandbox', BROWSER: 'none' }
  const desk: Desk = { home, env, run: (line) => runLine(line, { home, env, prepared: { of: /^$/ } }) }
  await prepared.before?.(desk)
  return { ...desk, prepared, ids: { ...ids, ...prepared.idsAt?.(desk) } }
}

interface Stage {
  readonly words: readonly string[]
  readonly from?: string
  readonly to?: string
}

/** The pipelines of a line, one after another, each of the programs that it runs. Throws for what is none of these. */
function pipelinesOf(line: string): readonly (readonly Stage[])[] {
  const pipelines: { words: string[]; from?: string; to?: string }[][] = [[{ words: [] }]]
  let redirect: '<' | '>' | undefined
  for (const token of parse(line)) {
    const stages = pipelines.at(-1) ?? []
    const stage = stages.at(-1) ?? { words: [] }
    if (typeof token === 'string') {
      if (redirect === '<') stage.from = token
      else if (redirect === '>') stage.to = token
      else stage.words.push(token)
      redirect = undefined
    } else if ('comment' in token) break
    else if (token.op === '|') stages.push({ words: [] })
    else if (token.op === '&&') pipelines.push([{ words: [] }])
    // What a shell sources is the output of the command in brackets.
    else if (token.op === '<(') stage.words = []
    else if (token.op === '<' || token.op === '>') redirect = token.op
    else if (token.op !== ')') throw new Error(`${line}: ${JSON.stringify(token)}`)
  }
  return pipelines
}

/** Types a line. Gives the last run of payroll in it, or the first that did not end with 0. */
async function runLine(line: string, place: Place): Promise<Run> {
  let last: Run | undefined
  for (const stages of pipelinesOf(line)) {
    let input = ''
    for (const { words, from, to } of stages) {
      const [program = '', ...argv] = words
      if (from !== undefined) input = readFileSync(from, 'utf8')
      if (program === 'payroll') {
        last = await runOnce(argv, input, place)
        if (last.code !== 0) return last
        input = last.out
      } else if (program === 'jq' && hasJq) {
        const { status, stdout, stderr } = spawnSync('jq', argv, { input, encoding: 'utf8' })
        expect([line, status, stderr]).toEqual([line, 0, ''])
        input = stdout
      }
      // Another program is given what there is.
      else expect(input).not.toBe('')
      if (to?.startsWith('~') === false) writeFileSync(to, input)
    }
  }
  if (!last) throw new Error(`${line} runs nothing`)
  return last
}

const hasJq = spawnSync('jq', ['--version']).error === undefined

/** Where a run takes place, and what its example needs. */
type Place = Pick<Desk, 'home' | 'env'> & { readonly prepared: Preparation }

/** A run at a terminal, where a person is asked, or in a script. */
async function runOnce(argv: readonly string[], input: string, { home, env, prepared }: Place): Promise<Run> {
  if (prepared.answers && input === '' && !argv.includes('--yes')) {
    const terminal = atTerminal(argv, { home, env })
    await prepared.answers(terminal)
    return terminal.ended
  }
  if (prepared.runsUntil === undefined) return payroll(argv, { home, env, input })
  let stop = (_: StopSignal) => {}
  // Other tests may have the usual port.
  const more = argv.includes('--port') ? [] : ['--port', '0']
  return payroll([...argv, ...more], {
    home,
    env,
    onStart: (send) => {
      stop = send
    },
    onPrint: (text) => {
      if (text.includes('http://127.0.0.1')) setImmediate(() => stop('SIGINT'))
    },
  })
}

/** A line with the ids of records that there are. */
function withIds(line: string, known: typeof ids): string {
  const own = { ...known, ...(line.includes('--ireland') && { '4f1c…': known['--ireland 4f1c…'] ?? '' }) }
  return Object.entries(own).reduce((text, [placeholder, id]) => text.replaceAll(placeholder, id), line)
}

const rows = (await payroll(['commands', '--all', '--json'], { home: '/nowhere' })).json()
const examples: ReadonlySet<string> = new Set(rows.flatMap((row: { examples: string[] }) => row.examples))

test.for([...examples])(
  'the example of help ends with 0, or with 130 where it goes on until Ctrl-C: %s',
  async (line, { skip }) => {
    const words = line.replace(/^(?:source <\()?payroll /, '')
    skip(words.startsWith('journal') && withoutPostgres !== undefined, withoutPostgres)
    // What stands bare is a pattern to a shell; zsh refuses one that no file has.
    expect(line.replace(/"[^"]*"|'[^']*'|#.*$/g, '')).not.toMatch(/[[*?]/)
    const { home, env, prepared, ids: known } = await openDesk(words)
    const { code, err } = await runLine(withIds(line, known), { home, env, prepared })
    const { runsUntil, orEndsWith: [otherCode, says = ''] = [] } = prepared
    if (code === otherCode) expect(err).toContain(says)
    else expect([line, code, err]).toEqual([line, runsUntil ? 130 : 0, expect.not.stringContaining('Error:')])
  },
)
