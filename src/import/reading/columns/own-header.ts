import { rejectColumns } from '../reject-lines.ts'

/** Whether this is the header of a rejects file: its last columns are the ones that we add. */
export function isRejects(header: readonly string[]): boolean {
  return rejectColumns.every((name, at) => header.at(at - rejectColumns.length) === name)
}

/** The header that the file had before an import added its columns: what is remembered of a file goes by it. */
export function ownHeader(header: readonly string[]): readonly string[] {
  return isRejects(header) ? header.slice(0, -rejectColumns.length) : header
}
