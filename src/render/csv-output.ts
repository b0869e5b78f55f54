import { csvHeader, csvLine } from '../files/formats/csv-cell.ts'
import { csvFormFor, csvRow, csvTable } from '../files/formats/write-csv.ts'
import { asObject } from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import { namedColumns } from './named-columns.ts'
import { type FileRenderers, holdText, type Pages, rowRenderer, type Writing } from './renderer.ts'

/** Rows as CSV, unmasked. */
export const renderers: FileRenderers = {
  result: (writing) => ({
    ...rowRenderer(async (records, fields) => {
      await csvPages([records], writing, fields)
    }),
    pages: (pages, typeOf) => csvPages(pages, writing, typeOf()?.fields ?? {}),
  }),
  async *exported({ batches, table, excel }) {
    const { columns, row } = table()
    yield csvHeader(columns, csvFormFor(excel))
    for await (const records of batches()) yield records.map((record) => csvRow(row(record), excel)).join('')
  },
  async form({ columns, hasExample, excel }) {
    const csv = { byteOrderMark: excel, crlf: true }
    const [headings, examples] = [
      columns.map(({ heading }) => heading),
      columns.map(({ example }) => example),
    ]
    return csvHeader(headings, csv) + (hasExample ? csvLine(examples, csv) : '')
  },
}

/** Writes the rows of all pages, none before all are there, and returns how many. */
async function csvPages(
  pages: Pages,
  { columns, excel = false, spool, clean, put }: Writing,
  fields: Fields,
): Promise<number> {
  const picker = columns && namedColumns(columns, fields)
  let csv: ReturnType<typeof csvTable> | undefined
  const textStore = holdText(spool)
  let count = 0
  try {
    for await (const items of pages) {
      const records = items.map(asObject)
      const paths = picker?.paths(records)
      csv ??= csvTable(excel, paths)
      await textStore.add(records.map(csv.row).join(''))
      count += items.length
    }
    // A column that neither a record nor the contract has is an error at the end.
    picker?.assertKnown()
    csv ??= csvTable(excel, picker?.paths([]))
    await put(clean(csv.header()))
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for await (const part of textStore.parts()) {
      const text = typeof part === 'string' ? part : decoder.decode(part, { stream: true })
      await put(clean(csv.lines(text)))
    }
    return count
  } finally {
    await textStore.close()
  }
}
