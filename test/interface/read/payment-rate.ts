import { type Part, section, sentence, split, table } from './parse.ts'
import { type Shape, type Shapes, shape, typedList, unique } from './shape.ts'

/** What interface.md says of a payment rate, sent and answered, and of the VAT code inside it. */
export interface PaymentRates {
  readonly request: Shapes
  readonly answer: Shapes
  readonly vatCode: Shapes
  /** The line that shows the envelope, `{ data: <payment rate>, … }`. */
  readonly envelope: string
  /** "the request's includeInPayeCalculation appears as includeInPayeUmbrellaCalculation". */
  readonly renamed: readonly (readonly [sent: string, answered: string])[]
}

export function readPaymentRates(document: string): PaymentRates {
  const part = section(document, 'Payment rate')
  const [sent, answered] = halves(part)
  const [list = ''] = sentence(section(document, 'VAT code (nested in a payment rate)'), /^(\w+ \(.+\))\.$/)
  const vatCode = typedList(list)
  const [from = '', to = '', object = ''] = sentence(
    part,
    /^In the response, the request's (\w+) appears as (\w+), and (\w+) is an object rather than an identifier\.$/,
  )
  const answer = fieldRows(answered, { 'VAT code object': { type: 'object', fields: vatCode } })
  if (answer[object]?.type !== 'object') throw new Error(`${part.name}: ${object} is said to be an object`)
  return {
    request: fieldRows(sent, {}),
    answer,
    vatCode,
    envelope: sentence(part, /^Response envelope: `(.+)`\. The payment rate object:$/)[0] ?? '',
    renamed: [[from, to]],
  }
}

/** The request and the answer have tables with the same headings: cut where the answer begins. */
function halves(part: Part): [Part, Part] {
  const cut = part.lines.findIndex((line) => line.startsWith('Response envelope:'))
  if (cut < 0) throw new Error(`${part.name}: no response envelope`)
  return [
    { name: `${part.name}, request`, lines: part.lines.slice(0, cut) },
    { name: `${part.name}, response`, lines: part.lines.slice(cut) },
  ]
}

/** Rows of names and their type: `| createdAt, updatedAt | timestamp |`. */
function fieldRows(part: Part, objects: Shapes): Shapes {
  const entries = table(part, 'Field', 'Type').flatMap(([cell = '', words = '']) =>
    split(cell, ',').map((name): [string, Shape] => [name, objects[words] ?? shape(name, words)]),
  )
  return unique(entries)
}
