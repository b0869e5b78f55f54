import { invalidInput, usage } from '../../errors.ts'
import { csvRows, NotCsv } from '../../formats/csv-rows.ts'
import type { Row } from '../row.ts'
import type { Reading, SourceOptions } from './source.ts'
import { headerOf, tableOf } from './table.ts'

/** A CSV file as rows of records. Throws a Failure for a header that is none, and later for a row that is none. */
export async function readCsv(path: string, options: SourceOptions): Promise<Reading> {
  const lines = () => orFailure(path, csvRows(path, options.encoding), options.encoding)
  const table = tableOf(await csvHeader(path, options.encoding), options)
  return {
    columns: table.header,
    async *rows(): AsyncGenerator<Row> {
      let header = true
      for await (const line of lines()) {
        const row = header ? undefined : table.read(line)
        header = false
        if (row) yield row
      }
    },
  }
}

/** The first row. */
export async function csvHeader(path: string, encoding?: string): Promise<string[]> {
  const rows = orFailure(path, csvRows(path, encoding), encoding)
  const { value } = await rows.next()
  await rows.return(undefined)
  return headerOf(value)
}

async function* orFailure<T>(path: string, rows: AsyncGenerator<T>, encoding = ''): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (error) {
    if (error instanceof RangeError) throw usage(`There is no encoding ${encoding}. Nothing was sent.`)
    if (!(error instanceof NotCsv)) throw error
    const { row, column, message } = error
    const place = column === undefined ? `row ${row}` : `row ${row}, column ${column}`
    throw invalidInput(`${path} cannot be read from row ${row} on. Nothing was sent.`, [
      { path: place, message },
    ])
  }
}
