import { styleText } from 'node:util'

/** The few styles this tool uses, or their absence: NO_COLOR, a pipe, a plain terminal. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly caution: (text: string) => string
}

const plain = (text: string) => text

export function styleFor(colour: boolean): Style {
  if (!colour) return { bold: plain, dim: plain, good: plain, bad: plain, caution: plain }
  return {
    bold: (text) => styleText('bold', text),
    dim: (text) => styleText('dim', text),
    good: (text) => styleText('green', text),
    bad: (text) => styleText('red', text),
    caution: (text) => styleText('yellow', text),
  }
}
