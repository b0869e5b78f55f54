import { document, type Held, irishPerson, paymentRate, payslip, timesheet, ukPerson } from './records.ts'

export const kinds = ['uk', 'ireland', 'rates', 'vat', 'timesheets', 'payslips', 'documents'] as const
export type Kind = (typeof kinds)[number]

/** Everything the service holds: per kind, by id, under the names of a request. */
export type Holdings = Record<Kind, Record<string, Held>>

/** The person whose documents there are. */
export const employee = 'emp-1'

/** Ids of neighbours that a double cannot tell apart, and plain ones. */
const numeric = ['9007199254740992', '9007199254740993', '9007199254740994']

/** What stands in the service before a command: 23 people of each country, so that a list has several pages. */
export function holdings(ids: 'text' | 'numeric' | 'long'): Holdings {
  const id = (kind: string, at: number) => {
    if (ids === 'text') return `${kind}-${at}`
    if (ids === 'long') return `${kind}-${String(at).padStart(3, '0')}00`
    return numeric[at] ?? String(9007199254741000n + BigInt(at))
  }
  const many = (kind: string, count: number, make: (at: number) => Held) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [id(kind, at), make(at)]))
  const vat = (at: number): Held => ({
    incrementId: at + 1,
    description: `VAT ${at}`,
    VATRate: '20%',
    VATCode: `V${at}`,
    author: null,
    deletedAt: null,
  })
  return {
    uk: many('uk', 23, (at) => ukPerson(`PERSON-UK-${at}`, at)),
    ireland: many('ie', 23, (at) => irishPerson(`PERSON-IE-${at}`, at)),
    rates: many('rate', 3, (at) => paymentRate(`CODE-${at}`, id('vat', at))),
    vat: many('vat', 3, vat),
    timesheets: many('ts', 3, (at) => timesheet(`PERSON-UK-${at}`, 6 + at)),
    payslips: many('slip', 23, payslip),
    documents: many('doc', 3, (at) => document(`paper-${at}.pdf`)),
  }
}

/** Gives each record the id of the next as its reference. */
export function referToNext(held: Holdings): void {
  for (const kind of kinds) {
    const ids = Object.keys(held[kind])
    for (const [at, id] of ids.entries()) {
      const record = held[kind][id] as Held
      const next = ids[(at + 1) % ids.length]
      if (record.generalSetting) record.generalSetting.agencyRef = next
      if (kind === 'rates') record.code = next
      if (kind === 'timesheets') record.subcontractorRef = next
      if (kind === 'documents') record.name = next
    }
  }
}

/** The second record of a kind: the one that a command is about. Its neighbour differs by one in the last digit. */
export const chosen = (held: Holdings, kind: Kind) => Object.keys(held[kind]).sort()[1] as string
