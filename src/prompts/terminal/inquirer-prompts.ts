import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core'
import input from '@inquirer/input'
import password from '@inquirer/password'
import search from '@inquirer/search'
import select from '@inquirer/select'
import { safeTyping } from '../../render/text/safe-text.ts'
import { widthOf, wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import {
  type Choice,
  type ChoiceQuestion,
  clearFilter,
  type LineQuestion,
  noMatch,
  type Screen,
  searchByName,
  severalLines,
} from './prompt.ts'

/** Where a prompt of inquirer reads and draws. */
type Opening = NonNullable<Parameters<typeof input>[1]>

/** A line of text. A refused line is emptied, so that the next one does not begin with it. */
export function inputPrompt(question: LineQuestion, screen: Screen, opening: Opening): Promise<string> {
  const { echo = safeTyping } = question
  const { message, hint } = folded(question, screen)
  const mark = markOf(screen)
  return input(
    {
      message: message + hint,
      validate: (typed) => {
        if (echo(typed).trim() === '') mark.isSkipped()
        return refusal(question, typed) ?? true
      },
      transformer: (typed, { isFinal }) => (isFinal ? screen.style.accent(echo(typed)) : safeTyping(typed)),
      theme: mark.on({ ...themeOf(screen, message, hint), validationFailureMode: 'clear' as const }),
    },
    opening,
  )
}

/** A secret: stars, and Ctrl-T to see it. */
export function passwordPrompt(question: LineQuestion, screen: Screen, opening: Opening): Promise<string> {
  const { message } = folded(question, screen)
  const theme = themeOf(screen)
  const style = { ...theme.style, keysHelpTip: () => screen.style.dim('Ctrl-T shows what you type') }
  return password(
    {
      message,
      mask: '*',
      validate: (typed) => refusal(question, typed) ?? true,
      theme: { ...theme, style },
    },
    opening,
  )
}

/** One of several that do not change, picked with the arrow keys, by number or by the first letters. */
export function selectPrompt<V>(question: ChoiceQuestion<V>, screen: Screen, opening: Opening): Promise<V> {
  const { message } = folded(question, screen)
  const { choices } = question
  return select<V>({ message, choices: choices.map(drawn), loop: false, theme: themeOf(screen) }, opening)
}

/** One of many, found by typing a part of it. A key of the form is offered as the only match for itself. */
export function searchPrompt<V>(question: ChoiceQuestion<V>, screen: Screen, opening: Opening): Promise<V> {
  const { help, choices, moves = {}, none = noMatch } = question
  const { message, hint } = folded(question, screen)
  const find = question.find ?? ((typed: string) => searchByName(choices, typed))
  const mark = markOf(screen)
  return search<V>(
    {
      message: message + hint,
      pageSize: Math.max(4, Math.min(12, screen.rows - 6)),
      source: (typed = '') => {
        const text = typed.trim()
        if (Object.hasOwn(moves, text)) return [{ value: moves[text] as V, name: text }]
        const matching = text === '' ? choices : find(text)
        if (matching.length === 0) throw new Error(`${none} ${clearFilter}`)
        return matching.map((choice) => ({ ...drawn(choice), ...(help && { description: help }) }))
      },
      validate: (value) => {
        const isNothing = choices.some((choice) => choice.value === value && choice.short === '')
        if (isNothing) mark.isSkipped()
        if (Object.values(moves).includes(value)) mark.isMove()
        return true
      },
      theme: mark.on(themeOf(screen, message, hint)),
    },
    opening,
  )
}

/**
 * A question broken between words, behind its mark. inquirer breaks what is too long in the middle of a word, and an address that is
 * broken so cannot be copied.
 */
function folded(
  { message, hint = '' }: Pick<LineQuestion, 'message' | 'hint'>,
  { columns }: Screen,
): { readonly message: string; readonly hint: string } {
  const lines = wrapText(message, columns - 2).split('\n')
  const last = `${lines.length > 1 ? '' : '? '}${lines.at(-1)}`
  const isRoom = hint === '' || widthOf(last + hint) < columns
  return { message: lines.join('\n'), hint: isRoom ? hint : `\n${hint.trimStart()}` }
}

/**
 * The mark of an answered question: a tick, a dash where nothing was answered, a dot for a key. inquirer draws the mark
 * before it knows the answer, but asks whether the answer is valid before that.
 */
function markOf({ style }: Screen) {
  let done = style.good('✔')
  return {
    isSkipped: () => {
      done = style.dim('–')
    },
    isMove: () => {
      done = style.dim('·')
    },
    on: <T extends object>(theme: T) => ({
      ...theme,
      get prefix() {
        return { idle: style.accent('?'), done }
      },
    }),
  }
}

function drawn<V>({ value, name, short, disabled }: Choice<V>) {
  return {
    value,
    name,
    ...(short !== undefined && { short }),
    ...(disabled && { disabled: `(${disabled})` }),
  }
}

function refusal({ several, refuse }: LineQuestion, typed: string): string | undefined {
  return !several && typed.includes(lineBreak) ? severalLines : refuse?.(typed)
}

/** The looks of our own prompts, which have no colours where none are wanted. */
function themeOf({ style, columns }: Screen, message = '', hint = '') {
  return {
    prefix: { idle: style.accent('?'), done: style.good('✔') },
    icon: { cursor: '❯' },
    spinner: { interval: 80, frames: ['?'] },
    style: {
      answer: style.accent,
      // The hint is shown until the question is answered.
      message: (text: string, status: string) =>
        hint && text === message + hint
          ? style.bold(message) + (status === 'done' ? '' : style.dim(hint))
          : style.bold(text),
      error: (text: string) => style.bad(wrapText(`! ${text}`, columns)),
      defaultAnswer: style.dim,
      help: style.dim,
      highlight: style.accent,
      key: style.bold,
      disabled: style.dim,
      description: (text: string) => style.dim(wrapText(text, columns)),
      searchTerm: (text: string) => safeTyping(text),
      keysHelpTip: () => undefined,
    },
  }
}

type Drawn = ChoiceQuestion<unknown> & { readonly screen: Screen }

/** What a mark and the blank behind it take, and the last column: inquirer adds an empty line to a line that fills it. */
const beforeLabel = 3

/** Asks for one of several. Typing narrows the choices to those that match; Enter takes the one at the cursor. */
export const choicePrompt = createPrompt<unknown, Drawn>((question, done) => {
  const {
    message,
    choices,
    none = noMatch,
    moves = {},
    mark = 'question',
    hidden = false,
    onHide,
    screen,
  } = question
  const { style, columns, rows } = screen
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [state, setState] = useState<'open' | Choice<unknown> | 'moved'>('open')
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const find = question.find ?? ((text: string) => searchByName(choices, text))
  const isMove = Object.hasOwn(moves, typed.trim())
  const items = typed.trim() === '' || isMove ? choices : find(typed.trim())
  const choice = items[active]

  useKeypress((key, readline) => {
    if (state !== 'open') return
    if (onHide && key.ctrl && key.name === 't') {
      setState('moved')
      return done(onHide.value)
    }
    if (isUpKey(key) || isDownKey(key)) {
      // Readline replaces the line with an earlier one at these keys; this puts the typed text back.
      readline.clearLine(0)
      readline.write(typed)
      setRefused(undefined)
      return setActive(Math.max(0, Math.min(items.length - 1, active + (isUpKey(key) ? -1 : 1))))
    }
    if (!isEnterKey(key)) {
      setRefused(undefined)
      setActive(0)
      return setTyped(readline.line)
    }
    if (isMove) {
      setState('moved')
      return done(moves[typed.trim()])
    }
    const why = typed.includes(lineBreak)
      ? `${severalLines} Ctrl-U empties it.`
      : !choice
        ? `${none} ${clearFilter}`
        : choice.disabled
    if (why || !choice) {
      readline.write(typed)
      return setRefused(choice ? why : undefined)
    }
    setState(choice)
    done(choice.value)
  })

  const list = usePagination({
    items,
    active: Math.min(active, Math.max(0, items.length - 1)),
    loop: false,
    pageSize: Math.max(4, Math.min(20, rows - 6)),
    renderItem: ({ item, isActive }) => {
      const text = `${item.name}${item.disabled ? ` (${item.disabled})` : ''}`
      // What does not fit goes on beneath itself.
      const line = `${isActive ? '❯' : ' '} ${wrapText(text, columns, '  ', true).slice(2)}`
      return isActive ? style.accent(line) : item.disabled ? style.dim(line) : line
    },
  })

  const isCaution = mark === 'caution'
  const besideMark = columns - beforeLabel
  if (state === 'moved')
    return style.dim(`· ${wrapText(`${message} ${typed.trim() || 'Ctrl-T'}`, besideMark)}`)
  const label = isCaution ? wrapText(message, besideMark) : style.bold(wrapText(message, besideMark))
  if (state !== 'open') {
    const answer = state.short ?? state.name
    const whole = `${isCaution ? message : label}${answer && ` ${style.accent(answer)}`}`
    // Nothing was answered: no tick.
    const done = isCaution ? style.caution('!') : answer ? style.good('✔') : style.dim('–')
    return `${done} ${wrapText(whole, besideMark)}`
  }
  const beneath = [
    items.length > 0 && list,
    refused
      ? style.bad(wrapText(`! ${refused}`, columns))
      : !choice
        ? style.bad(
            wrapText(
              `! ${typed.includes(lineBreak) ? `${severalLines} Ctrl-U empties it.` : `${none} ${clearFilter}`}`,
              columns,
            ),
          )
        : choice.about && style.dim(wrapText(choice.about, columns)),
  ]
  const head = isCaution
    ? `${style.caution('!')} ${label}`
    : `${style.accent('?')} ${questionHead(question, screen)}`
  return [
    `${head} ${hidden ? '*'.repeat(typed.length) : safeTyping(typed)}`.trimEnd() + (typed ? '' : ' '),
    beneath.filter(Boolean).join('\n'),
  ]
})

/**
 * Asks for one line. Each key redraws what is typed and, beneath it, a comment on it. A refused line is quoted beneath
 * and emptied, so that the next one does not begin with it.
 */
export const linePrompt = createPrompt<string, LineQuestion & { readonly screen: Screen }>(
  ({ message, hint = '', help, hidden, onHide, several, refuse, live, echo, moves = [], screen }, done) => {
    const { style, columns } = screen
    const [value, setValue] = useState('')
    const [state, setState] = useState<'open' | 'answered' | 'moved'>('open')
    const [refused, setRefused] = useState<string | undefined>(undefined)
    const [isHidden, setHidden] = useState(hidden ?? false)

    useKeypress((key, readline) => {
      if (state !== 'open') return
      if (onHide && key.ctrl && key.name === 't') {
        onHide(!isHidden)
        return setHidden(!isHidden)
      }
      if (!isEnterKey(key)) {
        setRefused(undefined)
        return setValue(readline.line)
      }
      const isMove = moves.includes(value.trim())
      const why = isMove ? undefined : !several && value.includes(lineBreak) ? severalLines : refuse?.(value)
      if (why) {
        // Enter has emptied the line of readline already.
        setValue('')
        return setRefused(isHidden || why === severalLines ? why : `${safeTyping(value.trim())}: ${why}`)
      }
      setState(isMove ? 'moved' : 'answered')
      done(value)
    })

    if (state === 'moved') return style.dim(`· ${message} ${value.trim()}`)
    const label = style.bold(message)
    if (state === 'answered') {
      const answer = echo ? echo(value) : isHidden ? '' : safeTyping(value)
      // Nothing was answered: no tick.
      const isSkipped = answer.trim() === '' && value.trim() === ''
      const mark = isSkipped ? style.dim('–') : style.good('✔')
      return `${mark} ${wrapText(`${label}${answer && ` ${style.accent(answer)}`}`, columns - 2)}`
    }
    const typed = isHidden ? '*'.repeat(value.length) : safeTyping(value)
    const head = questionHead({ message, hint, ...(help && { help }) }, screen)
    const comment = value.trim() && !moves.includes(value.trim()) ? live?.(value) : undefined
    const beneath = [
      refused
        ? style.bad(wrapText(`! ${refused}`, columns))
        : comment && style.dim(wrapText(comment, columns, '  ')),
      onHide && style.dim(isHidden ? 'Ctrl-T shows what you type' : 'Ctrl-T hides what you type'),
    ]
    return [`${style.accent('?')} ${head} ${typed}`, beneath.filter(Boolean).join('\n')]
  },
)

/** Columns that an answer needs next to its question; with fewer, it goes on the next line. */
const columnsToType = 14

/** A question up to where its answer is typed: label, hint and help, each broken between words where it must be. */
function questionHead(
  { message, hint = '', help }: LineQuestion | ChoiceQuestion<unknown>,
  { style, columns }: Screen,
): string {
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
