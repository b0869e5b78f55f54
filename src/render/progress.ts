import type { Writable } from 'node:stream'
import ora from 'ora'
import { screenWidth } from './text/fold-message.ts'

/** Work shorter than this shows no spinner: it would only flicker. */
const delayMs = 300

/** Streams with a line on them: a second one would be drawn over it, and ora says so on the screen. */
const drawnOn = new WeakSet<Writable>()

/**
 * One line on a terminal's standard error beside long work, gone when it ends. What is shown is drawn at once, and
 * `first` only where the work takes its time; `stop` ends it. While another line is drawn, this one is not.
 */
export function liveLine(
  stream: Writable,
  first?: { readonly text: string; readonly stop: AbortSignal },
): { show(text: string): void; end(): void } {
  const screen = stream as NodeJS.WriteStream
  // A terminal that does not know its width says 0, and ora would fold every text into lines without end.
  if (screen.columns === 0) screen.columns = screenWidth(screen)
  // Standard input is left alone, because prompts and pipes need it. The caller decides whether anything may be drawn, not ora.
  const spinner = ora({
    text: first?.text ?? '',
    stream: screen,
    discardStdin: false,
    isEnabled: true,
  })
  const draw = () => {
    if (spinner.isSpinning || drawnOn.has(stream)) return
    drawnOn.add(stream)
    spinner.start()
  }
  const timer = first && setTimeout(draw, delayMs)
  const end = () => {
    first?.stop.removeEventListener('abort', end)
    clearTimeout(timer)
    // One that was not drawn would write that the cursor is shown again.
    if (!spinner.isSpinning) return
    spinner.stop()
    drawnOn.delete(stream)
  }
  first?.stop.addEventListener('abort', end, { once: true })
  return {
    show(text) {
      clearTimeout(timer)
      spinner.text = text
      draw()
    },
    end,
  }
}
