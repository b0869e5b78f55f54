import { styleText } from 'node:util'
import type { Environment } from '../../environment.ts'
import { isOn } from '../../environment-flags.ts'

/** The few styles this tool uses, or their absence: NO_COLOR, a pipe, a plain terminal. */
export interface Style {
  readonly heading: (text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly accent: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly caution: (text: string) => string
}

const unstyled = (text: string) => text

/** The style with colours, or without. */
export function styleFor(colour: boolean): Style {
  // The caller has checked the stream that the text is for; node would check standard output.
  const styled = (format: Parameters<typeof styleText>[0]) =>
    colour ? (text: string) => styleText(format, text, { validateStream: false }) : unstyled
  return {
    heading: styled(['bold', 'underline']),
    bold: styled('bold'),
    dim: styled('dim'),
    accent: styled('cyan'),
    good: styled('green'),
    bad: styled('red'),
    caution: styled('yellow'),
  }
}

/** Whether spinners and other drawing are off. */
export function isDumbTerminal(env: Environment): boolean {
  return isOn(env, 'ACCESSIBLE') || env.TERM === 'dumb'
}
