import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import type { StopSignal } from '../src/errors.ts'
import { main } from '../src/main.ts'

/** The result of a run. */
export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Standard output as JSON; throws if it is not JSON. */
  readonly json: () => any
  /** The error object of the last line of standard error. */
  readonly error: () => any
  /** The signal with which it ended itself. */
  readonly signal: string | undefined
  /** The pauses between attempts, in milliseconds. A test does not really wait. */
  readonly pauses: readonly number[]
}

/** What `toMatchObject` finds in a run that ended with this code and said this on standard error. */
export const endedWith = (code: number, says: string | RegExp) => ({
  code,
  err: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
})

export interface Setting {
  /** The settings directory: a new one for each run, unless runs share one on purpose. */
  readonly home?: string | undefined
  /** What standard input holds; or the pipe that the test writes into and ends itself. */
  readonly input?: string | PassThrough
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The version of Node that the run is told of: that of the test, unless said. */
  readonly node?: string
  /** The system that the run is told of: that of the test, unless said. */
  readonly platform?: NodeJS.Platform
  /** Runs instead of each pause, with its milliseconds and with the signal that cuts it short. */
  readonly onPause?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Gets a function that sends the run a signal. */
  readonly onStart?: (send: (signal: StopSignal) => void) => void
  /** Receives what standard output is given, as it comes: of a run that goes on until it is stopped. */
  readonly onPrint?: (text: string) => void
}

let pausedMs = 0

/** Monotonic milliseconds, in which a pause of any run has passed too, although nobody waited. */
export const clockNow = () => performance.now() + pausedMs

/** An empty folder, removed after the test. */
export function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'payroll-test-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The words of a command as they are typed. What is put in is one word, blanks and all, and a list is as many as it has. */
export function asTyped(
  texts: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): string[] {
  const words: string[] = []
  let isOpen = false
  const add = (piece: string) => {
    words.push((isOpen ? words.pop() : '') + piece)
    isOpen = true
  }
  for (const [at, text] of texts.entries()) {
    for (const [nth, piece] of text.split(' ').entries()) {
      if (nth > 0) isOpen = false
      if (piece !== '') add(piece)
    }
    const value = values[at] ?? []
    if (typeof value === 'string') add(value)
    else words.push(...value)
  }
  return words
}

/** Runs the command as a script does: no terminal, and standard input ends after `input`. */
export async function payroll(
  argv: readonly string[],
  { home = freshHome(), input = '', env = {}, node, platform, onPause, onStart, onPrint }: Setting = {},
): Promise<Run> {
  const stdin = typeof input === 'string' ? new PassThrough() : input
  if (typeof input === 'string') stdin.end(input)
  return run(
    argv,
    stdin,
    { PAYROLL_CONFIG_DIR: home, ...env },
    {
      ...(node && { node }),
      ...(platform && { platform }),
      ...(onPause && { onPause }),
      ...(onStart && { onStart }),
      ...(onPrint && { onPrint }),
    },
  )
}

export interface Terminal {
  /** Waits until the screen shows this, counted from the last keys, then types. */
  readonly type: (whenShown: string | RegExp, keys: string) => Promise<void>
  /** Everything shown so far, without colours and cursor movements. */
  readonly screen: () => string
  readonly ended: Promise<Run>
}

export const keys = { enter: '\r', down: '\u001B[B', up: '\u001B[A', ctrlC: '\u0003' } as const

/** Runs the command as a person does, on a terminal; keys arrive one screen at a time. */
export function atTerminal(
  argv: readonly string[],
  {
    home = freshHome(),
    env = {},
    columns = 100,
    rows = 50,
    onStart,
  }: Omit<Setting, 'input'> & { readonly columns?: number; readonly rows?: number } = {},
): Terminal {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
  const shown: string[] = []
  let seen = 0
  const ended = run(
    argv,
    stdin,
    { PAYROLL_CONFIG_DIR: home, TERM: 'xterm', NO_COLOR: '1', ...env },
    { shown, columns, rows, ...(onStart && { onStart }) },
  )
  let [text, stripped] = ['', 0]
  /** Strips only what was shown since it was asked last: a form shows megabytes, and `type` asks all the time. */
  const screen = () => {
    text += stripVTControlCharacters(shown.slice(stripped).join(''))
    stripped = shown.length
    return text
  }
  return {
    screen,
    ended,
    async type(whenShown, typed) {
      const deadline = Date.now() + 40_000
      for (;;) {
        const fresh = screen().slice(seen)
        if (typeof whenShown === 'string' ? fresh.includes(whenShown) : whenShown.test(fresh)) break
        if (Date.now() > deadline) throw new Error(`never shown: ${whenShown}\n--- shown instead:\n${fresh}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      seen = screen().length
      stdin.write(typed)
    },
  }
}

async function run(
  argv: readonly string[],
  stdin: PassThrough & { isTTY?: boolean },
  env: Record<string, string | undefined>,
  {
    shown,
    columns = 100,
    rows,
    node = process.versions.node,
    platform = process.platform,
    onPause,
    onStart,
    onPrint,
  }: { shown?: string[]; columns?: number; rows?: number } & Pick<
    Setting,
    'node' | 'platform' | 'onPause' | 'onStart' | 'onPrint'
  >,
): Promise<Run> {
  const width = shown && columns
  const [out, err] = [stream(width, rows, shown), stream(width, rows, shown)]
  if (onPrint) out.stream.on('data', (chunk) => onPrint(String(chunk)))
  let signal: string | undefined
  const pauses: number[] = []
  let slept = 0
  const listeners = new Set<(signal: StopSignal) => void>()
  onStart?.((sent) => {
    for (const heard of listeners) heard(sent)
  })
  const code = await main(
    {
      argv,
      env,
      stdin,
      stdout: out.stream,
      stderr: err.stream,
      node,
      platform,
      now: () => Date.now(),
      monotonicNow: () => performance.now() + slept,
      sleep: async (ms, signal) => {
        pauses.push(ms)
        slept += ms
        pausedMs += ms
        await onPause?.(ms, signal)
      },
      onSignal: (heard) => {
        listeners.add(heard)
        return () => listeners.delete(heard)
      },
      raiseSignal: (raised) => {
        signal = raised
      },
    },
    '0.0.0-test',
  )
  return {
    code,
    out: out.text(),
    err: err.text(),
    json: () => JSON.parse(out.text()),
    error: () => JSON.parse(err.text().trimEnd().split('\n').at(-1) ?? '').error,
    signal,
    pauses,
  }
}

function stream(columns: number | undefined, rows: number | undefined, shown: string[] | undefined) {
  const chunks: string[] = []
  const moved = () => true
  const screen = { isTTY: true, columns, rows, cursorTo: moved, moveCursor: moved, clearLine: moved }
  const passing = Object.assign(new PassThrough(), columns ? screen : {})
  // The end of a pipe must not close the terminal.
  if (columns) Object.assign(passing, { end: () => passing })
  passing.on('data', (chunk) => {
    chunks.push(String(chunk))
    shown?.push(String(chunk))
  })
  return { stream: passing, text: () => chunks.join('') }
}
