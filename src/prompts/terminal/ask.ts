import type { Readable } from 'node:stream'
import { Interrupted } from '../../errors.ts'
import { screenWidth } from '../../render/text/fold-message.ts'
import { safeTyping } from '../../render/text/safe-text.ts'
import {
  choicePrompt,
  inputPrompt,
  linePrompt,
  passwordPrompt,
  searchPrompt,
  selectPrompt,
} from './inquirer-prompts.ts'
import { disableBracketedPaste, enableBracketedPaste, openKeys } from './pasting.ts'
import { lineReader, PromptAborted, plainChoice, plainLine } from './plain-prompts.ts'
import type { Choice, ChoiceQuestion, LineQuestion, PromptHost, Screen } from './prompt.ts'

/** Whether a line is accepted: true, or the reason why not. */
type Validate = (typed: string) => boolean | string

/** The questions this tool can put to a person. They are shown on standard error; Ctrl-C throws Interrupted. */
export interface Ask {
  line(question: LineQuestion): Promise<string>
  choose<V>(question: ChoiceQuestion<V>): Promise<V>
  /** One of many records, found by typing. */
  search<V>(question: ChoiceQuestion<V>): Promise<V>
  input(question: { message: string; hint?: string; preset?: string; validate?: Validate }): Promise<string>
  password(question: { message: string; validate?: Validate }): Promise<string>
  confirm(question: { message: string; default?: boolean }): Promise<boolean>
  select<V>(question: { message: string; choices: readonly (V | Choice<V>)[] }): Promise<V>
}

/** Asks on the terminal of `host`, drawing or in plain lines. Throws Interrupted when the person stops a prompt. */
export function createAsk(host: PromptHost): Ask {
  const { stdin, stderr, style, isPlain } = host
  const screen = (): Screen => ({ style, columns: screenWidth(stderr), rows: stderr.rows ?? 24 })
  const open = async <T>(askIn: (opening: Opening) => Promise<T>): Promise<T> => {
    const keys = openKeys(stdin)
    const abandoned = new AbortController()
    const unwatch = whenAbandoned(keys.input, () => abandoned.abort())
    if (!isPlain) stderr.write(enableBracketedPaste)
    try {
      const signal = AbortSignal.any([abandoned.signal, host.signal])
      return await askIn({ input: keys.input, output: stderr, signal })
    } catch (error) {
      if (host.signal.aborted) return await host.interrupted
      if (
        error instanceof PromptAborted ||
        (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name))
      ) {
        throw new Interrupted('SIGINT', 'Stopped.', { outcome: 'not-sent' })
      }
      throw error
    } finally {
      if (!isPlain) stderr.write(disableBracketedPaste)
      unwatch()
      keys.close()
    }
  }
  const plainly = (opening: Opening) => lineReader(opening.input, stderr)
  const line = (question: LineQuestion) =>
    open((opening) =>
      isPlain
        ? plainLine(plainly(opening), question)
        : linePrompt({ ...question, screen: screen() }, opening),
    )
  const choose = <V>(question: ChoiceQuestion<V>) =>
    open((opening) =>
      isPlain
        ? plainChoice(plainly(opening), question)
        : (choicePrompt({ ...question, screen: screen() }, opening) as Promise<V>),
    )
  const input = (question: LineQuestion) =>
    open((opening) =>
      isPlain ? plainLine(plainly(opening), question) : inputPrompt(question, screen(), opening),
    )
  return {
    line,
    choose,
    search: (question) =>
      open((opening) =>
        isPlain ? plainChoice(plainly(opening), question) : searchPrompt(question, screen(), opening),
      ),
    async input({ message, preset = '', hint = preset && ` [${preset}]`, validate }) {
      const echo = (typed: string) => safeTyping(typed.trim() === '' ? preset : typed)
      const typed = await input({ message, hint, echo, ...refuseBy(validate) })
      return typed.trim() === '' ? preset : typed
    },
    password: ({ message, validate }) =>
      open((opening) => {
        const question = { message, hidden: true, ...refuseBy(validate) }
        return isPlain ? plainLine(plainly(opening), question) : passwordPrompt(question, screen(), opening)
      }),
    async confirm({ message, default: preset = true }) {
      const typed = await input({
        message,
        hint: preset ? ' (Y/n)' : ' (y/N)',
        refuse: (text) => (yesOrNo(text, preset) === undefined ? 'Answer yes or no.' : undefined),
        echo: (text) => (yesOrNo(text, preset) ? 'Yes' : 'No'),
      })
      return yesOrNo(typed, preset) === true
    },
    select: ({ message, choices }) =>
      open((opening) => {
        const question = {
          message,
          choices: choices.map((each) => (isChoice(each) ? each : { value: each, name: String(each) })),
        }
        return isPlain ? plainChoice(plainly(opening), question) : selectPrompt(question, screen(), opening)
      }),
  }
}

interface Opening {
  readonly input: ReturnType<typeof openKeys>['input']
  readonly output: PromptHost['stderr']
  readonly signal: AbortSignal
}

function refuseBy(validate?: Validate): Pick<LineQuestion, 'refuse'> {
  if (!validate) return {}
  return {
    refuse: (typed) => {
      const valid = validate(typed)
      return valid === true ? undefined : valid || 'This is not accepted.'
    },
  }
}

function yesOrNo(typed: string, preset: boolean): boolean | undefined {
  const text = typed.trim().toLowerCase()
  if (text === '') return preset
  return 'yes'.startsWith(text) ? true : 'no'.startsWith(text) ? false : undefined
}

const isChoice = <V>(each: V | Choice<V>): each is Choice<V> =>
  typeof each === 'object' && each !== null && 'value' in each && 'name' in each

/**
 * Readline can stop reading its input without telling the prompt. At Ctrl-D and at the end of the input it stops for
 * good and the prompt would wait for ever: this calls `onAbandoned`. After Ctrl-Z and `fg` it stops by mistake: this
 * resumes the input. Returns a function that stops watching.
 */
function whenAbandoned(input: Readable, onAbandoned: () => void): () => void {
  const unread = input.listenerCount('end')
  const look = () => {
    if (!input.listeners('pause').includes(paused)) return
    if (input.listenerCount('end') <= unread) onAbandoned()
    else input.resume()
  }
  const paused = () => void setImmediate(look)
  input.on('pause', paused)
  return () => input.off('pause', paused)
}
