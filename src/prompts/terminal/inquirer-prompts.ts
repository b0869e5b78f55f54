import input from '@inquirer/input'
import password from '@inquirer/password'
import search from '@inquirer/search'
import select from '@inquirer/select'
import { safeTyping } from '../../render/text/safe-text.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
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
  const { message, hint = '', echo = safeTyping } = question
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
  const theme = themeOf(screen)
  const style = { ...theme.style, keysHelpTip: () => screen.style.dim('Ctrl-T shows what you type') }
  return password(
    {
      message: question.message,
      mask: '*',
      validate: (typed) => refusal(question, typed) ?? true,
      theme: { ...theme, style },
    },
    opening,
  )
}

/** One of several that do not change, picked with the arrow keys, by number or by the first letters. */
export function selectPrompt<V>(
  { message, choices }: ChoiceQuestion<V>,
  screen: Screen,
  opening: Opening,
): Promise<V> {
  return select<V>({ message, choices: choices.map(drawn), loop: false, theme: themeOf(screen) }, opening)
}

/** One of many, found by typing a part of it. A key of the form is offered as the only match for itself. */
export function searchPrompt<V>(question: ChoiceQuestion<V>, screen: Screen, opening: Opening): Promise<V> {
  const { message, hint = '', help, choices, moves = {}, none = noMatch } = question
  const find = question.find ?? ((typed: string) => searchByName(choices, typed))
  const mark = markOf(screen)
  return search<V>(
    {
      message: message + hint,
      pageSize: Math.max(4, Math.min(12, screen.rows - 6)),
      source: (typed = '') => {
        const text = typed.trim()
        if (Object.hasOwn(moves, text)) return [{ value: moves[text] as V, name: text }]
        const found = text === '' ? choices : find(text)
        if (found.length === 0) throw new Error(`${none} ${clearFilter}`)
        return found.map((choice) => ({ ...drawn(choice), ...(help && { description: help }) }))
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
