import type { Context } from '../context/context.ts'
import { plural } from '../formats/words.ts'
import { bankDetails } from '../import/change-tally.ts'
import type { Entry } from '../import/ledger.ts'
import { type FilePlan, isReady } from '../import/plan.ts'
import type { Plan } from '../import/plan-import.ts'
import { type RemarkGroup, tallyRemarks } from '../import/remarks.ts'
import type { ChangeState } from '../import/row-change.ts'
import type { RowSource } from '../table/open-source.ts'
import { typedCommand } from './command-line.ts'

/** Whether a person sees the rows that are not ready as a table: then no message repeats them. */
export function hasPreview({ interactive, options, output }: Context): boolean {
  return interactive && !options.quiet && output.format.isForPerson
}

/** `1 candidate`, `2 candidates`. */
export function countOf(number: number, noun: string): string {
  return plural(number, noun.replace(/s$/, ''))
}

/** Row 0 stands for no row: the remark is about something else, which the path names. */
export function rowPath(row: number, path: string): string {
  if (row === 0) return path
  return path ? `row ${row}, ${path}` : `row ${row}`
}

/** What stands behind a number of rows, in the plan and in the summary. */
export const countWords = {
  equal: 'already as the file says',
  changedBefore: 'changed by an earlier run',
  held: 'held back',
  invalid: 'to put right',
  there: 'already on the service',
  before: 'created by an earlier run',
  elsewhere: 'left to another run',
  left: 'in doubt, left so by hand',
  doubtful: 'to look for on the service',
} as const

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

type Counted =
  | 'ready'
  | 'there'
  | 'before'
  | 'elsewhere'
  | 'left'
  | 'toChange'
  | 'equal'
  | 'changedBefore'
  | 'held'

/**
 * How many records of a file, or rows, are ready to be created, how many are there already, how many an earlier run created, how many another run is at, how many a person left in doubt; and of those that
 * may change a record how many will, how many say what it has already, and how many a person has to decide about.
 */
export function countsOf(
  { entries }: FilePlan,
  each: 'records' | 'rows' = 'records',
): Readonly<Record<Counted, number>> {
  const count = (is: (entry: Entry) => boolean) =>
    [...entries.values()]
      .filter(is)
      .reduce((sum, { rowCount = 1 }) => sum + (each === 'rows' ? rowCount : 1), 0)
  const changes = (...states: readonly ChangeState[]) =>
    count(({ change }) => change !== undefined && states.includes(change.state))
  return {
    ready: count(isReady),
    left: count(({ left }) => left !== undefined),
    there: count(
      ({ existingCount, attempt, change, left }) => existingCount > 0 && attempt === 1 && !change && !left,
    ),
    elsewhere: count(({ elsewhere }) => elsewhere !== undefined),
    before: count(({ state, row, change, left }) => state === 'created' && row > 0 && !change && !left),
    toChange: changes('planned', 'unknown'),
    equal: changes('equal'),
    changedBefore: changes('applied'),
    held: changes('held'),
  }
}

/** A row that is held back for its bank details alone. */
export const isHeldForBank = ({ change }: Entry) => change?.state === 'held' && change.bankPaths.length > 0

/** Why these rows are held back, each cause once. */
export function heldGroups(entries: Iterable<Entry>): RemarkGroup[] {
  const tally = tallyRemarks()
  for (const { row, name, change } of entries) {
    if (change?.state !== 'held') continue
    for (const issue of change.issues.slice(0, 1)) tally.add({ row, ...issue, value: name })
  }
  return [...tally.end().groups]
}

/** `1 person`, `24 people`, `1 payment rate`. */
const changedCount = (number: number, noun: string) =>
  noun === 'people' ? plural(number, 'person') : countOf(number, noun)

/** `Bank: 2 people (held back); Hourly rate: 24 people`. */
export function fieldCounts({ file, changes }: Plan): string {
  const isHeld = [...file.entries.values()].some(isHeldForBank)
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
