import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { screenWidth } from '../../render/text/fold-message.ts'
import { safeTyping } from '../../render/text/safe-text.ts'
import { widthOf, wrapText } from '../../render/text/wrap-text.ts'
import { type Keyboard, lineBreak } from './pasting.ts'
import {
  type Choice,
  type ChoicePrompt,
  findChoices,
  type LinePrompt,
  type Prompt,
  type PromptHost,
  readTypedLine,
  remarks,
} from './prompt.ts'

/** The input ended, Ctrl-C or Ctrl-D was pressed, or the run is to end. */
export class PromptAborted extends Error {}

type Typing = Pick<LinePrompt<unknown>, 'hidden' | 'begun'>

/** A screen for plain questions. It reads and writes whole lines, and never redraws. */
interface Lines {
  readonly say: (text: string) => void
  readonly read: (prompt: string, typing: Typing) => Promise<string>
}

/** Asks until the prompt is answered. Throws PromptAborted. */
export function askPlainly<V>(prompt: Prompt<V>, lines: Lines): Promise<V> {
  return 'choices' in prompt ? askInLines(prompt, lines) : askLine(prompt, lines)
}

async function askLine<V>(prompt: LinePrompt<V>, lines: Lines): Promise<V> {
  const { message, hint = '', help, hidden, keys = {} } = prompt
  if (help) lines.say(help)
  let { begun } = prompt
  for (;;) {
    const question = `${message}${hint}${hidden ? ' (not shown)' : ''}: `
    const line = await lines.read(question, { hidden, begun })
    if (Object.hasOwn(keys, line.trim())) return keys[line.trim()] as V
    const reading = readTypedLine(prompt, line)
    if ('refused' in reading) {
      lines.say(`! ${reading.refused}`)
      begun = hidden ? '' : line
      continue
    }
    if (reading.echo && reading.echo !== line.trim()) lines.say(`${message}: ${reading.echo}`)
    return reading.value
  }
}

async function askInLines<V>(prompt: ChoicePrompt<V>, lines: Lines): Promise<V> {
  const { message, hint = '', help, none = remarks.none, keys = {}, isCaution } = prompt
  let choices = prompt.choices
  lines.say(`${isCaution ? '! ' : ''}${message}${hint}`)
  if (help) lines.say(help)
  for (;;) {
    for (const [at, { name, disabled, about }] of choices.entries()) {
      lines.say(`  ${at + 1}. ${name}${disabled ? ` (${disabled})` : ''}${about ? ` ${about}` : ''}`)
    }
    const line = (await lines.read(`Number or name (Enter: ${choices[0]?.name}): `, prompt)).trim()
    if (Object.hasOwn(keys, line)) return keys[line] as V
    const { choice, left, said } = chosenBy(prompt, choices, line)
    if (choice && !choice.disabled && !line.includes(lineBreak)) {
      const answer = choice.short ?? choice.name
      if (answer) lines.say(isCaution ? answer : `${message}: ${answer}`)
      return choice.value
    }
    const why = line.includes(lineBreak)
      ? remarks.several
      : (choice?.disabled ?? said ?? (left.length === 0 && none))
    if (why) lines.say(`! ${why}`)
    choices = left.length > 0 ? left : prompt.choices
  }
}

/** The choice that a number or a text means; else the choices that are left. */
function chosenBy<V>(
  prompt: ChoicePrompt<V>,
  choices: readonly Choice<V>[],
  text: string,
): {
  readonly choice?: Choice<V> | undefined
  readonly left: readonly Choice<V>[]
  readonly said?: string | undefined
} {
  if (text === '') return { choice: choices[0], left: [] }
  const { taken, onlyShown } = findChoices(prompt, text)
  const numbered = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined
  const [first, second] = taken
  // `2` may be the second of the list or Plan 2, so both are listed once.
  const isUnclear = numbered && first && first !== numbered && choices === prompt.choices && !prompt.typed
  if (isUnclear) return { left: [numbered, ...taken.filter((each) => each !== numbered)] }
  if (numbered) return { choice: numbered, left: [] }
  if (first && (second === undefined || first.name.toLowerCase() === text.toLowerCase()))
    return { choice: first, left: [] }
  return taken.length > 0
    ? { left: taken }
    : { left: onlyShown, said: onlyShown.length > 0 ? remarks.inside : undefined }
}

/** Reads whole lines from a terminal until `signal` is aborted, and echoes each letter once, unless it is hidden. */
export function lineReader(
  input: Keyboard['input'],
  { stderr: out, signal }: Pick<PromptHost, 'stderr' | 'signal'>,
): Lines {
  return {
    say(text) {
      const [indent = ''] = /^ */.exec(text) ?? []
      out.write(`${wrapText(text.slice(indent.length), screenWidth(out), indent)}\n`)
    },
    read: (prompt, { hidden = false, begun = '' }) =>
      new Promise((resolve, reject) => {
        const bytes = new StringDecoder('utf8')
        const letters = [...begun]
        const echo = (text: string) => {
          if (!hidden) out.write(text)
        }
        const end = (settle: () => void) => {
          input.off('data', take)
          input.off('end', abort)
          signal.removeEventListener('abort', abort)
          input.pause()
          input.setRawMode(false)
          out.write('\n')
          settle()
        }
        const abort = () => end(() => reject(new PromptAborted()))
        const erase = (count: number) => {
          const erased = letters.splice(letters.length - count, count)
          echo('\b \b'.repeat(widthOf(erased.join(''))))
        }
        const take = (chunk: Buffer) => {
          for (const letter of stripVTControlCharacters(bytes.write(chunk))) {
            if (letter === '\r' || letter === '\n') return end(() => resolve(letters.join('')))
            if (letter === '\u0003' || (letter === '\u0004' && letters.length === 0)) return abort()
            if (letter === '\u007F' || letter === '\b') erase(Math.min(1, letters.length))
            else if (letter === '\u0015') erase(letters.length)
            else if (!/\p{Cc}/u.test(letter)) {
              letters.push(letter)
              echo(safeTyping(letter))
            }
          }
        }
        out.write(prompt + (hidden ? '' : safeTyping(begun)))
        input.setRawMode(true)
        input.on('data', take)
        input.on('end', abort)
        signal.addEventListener('abort', abort)
        input.resume()
        if (signal.aborted) abort()
      }),
  }
}
