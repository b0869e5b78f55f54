import { countries } from '../countries/countries.ts'
import type { Person, SandboxCountry } from '../countries/sandbox-country.ts'
import { agencyRefOf } from '../countries/starter-parts.ts'
import type { JsonObject } from '../http/json.ts'

/** One week of one person's work, for a timesheet and its payslip. Money is in pence or cents. */
interface Work {
  readonly worker: Worker
  /** A Monday; `endDate` is the Sunday. */
  readonly startDate: string
  readonly endDate: string
  readonly taxYear: string
  /** The week of the tax year. */
  readonly taxPeriod: number
  readonly halfHours: number
  readonly value: number
  readonly margin: number
}

interface Worker {
  readonly taxYear: SandboxCountry['taxYear']
  readonly agencyRef: string
  readonly assignmentRef: string
  readonly name: string
  readonly agency: string
  /** Hourly. */
  readonly rate: number
}

const agencies = ['Example Agency Ltd', 'Sample Staffing Ltd', 'Specimen Recruitment Ltd'] as const

const workers = Object.values(countries).flatMap((country) => country.people.map(worker(country)))

/** The Monday when everybody joined: the first day of a UK tax year. */
const firstDay = Date.UTC(2026, 3, 6)
const day = 24 * 60 * 60 * 1000
const week = 7 * day

/** The body of Create timesheets for timesheet `number`, from 0. */
export function sampleTimesheet(number: number, rateId: string, vatID: string): JsonObject {
  const { worker, startDate, endDate, taxYear, taxPeriod, halfHours } = workOf(number)
  return {
    subcontractorRef: worker.agencyRef,
    assignmentRef: worker.assignmentRef,
    startDate,
    endDate,
    rates: [{ rateId, rate: (worker.rate / 100).toFixed(2), vatID, units: (halfHours / 2).toFixed(1) }],
    taxYear,
    taxPeriodConfig: `Week ${taxPeriod}`,
  }
}

/**
 * Payslip `number`, from 0: everybody's first week, then everybody's second, and so on. Large numbers reach into future
 * years, to make a long list to page through. The id is always the same.
 */
export function samplePayslip(number: number): { id: string; body: JsonObject } {
  const { worker, taxYear, taxPeriod, value, margin } = workOf(number)
  return {
    id: `00000000-0000-4000-8001-${String(number + 1).padStart(12, '0')}`,
    body: {
      taxYear,
      taxPeriod,
      agencyName: worker.agency,
      subcontractorName: worker.name,
      timesheetValue: value / 100,
      margin: margin / 100,
      gross: (value - margin) / 100,
    },
  }
}

function workOf(number: number): Work {
  const worker = workers[number % workers.length]
  if (worker === undefined) throw new RangeError('a number from 0')
  const start = firstDay + Math.floor(number / workers.length) * week
  const halfHours = 60 + ((number * 7) % 31)
  return {
    worker,
    startDate: dateOf(start),
    endDate: dateOf(start + 6 * day),
    ...taxWeek(worker.taxYear, start + 4 * day),
    halfHours,
    value: Math.round((worker.rate * halfHours) / 2),
    margin: 2000 + (number % 5) * 250,
  }
}

/** The tax year and week of a payday. */
function taxWeek(
  { begins, name }: SandboxCountry['taxYear'],
  payday: number,
): { taxYear: string; taxPeriod: number } {
  const calendarYear = new Date(payday).getUTCFullYear()
  const year = payday < begins(calendarYear) ? calendarYear - 1 : calendarYear
  return { taxYear: name(year), taxPeriod: Math.floor((payday - begins(year)) / week) + 1 }
}

function worker({ code, taxYear }: SandboxCountry) {
  return ([forename, surname, , , , , , rateHour]: Person, index: number): Worker => {
    const agencyRef = agencyRefOf(code, index + 1)
    return {
      taxYear,
      agencyRef,
      assignmentRef: agencyRef.replace('SANDBOX', 'ASSIGNMENT'),
      name: `${forename} ${surname}`,
      agency: agencies[index % agencies.length] ?? agencies[0],
      rate: Math.round(rateHour * 100),
    }
  }
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
