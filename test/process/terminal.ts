import { stripVTControlCharacters } from 'node:util'
import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { tool } from './built.ts'

/** The built tool in a real terminal of its own. */
export function inTerminal(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  { cols = 100, rows = 50 } = {},
) {
  const { PATH = '' } = process.env
  const pty = spawn(process.execPath, [tool, ...argv], {
    cols,
    rows,
    env: { PATH, TERM: 'xterm-256color', NO_COLOR: '1', ...env },
  })
  let shown = ''
  let seen = 0
  let over = false
  pty.onData((text) => {
    shown += text
  })
  const ended = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) =>
    pty.onExit((exit) => {
      over = true
      resolve(exit)
    }),
  )
  onTestFinished(() => {
    if (!over) pty.kill('SIGKILL')
  })
  const screen = () => stripVTControlCharacters(shown).replaceAll('\r\n', '\n')
  /** Waits until what came since the last keys shows this. */
  const until = async (text: string) => {
    const deadline = Date.now() + 40_000
    while (!screen().slice(seen).includes(text)) {
      if (over || Date.now() > deadline) throw new Error(`never shown: ${text}\n${screen()}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    ended,
    screen,
    /** Everything that came, with its colours and cursor movements. */
    raw: () => shown,
    until,
    async type(whenShown: string, keys: string) {
      await until(whenShown)
      seen = screen().length
      pty.write(keys)
    },
    kill: (signal: string) => process.kill(pty.pid, signal),
  }
}
