import { type FileHandle, open } from 'node:fs/promises'
import { isObject } from '../../api/contract/path.ts'
import type { Issue } from '../../errors.ts'
import { csvLines } from '../../formats/csv.ts'
import type { Row } from '../row.ts'
import { rejectColumns, withoutRejectColumns } from './columns.ts'

export interface RejectsWriter {
  add(row: Row, issues: readonly Issue[], outcome: string): Promise<void>
  close(): Promise<void>
}

/**
 * A file of refused rows: their cells as they stood, then what was refused and why. It can be put right and imported
 * as it is. A workbook's are CSV. Made when the first row is added, for this user alone.
 */
export function writeRejects(path: string, header: readonly string[] | undefined): RejectsWriter {
  const columns = header && withoutRejectColumns(header)
  let file: Promise<FileHandle> | undefined
  return {
    async add({ original }, issues, outcome) {
      const begun = file
      file ??= open(path, 'wx', 0o600)
      const fields = issues.map((issue) => issue.path).filter(Boolean)
      const reasons = [fields.join('; '), issues.map(({ message }) => message).join('; '), outcome]
      if (columns && !isObject(original)) {
        const cells = columns.map((_, at) => original[at] ?? '')
        const header = begun ? [] : [[...columns, ...rejectColumns]]
        return (await file).appendFile(csvLines([...header, [...cells, ...reasons]]))
      }
      const told = Object.fromEntries(rejectColumns.map((name, at) => [name, reasons[at]]))
      return (await file).appendFile(`${JSON.stringify({ ...original, ...told })}\n`)
    },
    async close() {
      const opened = await file
      await opened?.sync()
      await opened?.close()
    },
  }
}
