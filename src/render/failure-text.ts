import { exitCodes, type Failure, type Interrupted, signalExitCodes } from '../errors.ts'
import { issueLines } from './issue-lines.ts'
import { foldMessage } from './text/fold-message.ts'
import { safeJson, safeText } from './text/safe-text.ts'
import type { Style } from './text/style.ts'

/** As many issues are listed in JSON; of more, `issueCount` says how many there are. */
const mostIssues = 100

/**
 * A failure in two to four plain lines, and a line for each field, or for all that have the same wrong: what happened,
 * what to do next. `columns`: how wide the terminal is that shows it.
 */
export function failureText(failure: Failure | Interrupted, style: Style, columns?: number): string {
  const { issues = [], issueCount, hint, resume, requestId, declined } = failure.details
  const listed = issueLines(issues, issueCount).map((line) => `  ${line}`)
  const last = [hint, resume, requestId && `Request: ${requestId}`].flatMap((line) => line || [])
  const wanted = declined || failure.name === 'Interrupted'
  const mark = wanted ? '' : 'Error: '
  const [first = '', ...rest] = [mark + failure.message, ...listed, ...last].map((line) =>
    foldMessage(safeLine(line), columns),
  )
  return [mark === '' ? first : style.bad('Error:') + first.slice('Error:'.length), ...rest, ''].join('\n')
}

/**
 * A failure as one JSON object on one line, for the script that asked for JSON.
 *
 * @param nouns the words that can follow `payroll`, by which the commands in a hint are found
 */
export function failureJson(failure: Failure | Interrupted, nouns: readonly string[] = []): string {
  const { outcome, retryable = false, status, method, path, issues = [], requestId } = failure.details
  const { issueCount = issues.length } = failure.details
  const commands = [failure.details.resume ?? []].flat().join('; ')
  const hint = [failure.details.hint, commands].filter(Boolean).join(' ')
  const error = {
    ...(failure.name === 'Interrupted'
      ? { code: 'interrupted', message: failure.message, exitCode: signalExitCodes[failure.signal] }
      : { code: failure.code, message: failure.message, exitCode: exitCodes[failure.code] }),
    outcome: outcome ?? null,
    retryable,
    status: status ?? null,
    method: method ?? null,
    path: path ?? null,
    ...(requestId !== undefined && { requestId }),
    issues: issues.slice(0, mostIssues),
    ...(issueCount > Math.min(issues.length, mostIssues) && { issueCount }),
    hint: hint || null,
    next: commandsIn(hint, nouns),
  }
  return `${safeJson(JSON.stringify({ error }))}\n`
}

/** The commands that a hint names: `payroll auth login --profile acme`. A sentence about payroll is none. */
function commandsIn(hint: string, nouns: readonly string[]): string[] {
  const found = [
    ...hint.matchAll(/\bpayroll ([a-z][a-z-]*)\b((?:'[^']*'|"[^"]*"|[^.,;()'"]|[.,](?!\s|$))*)/g),
  ]
  const commands = found.flatMap(([, noun = '', rest = '']) =>
    nouns.includes(noun) ? [`payroll ${noun}${rest}`.trim()] : [],
  )
  return [...new Set(commands)]
}

/** Safe, with the indentation of a listed field kept. */
function safeLine(line: string): string {
  return (/^ */.exec(line)?.[0] ?? '') + safeText(line.trimStart())
}
