import { integer, text, timestamp } from '../fields/field.ts'
import { operationsOn } from '../records/operation.ts'
import type { RecordType } from '../records/record-type.ts'

/** assumed: a name, a media type and base64, because "All request and response bodies are JSON". */
export const document: RecordType = {
  displayName: 'a document',
  documented: false,
  idNames: ['documentId'],
  reference: 'name',
  names: [['name'], ['description']],
  neverWithout: ['content'],
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

/** Group "Documents". */
export const documents = operationsOn(
  { group: 'Documents', path: '/svc/employees/{employeeId}/documents', sent: () => document },
  {
    create: {
      title: 'Create a document on an Employee profile',
      known: 'name',
      assumes: ['method', 'path', 'fields'],
    },
    list: {
      title: 'list the documents on an Employee profile',
      known: 'name',
      assumes: ['method', 'path', 'page and size apply', 'fields'],
    },
    get: {
      title: 'get by id a document on an Employee profile',
      known: 'name',
      assumes: ['method', 'path', 'fields'],
    },
    update: {
      title: 'update a document on an Employee profile',
      known: 'name',
      assumes: ['method', 'path', 'fields'],
    },
    delete: {
      title: 'delete a document on an Employee profile',
      known: 'name',
      assumes: ['method', 'path', 'the answer needs no reading'],
    },
  },
)
