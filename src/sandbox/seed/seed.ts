import { type OperationSuffix, variants } from '../../api/contract/variants.ts'
import { countries } from '../countries/countries.ts'
import type { SandboxCountry } from '../countries/sandbox-country.ts'
import type { Database, TableName } from '../database/database.ts'
import { isObject, type Json, type JsonObject } from '../http/json.ts'
import { addDocument } from '../records/document-routes.ts'
import { defaultVatCodes } from './default-vat-codes.ts'
import { sampleDocuments } from './sample-documents.ts'
import { sampleRates } from './sample-rates.ts'
import { samplePayslip, sampleTimesheet } from './sample-work.ts'

/** How many records were added, not counting those that existed. */
export interface Seeded extends Readonly<Record<`candidates${OperationSuffix}`, number>> {
  readonly paymentRates: number
  readonly timesheets: number
  readonly payslips: number
  readonly documents: number
}

export interface SeedOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** How many payslips there should be. */
  readonly payslips?: number | undefined
}

/** Three weeks for forty people. */
const timesheetCount = 120
const defaultPayslips = 120

/**
 * Fills the sandbox with made-up people and their records, the same every time. Seeding again adds only what is missing:
 * it recognises a person by agencyRef, a rate by code, a timesheet by person and first day, a document by person and
 * name; payslips are counted.
 */
export function seed(database: Database, { now, payslips = defaultPayslips }: SeedOptions): Seeded {
  const { tables } = database
  const add = (
    table: TableName,
    variant: string,
    keyOf: (body: JsonObject) => Json,
    bodies: JsonObject[],
  ) => {
    const there = new Set(tables[table].all(variant).map(({ body }) => keyOf(body)))
    const missing = bodies.filter((body) => !there.has(keyOf(body)))
    for (const body of missing) tables[table].insert(variant, body, now())
    return missing.length
  }
  return database.transaction(() => ({
    ...(Object.fromEntries(
      variants.map(({ id, operationSuffix }) => [
        `candidates${operationSuffix}`,
        add('candidates', id, agencyRef, starters(countries[id])),
      ]),
    ) as Record<`candidates${OperationSuffix}`, number>),
    paymentRates: add('paymentRates', '', (rate) => rate.code ?? null, [...sampleRates]),
    timesheets: add('timesheets', '', weekOf, timesheets(database)),
    payslips: addPayslips(database, payslips, now()),
    documents: addDocuments(database, now),
  }))
}

/** Nothing else creates payslips, so their count shows which ones exist. */
function addPayslips({ tables }: Database, count: number, at: number): number {
  const there = tables.payslips.count('')
  tables.payslips.insertAll('', payslipsFrom(there, count), at)
  return Math.max(0, count - there)
}

function* payslipsFrom(first: number, end: number) {
  for (let number = first; number < end; number++) yield samplePayslip(number)
}

function timesheets({ tables }: Database): JsonObject[] {
  const [standard] = sampleRates
  const rateId = tables.paymentRates.all('').find(({ body }) => body.code === standard?.code)?.id ?? ''
  const vatID = defaultVatCodes[0]?.id ?? ''
  return Array.from({ length: timesheetCount }, (_, number) => sampleTimesheet(number, rateId, vatID))
}

function addDocuments(database: Database, now: () => number): number {
  const { candidates, documents } = database.tables
  const people = variants.flatMap(({ id }) => candidates.all(id))
  const missing = sampleDocuments.flatMap((sample) => {
    const person = people.find(({ body }) => agencyRef(body) === sample.agencyRef)
    const isThere = person && documents.all(person.id).some(({ body }) => body.name === sample.body.name)
    return person && !isThere ? [{ employee: person.id, body: sample.body }] : []
  })
  for (const { employee, body } of missing) addDocument(database, employee, body, now())
  return missing.length
}

function starters({ people, starter }: SandboxCountry): JsonObject[] {
  return people.map((person, index) => starter(person, index + 1))
}

function agencyRef({ generalSetting }: JsonObject): Json {
  return isObject(generalSetting) ? (generalSetting.agencyRef ?? null) : null
}

function weekOf({ subcontractorRef, startDate }: JsonObject): string {
  return JSON.stringify([subcontractorRef, startDate])
}
