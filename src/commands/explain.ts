import type { Context } from '../context/context.ts'
import { onFailure, usage } from '../errors.ts'
import type { Json, JsonObject } from '../files/json/path.ts'
import { array, type Field, type Fields, integer, text, type ValuesOf } from '../model/fields/field.ts'
import { labelsOf, normalizeName } from '../model/fields/labels.ts'
import { type NamedField, namedFields } from '../model/mapping/field-mapping.ts'
import { knownWords } from '../model/standards/known-words.ts'
import { explanationFields, explanationOf, kindsInWords } from '../model/values/explanation.ts'
import {
  didYouMean,
  doubtfulFields,
  fieldsWithPart,
  findField,
  readHeading,
} from '../model/values/find-field.ts'
import type { ServiceWords } from '../model/values/read-code.ts'
import { valueName } from '../model/values/read-code.ts'
import { capital } from '../text/words.ts'
import { chosenCountry } from './cli/options.ts'
import {
  assertNamed,
  countryOptions,
  nameOfRecord,
  type RecordTypes,
  recordTypesByName,
} from './cli/record-types.ts'
import type { Verb } from './cli/verb.ts'

const records = Object.entries(recordTypesByName)

interface Explained extends NamedField {
  readonly subject: string
}

const pathOf = ({ request, answer }: NamedField): string => request ?? answer ?? ''

const subjectFields = {
  explain: text('What to type'),
  what: text('Kind of record'),
  fields: integer('How many fields it has'),
}

const fieldRowFields = {
  field: text('Field'),
  type: text('Type'),
  label: text('Label'),
  words: array('Words', text('')),
}

const fieldFields = {
  field: text('Field'),
  ...explanationFields,
  request: text('Its name in a request'),
  answer: text('Its name in an answer'),
}

/** `explain [what]`: the fields of a record, or all that is known of one field. */
export const explain: Verb = {
  name: 'explain',
  isLocal: true,
  summary: 'Explain a record or a field: its meaning, its type, its names and example values',
  arguments: [
    {
      name: 'what',
      summary: 'candidates.ireland, or candidates.ireland.payrollSetting.ppsNumber',
      optional: true,
      variadic: true,
    },
  ],
  namesCountry: true,
  options: countryOptions,
  answer: {
    prints: 'json',
    shapes: [
      { about: 'Without an argument.', list: true, fields: subjectFields },
      { about: 'For several fields.', list: true, fields: fieldRowFields },
      { about: 'For one field.', fields: fieldFields },
    ],
  },
  examples: [
    'payroll explain',
    'payroll explain candidates --ireland',
    'payroll explain candidates.uk.bankSetting',
    'payroll explain candidates.ireland.payrollSetting.ppsNumber',
    'payroll explain ppsNumber',
  ],
  async run(context, { words = [], options }) {
    // A field may stand behind its record as a word of its own.
    const [record = '', ...field] = words
    const kinds = chosenCountry(options) ? records.map(([name]) => name.split('.')[0]) : []
    const isRecord = field.length > 0 && (kinds.includes(record) || records.some(([name]) => name === record))
    const question =
      words.length === 0 ? undefined : isRecord ? `${record}.${field.join(' ')}` : words.join(' ')
    assertNamed(question, options)
    if (question === undefined) return listSubjects(context)
    const [kind] = question.split('.')
    // A field that is named without its record is one of people, where a country is named.
    const isField = chosenCountry(options) && !records.some(([name]) => name.split('.')[0] === kind)
    const what = nameOfRecord(isField ? `candidates.${question}` : question, options)
    const isGroup = records.some(([name]) => name.startsWith(`${what}.`))
    if (isGroup) return listSubjects(context, `${what}.`)
    const { name, field: fieldName } = splitName(what)
    const meant = records.flatMap(([subject, types]) => {
      if (name && name !== subject) return []
      const headed = readHeading(types.sent ?? types.answered, fieldName).path
      return explainedOf(subject, types).filter(
        (each) =>
          isMeant(each, fieldName.toLowerCase(), name !== undefined) ||
          (headed !== undefined && each.request === headed),
      )
    })
    const matches = meant.length > 0 ? meant : calledSo(name, fieldName)
    const [first] = matches
    if (!first) throw unknown({ name, field: fieldName })
    if (matches.length > 1) return listFields(context, matches)
    const description = describeField(first, await seenHere(context, first))
    const { output, options: globalOptions } = context
    return output.record(
      output.isRead && !globalOptions.columns ? wordsInPlace(description, first.field) : { ...description },
    )
  },
}

/** A record that a text begins with, and the field after it: `candidates.uk.surname`. Without a record all of it is the field. */
function splitName(what: string): { readonly name: string | undefined; readonly field: string } {
  const name = records.find(([each]) => `${what.toLowerCase()}.`.startsWith(`${each}.`))?.[0]
  return { name, field: name === undefined ? what : what.slice(name.length + 1) }
}

/** Fields by a usual heading, such as PRSI class, as --set and an import take it; else all that a word may mean. */
function calledSo(name: string | undefined, fieldName: string): Explained[] {
  const called = (find: (fields: Fields) => readonly NamedField[]) =>
    records.flatMap(([subject, { sent, answered }]) =>
      name && name !== subject
        ? []
        : find((sent ?? answered).fields).flatMap((named) =>
            named.field.fields ? [] : [{ subject, ...named }],
          ),
    )
  const byName = called((fields) => [findField(fields, fieldName).found ?? []].flat())
  if (byName.length > 0) return byName
  const doubtful = called((fields) => doubtfulFields(fields, fieldName))
  if (doubtful.length > 0) return doubtful
  const withPart = called((fields) => fieldsWithPart(fields, fieldName))
  // One alone is only a suggestion: all that is known of it would be shown for a slip of the hand.
  return withPart.length > 1 ? withPart : []
}

function unknown({ name, field }: ReturnType<typeof splitName>) {
  const near = records
    .filter(([each]) => !name || each === name)
    .flatMap(([each, { sent, answered }]) =>
      (findField((sent ?? answered).fields, field).near ?? []).map((path) => `${each}.${path}`),
    )
  const suggestion = near.length > 0 ? `${didYouMean(near.slice(0, 3))} ` : ''
  const type = name && recordTypesByName[name]
  return usage(
    type
      ? `${capital(type.answered.displayName)} has no field ${field}.`
      : `There is no record or field called ${field}.`,
    `${suggestion}To list ${type ? `its fields: payroll explain ${name}` : 'the records: payroll explain'}`,
  )
}

function isMeant({ request, answer, field }: Explained, fieldName: string, isOfRecord: boolean): boolean {
  const plainName = withoutIndex(fieldName)
  const paths = [request, answer].flatMap((each) => (each ? `.${withoutIndex(each)}.`.toLowerCase() : []))
  if (labelsOf(field).includes(normalizeName(plainName))) return true
  return paths.some((each) =>
    isOfRecord ? each.startsWith(plainName && `.${plainName}.`) : each.includes(`.${plainName}.`),
  )
}

/** The fields of each line of a list have the same meaning: `rates.units` is `rates[0].units`. */
const withoutIndex = (path: string) => path.replace(/\[\d*\]/g, '')

/** The fields of a record by their names in a request; those of an answer alone come last. */
function explainedOf(subject: string, { sent, answered }: RecordTypes): Explained[] {
  return namedFields(sent?.fields, answered.fields).flatMap((named) => {
    const inLine = (path: string | undefined, name: string) => path && `${path}[0].${name}`
    const ofLines = Object.entries(named.field.item?.fields ?? {}).map(([name, field]) => ({
      subject,
      field,
      request: inLine(named.request, name),
      answer: inLine(named.answer, name),
    }))
    return [{ subject, ...named }, ...ofLines]
  })
}

function listSubjects(context: Context, group = ''): Promise<void> {
  const inGroup = records.filter(([name]) => name.startsWith(group))
  const rows = inGroup.map(
    ([name, subject]): ValuesOf<typeof subjectFields> => ({
      explain: name,
      what: subject.answered.displayName,
      fields: namedFields(subject.sent?.fields, subject.answered.fields).length,
    }),
  )
  return context.output.list(rows, { columns: ['explain', 'what', 'fields'] })
}

function listFields(context: Context, fields: readonly Explained[]): Promise<void> {
  const rows = fields.map(
    (each): ValuesOf<typeof fieldRowFields> => ({
      field: `${each.subject}.${pathOf(each)}`,
      type: each.field.type,
      label: each.field.label,
      words: Object.keys(knownWords(each.field)),
    }),
  )
  return context.output.list(rows, { fields: fieldRowFields, columns: ['field', 'type', 'label', 'words'] })
}

function wordsInPlace(description: ValuesOf<typeof fieldFields>, field: Field): JsonObject {
  const nameWords = (words: readonly string[]) =>
    words
      .map((word) => {
        const name = valueName(field, word) ?? word
        return name === word || name.startsWith(`${word}:`) ? name : `${name} (${word})`
      })
      .join('; ')
  const lines: readonly (readonly [string, Json])[] = [
    ['Field', description.label],
    ['In the form', description.section],
    ['What it is', description.help],
    ['Rule', description.rule],
    ['Holds', kindsInWords[field.type]],
    ['Words in the document', nameWords(description.document)],
    ['Words of HMRC, Revenue and the State', nameWords(description.official)],
    ['Words seen on this service', nameWords(description.seen)],
    ['Our guess; it may be called otherwise', nameWords(description.guess)],
    [
      'Other words',
      description.guess.length + description.document.length + description.official.length > 0 &&
        'are sent as you type them',
    ],
    ['On the screen', description.sensitive && 'masked'],
    ['Can be emptied', description.nullable && 'yes'],
    [
      'To set it',
      description.request === notSent ? 'only the service sets it' : `--set ${description.request}=…`,
    ],
    ['Comes back', description.answer === notReturned && 'no: the service never shows it'],
    ['For example', description.example],
  ]
  return Object.fromEntries(lines.filter(([, text]) => text !== null && text !== '' && text !== false))
}

const notSent = 'not sent'
const notReturned = 'not returned'

async function seenHere(context: Context, { subject }: Explained): Promise<ServiceWords | undefined> {
  const { sent } = recordTypesByName[subject] as RecordTypes
  if (!sent) return undefined
  // Without a profile nothing is known of the service.
  const knowledge = await context.knowledge().catch(onFailure(() => undefined))
  return knowledge?.wordsOf(sent)
}

function describeField(
  { subject, field, request, answer }: Explained,
  serviceWords: ServiceWords | undefined,
): ValuesOf<typeof fieldFields> {
  const { sent, answered } = recordTypesByName[subject] as RecordTypes
  const type = request === undefined ? answered : (sent ?? answered)
  const path = pathOf({ field, request, answer })
  return {
    field: `${subject}.${path}`,
    ...explanationOf(type, { path, field }, serviceWords),
    request: request ?? notSent,
    answer: answer === undefined ? notReturned : answered.documented ? answer : `${answer} (assumed)`,
  }
}
