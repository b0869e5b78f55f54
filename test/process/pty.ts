import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { freshHome } from '../payroll.ts'
import { tool } from './built.ts'

/**
 * A line of shell on a real terminal, in which `$PAYROLL` is the tool: for what only a terminal has, its modes, its
 * width, and the Ctrl-C that becomes a signal.
 */
export function onTerminal(line: string, env: Readonly<Record<string, string>> = {}, cols = 80) {
  const PATH = `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env.PATH}`
  const terminal = spawn('/bin/sh', ['-c', line], {
    cols,
    env: { PATH, HOME: freshHome(), TERM: 'xterm-256color', PAYROLL: tool, ...env },
  })
  let shown = ''
  terminal.onData((text) => {
    shown += text
  })
  const ended = new Promise<{ code: number; signal: number | undefined; shown: string }>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal, shown }))
  })
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  onTestFinished(() => (isOver ? undefined : terminal.kill('SIGKILL')))
  return {
    terminal,
    ended,
    /** Waits until this is shown. */
    async until<T>(read: (shown: string) => T | null | undefined | false): Promise<T> {
      const deadline = Date.now() + 40_000
      for (;;) {
        const value = read(shown)
        if (value) return value
        if (Date.now() > deadline) throw new Error(`never shown; instead: ${JSON.stringify(shown)}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
