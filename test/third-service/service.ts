import { service } from '../service.ts'

/**
 * A service of the same interface, unlike the sandbox and the second service, which shares no code with the tool: it leaves out what
 * is empty, has words of its own, hides two fields in every answer, answers 503 now and then, has no page of more than fifty,
 * and orders keys and lists in its own way.
 */

/** It stores them, and shows them to nobody. */
export const hiddenFields = ['UTRNo', 'emergencyMobile']
/** What it calls a right to work, which no list of ours has. */
export const ownWord = 'RTW_VERIFIED'
const largestPage = 50
/** Each request of this number is answered 503; a write is not carried out then. */
const everySoMany = 9

type Held = Record<string, any>
interface Person {
  readonly country: 'uk' | 'ireland'
  body: Held
}

/** What stands under another name, and the general fields at the top, as interface.md shows answers. */
function shown(id: string, { body }: Person): Held {
  const { generalSetting = {}, bankSetting, payrollSetting } = body
  const { pensionSetting, ...general } = generalSetting
  const { openingBalance, ...payroll } = payrollSetting ?? {}
  const whole = { ...general, pensionSetting, bank: bankSetting, setting: { ...payroll, openingBalance }, id }
  if (whole.registrationStatus) whole.registrationStatus = 'REGISTRATION_COMPLETE'
  return ordered(filled(whole))
}

/** Without null, empty texts, lists and objects, and without what it hides. */
function filled(value: any): any {
  if (Array.isArray(value)) return value.map(filled)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
    .filter(([name]) => !hiddenFields.includes(name))
    .map(([name, each]) => [name, filled(each)] as const)
  return Object.fromEntries(entries.filter(([, each]) => !isEmpty(each)))
}

const isEmpty = (value: any) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** The keys from Z to A, at every depth. */
function ordered(value: any): any {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, each]) => [name, ordered(each)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? 1 : -1)))
}

/** Somebody who was there before, with the words of this service. */
function earlier(number: number): Person {
  const ref = `OLD-${String(number).padStart(3, '0')}`
  return {
    country: 'uk',
    body: {
      generalSetting: {
        ...{
          agencyRef: ref,
          forename: 'Sam',
          surname: `Sample ${String.fromCharCode(65 + (number % 26))}${number}`,
        },
        ...{ DOB: `19${60 + (number % 39)}-03-0${1 + (number % 9)}`, gender: 'NON_BINARY', city: 'Hull' },
        ...{
          rightToWorkStatus: ownWord,
          address: ['1 Example Street'],
          payFrequency: 'WEEKLY',
          rateHour: 15,
        },
        ...{ dateOfJoining: '2026-01-05', hours: 30, payMethod: 'BACS', email: `s${number}@example.com` },
        pensionSetting: { optState: 'ignition' },
      },
      bankSetting: {
        accountName: 'S Sample',
        sortCode: '601613',
        accountNumber: String(20_000_000 + number),
      },
      payrollSetting: { paymentModel: 'PAYEE', taxCode: '1257L', niCategory: 'A', UTRNo: '2234567890' },
    },
  }
}

export async function thirdService(before = 120) {
  const people = new Map<string, Person>()
  for (let number = 1; number <= before; number++) people.set(`old-${number}`, earlier(number))
  let requests = 0
  const { env, received } = await service(({ method, url, body }, response) => {
    requests += 1
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const answer = (status: number, value?: unknown) =>
      void response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(value === undefined ? undefined : JSON.stringify(value))
    if (requests % everySoMany === 0 && method === 'GET') return answer(503, { message: 'busy' })
    const page = (items: readonly unknown[]) => {
      const size = Math.min(Number(searchParams.get('size') ?? 20), largestPage)
      const from = (Number(searchParams.get('page') ?? 1) - 1) * size
      return answer(200, { totalDocs: items.length, data: items.slice(from, from + size) })
    }
    const [, country, id] = /^\/svc\/candidates(\/ireland)?(?:\/([^/]+))?$/.exec(pathname) ?? []
    if (!pathname.startsWith('/svc/candidates')) return method === 'GET' ? page([]) : answer(404, {})
    const kind = country ? 'ireland' : 'uk'
    if (id === undefined && method === 'GET') {
      const all = [...people].filter(([, each]) => each.country === kind)
      // The newest first.
      return page(all.reverse().map(([each, person]) => shown(each, person)))
    }
    if (id === undefined) {
      const made = `new-${people.size + 1}`
      people.set(made, { country: kind, body: JSON.parse(body) })
      if (kind === 'uk') return answer(201)
      return answer(201, { success: true, data: { candidate: shown(made, people.get(made) as Person) } })
    }
    const person = people.get(id)
    if (!person || person.country !== kind) return answer(404, { message: 'no such person' })
    if (method === 'PUT') person.body = JSON.parse(body)
    return answer(200, { data: shown(id, person), success: true })
  })
  const writes = () =>
    received
      .filter(({ method }) => method !== 'GET')
      .map(({ method, url, body }) => ({ method, url, body: JSON.parse(body) }))
  return { env, people, writes, received }
}
