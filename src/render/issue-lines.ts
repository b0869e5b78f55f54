import type { Issue } from '../errors.ts'
import { grouped } from '../formats/words.ts'

/** Issues that say the same of several places. */
export interface Alike {
  readonly message: string
  /** The first of them. */
  readonly issues: readonly Issue[]
  readonly count: number
}

/** No more lines of issues than fit a screen; the rest is counted. */
const mostLines = 20
/** So many that are alike are a line each; more are put together. */
const mostAlike = 3
/** As many places are named of issues that are put together. */
const mostPlaces = 3

/** Issues for a person, a line for each; those that say the same of many places are counted. */
export function issueLines(issues: readonly Issue[], count = issues.length): string[] {
  const byMessage = new Map<string, Issue[]>()
  for (const issue of issues) {
    const alike = byMessage.get(issue.message)
    if (alike) alike.push(issue)
    else byMessage.set(issue.message, [issue])
  }
  const isMany = (message: string) => (byMessage.get(message)?.length ?? 0) > mostAlike
  // Those that are few stay in their order.
  const inOrder = issues.flatMap((issue): Alike[] => {
    const { message } = issue
    if (!isMany(message)) return [{ message, issues: [issue], count: 1 }]
    const alike = byMessage.get(message) ?? []
    return alike[0] === issue ? [{ message, issues: alike, count: alike.length }] : []
  })
  return alikeLines(inOrder, count)
}

/** The same for issues that are grouped; `count`: how many there are in all. */
export function alikeLines(groups: readonly Alike[], count: number): string[] {
  const lines: string[] = []
  let left = count
  for (const group of groups) {
    const own = linesOf(group)
    if (lines.length + own.length > mostLines) break
    lines.push(...own)
    left -= group.count
  }
  return left > 0 ? [...lines, `… and ${grouped(left)} more`] : lines
}

function linesOf({ message, issues, count }: Alike): string[] {
  if (count <= mostAlike) return issues.map((one) => (one.path ? `${one.path}: ${one.message}` : one.message))
  const places = issues.slice(0, mostPlaces).flatMap(({ path }) => path || [])
  const more = `… and ${grouped(count - places.length)} more`
  return [`${message}:`, `  ${[places.join('; '), more].filter(Boolean).join(' ')}`]
}
