import {
  createPrompt,
  isEnterKey,
  isTabKey,
  useEffect,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core'
import { safeTyping } from '../../render/text/safe-text.ts'
import { widthOf, wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import {
  type Choice,
  type ChoicePrompt,
  findChoices,
  type LinePrompt,
  type Prompt,
  readTypedLine,
  remarks,
  type Screen,
} from './prompt.ts'

/** Draws a prompt until it is answered. */
export async function draw<V>(
  prompt: Prompt<V>,
  screen: Screen,
  opening: NonNullable<Parameters<typeof choicePrompt>[1]>,
): Promise<V> {
  const answer =
    'choices' in prompt ? choicePrompt({ prompt, screen }, opening) : linePrompt({ prompt, screen }, opening)
  return (await answer) as V
}

interface Drawn<P> {
  readonly prompt: P
  readonly screen: Screen
}

/**
 * Columns that a label cannot use: the sign, its space, and the last one,
 * because inquirer adds an empty line after a full line.
 */
const beforeLabel = 3

/** How far each key goes through the choices. */
const steps: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  down: () => 1,
  pageup: (page) => -page,
  pagedown: (page) => page,
  home: () => -Infinity,
  end: () => Infinity,
}

/**
 * A question with choices. Typing filters them. Enter takes the choice at the cursor; there is none while the
 * text is only found inside names.
 */
const choicePrompt = createPrompt<unknown, Drawn<ChoicePrompt<unknown>>>(({ prompt, screen }, done) => {
  const { message, none = remarks.none, keys = {}, isCaution = false, hidden = false } = prompt
  const { style, columns, rows } = screen
  const [typed, setTyped] = useState('')
  const [cursor, setCursor] = useState<number | undefined>(undefined)
  const [state, setState] = useState<'open' | Choice<unknown> | { readonly key: string }>('open')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  useGoingOn()
  const text = typed.trim()
  const { taken, onlyShown } = findChoices(prompt, Object.hasOwn(keys, text) ? '' : text)
  const items = [...taken, ...onlyShown]
  const active = cursor ?? (taken.length > 0 ? 0 : undefined)
  const choice = active === undefined ? undefined : items[active]
  const pageSize = Math.max(4, Math.min(20, rows - 6))
  const several = typed.includes(lineBreak) ? remarks.several : undefined

  useKeypress((key, readline) => {
    if (state !== 'open') return
    const step = steps[key.name]?.(pageSize)
    if (step !== undefined) {
      // Readline replaces the line with an earlier one at some of these keys; this puts the typed text back.
      readline.clearLine(0)
      readline.write(typed)
      setRefusal(undefined)
      const next = (active ?? -1) + step
      return setCursor(items.length > 0 ? Math.max(0, Math.min(items.length - 1, next)) : undefined)
    }
    if (!isEnterKey(key)) {
      setRefusal(undefined)
      setCursor(undefined)
      return setTyped(readline.line)
    }
    if (Object.hasOwn(keys, text)) {
      setState({ key: text })
      return done(keys[text])
    }
    const nothing = items.length > 0 ? 'Choose one with the arrow keys, or type how it begins.' : undefined
    const why = several ?? (choice ? choice.disabled : nothing)
    if (why || !choice) {
      readline.write(typed)
      return setRefusal(why)
    }
    setState(choice)
    done(choice.value)
  })

  const list = usePagination({
    items,
    active: Math.min(active ?? 0, Math.max(0, items.length - 1)),
    loop: false,
    pageSize,
    renderItem: ({ item, isActive }) => {
      const isAt = isActive && active !== undefined
      const name = `${item.name}${item.disabled ? ` (${item.disabled})` : ''}`
      // A name that does not fit continues below itself.
      const line = `${isAt ? '❯' : ' '} ${wrapText(name, columns, '  ', true).slice(2)}`
      return isAt ? style.accent(line) : item.disabled ? style.dim(line) : line
    },
  })

  const besideSign = columns - beforeLabel
  if (typeof state === 'object' && 'key' in state)
    return style.dim(`· ${wrapText(`${message} ${state.key}`, besideSign)}`)
  const label = isCaution ? wrapText(message, besideSign) : style.bold(wrapText(message, besideSign))
  if (state !== 'open') {
    const answer = state.short ?? state.name
    const whole = `${isCaution ? message : label}${answer && ` ${style.accent(answer)}`}`
    return `${doneSign(style, answer, isCaution || state.isDoubtful)} ${wrapText(whole, besideSign)}`
  }
  const bad = refusal ?? (items.length > 0 ? undefined : (several ?? `${none} ${remarks.clear}`))
  const dim = choice ? choice.about : remarks.inside
  const beneath = [
    items.length > 0 && list,
    bad ? style.bad(wrapText(`! ${bad}`, columns)) : dim && style.dim(wrapText(dim, columns)),
  ]
  const head = isCaution
    ? `${style.caution('!')} ${label}`
    : `${style.accent('?')} ${questionHead(prompt, screen)}`
  return [
    `${head} ${hidden ? '*'.repeat(typed.length) : safeTyping(typed)}`.trimEnd() + (typed ? '' : ' '),
    beneath.filter(Boolean).join('\n'),
  ]
})

/**
 * Draws the question again when the run goes on after Ctrl-Z. Readline pauses then, and would hear no Ctrl-D any
 * more.
 */
function useGoingOn(): void {
  const [, setTimes] = useState(0)
  useEffect((readline) => {
    let times = 0
    readline.on('SIGCONT', () => {
      readline.resume()
      setTimes(++times)
    })
  }, [])
}

/** The sign of an answered question: no tick where nothing was answered, nor where a warning follows. */
function doneSign(style: Screen['style'], answer: string, isDoubtful = false): string {
  return isDoubtful ? style.caution('!') : answer === '' ? style.dim('–') : style.good('✔')
}

/**
 * A question with a line to type. A refused line stays, to be put right; a hidden one is emptied, because a
 * secret is pasted again.
 */
const linePrompt = createPrompt<unknown, Drawn<LinePrompt<unknown>>>(({ prompt, screen }, done) => {
  const { message, keys = {}, hidden = false, old = '', begun = '' } = prompt
  const { style, columns } = screen
  const [value, setValue] = useState(begun)
  const [state, setState] = useState<'open' | 'answered' | 'left'>('open')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  useEffect((readline) => readline.write(begun), [])
  useGoingOn()
  const key = value.trim()
  const isKey = Object.hasOwn(keys, key)
  const reading = readTypedLine(prompt, value)

  useKeypress((pressed, readline) => {
    if (state !== 'open') return
    if (isTabKey(pressed)) {
      readline.clearLine(0)
      readline.write(value === '' && !hidden ? old : value)
      return setValue(readline.line)
    }
    if (!isEnterKey(pressed)) {
      setRefusal(undefined)
      return setValue(readline.line)
    }
    if (isKey) {
      setState('left')
      return done(keys[key])
    }
    if ('refused' in reading) {
      // Enter has already emptied readline's own line.
      const kept = hidden ? '' : value
      readline.write(kept)
      setValue(kept)
      return setRefusal(reading.refused)
    }
    setState('answered')
    done(reading.value)
  })

  if (state === 'left') return style.dim(`· ${message} ${key}`)
  if (state === 'answered' && !('refused' in reading)) {
    const answer = reading.echo ?? (hidden ? '' : safeTyping(value))
    const mark = doneSign(style, answer.trim() || (hidden ? key : ''), reading.isDoubtful)
    return `${mark} ${wrapText(`${style.bold(message)}${answer && ` ${style.accent(answer)}`}`, columns - 2)}`
  }
  const comment = key !== '' && !isKey && !('refused' in reading) && reading.comment
  const beneath = refusal
    ? style.bad(wrapText(`! ${refusal}`, columns))
    : comment && style.dim(wrapText(comment, columns, '  '))
  const display = hidden ? '*'.repeat(value.length) : safeTyping(value)
  return [`${style.accent('?')} ${questionHead(prompt, screen)} ${display}`, beneath || undefined]
})

const columnsToType = 14

function questionHead({ message, hint = '', help }: Prompt<unknown>, { style, columns }: Screen): string {
  const label = wrapText(message, columns - 2)
  const lastLine = label.slice(label.lastIndexOf('\n') + 1)
  const isNarrow = widthOf(lastLine + hint) + columnsToType > columns
  const below = [isNarrow ? hint.trim() : '', help ?? ''].filter(Boolean)
  const lines = [
    style.bold(label) + (isNarrow ? '' : style.dim(hint)),
    ...below.map((text) => style.dim(wrapText(text, columns, '  '))),
    ...(isNarrow || help ? [' >'] : []),
  ]
  return lines.join('\n')
}
