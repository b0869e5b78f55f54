import {
  exitCodes,
  type Failure,
  type Interrupted,
  type Issue,
  joinHints,
  signalExitCodes,
} from '../errors.ts'
import { groupBy } from '../text/group-by.ts'
import { commandsIn } from '../text/named-commands.ts'
import { groupDigits } from '../text/words.ts'
import type { ErrorObject } from './error-fields.ts'
import { foldMessage } from './text/fold-message.ts'
import { safeJson, safeText } from './text/safe-text.ts'
import type { Style } from './text/style.ts'

const mostIssues = 100

function sentences(failure: Failure | Interrupted): string {
  const { message, details } = failure
  if (details.nothing !== undefined) return `${message} Nothing was ${details.nothing}.`
  // Only while the outcome is still unknown: a look at the record may have settled it.
  const isOpen = details.isOpen && failure.name === 'Failure' && failure.code === 'unknown'
  return isOpen ? `${message} It may or may not have been applied.` : message
}

/** The failure in other words, to name the profile of this run in the commands that it tells. */
export function reworded(
  failure: Failure | Interrupted,
  rewrite: (text: string) => string,
): Failure | Interrupted {
  const { hint, resume } = failure.details
  return failure.with({
    message: rewrite(failure.message),
    hint: hint && rewrite(hint),
    resume: typeof resume === 'string' ? rewrite(resume) : resume?.map(rewrite),
  })
}

/** The failure in two to four plain lines, and one for each field or for all that have the same problem. */
export function failureText(failure: Failure | Interrupted, style: Style, columns?: number): string {
  const { issues = [], issueCount, hint, resume, requestId, declined, found } = failure.details
  const lines = issueLines(issues, issueCount).map((line) => `  ${line}`)
  const last = [hint, resume, requestId && `Request: ${requestId}`].flatMap((line) => line || [])
  const isAskedFor = declined || found || failure.name === 'Interrupted'
  const prefix = isAskedFor ? '' : 'Error: '
  const [first = '', ...rest] = [prefix + sentences(failure), ...lines, ...last].map((line) =>
    foldMessage((/^ */.exec(line)?.[0] ?? '') + safeText(line.trimStart()), columns),
  )
  return [prefix === '' ? first : style.bad('Error:') + first.slice('Error:'.length), ...rest, ''].join('\n')
}

/** One line of JSON. `nouns`: the words after `payroll` by which commands in a hint are found. */
export function failureJson(failure: Failure | Interrupted, nouns: readonly string[] = []): string {
  const { outcome, retryable = false, status, method, path, issues = [], requestId } = failure.details
  const { issueCount = issues.length } = failure.details
  const hint = joinHints(failure.details.hint, ...[failure.details.resume ?? []].flat())
  const error: ErrorObject = {
    ...(failure.name === 'Interrupted'
      ? { code: 'interrupted', message: sentences(failure), exitCode: signalExitCodes[failure.signal] }
      : { code: failure.code, message: sentences(failure), exitCode: exitCodes[failure.code] }),
    outcome: outcome ?? null,
    retryable,
    status: status ?? null,
    method: method ?? null,
    path: path ?? null,
    ...(requestId !== undefined && { requestId }),
    issues: issues.slice(0, mostIssues).map(({ path, message }) => ({ path, message })),
    ...(issueCount > Math.min(issues.length, mostIssues) && { issueCount }),
    hint: hint || null,
    next: commandsIn(hint, nouns).filter(hasNoGap),
  }
  return `${safeJson(JSON.stringify({ error }))}\n`
}

/** Whether a command runs as it stands: nothing in it is to be filled in, and nothing has to be piped into it. */
const hasNoGap = (command: string) => !/<[^<>]*>|…| -(?= |$)/.test(command)

/** Issues with the same message, in several places. */
export interface SameIssues {
  readonly message: string
  readonly issues: readonly Issue[]
  readonly count: number
}

const mostIssueLines = 20
const mostExamples = 3
const mostPlaces = 3

function issueLines(issues: readonly Issue[], count = issues.length): string[] {
  const byMessage = groupBy(issues, ({ message }) => message)
  const isMany = (message: string) => (byMessage.get(message)?.length ?? 0) > mostExamples
  const inOrder = issues.flatMap((issue): SameIssues[] => {
    const { message } = issue
    if (!isMany(message)) return [{ message, issues: [issue], count: 1 }]
    const alike = byMessage.get(message) ?? []
    return alike[0] === issue ? [{ message, issues: alike, count: alike.length }] : []
  })
  return alikeLines(inOrder, count)
}

/** Lines for groups of issues; `count`: how many issues there are in all. */
export function alikeLines(groups: readonly SameIssues[], count: number): string[] {
  const lines: string[] = []
  let linesLeft = count
  for (const group of groups) {
    const groupLines = linesOf(group)
    if (lines.length + groupLines.length > mostIssueLines) break
    lines.push(...groupLines)
    linesLeft -= group.count
  }
  return linesLeft > 0 ? [...lines, `… and ${groupDigits(linesLeft)} more`] : lines
}

function linesOf({ message, issues, count }: SameIssues): string[] {
  if (count <= mostExamples)
    return issues.map((one) => [issuePlace(one), one.message].filter(Boolean).join(': '))
  const places = issues.slice(0, mostPlaces).flatMap((one) => issuePlace(one) || [])
  const more = `… and ${groupDigits(count - places.length)} more`
  return [introducing(message), `  ${[places.join('; '), more].filter(Boolean).join(' ')}`]
}

const issuePlace = ({ path, place = path }: Issue) => place

/** A message in front of its places: it ends with a colon, `it is held back:`, unless it is a question. */
const introducing = (message: string) => (message.endsWith('?') ? message : `${message.replace(/\.$/, '')}:`)
