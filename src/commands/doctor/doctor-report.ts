import { safeText } from '../../render/text/safe-text.ts'
import type { Style } from '../../render/text/style.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import type { Check, Status } from './doctor-check.ts'

/** Narrower than this, folding would only make it longer. */
const narrowest = 50

/** The checks for a person: a line each, and under it what to do. */
export function report(checks: readonly Check[], style: Style, columns = 80): string {
  const colours: Record<Status, (text: string) => string> = {
    ok: style.good,
    warning: style.caution,
    problem: style.bad,
    skipped: style.dim,
  }
  const names = Math.max(...checks.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat('skipped  '.length + names)
  const folded = (text: string) => wrapText(safeText(text), Math.max(columns, narrowest), indent)
  return checks
    .map(({ name, status, found, from, hint }) => {
      const beginning = colours[status](status) + ' '.repeat('skipped  '.length - status.length)
      const text = folded(from === undefined ? found : `${found} (${from})`).slice(indent.length)
      const told = status === 'skipped' ? style.dim(text) : text
      return `${beginning}${name.padEnd(names)}${told}\n${hint === undefined ? '' : `${folded(hint)}\n`}`
    })
    .join('')
}
