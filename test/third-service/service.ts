import type { Received } from '../service.ts'

/**
 * A service of the same interface, unlike the sandbox and the second service, which shares no code with the tool: it leaves out
 * what is empty, has words of its own, hides two fields in every answer, is busy for ten seconds now and then, has no page of more
 * than fifty, and orders keys and lists in its own way. It has all 27 operations.
 */

/** It stores them, and shows them to nobody. */
export const hiddenFields = ['UTRNo', 'emergencyMobile']
/** What it calls a right to work, which no list of ours has. */
export const ownWord = 'RTW_VERIFIED'
export const largestPage = 50
const busyMs = 10_000

export type Held = Record<string, any>
interface Person {
  readonly country: 'uk' | 'ireland'
  body: Held
}

/** What it answers; no body where `value` is undefined. */
export interface Answer {
  readonly status: number
  readonly value?: unknown
}

interface Request extends Pick<Received, 'method' | 'url' | 'body'> {
  readonly headers: { readonly authorization?: string | undefined }
}

interface Habits {
  /** How many people in the UK it has; a quarter as many in Ireland. */
  readonly people?: number
  /** Milliseconds of a clock: ten seconds of it are a time in which it is busy. */
  readonly now?: () => number
  /** It is busy after every so many requests that it served. */
  readonly busyEvery?: number
}

/** The weeks that were worked, by their last day. */
const weeks = ['2026-10-25', '2026-11-01', '2026-11-08', '2026-11-15', '2026-11-22']

/** The state of a third service and its answers. A request while it is busy is not carried out. */
export function thirdService({ people: count = 120, now = Date.now, busyEvery = 150 }: Habits = {}) {
  const people = new Map<string, Person>()
  for (let number = 1; number <= count; number++)
    people.set(`old-${number}`, { country: 'uk', body: earlier(number) })
  for (let number = 1; number <= count / 4; number++)
    people.set(`alt-${number}`, { country: 'ireland', body: earlierIrish(number) })
  const others: Record<string, Map<string, Held>> = {
    'payment-rate': listOf('rate', [rate('STD', 'PER_HOUR'), rate('NIGHT', 'PER_HOUR')]),
    'vat-code': listOf('vat', [vat('S', '20%'), vat('Z', '0%')]),
    'time-sheets': listOf(
      'sheet',
      [...Array(Math.min(count, 30)).keys()].flatMap((n) =>
        weeks.slice(0, n === 3 ? 4 : 5).map((end) => sheetOf(n + 1, end)),
      ),
    ),
    'v2/payslips': listOf('slip', slips(Math.min(count, 30))),
  }
  const documents = new Map<string, Map<string, Held>>()
  let [served, madeCount] = [0, 0]
  let busyUntil = Number.NEGATIVE_INFINITY

  function answer(request: Request): Answer {
    if (now() < busyUntil) return { status: 503, value: { message: 'busy' } }
    served += 1
    if (served % busyEvery === 0) busyUntil = now() + busyMs
    return carryOut(request)
  }

  function carryOut({ method, url, body, headers }: Request): Answer {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const page = (items: readonly Held[]): Answer => {
      const size = Math.min(Number(searchParams.get('size') ?? 20), largestPage)
      const from = (Number(searchParams.get('page') ?? 1) - 1) * size
      // The newest first.
      const data = items.toReversed().slice(from, from + size)
      return { status: 200, value: { totalDocs: items.length, data: data.map((each) => spoken(each)) } }
    }
    const one = (status: number, item: Held): Answer => ({
      status,
      value: { success: true, data: spoken(item) },
    })
    if (!headers.authorization) return { status: 401, value: { message: 'who are you?' } }
    if (pathname === '/svc/oauth/grant-token-url') return one(200, { url: 'https://login.example.com' })
    if (pathname === '/svc/oauth/client-info') return one(200, { client_id: 'example', name: 'Example' })
    if (pathname === '/svc/oauth/token')
      return { status: 200, value: { token_type: 'bearer', access_token: 'fake-token' } }

    const [, country, id] = /^\/svc\/candidates(\/ireland)?(?:\/([^/]+))?$/.exec(pathname) ?? []
    if (pathname.startsWith('/svc/candidates')) {
      const kind = country ? 'ireland' : 'uk'
      if (id === undefined && method === 'GET')
        return page([...people].filter(([, each]) => each.country === kind).map(shownPerson))
      if (id === undefined) {
        const made = `new-${++madeCount}`
        const person: Person = { country: kind, body: JSON.parse(body) }
        people.set(made, person)
        if (kind === 'uk') return { status: 201 }
        return {
          status: 201,
          value: { success: true, data: { success: true, candidate: spoken(shownPerson([made, person])) } },
        }
      }
      const person = people.get(id)
      if (person?.country !== kind) return { status: 404, value: { message: 'no such person' } }
      if (method === 'PUT') person.body = JSON.parse(body)
      return one(200, shownPerson([id, person]))
    }

    const [, employee, documentId] =
      /^\/svc\/employees\/([^/]+)\/documents(?:\/([^/]+))?$/.exec(pathname) ?? []
    const name = pathname.replace('/svc/', '').replace('v1/', 'v2/')
    const [, kind = '', otherId] = /^(.+?)(?:\/([^/]+))?$/.exec(name) ?? []
    if (employee && !documents.has(employee)) documents.set(employee, new Map())
    const items = employee ? documents.get(employee) : (others[name] ?? others[kind])
    const itemId = employee ? documentId : others[name] ? undefined : otherId
    if (!items) return { status: 404, value: { message: 'no such thing' } }
    if (itemId === undefined && method === 'GET') return page([...items.values()])
    if (itemId === undefined) {
      const made = `${employee ? 'doc' : kind}-new-${++madeCount}`
      items.set(made, { ...answered(JSON.parse(body)), id: made })
      return one(201, items.get(made) as Held)
    }
    const item = items.get(itemId)
    if (!item) return { status: 404, value: { message: 'no such thing' } }
    if (method === 'DELETE') {
      items.delete(itemId)
      return { status: 204 }
    }
    if (method === 'PUT') items.set(itemId, { ...answered(JSON.parse(body)), id: itemId })
    return one(200, items.get(itemId) as Held)
  }

  /** A payment rate has other names in an answer. */
  function answered({ includeInPayeCalculation, defaultVATCode, ...rest }: Held): Held {
    if (!('hoursPerUnit' in rest)) return rest
    return {
      ...rest,
      hoursPerUnit: String(rest.hoursPerUnit),
      includeInPayeUmbrellaCalculation: includeInPayeCalculation,
      defaultVATCode: others['vat-code']?.get(defaultVATCode),
    }
  }

  return { answer, people, others, documents, served: () => served }
}

const listOf = (name: string, items: readonly Held[]) =>
  new Map(items.map((item, at) => [`${name}-${at + 1}`, { id: `${name}-${at + 1}`, ...item }]))

/** What stands under another name, and the general fields at the top, as answers are documented. */
function shownPerson([id, { body }]: readonly [string, Person]): Held {
  const { generalSetting = {}, bankSetting, payrollSetting } = body
  const { registrationStatus } = generalSetting
  return {
    ...generalSetting,
    ...(registrationStatus && { registrationStatus: 'REGISTRATION_COMPLETE' }),
    bank: bankSetting,
    setting: payrollSetting,
    id,
  }
}

/** As it says anything: without null, empty texts, lists and objects, without what it hides, and the keys from Z to A. */
function spoken(value: any): any {
  if (Array.isArray(value)) return value.map(spoken)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !hiddenFields.includes(name))
      .map(([name, each]) => [name, spoken(each)] as const)
      .filter(([, each]) => !isEmpty(each))
      .sort(([one], [other]) => (one < other ? 1 : -1)),
  )
}

const isEmpty = (value: any) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const padded = (number: number) => String(number).padStart(3, '0')

/** Somebody who was there before, with the words of this service. */
const earlier = (number: number): Held => ({
  generalSetting: {
    agencyRef: `OLD-${padded(number)}`,
    forename: 'Sam',
    surname: `Sample ${String.fromCharCode(65 + (number % 26))}${number}`,
    DOB: `19${60 + (number % 39)}-03-0${1 + (number % 9)}`,
    gender: 'NON_BINARY',
    address: [`${number} Example Street`],
    city: 'Hull',
    rightToWorkStatus: ownWord,
    payFrequency: 'WEEKLY',
    payMethod: 'BACS',
    rateHour: 15,
    hours: 30,
    dateOfJoining: '2026-01-05',
    email: `s${number}@example.com`,
    pensionSetting: { optState: 'ignition' },
  },
  bankSetting: {
    accountName: 'S Sample',
    sortCode: '601613',
    accountNumber: String(20_000_000 + number),
  },
  payrollSetting: { paymentModel: 'PAYEE', taxCode: '1257L', niCategory: 'A', UTRNo: '2234567890' },
})

const earlierIrish = (number: number): Held => ({
  generalSetting: {
    agencyRef: `ALT-${padded(number)}`,
    forename: 'Orla',
    surname: `Shampla ${number}`,
    DOB: `1985-04-${padded(1 + (number % 28)).slice(1)}`,
    address: [`${number} Example Road`],
    city: 'Cork',
    rightToWorkStatus: ownWord,
    payFrequency: 'WEEKLY',
    dateOfJoining: '2026-01-05',
    pensionSetting: { optState: 'ignition' },
  },
  bankSetting: { accountName: 'O Shampla', country: 'IE', IBANReference: iban(10_000_000 + number) },
  payrollSetting: { paymentModel: 'PAYEE', taxBasis: 'CUMULATIVE' },
})

/** The number of an account as a bank writes it: AIBK is 10181120, IE is 1814. */
const iban = (account: number) => {
  const rest = BigInt(`10181120931152${account}181400`) % 97n
  return `IE${String(98n - rest).padStart(2, '0')}AIBK931152${account}`
}

const rate = (code: string, units: string): Held => ({
  code,
  description: `${code} hours`,
  status: 'ACTIVE',
  type: 'PAY_LINE',
  units,
  hoursPerUnit: '1',
})

const vat = (VATCode: string, VATRate: string): Held => ({ VATCode, VATRate, description: `VAT ${VATRate}` })

/** Thirty hours of a person in the week that ends on this day. */
const sheetOf = (number: number, endDate: string): Held => ({
  subcontractorRef: `OLD-${padded(number)}`,
  assignmentRef: 'A-1',
  startDate: new Date(Date.parse(endDate) - 6 * 86_400_000).toISOString().slice(0, 10),
  endDate,
  rates: [{ rateId: 'STD', rate: '15.00', units: '30' }],
  taxYear: '2026/27',
  taxPeriodConfig: 'Week 34',
})

/** Two weeks of payslips: of the fourth person only the first one, and the second person has much more in the second. */
const slips = (count: number): Held[] =>
  [32, 33].flatMap((week) =>
    [...Array(count).keys()]
      .filter((n) => !(n === 3 && week === 33))
      .map((n) => ({
        taxYear: '2026/27',
        taxPeriod: `Week ${week}`,
        subcontractorName: `Sam Sample ${String.fromCharCode(65 + ((n + 1) % 26))}${n + 1}`,
        agencyName: 'Example Agency',
        timesheetValue: '450.00',
        margin: '20.00',
        gross: n === 1 && week === 33 ? '900.00' : '430.00',
      })),
  )
