import { createPrompt, isEnterKey, useKeypress, useState } from '@inquirer/core'
import { safeTyping } from '../../render/text/safe-text.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { lineBreak } from './pasting.ts'
import { type LineQuestion, type Screen, severalLines } from './prompt.ts'
import { questionHead } from './question-head.ts'

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
