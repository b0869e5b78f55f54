import wrapAnsi from 'wrap-ansi'
import { widthOf } from './width.ts'

/**
 * Text broken between words into lines of at most `columns`, each after `indent`. A word that is longer than a line
 * stays whole. Colours take no columns.
 */
export function wrapText(text: string, columns: number, indent = ''): string {
  const lines = wrapAnsi(text, Math.max(1, columns - widthOf(indent))).split('\n')
  return lines.map((line) => indent + line).join('\n')
}
