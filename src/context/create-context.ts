import { setMaxListeners } from 'node:events'
import { Writable } from 'node:stream'
import { isOn } from '../environment-flags.ts'
import type { AtomicFile } from '../files/local/atomic-file.ts'
import { once } from '../once.ts'
import type { Format } from '../render/formats.ts'
import { createOutput } from '../render/output.ts'
import type { PagedText } from '../render/renderer.ts'
import { foldMessage, screenWidth } from '../render/text/fold-message.ts'
import { safeText } from '../render/text/safe-text.ts'
import { isDumbTerminal, styleFor } from '../render/text/style.ts'
import { dayAt } from '../text/day.ts'
import { withProfile } from '../text/named-commands.ts'
import { assertErrorForm, chooseFormat, fileOf, isTerminal, wantsColour } from './choose-format.ts'
import { connect } from './connect.ts'
import type { Context } from './context.ts'
import type { GlobalOptions } from './global-options.ts'
import type { RedactingHost } from './host.ts'
import { listenForSignals } from './signals.ts'
import { appliedButNotPrinted } from './write-tracker.ts'

/** Creates the context and starts to listen for signals. */
export function createContext(
  host: RedactingHost,
  options: GlobalOptions,
  { version, command, nouns }: Pick<Context, 'version' | 'command'> & { readonly nouns: readonly string[] },
): Context {
  const { env, stdout, stderr } = host
  assertErrorForm(env.PAYROLL_ERRORS)
  // Standard input last, because reading the property opens it.
  const interactive =
    options.input !== false &&
    !isOn(env, 'PAYROLL_NO_INPUT') &&
    !isOn(env, 'CI') &&
    isTerminal(stderr) &&
    isTerminal(host.stdin)
  const { quiet = false, reveal = false } = options
  const isDebug = options.debug || isOn(env, 'PAYROLL_DEBUG')
  const style = styleFor(wantsColour(host, options, stderr))
  /** Aborted when the run is over: nothing is said or sent any more. */
  const over = new AbortController()
  // Each request that is under way listens: more than ten is not a leak.
  setMaxListeners(0, over.signal)
  const say = (text: string) => over.signal.aborted || stderr.write(`${text}\n`)
  const fold = (text: string) => foldMessage(text, isTerminal(stderr) ? stderr.columns : undefined)
  const debug = isDebug ? (line: string) => void say(style.dim(safeText(line))) : undefined
  const inProfile = (text: string) => withProfile(text, nouns, options.profile, host.platform)
  const note = (text: string) => void (quiet || say(fold(safeText(inProfile(text)))))
  const warned: string[] = []
  const warn = (text: string) => {
    warned.push(inProfile(text))
    say(style.caution('Note:') + fold(`Note: ${safeText(inProfile(text))}`).slice('Note:'.length))
  }
  const { settle, ...connection } = connect({
    host,
    options,
    version,
    command,
    interactive,
    debug,
    over: over.signal,
    note,
    warn,
    caution: (text) => say(style.caution(text)),
  })
  const { writes } = connection
  const page = (text: string, what: PagedText) => pageOnTerminal(context, what, text)
  const mayPage = isTerminal(stdout) && interactive && options.pager !== false
  const path = fileOf(options.out)
  const out = path === undefined ? undefined : outFile(path)
  const terminal = !out && isTerminal(stdout)
  /** Whether the whole answer is in a file that has not its name yet. */
  let waitsForPlace = false
  const outputAs = (format: Format) =>
    createOutput({
      stream: out ?? stdout,
      onUnwritable: (error) => {
        if (!('code' in error && error.code === 'EPIPE' && writes.worstWrite()))
          throw appliedButNotPrinted(error, writes)
      },
      onWhole: () => {
        waitsForPlace = out !== undefined
      },
      format,
      colour: !out && wantsColour(host, options, stdout),
      terminal,
      // Some terminals report 0 columns.
      width: terminal ? stdout.columns || undefined : undefined,
      reveal,
      redact: host.secrets.redact,
      ...(!out && mayPage && { page }),
      columns: options.columns,
      query: options.query,
      raw: options.raw,
      excel: options.excel,
      spool: async () => (await import('../files/local/spool.ts')).openSpool(await connection.directory()),
    })
  const finish = once(async () => {
    waitsForPlace = false
    await out?.finish().catch((error: Error) => {
      throw appliedButNotPrinted(error, writes)
    })
    if (out) note(`Wrote ${options.out}.`)
  })
  const context: Context = {
    host,
    version,
    command,
    options,
    interactive,
    quiet,
    reveal,
    draws: interactive && !quiet && !isDumbTerminal(env),
    output: outputAs(chooseFormat(host, options)),
    outputAs,
    style,
    interruption: listenForSignals(host, writes),
    today: () => dayAt(host.now()),
    ...connection,
    finish,
    async finishWhole() {
      if (waitsForPlace) await finish().catch(() => warn(`${options.out} could not be written.`))
    },
    discard: async () => out?.discard(),
    async release() {
      await settle()
      over.abort()
    },
    inProfile,
    note,
    async noteAll(lines) {
      if (quiet) return
      const text = lines.map((line) => `${safeText(line)}\n`).join('')
      if (!(mayPage && (await pageOnTerminal(context, 'plan', text)))) for (const line of lines) note(line)
    },
    warned,
    remark(text) {
      if (quiet) warned.push(inProfile(text))
      else warn(text)
    },
    warn,
  }
  return context
}

/** How many lines usually follow: a list its number and a remark, a report its error with a way on, a plan a question. */
const linesBelow: Readonly<Record<PagedText, number>> = { list: 2, report: 8, plan: 4 }

/**
 * Shows a text that does not fit the screen, with what follows it and the prompt, in the pager. Returns
 * whether it was shown. A low screen keeps no more than a third for what follows.
 */
async function pageOnTerminal(context: Context, what: PagedText, text: string) {
  const { env, stdout } = context.host
  const rows = stdout.rows || Number.POSITIVE_INFINITY
  const room = rows - Math.min(linesBelow[what], Math.floor(rows / 3)) - 1
  const { fitsInto } = await import('../render/text/wrap-text.ts')
  if (fitsInto(room, screenWidth(stdout), text)) return false
  const { choosePager, showInPager } = await import('./pager.ts')
  const pager = choosePager(env)
  return pager !== undefined && showInPager(pager, text, { ...context, what })
}

type OutFile = Writable & Pick<AtomicFile, 'finish' | 'discard'>

/**
 * A stream that becomes a file when it is finished, whole or not at all, and replaces an existing one. The
 * file is opened at the first write, and little is held in memory.
 */
function outFile(path: string): OutFile {
  let opened: Promise<AtomicFile> | undefined
  const file = () => {
    opened ??= import('../files/local/atomic-file.ts').then(({ openAtomic }) => openAtomic(path, true))
    return opened
  }
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      file()
        .then((whole) => whole.write(chunk))
        .then(() => done(), done)
    },
  })
  // The write callback reports errors; without a listener the event would crash the process.
  stream.on('error', () => {})
  return Object.assign(stream, {
    finish: async () => (await file()).finish(),
    discard: async () => (await opened?.catch(() => undefined))?.discard(),
  })
}
