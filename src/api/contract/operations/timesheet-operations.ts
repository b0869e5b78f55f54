import { timesheet } from '../records/timesheet.ts'
import { type Described, one, page } from './operation.ts'

/** Group "Timesheet". */
export const timesheets = {
  create: {
    title: 'Create timesheets',
    group: 'Timesheet',
    method: 'POST',
    path: '/svc/time-sheets',
    sends: timesheet,
    answers: one(timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  list: {
    title: 'list all timesheets',
    group: 'Timesheet',
    method: 'GET',
    path: '/svc/time-sheets',
    answers: page(timesheet),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
  get: {
    title: 'get timesheet by id',
    group: 'Timesheet',
    method: 'GET',
    path: '/svc/time-sheets/{id}',
    answers: one(timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  update: {
    title: 'edit timesheet by id',
    group: 'Timesheet',
    method: 'PUT',
    path: '/svc/time-sheets/{id}',
    sends: timesheet,
    answers: one(timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
} satisfies Record<string, Described>
