import type { Writable } from 'node:stream'
import ora from 'ora'
import { screenWidth } from './text/fold-message.ts'

/** Work shorter than this shows no spinner: it would only flicker. */
const delayMs = 300

/** Streams with a line that was shown: a spinner there would be drawn over it. */
const drawnOn = new WeakSet<Writable>()

/**
 * One line on a terminal's standard error beside long work, gone when it ends. What is shown is drawn at once, and `first` only
 * where the work takes its time; `stop` ends it.
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
  const startFirst = () => {
    if (!drawnOn.has(stream)) spinner.start()
  }
  const timer = first && setTimeout(startFirst, delayMs)
  let wasShown = false
  const end = () => {
    first?.stop.removeEventListener('abort', end)
    clearTimeout(timer)
    if (wasShown) drawnOn.delete(stream)
    // One that was not drawn would write that the cursor is shown again.
    if (spinner.isSpinning) spinner.stop()
  }
  first?.stop.addEventListener('abort', end, { once: true })
  return {
    show(text) {
      clearTimeout(timer)
      spinner.text = text
      wasShown = true
      drawnOn.add(stream)
      if (!spinner.isSpinning) spinner.start()
    },
    end,
  }
}
