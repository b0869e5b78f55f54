import type { JsonObject } from '../../files/json/path.ts'
import { type CountryId, countries } from '../countries/countries.ts'
import { latestFact } from '../facts/facts.ts'
import { anything, integer, text, timestamp } from '../fields/field.ts'
import { type DeclaredOperation, pageShape } from '../records/operation.ts'
import type { RecordType } from '../records/record-type.ts'

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

/** The country of a VAT code by its words or its rate; undefined where several fit, as for 0%. */
export function countryOfVatCode({ VATCode, description, VATRate }: JsonObject): CountryId | undefined {
  const words = `${VATCode ?? ''} ${description ?? ''}`
  const rate = Number.parseFloat(String(VATRate ?? ''))
  const country = countries.find(({ vatWords }) => vatWords.test(words))
  const hasRate = ({ id }: { readonly id: CountryId }) => {
    const rates = latestFact('vat-rates', id)?.value
    return rates !== undefined && [rates.standard, ...rates.others].includes(rate)
  }
  return (country ?? countries.find(hasRate))?.id
}

/** Group "VAT Codes". */
export const vatCodes = {
  list: {
    title: 'Get list of default VAT Codes',
    group: 'VAT Codes',
    method: 'GET',
    path: '/svc/vat-code',
    response: pageShape(() => vatCode),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'an item is a VAT code as in a payment rate'],
  },
} satisfies Record<string, DeclaredOperation>
