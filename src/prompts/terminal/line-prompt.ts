import { createPrompt, isEnterKey, useKeypress, useState } from '@inquirer/core'
import { safeTyping } from '../../render/text/safe-text.ts'
import { widthOf } from '../../render/text/width.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import type { LineQuestion, Screen } from './prompt.ts'

/** Columns that an answer needs next to its question; with fewer, it goes on the next line. */
const columnsToType = 14

/** The message when several lines are pasted where one is expected. */
export const severalLines = 'Several lines came at once, and this takes one. Ctrl-U empties it.'

/** Asks for one line. Each key redraws what is typed and, beneath it, a comment on it. */
export const linePrompt = createPrompt<string, LineQuestion & { readonly screen: Screen }>(
  ({ message, hint = '', help, hidden, several, refuse, live, echo, moves = [], screen }, done) => {
    const { style, columns } = screen
    const [value, setValue] = useState('')
    const [state, setState] = useState<'open' | 'answered' | 'moved'>('open')
    const [refused, setRefused] = useState<string | undefined>(undefined)
    const [isVisible, setVisible] = useState(false)

    useKeypress((key, readline) => {
      if (state !== 'open') return
      if (hidden && key.ctrl && key.name === 't') return setVisible(!isVisible)
      if (!isEnterKey(key)) {
        setRefused(undefined)
        return setValue(readline.line)
      }
      const isMove = moves.includes(value.trim())
      const why = isMove ? undefined : !several && value.includes(lineBreak) ? severalLines : refuse?.(value)
      if (why) {
        // Enter has emptied the line. Visible text is put back to be corrected; hidden text has to be typed again.
        if (hidden && !isVisible) setValue('')
        else readline.write(value)
        return setRefused(hidden && !isVisible ? `${why} Type it again.` : why)
      }
      setState(isMove ? 'moved' : 'answered')
      done(value)
    })

    if (state === 'moved') return style.dim(`· ${message} ${value.trim()}`)
    const label = style.bold(message)
    if (state === 'answered') {
      const answer = echo ? echo(value) : hidden ? '' : safeTyping(value)
      return `${style.good('✔')} ${wrapText(`${label}${answer && ` ${style.accent(answer)}`}`, columns - 2)}`
    }
    const typed = hidden && !isVisible ? '*'.repeat(value.length) : safeTyping(value)
    const fitsBeside = widthOf(message + hint) + columnsToType <= columns
    const head = fitsBeside
      ? label + style.dim(hint)
      : `${label}\n${style.dim(wrapText(hint.trim(), columns, '  '))}`
    const above = help ? `\n${style.dim(wrapText(help, columns, '  '))}\n >` : fitsBeside ? '' : '\n >'
    const comment = value.trim() && !moves.includes(value.trim()) ? live?.(value) : undefined
    const beneath = [
      refused
        ? style.bad(wrapText(`! ${refused}`, columns))
        : comment && style.dim(wrapText(comment, columns, '  ')),
      hidden && style.dim('Ctrl-T shows what you type'),
    ]
    return [`${style.accent('?')} ${head}${above} ${typed}`, beneath.filter(Boolean).join('\n')]
  },
)
