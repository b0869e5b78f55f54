import { usage } from '../errors.ts'
import type { FormColumn } from '../files/formats/xlsx/write-form.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { countries } from '../model/countries/countries.ts'
import { type Field, type Fields, text, type ValuesOf } from '../model/fields/field.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { sample } from '../model/standards/sample.ts'
import { fieldHelp, helpMark } from '../model/values/explanation.ts'
import { headingFor } from '../model/values/find-field.ts'
import { knownCodes } from '../model/values/read-code.ts'
import { json } from '../render/json-output.ts'
import { write } from '../render/output.ts'
import { assertNamed, countryOptions, nameOfOneRecord, templates } from './cli/record-types.ts'
import type { Verb } from './cli/verb.ts'

const templateFields = { template: text('What to type'), what: text('Kind of record') }

/** `template [what]`: a file to fill in. */
export const template: Verb = {
  name: 'template',
  isLocal: true,
  summary: 'Print a file to fill in: a workbook, a CSV or JSON',
  arguments: [{ name: 'what', summary: Object.keys(templates).join(', '), optional: true }],
  namesCountry: true,
  options: [...countryOptions, 'all', 'example'],
  optionTexts: { all: 'every field, not only the essential ones' },
  notes: [
    'A workbook has the labels as its header, a line of help, text columns where zeros lead, drop-down lists for known values, and a second sheet that explains them. Save it and import it: the help is not imported.',
    'In JSON, null stands for what is to be filled in or deleted.',
  ],
  answer: {
    prints: 'json',
    shapes: [
      { about: 'Without an argument.', list: true, fields: templateFields },
      { about: 'A record to fill in: null stands for what is not given.', fields: {}, open: true },
    ],
  },
  examples: [
    'payroll template candidates --ireland --out starters.xlsx',
    'payroll template candidates.uk -o csv > starters.csv',
    'payroll template payment-rates --all --example',
  ],
  async run(context, { arguments: { what: typed }, options }) {
    assertNamed(typed, options)
    if (typed === undefined) {
      const rows = Object.entries(templates).map(
        ([template, { displayName: what }]): ValuesOf<typeof templateFields> => ({ template, what }),
      )
      return context.output.list(rows, { columns: ['template', 'what'] })
    }
    const what = await nameOfOneRecord(context, typed, options)
    const type = Object.hasOwn(templates, what) ? templates[what] : undefined
    if (!type) throw usage(`There is no template of ${what}.`, 'To list the templates: payroll template')
    const fields = options.all ? type.fields : essentialOf(type.fields)
    const example = options.example ? sample(type, fields) : undefined
    const { format, stream } = context.output
    const { form } = (await format.load()).renderers
    if (form) {
      const { columns: chosen, query, excel = false } = context.options
      if (chosen !== undefined || query !== undefined)
        throw usage(
          'A table to fill in has all its columns: leave --columns and --query out, or add -o json.',
        )
      const columns = columnsFor(type, fields, example)
      const hasExample = example !== undefined
      return write(stream, await form({ columns, hasExample, excel, notes: notesFor(columns) }))
    }
    const record = example ?? blankRecord(fields)
    // Sensitive fields hold public sample data here, so nothing is masked.
    return context.output.value(record, json(record))
  },
}

const addressLines = 3

/** The essential fields, and those that name a kind (which student loan), without ids and what nobody has on paper. */
function essentialOf(fields: Fields): Fields {
  const kindFields = Object.values(fields).flatMap(({ kinds = [] }) => kinds.map((kind) => kind.field))
  const essential = Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    if (kindFields.includes(name)) return [[name, field]]
    if (field.machine || field.picks === 'vat-code') return []
    if (field.essential || !field.fields) return field.essential ? [[name, withoutIdFields(field)]] : []
    const inner = essentialOf(field.fields)
    return Object.keys(inner).length > 0 ? [[name, { ...field, fields: inner }]] : []
  })
  return Object.fromEntries(essential)
}

/** The list without the VAT code of its items: nobody has its ID on paper, and the payment rate has a VAT code of its own. */
function withoutIdFields(field: Field): Field {
  const { item } = field
  if (!item?.fields) return field
  const withoutVatCode = Object.entries(item.fields).filter(([, { picks }]) => picks !== 'vat-code')
  return { ...field, item: { ...item, fields: Object.fromEntries(withoutVatCode) } }
}

/** A record with these fields, all null. */
function blankRecord(fields: Fields): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => [name, blankValue(field)])
  return Object.fromEntries(entries)
}

function blankValue(field: Field): Json {
  if (field.fields) return blankRecord(field.fields)
  return field.item?.fields ? [blankRecord(field.item.fields)] : null
}

function columnsFor(type: RecordType, fields: Fields, example: JsonObject | undefined): FormColumn[] {
  const cells = Object.entries(fields).flatMap(([name, field]) => cellsOf(field, example?.[name], name))
  return cells.map(({ path, field, text }, at) => ({
    heading: headingFor(type, path),
    help: (at === 0 ? helpMark : '') + fieldHelp(field),
    kind: columnKind(field),
    values: knownValues(field),
    example: columnKind(field) === 'date' ? text.slice(0, 10) : text,
  }))
}

interface FormCell {
  readonly path: string
  readonly field: Field
  readonly text: string
}

/** The cells of a value: one for each element and each declared field. A value of no declared form is JSON. */
function cellsOf(field: Field, value: Json, path: string): FormCell[] {
  if (field.fields) {
    return Object.entries(field.fields).flatMap(([name, inner]) =>
      cellsOf(inner, isObject(value) ? value[name] : undefined, `${path}.${name}`),
    )
  }
  const elements = Array.isArray(value) ? value : []
  if (field.type === 'lines') {
    return Array.from({ length: addressLines }, (_, line) => {
      const one: Field = { type: 'string', label: field.label }
      return { path: `${path}[${line}]`, field: one, text: String(elements[line] ?? '') }
    })
  }
  const { item } = field
  if (item?.fields) return cellsOf(item, elements[0], `${path}[0]`)
  const text = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return [{ path, field, text }]
}

function columnKind({ type }: Field): FormColumn['kind'] {
  if (type === 'date' || type === 'timestamp') return 'date'
  return type === 'number' || type === 'integer' ? 'number' : 'text'
}

function knownValues(field: Field): readonly string[] {
  if (field.type === 'boolean') return ['yes', 'no']
  if (field.type === 'country') return countries.map(({ isoCode }) => isoCode)
  return knownCodes(field)
}

function notesFor(columns: readonly FormColumn[]): string[][] {
  return [
    ['Column', 'What it is', 'Known values'],
    ...columns.map(({ heading, help, values }) => [heading, help.replace(helpMark, ''), values.join(', ')]),
  ]
}
