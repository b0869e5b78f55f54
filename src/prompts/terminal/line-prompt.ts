import { createPrompt, isEnterKey, useKeypress, useState } from '@inquirer/core'
import { safeTyping } from '../../render/text/safe-text.ts'
import { widthOf } from '../../render/text/width.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import type { LineQuestion, Screen } from './prompt.ts'

/** Columns behind a question that are wanted for its answer; on less it goes below. */
const columnsToType = 14

/** Several lines where one is wanted. */
export const severalLines = 'Several lines came at once, and this takes one. Ctrl-U empties it.'

/** Asks for one line. Drawn anew with every key: what is typed, and beneath it what there is to say of it. */
export const linePrompt = createPrompt<string, LineQuestion & { readonly screen: Screen }>(
  ({ message, hint = '', help, hidden, several, refuse, live, echo, moves = [], screen }, done) => {
    const { style, columns } = screen
    const [value, setValue] = useState('')
    const [state, setState] = useState<'open' | 'answered' | 'moved'>('open')
    const [refused, setRefused] = useState<string | undefined>(undefined)
    const [uncovered, setUncovered] = useState(false)

    useKeypress((key, readline) => {
      if (state !== 'open') return
      if (hidden && key.ctrl && key.name === 't') return setUncovered(!uncovered)
      if (!isEnterKey(key)) {
        setRefused(undefined)
        return setValue(readline.line)
      }
      const moved = moves.includes(value.trim())
      const why = moved ? undefined : !several && value.includes(lineBreak) ? severalLines : refuse?.(value)
      if (why) {
        // Enter has emptied the line. What can be seen comes back, to be put right; what cannot would only get longer.
        if (hidden && !uncovered) setValue('')
        else readline.write(value)
        return setRefused(hidden && !uncovered ? `${why} Type it anew.` : why)
      }
      setState(moved ? 'moved' : 'answered')
      done(value)
    })

    if (state === 'moved') return style.dim(`· ${message} ${value.trim()}`)
    const label = style.bold(message)
    if (state === 'answered') {
      const answer = echo ? echo(value) : hidden ? '' : safeTyping(value)
      return `${style.good('✔')} ${wrapText(`${label}${answer && ` ${style.accent(answer)}`}`, columns - 2)}`
    }
    const typed = hidden && !uncovered ? '*'.repeat(value.length) : safeTyping(value)
    const fitsBeside = widthOf(message + hint) + columnsToType <= columns
    const head = fitsBeside
      ? label + style.dim(hint)
      : `${label}\n${style.dim(wrapText(hint.trim(), columns, '  '))}`
    const above = help ? `\n${style.dim(wrapText(help, columns, '  '))}\n >` : fitsBeside ? '' : '\n >'
    const said = value.trim() && !moves.includes(value.trim()) ? live?.(value) : undefined
    const beneath = [
      refused
        ? style.bad(wrapText(`! ${refused}`, columns))
        : said && style.dim(wrapText(said, columns, '  ')),
      hidden && style.dim('Ctrl-T shows what you type'),
    ]
    return [`${style.accent('?')} ${head}${above} ${typed}`, beneath.filter(Boolean).join('\n')]
  },
)
