import { anything, integer, text, timestamp } from './field.ts'
import type { RecordType } from './record.ts'

/** "VAT code (nested in a payment rate)". */
export const vatCode: RecordType = {
  noun: 'a VAT code',
  shown: true,
  columns: ['id', 'VATCode', 'VATRate', 'description'],
  fields: {
    id: text('ID'),
    incrementId: integer('Number'),
    VATCode: text('VAT code', { seen: ['S'] }),
    VATRate: text('VAT rate', { seen: ['20%'], help: 'With its percent sign.' }),
    description: text('Description', { seen: ['Standard'] }),
    author: anything('Author', { nullable: true }),
    createdAt: timestamp('Created'),
    updatedAt: timestamp('Updated'),
    deletedAt: timestamp('Deleted', { nullable: true }),
  },
}
