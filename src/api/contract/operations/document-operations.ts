import { document } from '../records/document.ts'
import { type DeclaredOperation, emptyResponse, oneRecord, pageOf } from './operation.ts'

/** Group "Documents": on an Employee profile. */
export const documents = {
  create: {
    title: 'Create a document on an Employee profile',
    group: 'Documents',
    method: 'POST',
    path: '/svc/employees/{employeeId}/documents',
    requestRecord: document,
    response: oneRecord(() => document),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  list: {
    title: 'list the documents on an Employee profile',
    group: 'Documents',
    method: 'GET',
    path: '/svc/employees/{employeeId}/documents',
    response: pageOf(() => document),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
  get: {
    title: 'get by id a document on an Employee profile',
    group: 'Documents',
    method: 'GET',
    path: '/svc/employees/{employeeId}/documents/{id}',
    response: oneRecord(() => document),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  update: {
    title: 'update a document on an Employee profile',
    group: 'Documents',
    method: 'PUT',
    path: '/svc/employees/{employeeId}/documents/{id}',
    requestRecord: document,
    response: oneRecord(() => document),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  delete: {
    title: 'delete a document on an Employee profile',
    group: 'Documents',
    method: 'DELETE',
    path: '/svc/employees/{employeeId}/documents/{id}',
    response: emptyResponse,
    known: 'name',
    assumes: ['method', 'path', 'the answer needs no reading'],
  },
} satisfies Record<string, DeclaredOperation>
