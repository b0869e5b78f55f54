import type { JsonObject } from '../../../json/path.ts'
import type { CountryId } from '../countries/countries.ts'
import { anything, integer, text, timestamp } from '../fields/field.ts'
import { type DeclaredOperation, pageOf } from '../operations/operation.ts'
import type { RecordType } from './record-type.ts'

/** "VAT code (nested in a payment rate)". */
export const vatCode: RecordType = {
  displayName: 'a VAT code',
  documented: true,
  names: [['VATCode', 'VATRate'], ['description']],
  columns: ['VATCode', 'VATRate', 'description', 'id'],
  fields: {
    id: text('ID'),
    incrementId: integer('Number'),
    VATCode: text('VAT code', { exampleValues: ['S'] }),
    VATRate: text('VAT rate', { exampleValues: ['20%'], help: 'With its percent sign.' }),
    description: text('Description', { exampleValues: ['Standard'] }),
    author: anything('Author', { nullable: true }),
    createdAt: timestamp('Created'),
    updatedAt: timestamp('Updated'),
    deletedAt: timestamp('Deleted', { nullable: true }),
  },
}

/**
 * The country whose VAT a code is, by its own words or by its rate; undefined where it can be that of several.
 * assumed: "Get list of default VAT Codes" has no field for it. The rates are those of 2026, and 0% is everywhere.
 */
export function countryOfVatCode(code: JsonObject): CountryId | undefined {
  const words = `${code.VATCode ?? ''} ${code.description ?? ''}`
  const named = vatSigns.find(({ words: pattern }) => pattern.test(words))
  const rate = Number.parseFloat(String(code.VATRate ?? ''))
  return (named ?? vatSigns.find(({ rates }) => rates.includes(rate)))?.country
}

const vatSigns: readonly {
  readonly country: CountryId
  readonly words: RegExp
  readonly rates: readonly number[]
}[] = [
  { country: 'ireland', words: /\b(?:IE|IRL|Ireland|Irish)\b/i, rates: [23, 13.5, 9, 4.8] },
  { country: 'uk', words: /\b(?:GB|UK|United Kingdom|British)\b/i, rates: [20, 5] },
]

/** Group "VAT Codes". */
export const vatCodes = {
  list: {
    title: 'Get list of default VAT Codes',
    group: 'VAT Codes',
    method: 'GET',
    path: '/svc/vat-code',
    response: pageOf(() => vatCode),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'an item is a VAT code as in a payment rate'],
  },
} satisfies Record<string, DeclaredOperation>
