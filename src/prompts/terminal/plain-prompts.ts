import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { screenWidth } from '../../render/text/fold-message.ts'
import { safeTyping } from '../../render/text/safe-text.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { type Keys, lineBreak } from './pasting.ts'
import {
  type ChoiceQuestion,
  type LineQuestion,
  noMatch,
  type PromptHost,
  searchByName,
  severalLines,
} from './prompt.ts'

/** The input ended, or Ctrl-C or Ctrl-D was pressed. */
export class PromptAborted extends Error {}

/** Where plain questions are asked: whole lines are written and read, and nothing is redrawn. */
interface Lines {
  readonly say: (text: string) => void
  /** Reads one line after a prompt. Throws PromptAborted. */
  readonly read: (prompt: string, hidden?: boolean) => Promise<string>
}

export async function plainLine(lines: Lines, question: LineQuestion): Promise<string> {
  const { message, hint = '', help, hidden, several, refuse, echo, moves = [] } = question
  if (help) lines.say(help)
  for (;;) {
    const typed = await lines.read(`${message}${hint}${hidden ? ' (not shown)' : ''}: `, hidden)
    if (moves.includes(typed.trim())) return typed
    const why = !several && typed.includes(lineBreak) ? severalLines : refuse?.(typed)
    if (!why) {
      const understood = echo?.(typed) ?? ''
      if (understood && understood !== typed.trim()) lines.say(`${message}: ${understood}`)
      return typed
    }
    lines.say(`! ${why}`)
  }
}

export async function plainChoice<V>(lines: Lines, question: ChoiceQuestion<V>): Promise<V> {
  const { message, hint = '', help, none, moves = {}, mark } = question
  const find = question.find ?? ((text: string) => searchByName(question.choices, text))
  let choices = question.choices
  lines.say(`${mark === 'caution' ? '! ' : ''}${message}${hint}`)
  if (help) lines.say(help)
  for (;;) {
    for (const [at, { name, disabled, about }] of choices.entries()) {
      lines.say(`  ${at + 1}. ${name}${disabled ? ` (${disabled})` : ''}${about ? ` ${about}` : ''}`)
    }
    const typed = (await lines.read(`Number or name (Enter: ${choices[0]?.name}): `, question.hidden)).trim()
    if (Object.hasOwn(moves, typed)) return moves[typed] as V
    const matching = typed === '' ? choices.slice(0, 1) : (numbered(choices, typed) ?? find(typed))
    const [first, second] = matching
    const isOnly = first?.name.toLowerCase() === typed.toLowerCase() || second === undefined
    if (first && isOnly && !first.disabled && !typed.includes(lineBreak)) {
      const answer = first.short ?? first.name
      if (answer) lines.say(mark === 'caution' ? answer : `${message}: ${answer}`)
      return first.value
    }
    if (typed.includes(lineBreak)) lines.say(`! ${severalLines}`)
    else if (!first) lines.say(`! ${none ?? noMatch}`)
    else if (isOnly) lines.say(`! ${first.disabled}`)
    choices = first && !isOnly ? matching : question.choices
  }
}

function numbered<C>(choices: readonly C[], typed: string): C[] | undefined {
  const choice = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined
  return choice && [choice]
}

/** Reads whole lines from a terminal and echoes each letter once, unless it is hidden. */
export function lineReader(input: Keys['input'], out: PromptHost['stderr']): Lines {
  return {
    say(text) {
      const [indent = ''] = /^ */.exec(text) ?? []
      out.write(`${wrapText(text.slice(indent.length), screenWidth(out), indent)}\n`)
    },
    read: (prompt, hidden = false) =>
      new Promise((resolve, reject) => {
        const bytes = new StringDecoder('utf8')
        const letters: string[] = []
        const end = (settle: () => void) => {
          input.off('data', take)
          input.off('end', abort)
          input.pause()
          input.setRawMode(false)
          out.write('\n')
          settle()
        }
        const abort = () => end(() => reject(new PromptAborted()))
        const erase = (count: number) => {
          const erased = letters.splice(letters.length - count, count)
          if (!hidden) out.write('\b \b'.repeat(erased.length))
        }
        const take = (chunk: Buffer) => {
          for (const letter of stripVTControlCharacters(bytes.write(chunk))) {
            if (letter === '\r' || letter === '\n') return end(() => resolve(letters.join('')))
            if (letter === '\u0003' || (letter === '\u0004' && letters.length === 0)) return abort()
            if (letter === '\u007F' || letter === '\b') erase(Math.min(1, letters.length))
            else if (letter === '\u0015') erase(letters.length)
            else if (!/\p{Cc}/u.test(letter)) {
              letters.push(letter)
              if (!hidden) out.write(safeTyping(letter))
            }
          }
        }
        out.write(prompt)
        input.setRawMode(true)
        input.on('data', take)
        input.on('end', abort)
        input.resume()
      }),
  }
}
