import { timesheet } from '../records/timesheet.ts'
import { type DeclaredOperation, oneRecord, pageOf } from './operation.ts'

/** Group "Timesheet". */
export const timesheets = {
  create: {
    title: 'Create timesheets',
    group: 'Timesheet',
    method: 'POST',
    path: '/svc/time-sheets',
    requestRecord: timesheet,
    response: oneRecord(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  list: {
    title: 'list all timesheets',
    group: 'Timesheet',
    method: 'GET',
    path: '/svc/time-sheets',
    response: pageOf(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
  get: {
    title: 'get timesheet by id',
    group: 'Timesheet',
    method: 'GET',
    path: '/svc/time-sheets/{id}',
    response: oneRecord(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  update: {
    title: 'edit timesheet by id',
    group: 'Timesheet',
    method: 'PUT',
    path: '/svc/time-sheets/{id}',
    requestRecord: timesheet,
    response: oneRecord(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
} satisfies Record<string, DeclaredOperation>
