import type { State } from './row-state.ts'

/** The result of one request for a row. */
export type Attempt =
  /** No answer came, as far as we know. */
  | { readonly type: 'lost'; readonly serviceMessage?: string | undefined }
  /** The service confirmed it. */
  | { readonly type: 'acknowledged' }
  | { readonly type: 'answered'; readonly http: number; readonly serviceMessage?: string | undefined }

const lost: Attempt = { type: 'lost' }
/** Shared by all rows, because there may be very many. */
const acknowledgedAtOnce: readonly Attempt[] = [{ type: 'acknowledged' }]

interface Step {
  readonly state: State
  readonly http?: number | undefined
  readonly via?: unknown
  readonly serviceMessage?: string | undefined
}

/** The tries of a row after a change of state. An intent counts as sent until we know that it was not. */
export function attemptsAfter(
  tries: readonly Attempt[],
  { state, http, via, serviceMessage }: Step,
): readonly Attempt[] {
  const before = tries.slice(0, -1)
  if (state === 'intent') return [...tries, lost]
  // Whoever looked at the service says what is there, and not what was answered.
  if (via === 'list' || via === 'person' || tries.at(-1) !== lost) return tries
  // Pending without an answer: it will only be sent again. Pending without a status: it was never sent.
  if (state === 'pending' && via !== 'answer') return tries
  if (state === 'pending' && http === undefined) return before
  if (state === 'created')
    return before.length === 0 ? acknowledgedAtOnce : [...before, { type: 'acknowledged' }]
  return [
    ...before,
    http === undefined ? { type: 'lost', serviceMessage } : { type: 'answered', http, serviceMessage },
  ]
}

/** `it was sent twice: no answer came; then the service answered 500`. */
export function describeAttempts(tries: readonly Attempt[]): string {
  const times = ['', 'once', 'twice'][tries.length] ?? `${tries.length} times`
  if (tries.length === 0) return 'it was sent by an earlier run'
  return `it was sent ${times}: ${tries.map(describeAttempt).join('; then ')}`
}

/** Whether the service once said that it has the row. */
export const isAcknowledged = (tries: readonly Attempt[]): boolean =>
  tries.some(({ type }) => type === 'acknowledged')

function describeAttempt(each: Attempt): string {
  switch (each.type) {
    case 'lost':
      return each.serviceMessage ?? 'no answer came'
    case 'acknowledged':
      return 'the service acknowledged it'
    case 'answered':
      return each.serviceMessage ?? `the service answered ${each.http}`
  }
}
