import { integer, text, timestamp } from '../fields/field.ts'
import type { RecordType } from './record-type.ts'

/**
 * assumed: a name, a media type and the bytes as base64, because "All request and response bodies are JSON".
 * "Fields of … document …: not shown."
 */
export const document: RecordType = {
  displayName: 'a document',
  documented: false,
  idNames: ['documentId'],
  reference: { request: 'name', item: 'name' },
  // assumed: the service counts it.
  serviceOwned: ['size'],
  columns: ['name', 'id', 'contentType', 'size', 'createdAt'],
  fields: {
    name: text('Name', { essential: true }),
    contentType: text('Media type', { machine: true }),
    description: text('Description', { essential: true }),
    content: text('Content', { machine: true, note: 'The bytes as base64.' }),
    size: integer('Size in bytes', { machine: true }),
    createdAt: timestamp('Created', { machine: true }),
  },
}
