import { hasNoValue, type JsonObject } from '../../files/json/path.ts'

/** assumed: a timesheet or payslip whose state has one of these words is not paid. Their states are not documented. */
const deadWords = /reject|delet|cancel|void|declin|refus|withdraw/i

/** The field by which a timesheet or payslip will not be paid, and its state, such as `rejected`; undefined for any other. */
export function deadFieldOf(item: JsonObject): { readonly name: string; readonly state: string } | undefined {
  const { deletedAt } = item
  if (!hasNoValue(deletedAt) && deletedAt !== false) return { name: 'deletedAt', state: 'deleted' }
  for (const name of ['status', 'state']) {
    const text = item[name]
    if (typeof text === 'string' && deadWords.test(text)) return { name, state: text.trim().toLowerCase() }
  }
  return undefined
}

/** The state of a timesheet or payslip that will not be paid, such as `rejected`; undefined for any other. */
export const deadStateOf = (item: JsonObject): string | undefined => deadFieldOf(item)?.state
