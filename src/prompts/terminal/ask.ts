import type { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import { Interrupted } from '../../errors.ts'
import { isDumbTerminal } from '../../render/text/style.ts'
import { choicePrompt } from './choice-prompt.ts'
import { linePrompt } from './line-prompt.ts'
import { disableBracketedPaste, enableBracketedPaste, openKeys } from './pasting.ts'
import { lineReader, PromptAborted, plainChoice, plainLine } from './plain-prompts.ts'
import type { Choice, ChoiceQuestion, LineQuestion, Screen } from './prompt.ts'

/** What may be typed into a line: true, or why not. */
type Validate = (typed: string) => boolean | string

/** The prompts of this tool, on standard error, with a Ctrl-C that main.ts understands. */
export interface Ask {
  line(question: LineQuestion): Promise<string>
  choose<V>(question: ChoiceQuestion<V>): Promise<V>
  input(question: { message: string; validate?: Validate }): Promise<string>
  password(question: { message: string; validate?: Validate }): Promise<string>
  confirm(question: { message: string; default?: boolean }): Promise<boolean>
  select<V>(question: { message: string; choices: readonly (V | Choice<V>)[] }): Promise<V>
}

/**
 * Asks by drawing, or in plain lines where nothing may be drawn: for a screen reader (ACCESSIBLE=1), and on a
 * terminal that can only print (TERM=dumb). Throws Interrupted when the person stops a prompt.
 */
export function ask({ host, style, interruption }: Context): Ask {
  const { stdin, stderr, env } = host
  const plain = isDumbTerminal(env)
  const screen = (): Screen => ({
    style,
    columns: stderr.columns ?? 80,
    rows: 'rows' in stderr && typeof stderr.rows === 'number' ? stderr.rows : 24,
  })
  const open = async <T>(asked: (opening: Opening) => Promise<T>): Promise<T> => {
    const keys = openKeys(stdin)
    const left = new AbortController()
    const unwatch = whenAbandoned(keys.input, () => left.abort())
    if (!plain) stderr.write(enableBracketedPaste)
    try {
      const signal = AbortSignal.any([left.signal, interruption.signal])
      return await asked({ input: keys.input, output: stderr, signal })
    } catch (error) {
      if (interruption.signal.aborted) return await interruption.interrupted
      if (
        error instanceof PromptAborted ||
        (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name))
      ) {
        throw new Interrupted('SIGINT', 'Stopped. Nothing was sent.')
      }
      throw error
    } finally {
      if (!plain) stderr.write(disableBracketedPaste)
      unwatch()
      keys.close()
    }
  }
  const line = (question: LineQuestion) =>
    open((opening) =>
      plain
        ? plainLine(lineReader(opening.input, stderr), question)
        : linePrompt({ ...question, screen: screen() }, opening),
    )
  const choose = <V>(question: ChoiceQuestion<V>) =>
    open((opening) =>
      plain
        ? plainChoice(lineReader(opening.input, stderr), question)
        : (choicePrompt({ ...question, screen: screen() }, opening) as Promise<V>),
    )
  return {
    line,
    choose,
    input: ({ message, validate }) => line({ message, ...refusing(validate) }),
    password: ({ message, validate }) => line({ message, hidden: true, ...refusing(validate) }),
    async confirm({ message, default: otherwise = true }) {
      const typed = await line({
        message,
        hint: otherwise ? ' (Y/n)' : ' (y/N)',
        refuse: (text) => (yesOrNo(text, otherwise) === undefined ? 'Answer yes or no.' : undefined),
        echo: (text) => (yesOrNo(text, otherwise) ? 'Yes' : 'No'),
      })
      return yesOrNo(typed, otherwise) === true
    },
    select: ({ message, choices }) =>
      choose({
        message,
        choices: choices.map((each) => (isChoice(each) ? each : { value: each, name: String(each) })),
      }),
  }
}

interface Opening {
  readonly input: ReturnType<typeof openKeys>['input']
  readonly output: Context['host']['stderr']
  readonly signal: AbortSignal
}

function refusing(validate?: Validate): Pick<LineQuestion, 'refuse'> {
  if (!validate) return {}
  return {
    refuse: (typed) => {
      const valid = validate(typed)
      return valid === true ? undefined : valid || 'This cannot be taken.'
    },
  }
}

function yesOrNo(typed: string, otherwise: boolean): boolean | undefined {
  const text = typed.trim().toLowerCase()
  if (text === '') return otherwise
  return 'yes'.startsWith(text) ? true : 'no'.startsWith(text) ? false : undefined
}

const isChoice = <V>(each: V | Choice<V>): each is Choice<V> =>
  typeof each === 'object' && each !== null && 'value' in each && 'name' in each

/**
 * Readline lets go of its input without a word to the prompt: for good at Ctrl-D and at the end of the input, where
 * the prompt would wait for ever, and by mistake when the run goes on after Ctrl-Z. Calls `abandoned` for the one
 * and takes the input up again for the other. Returns how to stop watching.
 */
function whenAbandoned(input: Readable, abandoned: () => void): () => void {
  const unread = input.listenerCount('end')
  const look = () => {
    if (!input.listeners('pause').includes(paused)) return
    if (input.listenerCount('end') <= unread) abandoned()
    else input.resume()
  }
  const paused = () => void setImmediate(look)
  input.on('pause', paused)
  return () => input.off('pause', paused)
}
