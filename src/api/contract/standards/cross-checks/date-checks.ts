import type { Issue } from '../../../../errors.ts'
import type { JsonObject } from '../../../../json/path.ts'
import { type Parts, textOf } from './parts.ts'

/** Checks that no end is before its start, and that undergraduate loans do not overlap. */
export function dateChecks({ generalSetting, payrollSetting }: Parts): Issue[] {
  return [
    ...reversed('generalSetting', generalSetting, 'payrollCalculationStart', 'payrollCalculationEnd'),
    ...loans.flatMap(({ start, end }) => reversed('payrollSetting', payrollSetting, start, end)),
    ...overlapping(payrollSetting),
  ]
}

const fieldsOf = (plan: string) => ({
  plan,
  start: `studentLoan${plan}StartDate`,
  end: `studentLoan${plan}EndDate`,
})

const undergraduate = ['Plan1', 'Plan2', 'Plan4', 'Plan5'].map(fieldsOf)
const loans = [...undergraduate, fieldsOf('PostGra')]

function reversed(part: keyof Parts, record: JsonObject, start: string, end: string): Issue[] {
  return timeOf(record, end, Infinity) < timeOf(record, start, -Infinity)
    ? [{ path: `${part}.${end}`, message: 'the end is before the start' }]
    : []
}

/** Only one undergraduate plan is deducted at a time; a postgraduate loan may be deducted as well. */
function overlapping(payroll: JsonObject): Issue[] {
  const windows = undergraduate
    .filter(({ start, end }) => textOf(payroll, start) || textOf(payroll, end))
    .map(({ plan, start, end }) => ({
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
  const text = textOf(record, name)
  const time = text === '' ? NaN : Date.parse(text)
  return Number.isNaN(time) ? otherwise : time
}
