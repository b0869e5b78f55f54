import { invalidInput } from '../../errors.ts'
import { readXlsx, writeXlsx } from '../../formats/xlsx.ts'
import { collected, type OpenedFile } from './bytes.ts'
import { isRejects } from './columns.ts'
import { rejectColumns, rejectsWhole } from './rejects.ts'
import { limited, mapped, type RowSource, type SourceOptions } from './row-source.ts'
import { readHeader, tableRows } from './table.ts'

/** A workbook with one sheet that holds anything. It is held whole. */
export async function xlsxSource(file: OpenedFile, given: SourceOptions): Promise<RowSource> {
  const sheet = async () => await readXlsx(await collected(file))
  const [first, second] = await sheet()
  if (!first) throw invalidInput('The workbook is empty. Nothing was sent.', [])
  const header = first.cells
  const options = await mapped(given, header)
  const columns = readHeader(header, second?.cells ?? [], options)
  const own = header.slice(0, isRejects(header) ? -rejectColumns.length : undefined)
  return {
    format: 'xlsx',
    columns: header,
    notSent: columns.filter(({ fills, name }) => !fills && name !== '').map(({ name }) => name),
    sha256: file.sha256,
    rows: async function* () {
      yield* limited(tableRows(await sheet(), columns, options))
    },
    rejects: (path) =>
      rejectsWhole(path, (rows) => {
        const cells = rows.map(({ row: { original }, reasons }) => [
          ...(original as readonly string[]).slice(0, own.length),
          ...reasons,
        ])
        return writeXlsx([...own, ...rejectColumns], cells)
      }),
  }
}
