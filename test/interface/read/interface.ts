import { readFileSync } from 'node:fs'
import { type Candidates, readCandidates } from './candidates.ts'
import { readOperations, type ShownOperation } from './operations.ts'
import { section, sentence } from './parse.ts'
import { type PaymentRates, readPaymentRates } from './payment-rate.ts'
import { readEmailFields, readErrors, readLimits, readPage, readValues, type SeenValue } from './rules.ts'
import { braces, type Shape, type Shapes } from './shape.ts'

/** A body that the document shows: who sends or answers it, and its fields. */
export interface Body {
  readonly operation: string
  readonly side: 'request' | 'response'
  readonly fields: Shapes
  /** The whole answer, the fields in their envelope. */
  readonly envelope?: Shape
  /** The names that lead through the envelope to the fields. */
  readonly under?: readonly string[]
}

/** Everything that the tests take from interface.md. */
export interface Document {
  readonly candidates: Candidates
  readonly paymentRates: PaymentRates
  readonly operations: readonly ShownOperation[]
  readonly bodies: readonly Body[]
  readonly values: readonly SeenValue[]
  readonly limits: ReturnType<typeof readLimits>
  readonly page: Shapes
  readonly errors: ReturnType<typeof readErrors>
  readonly emails: readonly string[]
}

/** interface.md as it stands among the fixtures. */
export const documentText = readFileSync(new URL('../../fixtures/interface.md', import.meta.url), 'utf8')

/** Reads the document; throws, naming what is missing, when a heading, table or sentence is gone. */
export function readDocument(text: string): Document {
  const fields = section(text, 'Resources and their fields')
  sentence(
    fields,
    /Dates are `YYYY-MM-DD` strings unless a field is marked timestamp \(ISO 8601 UTC with milli/,
  )
  sentence(fields, /Country fields carry a two-letter country code\./)
  const candidates = readCandidates(text)
  const paymentRates = readPaymentRates(text)
  return {
    candidates,
    paymentRates,
    operations: readOperations(text),
    bodies: [
      { operation: 'Create Candidate', side: 'request', fields: candidates.uk },
      { operation: 'Create Ireland candidate', side: 'request', fields: candidates.ireland },
      answer('Create Ireland candidate', candidates.answer, candidates.envelope),
      { operation: 'Create new Payment Rate', side: 'request', fields: paymentRates.request },
      answer('Create new Payment Rate', paymentRates.answer, paymentRates.envelope),
    ],
    values: readValues(text),
    limits: readLimits(text),
    page: readPage(text),
    errors: readErrors(text),
    emails: readEmailFields(text),
  }
}

function answer(operation: string, fields: Shapes, envelope: string): Body {
  const under = [...envelope.matchAll(/(\w+): (?=[{<])/g)].flatMap(([, name]) => name ?? [])
  return {
    operation,
    side: 'response',
    fields,
    envelope: braces(envelope, { type: 'object', fields }),
    under,
  }
}
