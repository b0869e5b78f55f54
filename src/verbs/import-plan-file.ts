import { extname } from 'node:path'
import type { Context } from '../context/context.ts'
import { usage } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { csvText, markCell } from '../formats/csv-cell.ts'
import { wordList } from '../formats/words.ts'
import { writeXlsx } from '../formats/xlsx/write-xlsx.ts'
import type { PlannedChange } from '../import/change-tally.ts'
import type { Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { type ExportFormat, formats } from '../render/formats.ts'

/** One change as a row of a plan, in the order of its columns. Values are whole: whoever decides has to see them. */
const rowOf = ({ reference, name, field, from, to }: PlannedChange) => ({
  reference,
  name,
  field,
  old: from,
  new: to,
})

const header = ['reference', 'name', 'field', 'old', 'new'] as const

type PlanRow = ReturnType<typeof rowOf>

/** A plan is read by people: as JSON it would be one long line. */
type PlanFormat = Exclude<ExportFormat, 'json'>

const encoders: Readonly<Record<PlanFormat, (rows: readonly PlanRow[]) => string | Promise<Uint8Array>>> = {
  csv: (rows) =>
    csvText([[...header], ...rows.map((row) => header.map((name) => markCell(textOf(row[name]))))]),
  xlsx: (rows) =>
    writeXlsx(
      header,
      rows.map((row) => header.map((name) => row[name])),
    ),
  ndjson: (rows) => rows.map((row) => `${stringifyJson(row)}\n`).join(''),
}

const planFormats = Object.keys(encoders) as readonly PlanFormat[]

/** The format that the ending of a file names, if a plan is written in it. */
function formatOf(path: string): PlanFormat | undefined {
  const ending = extname(path).toLowerCase()
  return planFormats.find((name) => formats[name].endings.some((each) => each === ending))
}

/** Throws a usage failure for a file that a plan cannot be written to: before anything is read. */
export function assertPlanFile(path: string): void {
  if (formatOf(path)) return
  const endings = planFormats.flatMap((name) => formats[name].endings.slice(0, 1))
  throw usage(`A plan is written as ${wordList(endings, 'or')}: ${path} has another ending.`)
}

/**
 * Writes all changes of a plan, for its owner alone (0600), whole or not at all. An earlier plan is replaced. Throws as
 * `writeFileAtomic` does; nothing is sent then.
 */
export async function writePlan(
  context: Context,
  path: string | undefined,
  changes: readonly PlannedChange[],
): Promise<void> {
  if (path === undefined) return
  const format = formatOf(path)
  if (!format) throw new TypeError(`no plan can be written to ${path}`)
  await writeFileAtomic(path, await encoders[format](changes.map(rowOf)), true)
  context.note(`Wrote ${path}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}.`)
}

function textOf(value: Json): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? stringifyJson(value) : String(value)
}
