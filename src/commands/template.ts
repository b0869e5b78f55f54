import type { Field, Fields } from '../api/contract/fields/field.ts'
import { sample } from '../api/contract/fields/sample.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { usage } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { json } from '../render/json-output.ts'
import { write } from '../render/output.ts'
import { recordTypesByName } from './kit/declare/record-types.ts'
import type { Verb } from './kit/declare/verb.ts'

/** What a file can be filled in for. A document is not among them: it starts from a file of its own. */
const templates: Readonly<Record<string, RecordType>> = Object.fromEntries(
  Object.entries(recordTypesByName).flatMap(([name, { sent }]) =>
    sent && name !== 'documents' ? [[name, sent]] : [],
  ),
)

/** `template [what]`: a file to fill in, every value of it visibly made up. */
export const template: Verb = {
  name: 'template',
  summary: 'Print an example file to fill in, as JSON or as one row of a spreadsheet',
  arguments: [{ name: 'what', summary: Object.keys(templates).join(', '), optional: true }],
  options: ['essential', 'csv'],
  examples: [
    'payroll template candidates.ireland --essential > starter.json',
    'payroll template candidates.uk --csv > starters.csv',
    'payroll template payment-rates',
  ],
  async run(context, { arguments: { what }, options }) {
    if (what === undefined) {
      const rows = Object.entries(templates).map(([name, { displayName }]) => ({
        template: name,
        what: displayName,
      }))
      return context.output.list(rows, { columns: ['template', 'what'] })
    }
    const type = Object.hasOwn(templates, what) ? templates[what] : undefined
    if (!type) throw usage(`There is no template of ${what}.`, 'To list the templates: payroll template')
    const { essential, csv } = options
    const fields = essential ? essentialOf(type.fields) : type.fields
    const example = sample(type, fields)
    if (csv || context.output.format === 'csv')
      return write(context.output.stream, await sheet(fields, example))
    // Sensitive fields hold public sample data here, so nothing is masked.
    return context.output.value(example, json(example))
  },
}

/** The fields that everybody is asked for, in their places. */
function essentialOf(fields: Fields): Fields {
  const kept = Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    if (field.essential || !field.fields) return field.essential ? [[name, field]] : []
    const inner = essentialOf(field.fields)
    return Object.keys(inner).length > 0 ? [[name, { ...field, fields: inner }]] : []
  })
  return Object.fromEntries(kept)
}

/** One row under the paths of its fields (RFC 4180): what a spreadsheet opens, and a list of starters begins as. */
async function sheet(fields: Fields, example: JsonObject): Promise<string> {
  const { csvText } = await import('../formats/csv-cell.ts')
  const cells = Object.entries(fields).flatMap(([name, field]) => cellsOf(field, example[name], name))
  const rows = [cells.map(({ path }) => path), cells.map(({ text }) => text)]
  return csvText(rows, { crlf: true })
}

interface Cell {
  readonly path: string
  readonly text: string
}

/** The cells of a value: one for each element and each declared field; what has no declared form is JSON. */
function cellsOf(field: Field | undefined, value: Json, path: string): Cell[] {
  if (field?.fields && isObject(value))
    return Object.entries(field.fields).flatMap(([name, inner]) =>
      cellsOf(inner, value[name], `${path}.${name}`),
    )
  if (Array.isArray(value) && (field?.type === 'lines' || field?.item?.fields))
    return value.flatMap((each, index) => cellsOf(field?.item, each, `${path}[${index}]`))
  return [{ path, text: typeof value === 'object' ? JSON.stringify(value) : String(value) }]
}
