import { hasNoValue, type JsonObject } from '../../files/json/path.ts'

/** assumed: a timesheet or payslip whose state has one of these words is not paid. Their states are not documented. */
const deadWords = /reject|delet|cancel|void|declin|refus|withdraw/i

/** The state of a timesheet or payslip that will not be paid, such as `rejected`; undefined for any other. */
export function deadStateOf({ deletedAt, status, state }: JsonObject): string | undefined {
  if (!hasNoValue(deletedAt) && deletedAt !== false) return 'deleted'
  const dead = [status, state].find((text) => typeof text === 'string' && deadWords.test(text))
  return typeof dead === 'string' ? dead.trim().toLowerCase() : undefined
}
