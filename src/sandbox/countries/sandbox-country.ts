import type { StoredRecord } from '../database/record-table.ts'
import type { JsonObject } from '../http/requests.ts'

/** A made-up person, as one short row. */
export type Person = readonly [
  forename: string,
  surname: string,
  gender: 'FEMALE' | 'MALE',
  birth: string,
  city: string,
  code: string,
  job: string,
  hourlyRate: number,
]

/** What the sandbox has of a country: how it answers its candidates, and the made-up records of `sandbox seed`. */
export interface SandboxCountry {
  readonly answer: (record: StoredRecord) => JsonObject
  /** Stands in the references of its people: SANDBOX-IE-01. */
  readonly code: string
  readonly people: readonly Person[]
  /** The body of its create. `number`, from 1, becomes part of the reference. */
  readonly starter: (person: Person, number: number) => JsonObject
  readonly documents: readonly SampleDocument[]
  readonly vatCodes: readonly SampleVatCode[]
  /** When the tax year that begins in this year begins (milliseconds since 1970), and what it is called. */
  readonly taxYear: { readonly begins: (year: number) => number; readonly name: (year: number) => string }
}

/** A document of the person with this number, from 1. */
export type SampleDocument = readonly [person: number, name: string, description: string]

export type SampleVatCode = readonly [description: string, rate: string, code: string]
