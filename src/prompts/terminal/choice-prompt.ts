import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core'
import { safeTyping } from '../../render/text/safe-text.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import {
  type Choice,
  type ChoiceQuestion,
  clearFilter,
  noMatch,
  type Screen,
  searchByName,
  severalLines,
} from './prompt.ts'
import { questionHead } from './question-head.ts'

type Drawn = ChoiceQuestion<unknown> & { readonly screen: Screen }

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

  if (state === 'moved') return style.dim(`· ${message} ${typed.trim() || 'Ctrl-T'}`)
  const isCaution = mark === 'caution'
  const label = isCaution ? wrapText(message, columns - 2) : style.bold(wrapText(message, columns - 2))
  if (state !== 'open') {
    const answer = state.short ?? state.name
    const whole = `${isCaution ? message : label}${answer && ` ${style.accent(answer)}`}`
    if (isCaution) return `${style.caution('!')} ${wrapText(whole, columns - 2)}`
    // Nothing was answered: no tick.
    return `${answer ? style.good('✔') : style.dim('–')} ${whole}`
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
