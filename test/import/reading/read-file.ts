import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure, Issue } from '../../../src/errors.ts'
import type { ColumnMap } from '../../../src/files/table/column.ts'
import { openSource } from '../../../src/files/table/open-source.ts'
import type { FileRow } from '../../../src/files/table/row.ts'
import type { RowSource, SourceOptions } from '../../../src/files/table/row-source.ts'
import { writeRejects } from '../../../src/import/reject-rows.ts'
import { builtInFacts } from '../../../src/model/facts/facts.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { freshHome } from '../../payroll.ts'

export type Options = Partial<SourceOptions> & { readonly map?: ColumnMap }

/** A new file with these bytes. */
export function fileOf(content: string | Uint8Array, name = 'starters.csv'): string {
  const path = join(freshHome(), name)
  writeFileSync(path, content)
  return path
}

export const open = (path: string, { map, ...options }: Options = {}) =>
  openSource(path, {
    type: candidate,
    today: '2026-05-01',
    facts: builtInFacts,
    ...(map && { help: { mapFile: 'columns.json', recall: async () => ({ map }) } }),
    ...options,
  })

/** Writes all rows of a file to its rejects, each for the same reason. */
export async function rejectAll(source: RowSource, path: string, issues: readonly Issue[]): Promise<void> {
  const rows: number[] = []
  for await (const { row } of source.rows()) rows.push(row)
  await writeRejects(source, path, new Map(rows.map((row) => [row, { issues, outcome: 'refused' }])))
}

/** All rows of a file. */
export async function rowsOf(
  content: string | Uint8Array,
  options: Options = {},
  name?: string,
): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const row of (await open(fileOf(content, name), options)).rows()) rows.push(row)
  return rows
}

/** The errors in the rows of a file: `2 column B (Surname): …`. */
export async function flaws(
  content: string | Uint8Array,
  options: Options = {},
  name?: string,
): Promise<string[]> {
  const rows = await rowsOf(content, options, name)
  return rows.flatMap(({ row, issues }) => issues.map(({ message }) => `${row} ${message}`))
}

/** The failure for a file that cannot be read. */
export async function refusal(
  content: string | Uint8Array,
  options: Options = {},
  name?: string,
): Promise<Failure> {
  return rowsOf(content, options, name).then(
    () => Promise.reject(new Error('It was read.')),
    (error: Failure) => error,
  )
}

/** A CSV with one person and one more column. */
export function column(name: string, cell: string): string {
  return `Agency reference\t${name}\nA1\t${cell}\n`
}
