import { exitCodeRows } from '../../cli/exit-codes.ts'
import type { Content, Item } from './layout.ts'

/** `help exit-codes`. */
export const exitCodePage: Content = () => [
  'Exit codes, and what to do:',
  exitCodeRows.map(([code, meaning, next]): Item => [code, next ? `${meaning} → ${next}` : meaning]),
  'With --json an error is one JSON object on the last line of standard error, with its code, exitCode, outcome, hint and next: the commands that help.',
]
