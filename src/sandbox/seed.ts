import { defaults } from '../defaults.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { countries, type OperationSuffix } from '../model/countries/countries.ts'
import { dayMs, utcDay } from '../text/day.ts'
import { sandboxCountries } from './countries/countries.ts'
import { agencyRefOf } from './countries/sandbox-country.ts'
import { type Database, defaultVatCodes, type TableName } from './database/database.ts'
import { addDocument } from './records/document-routes.ts'

interface SeedOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly payslips?: number | undefined
}

/** Adds made-up records, always the same, where they are missing. Returns how many it added. */
export function seed(database: Database, { now, payslips = defaults.payslips }: SeedOptions) {
  const { tables } = database
  const add = (
    table: TableName,
    country: string,
    keyOf: (body: JsonObject) => Json,
    bodies: JsonObject[],
  ) => {
    const there = new Set(tables[table].all(country).map(({ body }) => keyOf(body)))
    const missing = bodies.filter((body) => !there.has(keyOf(body)))
    for (const body of missing) tables[table].insert(country, body, now())
    return missing.length
  }
  return database.transaction(() => ({
    ...(Object.fromEntries(
      countries.map(({ id, operationSuffix }) => [
        `candidates${operationSuffix}`,
        add(
          'candidates',
          id,
          agencyRef,
          sandboxCountries[id].people.map((person, at) => sandboxCountries[id].starter(person, at + 1)),
        ),
      ]),
    ) as Record<`candidates${OperationSuffix}`, number>),
    paymentRates: add('paymentRates', '', (rate) => rate.code ?? null, [...sampleRates]),
    timesheets: add('timesheets', '', weekOf, timesheets(database)),
    payslips: addPayslips(database, payslips, now()),
    documents: addDocuments(database, now),
  }))
}

/** Adds payslips until there are `count`. Only this creates any. */
function addPayslips({ tables }: Database, count: number, at: number): number {
  const there = tables.payslips.countRecords('')
  const missing = Math.max(0, count - there)
  tables.payslips.insertAll('', samplePayslips(there, missing), at)
  return missing
}

function timesheets({ tables }: Database): JsonObject[] {
  const [standard] = sampleRates
  const rateId = tables.paymentRates.all('').find(({ body }) => body.code === standard?.code)?.id ?? ''
  return Array.from({ length: timesheetCount }, (_, number) => sampleTimesheet(number, rateId))
}

function addDocuments(database: Database, now: () => number): number {
  const { candidates, documents } = database.tables
  const people = countries.flatMap(({ id }) => candidates.all(id))
  const missing = sampleDocuments.flatMap((sample) => {
    const person = people.find(({ body }) => agencyRef(body) === sample.agencyRef)
    const hasDocument = person && documents.all(person.id).some(({ body }) => body.name === sample.body.name)
    return person && !hasDocument ? [{ employee: person.id, body: sample.body }] : []
  })
  for (const { employee, body } of missing) addDocument(database, employee, body, now())
  return missing.length
}

function agencyRef({ generalSetting }: JsonObject): Json {
  return isObject(generalSetting) ? (generalSetting.agencyRef ?? null) : null
}

/** A key for the week of a timesheet of one person. */
const weekOf = ({ subcontractorRef, startDate }: JsonObject): string =>
  JSON.stringify([subcontractorRef, startDate])

/** Bodies to create documents with, each with the agencyRef of its person. */
const sampleDocuments: readonly { readonly agencyRef: string; readonly body: JsonObject }[] = Object.values(
  sandboxCountries,
).flatMap(({ code, documents }) =>
  documents.map(([person, name, description]) => document(agencyRefOf(code, person), name, description)),
)

function document(agencyRef: string, name: string, description: string) {
  const text = `${description}: a sample of the sandbox, about no real person.\n`
  const content = Buffer.from(text).toString('base64')
  return { agencyRef, body: { name, contentType: 'text/plain', description, content } }
}

/** Bodies of Create new Payment Rate. */
const sampleRates: readonly JsonObject[] = [
  rate('STD', 'Standard hours', 'HOURLY', 1),
  rate('OT150', 'Overtime at time and a half', 'HOURLY', 1),
  rate('DAY', 'Day rate', 'DAILY', 7.5),
  rate('NIGHT', 'Night shift', 'DAILY', 10),
]

function rate(code: string, description: string, units: string, hoursPerUnit: number): JsonObject {
  return {
    code,
    description,
    type: 'RATE',
    units,
    hoursPerUnit,
    status: 'ACTIVE',
    displayOnPayslip: true,
    includeTaxCalculation: true,
    includeNICalculation: true,
    includePensionCalculation: true,
    includeAccrueHolidayPay: true,
    includeInCisCalculation: false,
    includeInPayeCalculation: true,
    raiseInvoice: true,
    defaultVATCode: defaultVatCodes[0]?.id ?? null,
  }
}

const agencies = ['Example Agency Ltd', 'Sample Staffing Ltd', 'Specimen Recruitment Ltd'] as const

/** The people of every country at work. `rate`: of an hour, in pence or cents. */
const workers = countries.flatMap(({ id, taxYearBegins }) => {
  const {
    code,
    taxYear,
    people,
    vatCodes: [standard],
  } = sandboxCountries[id]
  return people.map(([forename, surname, , , , , , rateHour], index) => ({
    begins: (year: number) => Date.UTC(year, taxYearBegins[0] - 1, taxYearBegins[1]),
    taxYear,
    vatID: defaultVatCodes.find(({ body }) => body.description === standard?.[0])?.id ?? '',
    agencyRef: agencyRefOf(code, index + 1),
    name: `${forename} ${surname}`,
    agency: agencies[index % agencies.length] ?? agencies[0],
    rate: Math.round(rateHour * 100),
  }))
})

/** Three weeks for everybody. */
const timesheetCount = 3 * workers.length

/** The Monday when everybody joined: the first day of a UK tax year. */
const firstDay = Date.UTC(2026, 3, 6)
const week = 7 * dayMs

/** The body of Create timesheets for timesheet `number`, from 0. */
function sampleTimesheet(number: number, rateId: string): JsonObject {
  const { worker, startDate, endDate, taxYear, taxPeriod, halfHours } = workOf(number)
  const [rate, units] = [(worker.rate / 100).toFixed(2), (halfHours / 2).toFixed(1)]
  return {
    subcontractorRef: worker.agencyRef,
    assignmentRef: worker.agencyRef.replace('SANDBOX', 'ASSIGNMENT'),
    startDate,
    endDate,
    rates: [{ rateId, rate, vatID: worker.vatID, units }],
    taxYear,
    taxPeriodConfig: `Week ${taxPeriod}`,
  }
}

/** Payslips from number `first`, from 0: everybody's first week, then the second; ids never change. */
function* samplePayslips(first: number, count: number) {
  for (let number = first; number < first + count; number++) {
    const { worker, taxYear, taxPeriod, value, margin } = workOf(number)
    const body = {
      taxYear,
      taxPeriod,
      agencyName: worker.agency,
      subcontractorName: worker.name,
      timesheetValue: value / 100,
      margin: margin / 100,
      gross: (value - margin) / 100,
    }
    yield { id: `00000000-0000-4000-8001-${String(number + 1).padStart(12, '0')}`, body }
  }
}

/** One person's week of work, Monday to Sunday, for a timesheet and a payslip. Money in pence or cents. */
function workOf(number: number) {
  const worker = workers[number % workers.length]
  if (worker === undefined) throw new RangeError('a number from 0')
  const start = firstDay + Math.floor(number / workers.length) * week
  const halfHours = 60 + ((number * 7) % 31)
  return {
    worker,
    startDate: utcDay(start),
    endDate: utcDay(start + 6 * dayMs),
    ...taxWeek(worker, start + 4 * dayMs),
    halfHours,
    value: Math.round((worker.rate * halfHours) / 2),
    margin: 2000 + (number % 5) * 250,
  }
}

/** The tax year of a payday, and which week of it that is. */
function taxWeek({ begins, taxYear }: (typeof workers)[number], payday: number) {
  const calendarYear = new Date(payday).getUTCFullYear()
  const year = payday < begins(calendarYear) ? calendarYear - 1 : calendarYear
  return { taxYear: taxYear(year), taxPeriod: Math.floor((payday - begins(year)) / week) + 1 }
}
