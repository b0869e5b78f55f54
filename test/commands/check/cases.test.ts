import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CountryId } from '../../../src/model/countries/countries.ts'
import { ageOn } from '../../../src/model/standards/plausible.ts'
import { payroll } from '../../payroll.ts'
import { listedPeople } from '../../people-service.ts'
import { empty, withNeeds } from '../../reading/hostile.ts'
import { answerJson, service } from '../../service.ts'
import { type Case, cases } from './cases.ts'

const bank = {
  ...empty('buildingSocietyNumber SWIFTNo isInternationalAccount IBANReference'),
  sortCode: '601613',
}
const general = {
  ...empty('gender dateLeft annualSalary rightToWorkStatus documentType documentExpiryDate'),
  ...empty('workingTimeRegulation isRestrictedHours'),
  status: 'ACTIVE',
  DOB: '1990-01-01',
  payMethod: 'BACS',
  payFrequency: 'WEEKLY',
  rateHour: 20,
  hours: 37.5,
  nationality: 'British',
}
const pension = {
  ...empty('optState lastAssessmentOn postponementEndDate membershipStartDate optInDate optOutDate'),
  ...empty('isSalarySacrifice'),
}
const setting = {
  ...empty('cisStatus UTRNo personalVerificationNumber verificationDate margin marginMethod'),
  ...empty('marginCapped holidayPayMethod holidayPayRate'),
  paymentModel: 'PAYEE',
}
const ofUk = {
  ...empty('taxBasis workplacePostcode starterDeclaration isApprentice haveStudentLoan'),
  ...empty('studentLoanPlan1StartDate studentLoanPlan1EndDate studentLoanPlan2StartDate'),
  ...empty('studentLoanPostGraStartDate p45GrossToDate p45TaxToDate'),
  taxCode: '1257L',
}
const ofIreland = {
  ...empty('prsiExemption annual_zeroPointFive annual_two annual_fourPointFive subcontractorRefNumber'),
  taxBasis: 'CUMULATIVE',
  prsiEeClasses: 'A1',
  yearlyRateCutOff: '44000.00',
  taxCreditAnnual: '4000.00',
  uscExemption: 'ORDINARY',
}

/** What all people of a service have besides, where a case says of which service it is. */
const services: Readonly<Record<string, Case['fields']>> = {
  'rates of sheets': { rateHour: null },
  umbrella: { margin: 25, optState: 'ENROLLED', membershipStartDate: '2024-01-01', rateHour: 30 },
}

/** A PPS number whose check letter fits. */
function ppsNumber(number: number): string {
  const digits = String(1_000_000 + number)
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (8 - at), 0)
  return digits + 'WABCDEFGHIJKLMNOPQRSTUV'.charAt(sum % 23)
}

/** The person of a case, as a list answers it. */
function person({ on, place, fields: given }: Case, number: number) {
  const fields = { ...services[on.slice(11)], ...given }
  const taxYear = Number(on.slice(0, 4)) - (on.slice(5, 10) < '04-06' ? 1 : 0)
  const isYoung = (ageOn(String(fields.DOB ?? ''), on.slice(0, 10)) ?? 99) < 21
  const digits = String(number).padStart(6, '0')
  const own: Record<string, unknown> =
    place === 'uk'
      ? { NINumber: `AB${digits}C`, accountNumber: `31${digits}` }
      : { ppsNumber: ppsNumber(number), accountNumber: `31${digits}` }
  const filled = (section: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(section).map(([name, value]) => [name, name in fields ? fields[name] : value]),
    )
  const {
    NINumber,
    ppsNumber: pps,
    accountNumber,
  } = { NINumber: null, ppsNumber: null, ...own } as Record<string, unknown>
  const item = {
    id: `id-${number}`,
    agencyRef: `REF-${number}`,
    forename: `Made-up${String.fromCharCode(97 + (number % 26))}${String.fromCharCode(97 + Math.floor(number / 26))}`,
    surname: 'Sample',
    ...filled({
      ...general,
      dateOfJoining: String(fields.DOB ?? '') > '2004' ? `${taxYear}-03-02` : '2020-01-06',
      ...(place === 'uk' && { NINumber }),
    }),
    pensionSetting: filled(pension),
    bank: filled({ ...bank, accountNumber }),
    setting: filled({
      ...setting,
      ...(place === 'uk' ? { ...ofUk, niCategory: isYoung ? 'M' : 'A' } : { ...ofIreland, ppsNumber: pps }),
    }),
  }
  return withNeeds(item, place, fields)
}

/** What check finds of each of these on their day, all of one service, and what it sees. */
async function findings(own: readonly (Case & { readonly number: number })[]) {
  const people = own.map((each) => ({ place: each.place, item: person(each, each.number) }))
  const peopleOf = (country: CountryId) =>
    people.flatMap(({ place, item }) => (place === country ? [item] : []))
  const lists: Record<string, readonly object[]> = {
    '/svc/time-sheets': own.flatMap(({ sheets, number }) =>
      sheets.map(({ hours, rate = 20, ...sheet }, at) => ({
        id: `sheet-${number}-${at}`,
        subcontractorRef: `REF-${number}`,
        rates: [{ rate: String(rate), units: String(hours) }],
        ...sheet,
      })),
    ),
    '/svc/payment-rate': [],
    '/svc/v2/payslips': own.flatMap(({ slips, number }) =>
      (slips.length > 0 ? slips : [{}]).map((slip, at) => ({
        id: `slip-${number}-${at}`,
        subcontractorRef: `REF-${number}`,
        ...slip,
      })),
    ),
  }
  const { env } = await service(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const all = listedPeople(url, peopleOf) ?? lists[pathname] ?? []
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    answerJson(response, 200, { data: all.slice((page - 1) * size, page * size), totalDocs: all.length })
  })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${own[0]?.on.slice(0, 10)}T12:00:00Z`) })
  const run = await payroll(['check', '--json'], { env })
  vi.useRealTimers()
  expect(run.code, run.err).toBeLessThanOrEqual(9)
  const found: Record<'reference' | 'rule' | 'severity' | 'seen', string>[] = run.json()
  return (number: number) => found.filter(({ reference }) => reference === `REF-${number}`)
}

afterEach(() => {
  vi.useRealTimers()
})

const numbered = cases.map((each, number) => ({ ...each, number }))

describe.each([...new Set(cases.map(({ on }) => on))])('check on %s', (on) => {
  const own = numbered.filter((each) => each.on === on)
  let all: ReturnType<typeof findings> | undefined

  test.each(own)('finds $finds of $place $fields $sheets $slips', async ({ number, finds, sees }) => {
    all ??= findings(own)
    const found = (await all)(number)
    const named = found.map(({ rule, severity }) =>
      finds.some((each) => each.startsWith(`${rule}=`)) ? `${rule}=${severity}` : rule,
    )
    expect([...new Set(named)].sort()).toEqual(finds)
    if (sees !== undefined) expect(found.map(({ seen }) => seen)).toContain(sees)
  })
})
