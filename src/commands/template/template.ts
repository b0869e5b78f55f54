import { sample } from '../../api/contract/fields/sample.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { usage } from '../../errors.ts'
import { json } from '../../render/json-output.ts'
import { write } from '../../render/output.ts'
import { recordTypesByName } from '../kit/declare/record-types.ts'
import type { Verb } from '../kit/declare/verb.ts'
import { blank, columnsFor, essentialOf, notesFor } from './template-columns.ts'

/** What a file can be filled in for. A document is not among them: it starts from a file of its own. */
const templates: Readonly<Record<string, RecordType>> = Object.fromEntries(
  Object.entries(recordTypesByName).flatMap(([name, { sent }]) =>
    sent && name !== 'documents' ? [[name, sent]] : [],
  ),
)

/** `template [what]`: a file to fill in. */
export const template: Verb = {
  name: 'template',
  summary: 'Print a file to fill in: a workbook, a CSV or JSON',
  arguments: [{ name: 'what', summary: Object.keys(templates).join(', '), optional: true }],
  options: ['all', 'example', 'csv'],
  notes: [
    'A workbook has the labels as its header, a line of help, text columns where zeros lead, drop-down lists for known values, and a second sheet that explains them. Save it and import it: the help is not imported.',
    'In JSON, null stands for what is to be filled in or deleted.',
  ],
  examples: [
    'payroll template candidates.ireland --out starters.xlsx',
    'payroll template candidates.uk --csv > starters.csv',
    'payroll template payment-rates --all --example',
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
    const fields = options.all ? type.fields : essentialOf(type.fields)
    const example = options.example ? sample(type, fields) : undefined
    const { format, stream } = context.output
    if (options.csv || format === 'csv' || format === 'xlsx') {
      const columns = columnsFor(type, fields, example)
      if (format === 'xlsx' && !options.csv) {
        const { writeForm } = await import('../../formats/xlsx/write/write-form.ts')
        return write(stream, await writeForm(columns, notesFor(columns)))
      }
      const { csvText } = await import('../../formats/csv-cell.ts')
      const rows = [columns.map(({ heading }) => heading)]
      if (example) rows.push(columns.map((column) => column.example))
      return write(stream, csvText(rows, { crlf: true }))
    }
    const record = example ?? blank(fields)
    // Sensitive fields hold public sample data here, so nothing is masked.
    return context.output.value(record, json(record))
  },
}
