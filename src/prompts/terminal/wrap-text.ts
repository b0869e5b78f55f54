import { stripVTControlCharacters } from 'node:util'

/**
 * Text broken between words, so that a narrow terminal does not break it inside one: no line longer than
 * `columns`, but for a word that is; every line after `indent`. Colours take no room.
 */
export function fold(text: string, columns: number, indent = ''): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && width(last) + 1 + width(word) <= columns) {
      lines[lines.length - 1] = `${last} ${word}`
    } else {
      lines.push(indent + word)
    }
  }
  return lines.join('\n')
}

const width = (text: string) => stripVTControlCharacters(text).length
