import { exitCodeRows } from '../../cli/exit-codes.ts'
import type { Content, Item } from './layout.ts'

/** `help exit-codes`. */
export const exitCodePage: Content = () => [
  'Exit codes, and what to do:',
  exitCodeRows.map(([code, meaning, next]): Item => [code, next ? `${meaning} → ${next}` : meaning]),
  'With --errors json, or --json, an error is one JSON object on the last line of standard error: payroll help errors.',
]
