import { readFileSync } from 'node:fs'
import { type Operation, resourceName } from '../src/model/records/operation.ts'
import { allOperations } from '../src/model/resources/operations.ts'
import { groupBy } from '../src/text/group-by.ts'

/** The records that the operations of the contract send or answer, but for candidates: by the name that a person types. */
export const otherRecords: readonly { readonly name: string; readonly operations: readonly Operation[] }[] = [
  ...groupBy(allOperations, ({ id }) => id.replace(/\..*/, '')),
].flatMap(([name, own]) => {
  const hasRecords = own.some(({ response }) => 'type' in response && response.type)
  return name === 'candidates' || !hasRecords ? [] : { name: resourceName(name), operations: own }
})

/** The ids and references of records that a service has. */
export interface Known {
  readonly uk: string
  readonly ireland: string
  readonly rate: string
  readonly vat: string
  readonly sheet: string
  readonly document: string
  /** Whose documents. */
  readonly person: string
  /** What every text of a new record is: a mock server answers one and the same record, whatever it was sent. */
  readonly text?: string
}

interface Line {
  readonly operation: string
  readonly words: readonly string[]
  readonly input?: string
}

/** A command for each operation, with `--json` and without a question. */
export function everyOperation({
  uk,
  ireland,
  rate,
  vat,
  sheet,
  document,
  person,
  text,
}: Known): readonly Line[] {
  const example = (country: string) => {
    const body = JSON.parse(readFileSync(`examples/candidate-${country}.json`, 'utf8'))
    return JSON.stringify({
      ...body,
      generalSetting: { ...body.generalSetting, ...(text && { agencyRef: text }) },
    })
  }
  const line = (operation: string, words: string, input?: string): Line => ({
    operation,
    words: [...words.split(' '), '--yes', '--json'],
    ...(input !== undefined && { input }),
  })
  const newRate = {
    ...{ code: text ?? 'NEW', description: 'New', type: 'RATE', units: 'DAILY', hoursPerUnit: 7.5 },
    ...{ status: 'ACTIVE', defaultVATCode: vat },
  }
  const newSheet = {
    ...{ subcontractorRef: text ?? 'OLD-001', assignmentRef: 'A-2', startDate: '2026-11-23' },
    ...{ endDate: '2026-11-29', taxYear: '2026/27', taxPeriodConfig: 'Week 35' },
    rates: [{ rateId: 'STD', rate: '15.00', units: '30' }],
  }
  const newDocument = { name: text ?? 'p60.txt', contentType: 'text/plain', content: 'eA==' }
  const lines = [
    line('candidates.create', 'candidates create', example('uk')),
    line('candidates.list', 'candidates list'),
    line('candidates.get', `candidates get ${uk} --id`),
    line('candidates.update', `candidates update ${uk} --id --set city=Bath`),
    line('candidates.createIreland', 'candidates create --ireland', example('ireland')),
    line('candidates.listIreland', 'candidates list --ireland'),
    line('candidates.getIreland', `candidates get ${ireland} --id --ireland`),
    line('candidates.updateIreland', `candidates update ${ireland} --id --ireland --set city=Galway`),
    line('paymentRates.create', 'payment-rates create', JSON.stringify(newRate)),
    line('paymentRates.list', 'payment-rates list'),
    line('paymentRates.get', `payment-rates get ${rate} --id`),
    line('paymentRates.update', `payment-rates update ${rate} --id --set description=Better`),
    line('vatCodes.list', 'vat-codes list'),
    line('timesheets.create', 'timesheets create', JSON.stringify(newSheet)),
    line('timesheets.list', 'timesheets list'),
    line('timesheets.get', `timesheets get ${sheet} --id`),
    line('timesheets.update', `timesheets update ${sheet} --id --set assignmentRef=A-3`),
    line('payslips.list', 'payslips list'),
    line('payslips.listLegacy', 'payslips list --legacy'),
    line('documents.create', `documents create ${person}`, JSON.stringify(newDocument)),
    line('documents.list', `documents list ${person}`),
    line('documents.get', `documents get ${document} --employee ${person} --id`),
    line(
      'documents.update',
      `documents update ${document} --employee ${person} --id --set description=Better`,
    ),
    line('documents.delete', `documents delete ${document} --employee ${person} --id`),
    line('auth.connectUrl', 'auth connect-url'),
    line('auth.token', 'auth token --client-id example', 'fake-code\n'),
    line('oauth.clientInfo', 'auth client --client-id example'),
  ]
  const missing = allOperations.filter(({ id }) => !lines.some(({ operation }) => operation === id))
  if (missing.length > 0) throw new Error(`no command for ${missing.map(({ id }) => id).join(', ')}`)
  return lines
}

/** The operation of a request: by its method and path. */
export function operationOf(method: string, path: string): string | undefined {
  const fits = allOperations.filter((each) => {
    const pattern = each.path.replace(/\{[^}]+\}/g, '[^/]+')
    return each.method === method.toUpperCase() && new RegExp(`^${pattern}$`).test(path)
  })
  // /svc/candidates/ireland is no id.
  return fits.toSorted((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')))[0]
    ?.id
}
