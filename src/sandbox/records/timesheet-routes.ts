import { operations } from '../../api/contract/operations/operations.ts'
import type { Route } from '../http/register-route.ts'
import { resourceRoutes, type Service } from './resource-routes.ts'

/**
 * The timesheets. "Fields of timesheet …: not shown." assumed: the answer is the timesheet as sent, plus the fields
 * that the service sets.
 */
export function timesheetRoutes(service: Service): Route[] {
  return resourceRoutes(
    {
      operations: operations.timesheets,
      table: 'timesheets',
      variant: '',
      answer: ({ id, body, createdAt, updatedAt }) => ({ ...body, id, createdAt, updatedAt }),
    },
    service,
  )
}
