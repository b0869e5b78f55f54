import type { GlobalOptions } from './global-options.ts'
import type { Host } from './host.ts'

/** Whether a stream gets colours: no with --no-color or NO_COLOR, yes with FORCE_COLOR, or else on a colour terminal. */
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
