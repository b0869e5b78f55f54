import type { GlobalOptions } from './global-options.ts'
import type { Host } from './host.ts'

/** Whether a stream gets colours: not with --no-color or NO_COLOR, with FORCE_COLOR, else on a terminal that has any. */
export function wantsColour(
  { env }: Host,
  options: Pick<GlobalOptions, 'color'>,
  stream: { readonly isTTY?: boolean },
): boolean {
  if (options.color === false || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return isTerminal(stream) && env.TERM !== 'dumb'
}

export const isTerminal = (stream: { readonly isTTY?: boolean }) => stream.isTTY === true
