import wrapAnsi from 'wrap-ansi'
import { widthOf } from './width.ts'

/**
 * Text broken between words into lines of at most `columns`, each after `indent`. A word that is longer than a line
 * stays whole, unless `hard`. Colours take no columns.
 */
export function wrapText(text: string, columns: number, indent = '', hard = false): string {
  const lines = wrapAnsi(text, Math.max(1, columns - widthOf(indent)), { hard }).split('\n')
  return lines.map((line) => indent + line).join('\n')
}
