import { csvText } from '../files/formats/csv-cell.ts'
import { columnsOf, pathsOf } from '../files/formats/flat.ts'
import { csvHeader, csvRows, csvTable, writeCsv } from '../files/formats/write-csv.ts'
import { asObject, type Json, type JsonObject } from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import { type FileRenderers, holdText, rowRenderer, type Writing } from './renderer.ts'
import { knownColumns, type NamedColumns, namedColumns } from './table/named-columns.ts'

/** Rows as CSV, unmasked. */
export const renderers: FileRenderers = {
  result(writing) {
    const { columns, excel = false, put, clean } = writing
    const rows = rowRenderer((records, fields) => {
      const there = pathsOf(records)
      // Without a record nothing says what the columns are: a line without a name would not be a header.
      if (!columns && there.length === 0) return put('')
      return put(
        clean(writeCsv(records, columns ? knownColumns(columns, columnsOf(records), fields) : there, excel)),
      )
    })
    return { ...rows, pages: (pages, typeOf) => csvPages(pages, writing, typeOf()?.fields ?? {}) }
  },
  async *exported({ batches, columns, excel }) {
    const csv = csvRows(columns(), excel)
    yield csv.header
    for await (const records of batches()) yield csv.rows(records)
  },
  async form({ columns, hasExample }) {
    const rows = [columns.map(({ heading }) => heading)]
    if (hasExample) rows.push(columns.map(({ example }) => example))
    return csvText(rows, { crlf: true })
  },
}

interface Rows {
  readonly rows: (records: readonly JsonObject[]) => string
  readonly header: () => string
  readonly whole: (pieces: AsyncIterable<string | Uint8Array>) => AsyncIterable<string | Uint8Array>
}

/** Writes the rows of all pages, none before all are there, and returns how many. */
async function csvPages(
  pages: AsyncIterable<readonly Json[]>,
  { columns, excel = false, spool, clean, put }: Writing,
  fields: Fields,
): Promise<number> {
  const { rows, header, whole } = columns
    ? createChosenRows(namedColumns(columns, fields), excel)
    : createFoundRows(excel)
  const text = holdText(spool)
  let count = 0
  try {
    for await (const items of pages) {
      count += items.length
      await text.add(clean(rows(items.map(asObject))))
    }
    await put(clean(header()))
    for await (const part of whole(text.parts())) await put(part)
    return count
  } finally {
    await text.close()
  }
}

function createFoundRows(excel: boolean): Rows {
  const table = csvTable(excel)
  return {
    rows: table.rows,
    header: () => (table.columns().length === 0 ? '' : csvHeader(table.columns(), excel)),
    whole: (pieces) => table.whole(pieces, excel),
  }
}

/** A column that neither a record nor the contract has is an error at the end. */
function createChosenRows(named: NamedColumns, excel: boolean): Rows {
  let csv: ReturnType<typeof csvRows> | undefined
  const csvOf = (records: readonly JsonObject[]) => {
    const paths = named.paths(records)
    csv ??= csvRows(paths, excel)
    return csv
  }
  return {
    rows: (records) => csvOf(records).rows(records),
    header() {
      named.assertKnown()
      return csvOf([]).header
    },
    whole: (pieces) => pieces,
  }
}
