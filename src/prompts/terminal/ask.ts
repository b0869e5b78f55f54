import { Failure, Interrupted, joinHints } from '../../errors.ts'
import { screenWidth } from '../../render/text/fold-message.ts'
import { safeText, safeTyping } from '../../render/text/safe-text.ts'
import { draw } from './draw.ts'
import { disableBracketedPaste, enableBracketedPaste, type Keyboard, readKeyboard } from './pasting.ts'
import { askPlainly, lineReader, PromptAborted } from './plain.ts'
import type { Choice, ChoicePrompt, LinePrompt, Prompt, PromptHost } from './prompt.ts'

/** The questions this tool can put to a person. They are shown on standard error; Ctrl-C throws Interrupted. */
export interface Ask {
  line<V>(prompt: LinePrompt<V>): Promise<V>
  choose<V>(prompt: ChoicePrompt<V>): Promise<V>
  /** Asks for a line until `read` takes it. What a Failure of `read` says is why it is asked for again. */
  read<V>(question: TextQuestion & { readonly read: (typed: string) => V }): Promise<V>
  confirm(question: { readonly message: string; readonly default?: boolean }): Promise<boolean>
}

interface TextQuestion {
  readonly message: string
  readonly hint?: string
  readonly preset?: string
  readonly hidden?: boolean
}

/** Asks on the terminal of `host`, drawing or in plain lines. Throws Interrupted when the person stops a prompt. */
export function createAsk(host: PromptHost): Ask {
  const put = <V>(prompt: Prompt<V>) => putTo(host, madeSafe(prompt))
  return {
    line: put,
    choose: put,
    read: (question) => put(textPrompt(question)),
    confirm: ({ message, default: preset = true }) =>
      put({
        message,
        hint: preset ? ' (Y/n)' : ' (y/N)',
        read: (text) => {
          const value = yesOrNo(text, preset)
          return value === undefined
            ? { refused: 'Answer yes or no.' }
            : { value, echo: value ? 'Yes' : 'No' }
        },
      }),
  }
}

/** The prompt with harmless texts: a question names people and files as the service or a sheet does. */
function madeSafe<V>(prompt: Prompt<V>): Prompt<V> {
  const safe = (text: string | undefined) => text && safeText(text)
  const { message, hint, help } = prompt
  const texts = { message: safeText(message), hint: safe(hint), help: safe(help) }
  if (!('choices' in prompt)) return { ...prompt, ...texts }
  const safeChoice = (choice: Choice<V>): Choice<V> => {
    const { name, short, about, disabled } = choice
    const its = { short: safe(short), about: safe(about), disabled: safe(disabled) }
    return { ...choice, ...its, name: safeText(name) }
  }
  return {
    ...prompt,
    ...texts,
    choices: prompt.choices.map(safeChoice),
    more: prompt.more?.map(safeChoice),
  }
}

async function putTo<V>(host: PromptHost, prompt: Prompt<V>): Promise<V> {
  const { stdin, stderr, style, isPlain } = host
  const keyboard = readKeyboard(stdin)
  const abandoned = new AbortController()
  const unwatch = whenAbandoned(keyboard.input, () => abandoned.abort())
  if (!isPlain) stderr.write(enableBracketedPaste)
  try {
    if (isPlain) return await askPlainly(prompt, lineReader(keyboard.input, host))
    const screen = { style, columns: screenWidth(stderr), rows: stderr.rows ?? 24 }
    const signal = AbortSignal.any([abandoned.signal, host.signal])
    return await draw(prompt, screen, { input: keyboard.input, output: stderr, signal })
  } catch (error) {
    if (host.signal.aborted) return await host.interrupted
    const isStopped = error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name)
    if (!isStopped && !(error instanceof PromptAborted)) throw error
    throw new Interrupted('SIGINT', 'Stopped.', { outcome: 'not-sent' })
  } finally {
    if (!isPlain) stderr.write(disableBracketedPaste)
    unwatch()
    keyboard.close()
  }
}

function textPrompt<V>({
  preset = '',
  read,
  ...question
}: TextQuestion & { readonly read: (typed: string) => V }): LinePrompt<V> {
  return {
    hint: preset && ` [${preset}]`,
    ...question,
    read: (typed) => {
      const text = typed.trim() === '' ? preset : typed
      try {
        return { value: read(text), echo: question.hidden ? undefined : safeTyping(text) }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { refused: joinHints(error.message, error.details.hint) }
      }
    },
  }
}

function yesOrNo(typed: string, preset: boolean): boolean | undefined {
  const text = typed.trim().toLowerCase()
  if (text === '') return preset
  return 'yes'.startsWith(text) ? true : 'no'.startsWith(text) ? false : undefined
}

/**
 * Watches an input that readline stops reading without telling the prompt: after Ctrl-D or the end of the
 * input. Returns a function that stops watching.
 */
function whenAbandoned(input: Keyboard['input'], onAbandoned: () => void): () => void {
  const unread = input.listenerCount('end')
  const look = () => {
    if (input.listeners('pause').includes(lookLater) && input.listenerCount('end') <= unread) onAbandoned()
  }
  const lookLater = () => void setImmediate(look)
  input.on('pause', lookLater)
  return () => void input.off('pause', lookLater)
}
