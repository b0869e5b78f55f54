import type { Issue } from '../../../../errors.ts'
import type { JsonObject } from '../../../../json/path.ts'
import { type Parts, textOf } from './parts.ts'

/** Checks that no end is before its start, and that undergraduate loans do not overlap. */
export function dateChecks({ generalSetting, payrollSetting }: Parts): Issue[] {
  return [
    ...reversed('generalSetting', generalSetting, 'payrollCalculationStart', 'payrollCalculationEnd'),
    ...[...undergraduate, 'PostGra'].flatMap((plan) =>
      reversed('payrollSetting', payrollSetting, ...fieldsOf(plan)),
    ),
    ...overlapping(payrollSetting),
  ]
}

const undergraduate = ['Plan1', 'Plan2', 'Plan4', 'Plan5']

function fieldsOf(plan: string): [string, string] {
  return [`studentLoan${plan}StartDate`, `studentLoan${plan}EndDate`]
}

function reversed(part: keyof Parts, record: JsonObject, start: string, end: string): Issue[] {
  return timeOf(record, end, Infinity) < timeOf(record, start, -Infinity)
    ? [{ path: `${part}.${end}`, message: `before ${start}` }]
    : []
}

/** Only one undergraduate plan is deducted at a time; a postgraduate loan may be deducted as well. */
function overlapping(payroll: JsonObject): Issue[] {
  const windows = undergraduate
    .map((plan) => ({ plan, fields: fieldsOf(plan) }))
    .filter(({ fields }) => fields.some((field) => textOf(payroll, field)))
    .map(({ plan, fields: [start, end] }) => ({
      plan,
      start,
      from: timeOf(payroll, start, -Infinity),
      to: timeOf(payroll, end, Infinity),
    }))
  return windows.flatMap((later, index) =>
    windows
      .slice(0, index)
      .filter((earlier) => earlier.from < later.to && later.from < earlier.to)
      .map((earlier) => ({
        path: `payrollSetting.${later.start}`,
        message: `overlaps ${earlier.plan.replace('Plan', 'plan ')}: one undergraduate loan is deducted at a time`,
      })),
  )
}

/** A date or timestamp in milliseconds; the other value if there is none. */
function timeOf(record: JsonObject, name: string, otherwise: number): number {
  const time = Date.parse(textOf(record, name))
  return Number.isNaN(time) ? otherwise : time
}
