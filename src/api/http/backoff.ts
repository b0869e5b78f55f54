/** The limits of the first pause and of the longest, in milliseconds. */
const [firstPauseMs, longestPauseMs] = [500, 20_000]

/** "Retry-After honoured up to 60 s": if the service asks for more, the person has to try again later. */
export const longestAskedMs = 60_000

/**
 * "base 500 ms ·2^n full jitter, cap 20 s": so that a thousand clients do not retry at once. In milliseconds.
 *
 * @param doublings n
 * @param random from 0 to below 1
 */
export function backoffMs(doublings: number, random: () => number): number {
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** doublings)
}
