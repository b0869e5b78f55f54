import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  useEffect,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core'
import input from '@inquirer/input'
import password from '@inquirer/password'
import { safeTyping } from '../../render/text/safe-text.ts'
import { widthOf, wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import {
  type Choice,
  type ChoicePrompt,
  hideKey,
  type LinePrompt,
  match,
  type Prompt,
  type Reading,
  remarks,
  type Screen,
} from './prompt.ts'

/** Where a prompt of inquirer reads and draws. */
type Opening = NonNullable<Parameters<typeof input>[1]>

/** Draws a prompt until it is answered. A line that has no keys is inquirer's own; the others are built on its core. */
export async function draw<V>(prompt: Prompt<V>, screen: Screen, opening: Opening): Promise<V> {
  if ('choices' in prompt) return (await choicePrompt({ prompt, screen }, opening)) as V
  if (prompt.keys) return (await linePrompt({ prompt, screen }, opening)) as V
  const reading = prompt.read(await typedText(prompt, screen, opening))
  if ('refused' in reading) throw new TypeError(`${prompt.message}: ${reading.refused}`)
  return reading.value
}

/** A line by inquirer's `input`, a secret by its `password`. A refused line is emptied, so that the next one does not begin with it. */
function typedText(prompt: LinePrompt<unknown>, screen: Screen, opening: Opening): Promise<string> {
  const { style, columns } = screen
  const { message, hint } = folded(prompt, columns)
  const read = (typed: string) => readLine(prompt, typed)
  const refusal = (typed: string) => {
    const reading = read(typed)
    return 'refused' in reading ? reading.refused : true
  }
  const theme = {
    icon: { cursor: '❯' },
    spinner: { interval: 80, frames: ['?'] },
    validationFailureMode: 'clear' as const,
    style: {
      answer: style.accent,
      // The hint is shown until the question is answered.
      message: (text: string, status: string) =>
        hint && text === message + hint
          ? style.bold(message) + (status === 'done' ? '' : style.dim(hint))
          : style.bold(text),
      error: (text: string) => style.bad(wrapText(`! ${text}`, columns)),
      help: style.dim,
      key: style.bold,
      keysHelpTip: () => style.dim('Ctrl-T shows what you type'),
    },
  }
  const open = style.accent('?')
  if (prompt.hidden) {
    const prefix = { idle: open, done: style.good('✔') }
    return password({ message, mask: '*', validate: refusal, theme: { ...theme, prefix } }, opening)
  }
  // inquirer draws the mark before it knows the answer, but asks whether the answer is valid before that.
  let done = style.good('✔')
  return input(
    {
      message: message + hint,
      validate: (typed) => {
        if (echoOf(read(typed), typed).trim() === '') done = style.dim('–')
        return refusal(typed)
      },
      transformer: (typed, { isFinal }) =>
        isFinal ? style.accent(echoOf(read(typed), typed)) : safeTyping(typed),
      theme: {
        ...theme,
        get prefix() {
          return { idle: open, done }
        },
      },
    },
    opening,
  )
}

/**
 * A question broken between words, behind its mark. inquirer breaks what is too long in the middle of a word, and an address that is
 * broken so cannot be copied.
 */
function folded({ message, hint = '' }: LinePrompt<unknown>, columns: number) {
  const lines = wrapText(message, columns - 2).split('\n')
  const last = `${lines.length > 1 ? '' : '? '}${lines.at(-1)}`
  const isRoom = hint === '' || widthOf(last + hint) < columns
  return { message: lines.join('\n'), hint: isRoom ? hint : `\n${hint.trimStart()}` }
}

function readLine<V>({ several, read }: LinePrompt<V>, typed: string): Reading<V> {
  return !several && typed.includes(lineBreak) ? { refused: remarks.several } : read(typed)
}

/** What stands behind a question once it is answered. */
function echoOf(reading: Reading<unknown>, typed: string): string {
  return 'refused' in reading ? '' : (reading.echo ?? safeTyping(typed))
}

interface Drawn<P> {
  readonly prompt: P
  readonly screen: Screen
}

/** What a mark and the blank behind it take, and the last column: inquirer adds an empty line to a line that fills it. */
const beforeLabel = 3

/** One of several. Typing leaves those that match; Enter takes the one at the cursor, which is at none that was only found inside. */
const choicePrompt = createPrompt<unknown, Drawn<ChoicePrompt<unknown>>>(({ prompt, screen }, done) => {
  const { message, none = remarks.none, keys = {}, mark = 'question', hidden = false } = prompt
  const { style, columns, rows } = screen
  const [typed, setTyped] = useState('')
  const [moved, setMoved] = useState<number | undefined>(undefined)
  const [state, setState] = useState<'open' | Choice<unknown> | { readonly key: string }>('open')
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const text = typed.trim()
  const { taken, onlyShown } = match(prompt, Object.hasOwn(keys, text) ? '' : text)
  const items = [...taken, ...onlyShown]
  const active = moved ?? (taken.length > 0 ? 0 : undefined)
  const choice = active === undefined ? undefined : items[active]
  const several = typed.includes(lineBreak) ? `${remarks.several} Ctrl-U empties it.` : undefined

  const leaveBy = (key: string, name: string) => {
    setState({ key: name })
    done(keys[key])
  }

  useKeypress((key, readline) => {
    if (state !== 'open') return
    if (key.ctrl && key.name === 't' && Object.hasOwn(keys, hideKey)) return leaveBy(hideKey, 'Ctrl-T')
    if (isUpKey(key) || isDownKey(key)) {
      // Readline replaces the line with an earlier one at these keys; this puts the typed text back.
      readline.clearLine(0)
      readline.write(typed)
      setRefused(undefined)
      const next = (active ?? -1) + (isUpKey(key) ? -1 : 1)
      return setMoved(items.length > 0 ? Math.max(0, Math.min(items.length - 1, next)) : undefined)
    }
    if (!isEnterKey(key)) {
      setRefused(undefined)
      setMoved(undefined)
      return setTyped(readline.line)
    }
    if (Object.hasOwn(keys, text)) return leaveBy(text, text)
    const nothing = items.length > 0 ? 'Choose one with the arrow keys, or type how it begins.' : undefined
    const why = several ?? (choice ? choice.disabled : nothing)
    if (why || !choice) {
      readline.write(typed)
      return setRefused(why)
    }
    setState(choice)
    done(choice.value)
  })

  const list = usePagination({
    items,
    active: Math.min(active ?? 0, Math.max(0, items.length - 1)),
    loop: false,
    pageSize: Math.max(4, Math.min(20, rows - 6)),
    renderItem: ({ item, isActive }) => {
      const isAt = isActive && active !== undefined
      const name = `${item.name}${item.disabled ? ` (${item.disabled})` : ''}`
      // What does not fit goes on beneath itself.
      const line = `${isAt ? '❯' : ' '} ${wrapText(name, columns, '  ', true).slice(2)}`
      return isAt ? style.accent(line) : item.disabled ? style.dim(line) : line
    },
  })

  const isCaution = mark === 'caution'
  const besideMark = columns - beforeLabel
  if (typeof state === 'object' && 'key' in state)
    return style.dim(`· ${wrapText(`${message} ${state.key}`, besideMark)}`)
  const label = isCaution ? wrapText(message, besideMark) : style.bold(wrapText(message, besideMark))
  if (state !== 'open') {
    const answer = state.short ?? state.name
    const whole = `${isCaution ? message : label}${answer && ` ${style.accent(answer)}`}`
    return `${doneMark(style, answer, isCaution || state.isDoubtful)} ${wrapText(whole, besideMark)}`
  }
  const bad = refused ?? (items.length > 0 ? undefined : (several ?? `${none} ${remarks.clear}`))
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

/** The mark of an answered question: no tick where nothing was answered, nor where a warning follows. */
function doneMark(style: Screen['style'], answer: string, isDoubtful = false): string {
  return isDoubtful ? style.caution('!') : answer === '' ? style.dim('–') : style.good('✔')
}

/**
 * One line. Each key redraws what is typed and, beneath it, a comment on it. A refused line is quoted beneath and emptied, so
 * that the next one does not begin with it. Tab puts the answer so far into the line.
 */
const linePrompt = createPrompt<unknown, Drawn<LinePrompt<unknown>>>(({ prompt, screen }, done) => {
  const { message, keys = {}, hidden = false, old = '', begun = '', onHide } = prompt
  const { style, columns } = screen
  const [value, setTyped] = useState(begun)
  const [state, setState] = useState<'open' | 'answered' | 'left'>('open')
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const [isHidden, setHidden] = useState(hidden)
  const setValue = (typed: string) => {
    prompt.onTyped?.(typed)
    setTyped(typed)
  }
  useEffect((readline) => readline.write(begun), [])
  const isKey = Object.hasOwn(keys, value.trim())
  const reading = readLine(prompt, value)

  useKeypress((key, readline) => {
    if (state !== 'open') return
    if (onHide && key.ctrl && key.name === 't') {
      onHide(!isHidden)
      return setHidden(!isHidden)
    }
    if (isTabKey(key)) {
      readline.clearLine(0)
      readline.write(value === '' && !isHidden ? old : value)
      return setValue(readline.line)
    }
    if (!isEnterKey(key)) {
      setRefused(undefined)
      return setValue(readline.line)
    }
    if (isKey) {
      setState('left')
      return done(keys[value.trim()])
    }
    if ('refused' in reading) {
      // Enter has emptied the line of readline already.
      setValue('')
      const why = reading.refused
      return setRefused(isHidden || why === remarks.several ? why : `${safeTyping(value.trim())}: ${why}`)
    }
    setState('answered')
    done(reading.value)
  })

  if (state === 'left') return style.dim(`· ${message} ${value.trim()}`)
  if (state === 'answered' && !('refused' in reading)) {
    const answer = isHidden && reading.echo === undefined ? '' : echoOf(reading, value)
    const mark = doneMark(style, answer.trim() || value.trim(), reading.isDoubtful)
    return `${mark} ${wrapText(`${style.bold(message)}${answer && ` ${style.accent(answer)}`}`, columns - 2)}`
  }
  const comment = value.trim() !== '' && !isKey && !('refused' in reading) && reading.comment
  const beneath = [
    refused
      ? style.bad(wrapText(`! ${refused}`, columns))
      : comment && style.dim(wrapText(comment, columns, '  ')),
    onHide && style.dim(isHidden ? 'Ctrl-T shows what you type' : 'Ctrl-T hides what you type'),
  ]
  const typed = isHidden ? '*'.repeat(value.length) : safeTyping(value)
  return [`${style.accent('?')} ${questionHead(prompt, screen)} ${typed}`, beneath.filter(Boolean).join('\n')]
})

/** Columns that an answer needs next to its question; with fewer, it goes on the next line. */
const columnsToType = 14

/** A question up to where its answer is typed: label, hint and help, each broken between words where it must be. */
function questionHead({ message, hint = '', help }: Prompt<unknown>, { style, columns }: Screen): string {
  const isNarrow = widthOf(message + hint) + columnsToType > columns
  const label = style.bold(wrapText(message, columns - 2))
  const below = [isNarrow ? hint.trim() : '', help ?? ''].filter(Boolean)
  const lines = [
    isNarrow ? label : label + style.dim(hint),
    ...below.map((text) => style.dim(wrapText(text, columns, '  '))),
    ...(isNarrow || help ? [' >'] : []),
  ]
  return lines.join('\n')
}
