import { candidate, candidateIreland } from '../api/contract/candidate/candidate.ts'
import { answerPath, correspondenceOf } from '../api/contract/correspondence.ts'
import type { Field } from '../api/contract/field.ts'
import { paymentRate } from '../api/contract/payment-rate.ts'
import type { RecordType } from '../api/contract/record.ts'
import { sections } from '../api/contract/sections.ts'
import { vatCode } from '../api/contract/vat-code.ts'
import { fieldAt, leaves } from '../api/contract/walk.ts'
import type { Context } from '../context.ts'
import { usage } from '../errors.ts'
import type { Verb } from './kit/verb.ts'

/** What can be explained, by the name a person types in front of a field's path. */
const subjects: Readonly<Record<string, RecordType>> = {
  'candidates.uk': candidate,
  'candidates.ireland': candidateIreland,
  'payment-rates': paymentRate,
  'vat-codes': vatCode,
}

/** `explain [what]`: the fields of a record, or all that is known of one field. */
export const explain: Verb = {
  name: 'explain',
  summary: 'Explain a record or a field: its type, its names, values seen, and what is not shown',
  arguments: [
    {
      name: 'what',
      summary: 'candidates.ireland, or candidates.ireland.payrollSetting.ppsNumber',
      optional: true,
    },
  ],
  examples: [
    'payroll explain',
    'payroll explain candidates.uk.bankSetting',
    'payroll explain candidates.ireland.payrollSetting.ppsNumber',
    'payroll explain ppsNumber',
  ],
  async run(context, { arguments: { what } }) {
    if (what === undefined) return listSubjects(context)
    const subject = Object.keys(subjects).find((name) => what === name || what.startsWith(`${name}.`))
    const type = subject && subjects[subject]
    if (!subject || !type) return find(context, what)
    const path = what.slice(subject.length + 1)
    const field = path === '' ? undefined : fieldAt(type.fields, path)
    if (path !== '' && !field)
      throw usage(`There is no field ${path} of ${type.noun}.`, `payroll explain ${subject}`)
    if (field && !field.fields) return context.output.record(describe(subject, type, path, field))
    const fields = field?.fields ?? type.fields
    return listFields(
      context,
      leaves(fields, path && `${path}.`).map((leaf) => ({ subject, ...leaf })),
    )
  },
}

function listSubjects(context: Context, group = ''): Promise<void> {
  const meant = Object.entries(subjects).filter(([name]) => name.startsWith(group))
  const rows = meant.map(([name, type]) => ({
    explain: name,
    what: type.noun,
    fields: leaves(type.fields).length,
  }))
  return context.output.list(rows, { columns: ['explain', 'what', 'fields'] })
}

/** A field by its name or the end of its path, wherever it is: `ppsNumber`; or all that an object holds: `bankSetting`. */
function find(context: Context, name: string): Promise<void> {
  if (Object.keys(subjects).some((subject) => subject.startsWith(`${name}.`))) {
    return listSubjects(context, `${name}.`)
  }
  const found = Object.entries(subjects).flatMap(([subject, type]) =>
    leaves(type.fields)
      .filter(({ path }) => `.${path}.`.toLowerCase().includes(`.${name.toLowerCase()}.`))
      .map((leaf) => ({ subject, type, ...leaf })),
  )
  const [only] = found
  if (!only) throw usage(`Nothing is called so: ${name}.`, 'payroll explain lists what can be explained.')
  return found.length === 1
    ? context.output.record(describe(only.subject, only.type, only.path, only.field))
    : listFields(context, found)
}

function listFields(
  context: Context,
  found: readonly { subject: string; path: string; field: Field }[],
): Promise<void> {
  const rows = found.map(({ subject, path, field }) => ({
    field: `${subject}.${path}`,
    type: field.type,
    label: field.label,
    seen: field.seen ?? [],
  }))
  return context.output.list(rows, { columns: ['field', 'type', 'label', 'seen'] })
}

function describe(subject: string, type: RecordType, path: string, field: Field) {
  const correspondence = correspondenceOf(type)
  const answered = correspondence && answerPath(correspondence, path)
  const returned = answered !== undefined && fieldAt(correspondence?.answer.fields ?? {}, answered)
  return {
    field: `${subject}.${path}`,
    label: field.label,
    section: field.section ? sections[field.section] : null,
    type: field.type,
    nullable: field.nullable ?? false,
    sensitive: field.sensitive ?? false,
    request: path,
    answer: !correspondence
      ? null
      : !returned
        ? 'not returned'
        : correspondence.answer.shown
          ? answered
          : `${answered} (assumed)`,
    seen: field.seen ?? [],
    official: field.official ?? [],
    standard: field.standard ?? null,
    help: field.help ?? null,
    notShown: 'whether it is required, its length, and the full set of its values',
  }
}
