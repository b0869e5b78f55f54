import type { Context } from '../../context/context.ts'
import { type Issue, invalidInput } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { array, object, text, type ValuesOf } from '../../model/fields/field.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import { addedIssues, lackingFields, type RecordType } from '../../model/records/record-type.ts'
import { headingFor } from '../../model/values/find-field.ts'
import { screenWidth } from '../../render/text/fold-message.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { GuardFinding } from '../../write/record-write.ts'
import type { Options } from '../cli/options.ts'
import { assertYes, mayAsk } from './confirm.ts'
import { openPrompts } from './open-prompts.ts'
import { labelsFor } from './show-changes.ts'

interface Asking {
  /** Topics that were already warned of, so that a run of many records warns once. */
  readonly said?: Set<string>
  readonly beforeAsking?: (() => void) | undefined
}

/** Answers findings: throws the first that holds, says those that warn, and asks the questions last. */
export async function answerFindings(
  context: Context,
  options: Options,
  findings: readonly GuardFinding[],
  { said = new Set(), beforeAsking = () => {} }: Asking = {},
): Promise<readonly Issue[]> {
  const doubts = findings.flatMap((finding) => (finding.does === 'doubt' ? [finding.issue] : []))
  if (options.strict && doubts.length > 0) {
    const what = doubts.length === 1 ? 'One value is doubtful' : `${doubts.length} values are doubtful`
    throw invalidInput(`${what}.`, doubts, 'To send the record anyway, leave out --strict.')
  }
  for (const finding of findings) {
    if (finding.does === 'hold') throw finding.failure
    if (finding.does !== 'warn') continue
    if (finding.topic === undefined || !said.has(finding.topic)) context.warn(finding.message)
    if (finding.topic !== undefined) said.add(finding.topic)
  }
  const asks = findings.filter((finding): finding is GuardFinding & { does: 'ask' } => finding.does === 'ask')
  const [first] = asks
  if (first && !context.interactive) throw first.otherwise
  if (first) beforeAsking()
  for (const { warning } of asks) context.warn(warning)
  for (const { question } of options.dryRun ? [] : asks) await assertYes(context, question, 'Stopped.')
  return doubts
}

/** Prints the doubts. Returns whether a person must then be asked whether to send the record anyway. */
export async function sayDoubts(
  context: Context,
  type: RecordType,
  doubts: readonly Issue[],
): Promise<boolean> {
  const asks = mayAsk(context)
  for (const doubt of doubts) {
    const line = doubtLine(doubt, labelsFor(context, type))
    if (asks) await printWarning(context, line)
    else context.note(line)
  }
  return asks && doubts.length > 0
}

export type Say = (text: string) => void

/** Shows a record. On a screen, which it may fill, what is said of it stands below it, and the doubts once more. */
export async function sayAround(
  context: Context,
  { type, doubts }: { readonly type: RecordType; readonly doubts: readonly Issue[] },
  show: (say: Say) => Promise<void>,
): Promise<void> {
  if (!context.host.stdout.isTTY) return show(context.note)
  const below: string[] = []
  try {
    await show((text) => below.push(text))
  } finally {
    for (const text of below) context.note(text)
    for (const doubt of context.quiet ? [] : doubts)
      await printWarning(context, doubtLine(doubt, labelsFor(context, type)))
  }
}

export const warningFields = {
  warnings: array(
    'What was doubted of it, and what was said besides; only where there is anything',
    object('', { path: text('Path of the field, or empty'), message: text('Message') }),
    { optional: true },
  ),
}

/** The doubts about a write that succeeded, and the warnings of this run, for its JSON answer. */
export function warningsOf({ warned }: Context, doubts: readonly Issue[]): ValuesOf<typeof warningFields> {
  const warnings = [
    ...doubts.map(({ path, message }) => ({ path, message })),
    ...warned.map((message) => ({ path: '', message })),
  ]
  return warnings.length > 0 ? { warnings } : {}
}

/** Adds the warnings to a record where a program reads it; where their column is asked for, also that there are none. */
export function withWarnings(context: Context, record: JsonObject, doubts: readonly Issue[]): JsonObject {
  const { options, output } = context
  if (output.format.isTable || Object.hasOwn(record, 'warnings')) return record
  const none = options.columns?.includes('warnings') && { warnings: [] }
  return { ...record, ...none, ...warningsOf(context, doubts) }
}

/** A doubt as one line. With `type` it has the field's label. It shows no sensitive value. */
export const doubtLine = ({ path, message }: Issue, type?: RecordType): string =>
  `${type ? headingFor(type, path) : path}: ${message}`

/**
 * Asks what to do about what a record lacks that each of its kind needs, and that `before`, which an update starts from,
 * had. Returns paths to ask for again, none to go back to the record; undefined to send it.
 */
export async function askAboutGaps(
  context: Context,
  type: RecordType,
  body: JsonObject,
  before?: JsonObject,
): Promise<readonly string[] | undefined> {
  const paths = addedIssues(lackingFields, type, before, body).map(({ path }) => path)
  if (paths.length === 0) return undefined
  const { choose } = await openPrompts(context)
  const gaps = paths.map((path) => `a ${(fieldAt(type.fields, path)?.label ?? path).toLowerCase()}`)
  // `This is an Irish candidate without a surname.`
  await printWarning(context, `This is ${type.displayName} without ${gaps.join(' and ')}.`)
  return choose<readonly string[] | undefined>({
    message: 'Send it?',
    choices: [
      { value: paths, name: 'Fill it in' },
      { value: [], name: 'Back to the record' },
      { value: undefined, name: 'Send it without' },
    ],
  })
}

/** Prints a warning on its own line, because a question of this length would not fit a narrow screen. */
export async function printWarning({ host, style }: Context, message: string): Promise<void> {
  // Loaded only here, because most records need no warning.
  const { wrapText } = await import('../../render/text/wrap-text.ts')
  const text = wrapText(`${style.caution('!')} ${safeText(message)}`, screenWidth(host.stderr))
  host.stderr.write(`${text}\n`)
}
