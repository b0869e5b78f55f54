import type { Database, TableName } from './database.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { irishPeople, ukPeople } from './people.ts'
import { sampleRates } from './sample-rates.ts'
import { irishStarter, ukStarter } from './starters.ts'

/** How many records were added; those that were there already are not. */
export interface Seeded {
  readonly candidates: number
  readonly candidatesIreland: number
  readonly paymentRates: number
}

/**
 * Fills the sandbox with people who do not exist, and some payment rates: the same each time. A person is
 * known by agencyRef and a rate by its code, so that seeding again adds only what is missing.
 */
export function seed(database: Database, { now }: { now: () => number }): Seeded {
  const add = (
    table: TableName,
    variant: string,
    keyOf: (body: JsonObject) => Json,
    bodies: JsonObject[],
  ) => {
    const there = new Set(database.tables[table].all(variant).map(({ body }) => keyOf(body)))
    const missing = bodies.filter((body) => !there.has(keyOf(body)))
    for (const body of missing) database.tables[table].insert(variant, body, now())
    return missing.length
  }
  return database.transaction(() => ({
    candidates: add('candidates', 'uk', agencyRef, numbered(ukPeople, ukStarter)),
    candidatesIreland: add('candidates', 'ireland', agencyRef, numbered(irishPeople, irishStarter)),
    paymentRates: add('payment_rates', '', (rate) => rate.code ?? null, [...sampleRates]),
  }))
}

function numbered<T>(people: readonly T[], starter: (person: T, number: number) => JsonObject): JsonObject[] {
  return people.map((person, index) => starter(person, index + 1))
}

function agencyRef({ generalSetting }: JsonObject): Json {
  return isObject(generalSetting) ? (generalSetting.agencyRef ?? null) : null
}
