import type { Context } from '../../context/context.ts'
import type { RowSource } from '../../files/table/open-source.ts'
import { bankDetails } from '../../import/change-tally.ts'
import type { Entry } from '../../import/entry.ts'
import { type RemarkGroup, tallyRemarks } from '../../import/findings.ts'
import type { Plan } from '../../import/plan.ts'
import { plural } from '../../text/words.ts'
import { typedCommand } from './command-line.ts'

/** Whether a person sees the rows that are not ready as a table: then no message repeats them. */
export const hasPreview = ({ interactive, quiet, output }: Context): boolean =>
  interactive && !quiet && output.format.isForPerson

/** `1 candidate`, `2 candidates`. */
export function countOf(number: number, noun: string): string {
  return plural(number, noun.replace(/s$/, ''))
}

/** Row 0 stands for no row: the remark is about something else, which the path names. */
export function rowPath(row: number, path: string): string {
  if (row === 0) return path
  return path ? `row ${row}, ${path}` : `row ${row}`
}

export const rows = (number: number) => plural(number, 'row')

/** What belongs to one run alone, and whether a value follows. */
const ofOneRun: Readonly<Record<string, boolean>> = {
  '--dry-run': false,
  '--plan': true,
  '--ready-only': false,
  '--rejects': true,
  '--results': true,
}

/** The command of this run again, for another file and with other options: what was chosen for reading it stays. */
export function commandAgain(
  context: Context,
  given: string,
  { file = given, options = [] }: { readonly file?: string; readonly options?: readonly string[] },
): string {
  const { argv } = context.host
  // A copy has its headings in the first row.
  const left: Readonly<Record<string, boolean>> =
    file === given ? ofOneRun : { ...ofOneRun, '--heading-row': true }
  const at = argv.indexOf(given, argv.indexOf('import') + 1)
  const words: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    const [name = ''] = word.split('=')
    if (index !== at && Object.hasOwn(left, name)) {
      if (left[name] && !word.includes('=')) index += 1
    } else words.push(index === at ? file : word)
  }
  return typedCommand(context, [...words, ...options])
}

/**
 * The command that imports the corrected copy of a file, read as that was. It names the order of dates: the one that is
 * remembered by the headings may be of another file by then.
 */
export function commandForFile(
  context: Context,
  given: string,
  source: RowSource,
  file: string,
  more: readonly string[] = [],
): string {
  const { dateFormat } = source
  const isNamed = context.host.argv.some((word) => word.startsWith('--date-format'))
  return commandAgain(context, given, {
    file,
    options: [...(dateFormat && !isNamed ? ['--date-format', dateFormat] : []), ...more],
  })
}

/** A row that is held back for its bank details alone. */
export const isHeldForBank = ({ state, issues }: Entry) =>
  state === 'held' && issues.length > 0 && issues.every(({ way }) => way === '--bank')

/** Why these rows are held back, each cause once. */
export function heldGroups(entries: Iterable<Entry>): RemarkGroup[] {
  const tally = tallyRemarks()
  for (const { row, name, state, issues } of entries) {
    if (state !== 'held') continue
    for (const { way: _, ...issue } of issues.slice(0, 1)) tally.add({ ...issue, row, value: name })
  }
  return [...tally.end().groups]
}

/** `1 person`, `24 people`, `1 payment rate`. */
const changedCount = (number: number, noun: string) =>
  noun === 'people' ? plural(number, 'person') : countOf(number, noun)

/** `Bank: 2 people (held back); Hourly rate: 24 people`. */
export function fieldCounts({ entries, changes }: Plan): string {
  const isHeld = [...entries.values()].some(isHeldForBank)
  return changes.fields
    .flatMap(({ field, records, withBank }) => {
      const isBank = isHeld && records === withBank && field === bankDetails
      const count = isHeld && !isBank ? records - withBank : records
      return count === 0
        ? []
        : [`${field}: ${changedCount(count, changes.noun)}${isBank ? ' (held back)' : ''}`]
    })
    .join('; ')
}
