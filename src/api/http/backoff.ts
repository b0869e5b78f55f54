/** How long the first pause may be, and the longest, in milliseconds. */
const [firstPauseMs, longestPauseMs] = [500, 20_000]

/** "Retry-After honoured up to 60 s": a service that asks for more is asked again by the person, not by this run. */
export const longestAskedMs = 60_000

/**
 * "base 500 ms ·2^n full jitter, cap 20 s": so that a thousand clients do not come back at once. In milliseconds.
 *
 * @param doublings n
 * @param random from 0 to below 1
 */
export function backoffMs(doublings: number, random: () => number): number {
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** doublings)
}
