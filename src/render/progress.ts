import type { Writable } from 'node:stream'
import ora from 'ora'

/** Work shorter than this shows no spinner: it would only flicker. */
const delayMs = 300

/** Streams with a live line: a spinner there would be drawn over it. */
const drawnOn = new WeakSet<Writable>()

/** Shows a spinner beside work that takes its time, on a terminal's standard error; until `stop` at the latest. */
export async function withSpinner<T>(
  stream: Writable,
  text: string,
  task: Promise<T>,
  stop: AbortSignal,
): Promise<T> {
  const end = startSpinner(stream, text, stop)
  try {
    return await task
  } finally {
    end()
  }
}

/** Shows a spinner for work without a promise. Returns the function that ends it. */
export function startSpinner(stream: Writable, text: string, stop: AbortSignal): () => void {
  const spinner = makeSpinner(stream, text)
  const timer = setTimeout(() => {
    if (!drawnOn.has(stream)) spinner.start()
  }, delayMs)
  const end = () => {
    stop.removeEventListener('abort', end)
    clearTimeout(timer)
    spinner.stop()
  }
  stop.addEventListener('abort', end, { once: true })
  return end
}

/**
 * Standard input is left alone, because prompts and pipes need it. The caller decides whether anything may be
 * drawn, not ora.
 */
const makeSpinner = (stream: Writable, text = '') =>
  ora({ text, stream: stream as NodeJS.WriteStream, discardStdin: false, isEnabled: true })

/** One line on a terminal's standard error that says how far a long work is, and is gone when it ends. */
export function liveLine(stream: Writable): { show(text: string): void; end(): void } {
  const spinner = makeSpinner(stream)
  return {
    show(text) {
      spinner.text = text
      drawnOn.add(stream)
      if (!spinner.isSpinning) spinner.start()
    },
    end() {
      drawnOn.delete(stream)
      spinner.stop()
    },
  }
}
