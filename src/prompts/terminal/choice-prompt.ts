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
import { severalLines } from './line-prompt.ts'
import { lineBreak } from './pasting.ts'
import { type Choice, type ChoiceQuestion, named, type Screen } from './prompt.ts'

type Drawn = ChoiceQuestion<unknown> & { readonly screen: Screen }

/** Asks for one of several. What is typed leaves those that it fits; Enter takes the one at the cursor. */
export const choicePrompt = createPrompt<unknown, Drawn>((question, done) => {
  const { message, hint = '', help, choices, none, moves = {}, mark = 'question', screen } = question
  const { style, columns, rows } = screen
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [state, setState] = useState<'open' | Choice<unknown> | 'moved'>('open')
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const find = question.find ?? ((text: string) => named(choices, text))
  const isMove = Object.hasOwn(moves, typed.trim())
  const items = typed.trim() === '' || isMove ? choices : find(typed.trim())
  const choice = items[active]

  useKeypress((key, readline) => {
    if (state !== 'open') return
    if (isUpKey(key) || isDownKey(key)) {
      // Readline looks for earlier lines at these keys; what is typed stays.
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
      ? severalLines
      : !choice
        ? (none ?? 'Nothing here is called so.')
        : choice.disabled
    if (why || !choice) {
      readline.write(typed)
      return setRefused(why)
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
      const line = `${isActive ? '❯' : ' '} ${item.name}${item.disabled ? ` (${item.disabled})` : ''}`
      return isActive ? style.accent(line) : item.disabled ? style.dim(line) : line
    },
  })

  if (state === 'moved') return style.dim(`· ${message} ${typed.trim()}`)
  const caution = mark === 'caution'
  const label = caution ? wrapText(message, columns - 2) : style.bold(message)
  if (state !== 'open') {
    const answer = state.short ?? state.name
    const whole = `${caution ? message : label}${answer && ` ${style.accent(answer)}`}`
    return `${caution ? style.caution('!') : style.good('✔')} ${caution ? wrapText(whole, columns - 2) : whole}`
  }
  const above = help ? `\n${style.dim(wrapText(help, columns, '  '))}\n >` : ''
  const beneath = [
    items.length > 0 && list,
    refused
      ? style.bad(wrapText(`! ${refused}`, columns))
      : choice?.about && style.dim(wrapText(choice.about, columns)),
  ]
  const asks = caution ? style.caution('!') : style.accent('?')
  return [
    `${asks} ${label}${style.dim(hint)}${above} ${safeTyping(typed)}`.trimEnd() + (typed ? '' : ' '),
    beneath.filter(Boolean).join('\n'),
  ]
})
