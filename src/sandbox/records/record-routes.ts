import { operations } from '../../api/contract/operations/operations.ts'
import type { Route } from '../http/register-route.ts'
import { candidates } from './candidate-routes.ts'
import { documentRoutes } from './document-routes.ts'
import { paymentRates } from './payment-rate-routes.ts'
import { payslips } from './payslip-routes.ts'
import { type Resource, resourceRoutes, type Service } from './resource-routes.ts'
import { vatCodes } from './vat-code-routes.ts'

/** Every resource that is kept and answered in the usual way. Its table is made of its name in the contract. */
const resources: readonly Resource[] = [
  ...candidates,
  paymentRates,
  vatCodes,
  // "Fields of timesheet …: not shown." assumed: the answer is the timesheet as sent.
  { operations: operations.timesheets, table: 'timesheets' },
  ...payslips,
]

/** The routes of all resources. */
export function recordRoutes(service: Service): Route[] {
  return [...resources.flatMap((resource) => resourceRoutes(resource, service)), ...documentRoutes(service)]
}
