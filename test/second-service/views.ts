import { bareNumber } from './exact-json.ts'
import type { Held } from './records.ts'
import type { Shape } from './shapes.ts'
import type { Holdings, Kind } from './store.ts'

const sensitive = ['accountNumber', 'sortCode', 'IBANReference', 'NINumber', 'ppsNumber']
const idNames = ['id', 'rateId', 'vatID']

/** A record as the service answers it in this shape, without what is around it. */
export function view(shape: Shape, held: Holdings, kind: Kind, id: string): Held {
  const record = held[kind][id] as Held
  const shown = layout(shape, held, kind, record)
  return throughout({ id, ...shown }, (name, value) => {
    if (shape.maskedAs && sensitive.includes(name)) return shape.maskedAs
    if (shape.leavesOut?.names.includes(name)) return undefined
    if (shape.masked && sensitive.includes(name)) return `****${String(value).slice(-4)}`
    if (shape.ids === 'numeric' && idNames.includes(name) && /^\d+$/.test(String(value)))
      return bareNumber(String(value))
    if (shape.numbersAsText && typeof value === 'number') return String(value)
    return shape.hides?.includes(name) ? undefined : value
  })
}

const ownNames: Readonly<Record<Kind, string>> = {
  uk: 'candidateId',
  ireland: 'candidateId',
  rates: 'rateId',
  vat: 'id',
  timesheets: 'timesheetId',
  payslips: 'id',
  documents: 'documentId',
}

/** One record, its id under the name of the shape. */
export function single(shape: Shape, held: Holdings, kind: Kind, id: string): Held {
  const { id: answered, ...record } = view(shape, held, kind, id)
  const { idAs = 'id' } = shape
  if (idAs === 'nothing') return record
  return { [idAs === 'kind' ? ownNames[kind] : idAs]: answered, ...record }
}

/** A record as a list has it. */
export function listed(shape: Shape, held: Holdings, kind: Kind, id: string): Held {
  const { leavesOut, ...showing } = shape
  const whole = view(leavesOut?.listsShow ? showing : shape, held, kind, id)
  if (kind === 'documents') return without(whole, ['content'])
  if (kind !== 'uk' && kind !== 'ireland') return whole
  const general = whole.generalSetting ?? whole
  if (shape.list?.summary)
    return {
      id: whole.id,
      agencyRef: general.agencyRef,
      forename: general.forename,
      surname: general.surname,
    }
  if (shape.list?.shortReferences) return { ...whole, agencyRef: general.agencyRef.slice(0, 6) }
  return whole
}

function layout(shape: Shape, held: Holdings, kind: Kind, record: Held): Held {
  if (kind === 'rates') return shape.form === 'request' ? record : answeredRate(shape, held, record)
  if (kind === 'vat' || kind === 'payslips') return { ...record, ...stamps }
  if (kind === 'documents')
    return { ...record, size: Buffer.from(record.content ?? '', 'base64').length, ...stamps }
  if (kind === 'timesheets') return { ...record, ...stamps }
  const { generalSetting, bankSetting, payrollSetting, ...unknown } = record
  const { pensionSetting } = generalSetting ?? {}
  const pension = pensionSetting && {
    pensionSetting: kind === 'ireland' ? days(pensionSetting) : pensionSetting,
  }
  const general = { ...generalSetting, ...pension, status: 'ACTIVE', dateLeft: null, reason: null }
  const setting = answeredSetting(payrollSetting)
  const { form } = shape
  if (form === 'request')
    return { ...unknown, status: 'ACTIVE', ...stamps, generalSetting, bankSetting, payrollSetting }
  if (form === 'flat-with-request-sections') return { ...unknown, ...general, bankSetting, payrollSetting }
  if (form === 'general-with-bank-and-setting')
    return { ...unknown, generalSetting, bank: bankSetting, setting }
  if (form === 'no-bank') return { ...unknown, ...general, setting }
  return { ...unknown, ...general, bank: bankSetting, setting }
}

const stamps = { createdAt: '2026-04-06T08:00:00.000Z', updatedAt: '2026-04-06T08:00:00.000Z' }

/** interface.md: "payrollApproveNeeded is returned as a boolean". */
function answeredSetting(payroll: Held | undefined): Held | undefined {
  if (payroll?.payrollApproveNeeded === undefined) return payroll
  return { ...payroll, payrollApproveNeeded: payroll.payrollApproveNeeded === 'true' }
}

/** interface.md, of the Irish answer: the timestamps of a pension are "date strings". */
function days(pension: Held): Held {
  return throughout(pension, (_, value) => String(value).match(/^(\d{4}-\d\d-\d\d)T/)?.[1] ?? value)
}

/** interface.md: hoursPerUnit comes as text, the VAT code as an object, one name changes. */
function answeredRate(shape: Shape, held: Holdings, record: Held): Held {
  const { includeInPayeCalculation, defaultVATCode, hoursPerUnit, ...same } = record
  return {
    incrementId: 7,
    ...same,
    hoursPerUnit: String(hoursPerUnit),
    includeInPayeUmbrellaCalculation: includeInPayeCalculation,
    isStatutory: null,
    author: 'user-1',
    ...stamps,
    defaultVATCode: held.vat[defaultVATCode] ? view(shape, held, 'vat', defaultVATCode) : null,
  }
}

function without(record: Held, names: readonly string[]): Held {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** A copy in which every value that has no parts is what `change` makes of it; undefined leaves it out. */
function throughout(value: any, change: (name: string, value: unknown) => unknown, name = ''): any {
  if (Array.isArray(value)) return value.map((item) => throughout(item, change, name))
  if (value === null || typeof value !== 'object') return change(name, value)
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, throughout(part, change, key)])
      .filter(([, part]) => part !== undefined),
  )
}
