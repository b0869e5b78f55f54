import { readFileSync } from 'node:fs'
import { type Json, type JsonObject, parsePath, withValueAt } from '../../src/files/json/path.ts'
import { document, type Held, timesheet } from './records.ts'
import type { Holdings, Kind } from './store.ts'

type Reads = 'list' | 'get' | 'download' | 'export' | 'status' | 'connect' | 'raw read'

/** A command, and what the service holds after it if it does what was asked. */
export interface Case {
  readonly command: string
  readonly kind: Kind
  readonly does: 'create' | 'update' | 'delete' | Reads | 'raw write'
  /** On standard input. */
  readonly input?: string
  /** What the shapes do to it they do to another case too, so it is tried as documented alone. */
  readonly once?: true
  /** Changes a copy of what was held into what was asked for; a new record has the id `new`. */
  readonly ask?: (held: Holdings, id: string) => void
}

const example = (name: string): Held =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'))

const sheet = timesheet('PERSON-UK-9', 13)
const rate = { description: 'Night', code: 'NIGHT', type: 'RATE', units: 'HOURLY', hoursPerUnit: 7.5 }
const { description, ...paper } = document('upload.pdf')

/** The files that the commands read. In a command `{home}` is their folder, `{id}` the chosen record. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  'sheet.json': JSON.stringify(sheet),
  'rate.json': JSON.stringify(rate),
  'upload.pdf': Buffer.from(paper.content, 'base64'),
}

const create = (kind: Kind, command: string, made: (held: Holdings, id: string) => Held): Case => ({
  command,
  kind,
  does: 'create',
  ask: (held, id) => {
    held[kind].new = made(held, id)
  },
})

const update = (kind: Kind, command: string, path: string, value: unknown): Case => ({
  command,
  kind,
  does: 'update',
  ask: (held, id) => {
    held[kind][id] = withValueAt(held[kind][id] as JsonObject, parsePath(path) ?? [], value as Json) as Held
  },
})

const read = (does: Case['does'], kind: Kind, command: string): Case => ({ command, kind, does })

/** Of these cases only those without the words are tried in every shape. */
const once = (cases: readonly Case[], words = /(?:)/): readonly Case[] =>
  cases.map((each) => (words.test(each.command) ? { ...each, once: true } : each))

/** What `--from` takes over: terms, and nothing of the person. */
const terms = (agencyRef: string, payroll: readonly string[]) => (held: Holdings, id: string, kind: Kind) => {
  const { generalSetting: from, payrollSetting } = held[kind][id] as Held
  const general = pick(from, 'jobDescription payFrequency payMethod annualSalary rateHour hours'.split(' '))
  return { generalSetting: { ...general, agencyRef }, payrollSetting: pick(payrollSetting, payroll) }
}

const ukTerms = terms('NEW-1', ['margin', 'holidayPayMethod', 'holidayPayRate'])
const irishTerms = terms(
  'NEW-1',
  'holidayPayMethod holidayPayRate includeInTimesheetRate payrollApproveNeeded'.split(' '),
)

const candidates = (kind: 'uk' | 'ireland', flag: string, city: string): readonly Case[] => {
  const file = `examples/candidate-${kind}.json`
  const made = () => settled(example(`candidate-${kind}.json`))
  const from = kind === 'uk' ? ukTerms : irishTerms
  return [
    create(kind, `candidates create ${flag} --file ${file}`, made),
    create(kind, `candidates create ${flag} --file ${file} --find`, made),
    create(
      kind,
      `candidates create ${flag} --incomplete --from {id} --set generalSetting.agencyRef=NEW-1`,
      (held, id) => from(held, id, kind),
    ),
    update(
      kind,
      `candidates update ${flag} {id} --set generalSetting.city=${city}`,
      'generalSetting.city',
      city,
    ),
    update(
      kind,
      `candidates update ${flag} {id} --id --set generalSetting.city=${city}`,
      'generalSetting.city',
      city,
    ),
    update(
      kind,
      `candidates update ${flag} {id} --set bankSetting.accountNumber=00011122`,
      'bankSetting.accountNumber',
      '00011122',
    ),
    update(
      kind,
      `candidates update ${flag} {id} --set payrollSetting.openingBalance.tax=0.01`,
      'payrollSetting.openingBalance.tax',
      0.01,
    ),
    read('list', kind, `candidates list ${flag}`),
    read('get', kind, `candidates get ${flag} {id}`),
    read('export', kind, `candidates export ${flag} -o ndjson`),
  ]
}

export const candidateCases = [
  ...once(candidates('uk', '--uk', 'Leeds'), /Balance/),
  // What is looked for, taken over or changed besides the town is the same in both countries.
  ...once(candidates('ireland', '--ireland', 'Galway'), /--find|--from|--id|[a-z]Number|Balance|list/),
]

export const otherCases: readonly Case[] = [
  ...once([
    create('rates', 'payment-rates create --file {home}/rate.json', () => rate),
    update('rates', 'payment-rates update {id} --set description=Night', 'description', 'Night'),
    read('list', 'rates', 'payment-rates list'),
    read('get', 'rates', 'payment-rates get {id}'),
    read('list', 'vat', 'vat-codes list'),
    read('list', 'payslips', 'payslips list'),
    read('list', 'payslips', 'payslips list --legacy'),
    create('documents', 'documents create --employee id:emp-1 --upload {home}/upload.pdf', () => paper),
    update(
      'documents',
      'documents update --employee emp-1 {id} --set description=Passport',
      'description',
      'Passport',
    ),
    read('list', 'documents', 'documents list --employee emp-1'),
    read('connect', 'uk', 'auth connect-url'),
    read('connect', 'uk', 'auth client --client-id client-1'),
    read('get', 'documents', 'documents get --employee emp-1 {id}'),
    read('list', 'payslips', 'api GET /svc/v2/payslips --paginate'),
  ]),
  create('timesheets', 'timesheets create --file {home}/sheet.json', () => sheet),
  update('timesheets', 'timesheets update {id} --set rates[0].units=40.00', 'rates[0].units', '40.00'),
  read('list', 'timesheets', 'timesheets list'),
  read('get', 'timesheets', 'timesheets get {id}'),
  read('export', 'payslips', 'payslips export -o ndjson'),
  read('download', 'documents', 'documents get --employee emp-1 {id} --out {home}/saved.pdf'),
  {
    command: 'documents delete --employee emp-1 {id} --yes',
    kind: 'documents',
    does: 'delete',
    ask: (held, id) => {
      delete held.documents[id]
    },
  },
  read('status', 'uk', 'auth status'),
  { ...read('connect', 'uk', 'auth token --client-id client-1'), input: 'code-0000' },
  read('raw read', 'timesheets', 'api GET /svc/time-sheets/{id}'),
  {
    command: 'api PUT /svc/time-sheets/{id} --file {home}/sheet.json',
    kind: 'timesheets',
    does: 'raw write',
    ask: (held, id) => {
      held.timesheets[id] = sheet
    },
  },
]

/** What the service makes of a person who is new: interface.md, "registrationStatus". */
function settled(person: Held): Held {
  person.generalSetting.registrationStatus = 'REGISTRATION_COMPLETE'
  return person
}

function pick(from: Held, names: readonly string[]): Held {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))
}
