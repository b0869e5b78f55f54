import { PassThrough, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Replaces the line breaks of pasted text, so that pasting never presses Enter, and the tabs between cells. */
export const lineBreak = '⏎'

/** Makes a terminal mark pasted text, and stops it (xterm's mode 2004). */
export const enableBracketedPaste = '\u001B[?2004h'
export const disableBracketedPaste = '\u001B[?2004l'

const [pasteBegins, pasteEnds] = ['\u001B[200~', '\u001B[201~']

/** What is typed at the terminal, as a prompt reads it. */
export interface Keyboard {
  readonly input: Readable & { setRawMode(raw: boolean): void }
  readonly close: () => void
}

/** Reads what is typed at a terminal. Line breaks and tabs in pasted text are made visible. */
export function readKeyboard(stdin: Readable & { readonly isTTY?: boolean }): Keyboard {
  const setRawMode = (raw: boolean) => {
    if ('setRawMode' in stdin && typeof stdin.setRawMode === 'function') stdin.setRawMode(raw)
  }
  // This input is not a terminal to inquirer, which would discard what was typed before a prompt is drawn.
  const input = Object.assign(new PassThrough(), { setRawMode })
  const [bytes, readText] = [new StringDecoder('utf8'), reader()]
  const take = (chunk: Buffer) => {
    if (input.writable) input.write(readText(bytes.write(chunk)))
  }
  const end = () => void input.end()
  // Keys that are pressed between two questions wait for the next one.
  input.on('pause', () => stdin.pause())
  input.on('resume', () => stdin.resume())
  stdin.on('data', take)
  stdin.on('end', end)
  if (stdin.readableEnded) end()
  else stdin.resume()
  return {
    input,
    close() {
      stdin.off('data', take)
      stdin.off('end', end)
      stdin.pause()
    },
  }
}

/** Finds pasted text: it is marked, or comes in one piece with a line break or tab in it, which nobody types so fast. */
function reader(): (text: string) => string {
  let unfinished = ''
  let pasted: string | undefined
  return (text) => {
    let rest = unfinished + text
    let result = ''
    unfinished = partialSequence(rest)
    rest = rest.slice(0, rest.length - unfinished.length)
    while (rest !== '') {
      const sequence = pasted === undefined ? pasteBegins : pasteEnds
      const at = rest.indexOf(sequence)
      const here = at < 0 ? rest : rest.slice(0, at)
      if (pasted === undefined) result += isPasted(here) ? sanitizePaste(here) : here
      else pasted += here
      rest = at < 0 ? '' : rest.slice(at + sequence.length)
      if (at < 0) continue
      if (pasted !== undefined) result += sanitizePaste(pasted)
      pasted = pasted === undefined ? '' : undefined
    }
    return result
  }
}

/** The beginning of a sequence that the next bytes complete. A lone Escape is a key. */
function partialSequence(text: string): string {
  const halves = [5, 4, 3, 2].flatMap((length) => [pasteBegins.slice(0, length), pasteEnds.slice(0, length)])
  return halves.find((half) => text.endsWith(half)) ?? ''
}

const isPasted = (text: string) =>
  /[\r\n]+[^\p{Cc}]|[^\p{Cc}]\t+[^\p{Cc}]/u.test(text) && !text.includes('\u0003')

/**
 * Pasted text with its line breaks, and the tabs that part the cells of a sheet, made visible. Outer ones and other
 * control characters are removed.
 */
function sanitizePaste(text: string): string {
  return text
    .replace(/^[\t\r\n]+|[\t\r\n]+$/g, '')
    .replace(/[\t\r\n\u2028\u2029]+/g, lineBreak)
    .replace(/\p{Cc}/gu, '')
}
