import { createHash } from 'node:crypto'

/** Whether a request meets the fault. `n` counts the requests that could meet it, from 1; `struck` those that did. */
export type Rate = (n: number, struck: number) => boolean

/** The pattern of a rate, for use inside a larger pattern. */
export const ratePattern = String.raw`(?:100|\d{1,2})(?:\.\d+)?%(?::\d+)?|1|first:[1-9]\d*`

/**
 * `5%` of the requests, the same ones at every start; `5%:7` draws others. `1` is always; `first:2` is the first two
 * that meet no other fault. `name` makes two faults draw different requests.
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
