import { explanationOf } from '../api/contract/fields/explanation.ts'
import { fieldAt, type Leaf, leafFields } from '../api/contract/fields/field-tree.ts'
import { answerPath, mappingOf, requestPath } from '../api/contract/mapping/field-mapping.ts'
import type { Context } from '../context/context.ts'
import { usage } from '../errors.ts'
import { capital } from '../formats/words.ts'
import { type RecordTypes, recordTypesByName } from './kit/declare/record-types.ts'
import type { Verb } from './kit/declare/verb.ts'

/** A field and its names: as it is sent, and as it is answered. */
interface Explained extends Leaf {
  readonly subject: string
  readonly request: string | null
  readonly answer: string | null
}

/** `explain [what]`: the fields of a record, or all that is known of one field. */
export const explain: Verb = {
  name: 'explain',
  summary: 'Explain a record or a field: its meaning, its type, its names and example values',
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
    const group = Object.keys(recordTypesByName).some((subject) => subject.startsWith(`${what}.`))
    if (group) return listSubjects(context, `${what}.`)
    const all = Object.entries(recordTypesByName).flatMap(([name, subject]) => explainedOf(name, subject))
    const found = all.filter((each) => isMeant(each, what))
    const [first] = found
    if (!first) throw unknown(what)
    return found.length === 1 ? context.output.record(describe(first)) : listFields(context, found)
  },
}

function unknown(what: string) {
  const subject = Object.keys(recordTypesByName).find((name) => what.startsWith(`${name}.`))
  if (!subject)
    return usage(`There is no record or field called ${what}.`, 'To list the records: payroll explain')
  const field = what.slice(subject.length + 1)
  return usage(
    `${capital(recordTypesByName[subject]?.answered.displayName ?? subject)} has no field ${field}.`,
    `To list its fields: payroll explain ${subject}`,
  )
}

/** Whether a field is asked for: by its whole name, by a part of its path, or as one of a record. */
function isMeant({ subject, path }: Explained, what: string): boolean {
  const whole = `${subject}.${path}.`.toLowerCase()
  const asked = `${what.toLowerCase()}.`
  const named = Object.keys(recordTypesByName).some((name) => asked.startsWith(`${name}.`))
  return named ? whole.startsWith(asked) : `.${path}.`.toLowerCase().includes(`.${asked}`)
}

/** The fields of a record by the names of its request, and after them those that only an answer has. */
function explainedOf(name: string, { sent, answered }: RecordTypes): Explained[] {
  const correspondence = mappingOf(sent)
  const there = (path: string) => fieldAt(answered.fields, path) !== undefined
  const asSent = leafFields(sent?.fields ?? {}).map((leaf): Explained => {
    const answer = correspondence ? answerPath(correspondence, leaf.path) : leaf.path
    return { subject: name, ...leaf, request: leaf.path, answer: there(answer) ? answer : null }
  })
  const added = leafFields(answered.fields).filter(({ path }) => {
    const request = correspondence ? requestPath(correspondence, path) : path
    return fieldAt(sent?.fields ?? {}, request) === undefined
  })
  return [
    ...asSent,
    ...added.map((leaf): Explained => ({ subject: name, ...leaf, request: null, answer: leaf.path })),
  ]
}

function listSubjects(context: Context, group = ''): Promise<void> {
  const meant = Object.entries(recordTypesByName).filter(([name]) => name.startsWith(group))
  const rows = meant.map(([name, subject]) => ({
    explain: name,
    what: subject.answered.displayName,
    fields: explainedOf(name, subject).length,
  }))
  return context.output.list(rows, { columns: ['explain', 'what', 'fields'] })
}

function listFields(context: Context, found: readonly Explained[]): Promise<void> {
  const rows = found.map(({ subject, path, field }) => ({
    field: `${subject}.${path}`,
    type: field.type,
    label: field.label,
    seen: field.exampleValues ?? [],
  }))
  return context.output.list(rows, { columns: ['field', 'type', 'label', 'seen'] })
}

function describe({ subject, path, field, request, answer }: Explained) {
  const { sent, answered } = recordTypesByName[subject] as RecordTypes
  const { label, section, type, nullable, sensitive, ...rest } = explanationOf(
    request === null ? answered : (sent ?? answered),
    { path, field },
  )
  return {
    field: `${subject}.${path}`,
    label,
    section,
    type,
    nullable,
    sensitive,
    request: request ?? 'not sent',
    answer: answer === null ? 'not returned' : answered.documented ? answer : `${answer} (assumed)`,
    ...rest,
  }
}
