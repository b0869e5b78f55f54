import { createHash } from 'node:crypto'

/** Whether a request is struck: the n-th of those that could be, from 1, after so many that were. */
export type Rate = (n: number, struck: number) => boolean

/** How a rate is written, inside of a larger pattern. */
export const ratePattern = String.raw`(?:100|\d{1,2})(?:\.\d+)?%(?::\d+)?|1|first:[1-9]\d*`

/**
 * `5%` of the requests, drawn alike at every start, or by another sequence, `5%:7`; `1` for always; `first:2` for
 * the first two that no other fault takes. `name` makes the draws of two faults differ.
 */
export function parseRate(text: string, name: string): Rate {
  const first = /^first:(\d+)$/.exec(text)?.[1]
  if (first !== undefined) return (_, struck) => struck < Number(first)
  const [, percent, sequence = ''] = /^(.+)%:?(.*)$/.exec(text) ?? []
  if (percent === undefined) return () => true
  return (n) => drawNumber(`${name}:${sequence}:${n}`) * 100 < Number(percent)
}

/** A number from 0 to below 1, the same for the same text. */
function drawNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
