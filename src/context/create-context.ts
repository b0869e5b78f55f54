import { setMaxListeners } from 'node:events'
import { Writable } from 'node:stream'
import type { Client } from '../api/client.ts'
import type { Pace } from '../api/http/clock.ts'
import { isWrite } from '../api/outcome/call-failure.ts'
import type { Profile } from '../credentials/resolve.ts'
import { defaults } from '../defaults.ts'
import type { Environment } from '../environment.ts'
import { isOn } from '../environment-flags.ts'
import { usage } from '../errors.ts'
import type { AtomicFile } from '../files/local/atomic-file.ts'
import type { Operation } from '../model/operations/operation.ts'
import { once } from '../once.ts'
import type { Format } from '../render/formats.ts'
import { createOutput } from '../render/output.ts'
import { foldMessage, screenWidth } from '../render/text/fold-message.ts'
import { safeText } from '../render/text/safe-text.ts'
import { isDumbTerminal, styleFor } from '../render/text/style.ts'
import { readDuration } from '../text/duration.ts'
import type { ServiceKnowledge } from '../write/service-knowledge.ts'
import { assertErrorForm, chooseFormat, fileOf, isTerminal, wantsColour } from './choose-format.ts'
import type { Context } from './context.ts'
import type { GlobalOptions } from './global-options.ts'
import type { GuardedHost } from './host.ts'
import type { RecordingRun, WriteRecorder } from './record-writes.ts'
import { listenForSignals } from './signals.ts'
import { appliedButNotPrinted, trackWrites, type WriteTracker } from './write-tracker.ts'

/** Creates the context and starts to listen for signals. */
export function createContext(
  host: GuardedHost,
  options: GlobalOptions,
  { version, command }: Pick<Context, 'version' | 'command'>,
): Context {
  const { env, stdout, stderr, secrets } = host
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
  /** Aborted when the run is over: what other reads of it do then is not said, and nothing is sent again. */
  const over = new AbortController()
  // Each request that is on its way listens, and where several lists are read there are more than ten.
  setMaxListeners(0, over.signal)
  const say = (text: string) => over.signal.aborted || stderr.write(`${text}\n`)
  const fold = (text: string) => foldMessage(text, isTerminal(stderr) ? stderr.columns : undefined)
  const warn = (text: string) => context.warn(text)
  const { directory, settings } = storedSettings(host, warn)
  const place = { directory, env }
  const { writes, openRecorder, addOrigin, finish } = noteWrites({
    now: host.now,
    directory,
    settings,
    command,
    warn,
  })
  const profile = once(async () => {
    const { resolveProfile } = await import('../credentials/resolve.ts')
    const resolved = await resolveProfile({ flag: options.profile, env, settings, terminal: interactive })
    if (resolved.fallback) {
      say(style.caution('Sandbox: nothing is configured, so nothing reaches a real service.'))
    }
    if (!env.PAYROLL_ROUTES) return resolved
    const { withGivenRoutes } = await import('./routes-in-force.ts')
    return withGivenRoutes(resolved, env, options.yes ?? false)
  })
  const withKey: Context['withKey'] = async (profile) => {
    const keys = await import('../credentials/keys.ts')
    return keys.withKey(profile, { ...place, settings, hide: secrets.hide })
  }
  const debug = isDebug ? (line: string) => void say(style.dim(safeText(line))) : undefined
  const { knowledgeOf, isKnowledgeOpen, saveKnowledge } = openKnowledgeOnce(directory)
  const paceOf = watchPace(host, options, debug)
  const clientOf: Context['clientOf'] = async (profile, others) => {
    const { createClientOf } = await import('./create-client.ts')
    const pace = await paceOf(profile)
    const client = await createClientOf(profile, {
      host,
      version,
      directory,
      note: context.note,
      over: over.signal,
      onTrackedEvent: writes.onEvent,
      timeoutMs: (options.timeout ?? defaults.timeout) * 1000,
      retryForMs:
        options.retryFor ??
        retryForIn(env) ??
        defaults[isTerminal(stderr) ? 'readAgainForPerson' : 'readAgain'] * 1000,
      reveal,
      ...(pace && { pace }),
      ...(debug && { debug }),
      ...others,
    })
    const { name, origin = '' } = profile
    addOrigin(name, origin)
    return withHistory(
      client,
      once(async () =>
        (await openRecorder()).recorded(client, {
          name,
          origin,
          secret: async () => (await import('./history-seal.ts')).sealSecret(place, profile),
        }),
      ),
    )
  }
  const access = once(async () => withKey(await profile()))
  const client = once(async () => {
    const profile = await access()
    const made = await clientOf(profile)
    // The sandbox says null of what is empty, and hides nothing.
    return profile.kind === 'sandbox' ? made : learningFrom(made, () => knowledgeOf(profile), isKnowledgeOpen)
  })

  const page = (text: string, below: number) => pageOnTerminal(context, text, below)
  const mayPage = isTerminal(stdout) && interactive && options.pager !== false
  const path = fileOf(options.out)
  const out = path === undefined ? undefined : outFile(path)
  const terminal = !out && isTerminal(stdout)
  const outputAs = (format: Format) =>
    createOutput({
      stream: out ?? stdout,
      onUnwritable: (error) => {
        if (!('code' in error && error.code === 'EPIPE' && writes.worstWrite()))
          throw appliedButNotPrinted(error, writes)
      },
      format,
      colour: !out && wantsColour(host, options, stdout),
      terminal,
      // Some terminals report 0 columns.
      width: terminal ? stdout.columns || undefined : undefined,
      reveal,
      ...(!out && mayPage && { page }),
      columns: options.columns,
      query: options.query,
      raw: options.raw,
      warn,
      excel: options.excel,
      spool: async () => (await import('../files/local/spool.ts')).openSpool(await directory()),
    })
  const warned: string[] = []
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
    writes,
    interruption: listenForSignals(host, writes),
    today: () => dayAt(host.now()),
    directory,
    place,
    settings,
    async changeProfile(name, change) {
      const { changeProfile } = await import('../credentials/keys.ts')
      for (const warning of await changeProfile(place, name, change)) warn(warning)
    },
    facts: once(async () => (await import('./facts/own-facts.ts')).factsInForce(await directory())),
    profile,
    access,
    withKey,
    client,
    clientOf,
    knowledgeOf,
    knowledge: async () => knowledgeOf(await profile()),
    finish: once(async () => {
      await out?.finish().catch((error: Error) => {
        throw appliedButNotPrinted(error, writes)
      })
      if (out) context.note(`Wrote ${options.out}.`)
    }),
    discard: async () => out?.discard(),
    async release() {
      await finish()
      await saveKnowledge()
      over.abort()
    },
    note: (text) => void (quiet || say(fold(safeText(text)))),
    async noteAll(lines, below) {
      if (quiet) return
      const text = lines.map((line) => `${safeText(line)}\n`).join('')
      if (!(mayPage && (await page(text, below)))) for (const line of lines) context.note(line)
    },
    warned,
    remark(text) {
      if (quiet) warned.push(text)
      else context.warn(text)
    },
    warn(text) {
      warned.push(text)
      say(style.caution('Note:') + fold(`Note: ${safeText(text)}`).slice('Note:'.length))
    },
  }
  return context
}

/** The settings, and the directory in which they and everything else is stored; looked up at the first use. */
function storedSettings({ env, secrets }: GuardedHost, warn: Context['warn']) {
  const directory = once(async () =>
    (await import('../files/local/private-directory.ts')).settingsDirectory(env),
  )
  const settings = once(async () => {
    const { readSettings, storedSecrets } = await import('../credentials/settings.ts')
    const { clearLeftovers } = await import('../files/local/leftovers.ts')
    const { settings, warnings } = await readSettings(await directory())
    await clearLeftovers(await directory())
    for (const secret of storedSecrets(settings)) secrets.hide(secret)
    for (const warning of warnings) warn(warning)
    return settings
  })
  return { directory, settings }
}

/** The time in PAYROLL_RETRY_FOR, in milliseconds. An empty variable counts as unset. Throws a usage failure for one that is none. */
function retryForIn({ PAYROLL_RETRY_FOR: text }: Environment): number | undefined {
  const ms = text ? readDuration(text) : undefined
  if (text && ms === undefined)
    throw usage(`PAYROLL_RETRY_FOR is ${safeText(text)}, and must be a time, such as 90s, 2m or 0.`)
  return ms
}

/** Gives the pace of a profile, which is one for all requests of this run. 0 is no limit, whatever the profile says. */
function watchPace(host: GuardedHost, options: GlobalOptions, debug: ((line: string) => void) | undefined) {
  let pace: Promise<Pace> | undefined
  return async ({ name, rate: stored = 0 }: Profile) => {
    const { rate = stored } = options
    if (rate <= 0) return undefined
    pace ??= import('../api/http/clock.ts').then(({ createPace }) => {
      const from = options.rate === undefined ? `profile ${name}` : '--rate'
      debug?.(`  at most ${rate} requests a second (${from}): one every ${Math.round(1000 / rate)} ms`)
      return createPace(rate, host)
    })
    return pace
  }
}

/** The same client, of which the history notes the writes. */
function withHistory(client: Client, recorded: () => Promise<Pick<Client, 'call' | 'record'>>): Client {
  return choosing(client, async (operation) => (isWrite({ operation }) ? recorded() : client))
}

/** A client that carries out each operation by the one that is chosen for it. */
function choosing(
  { prepare }: Client,
  clientFor: (operation: Operation) => Promise<Pick<Client, 'call' | 'record'>>,
): Client {
  return {
    prepare,
    call: async (operation, request) => (await clientFor(operation)).call(operation, request),
    record: async (operation, request) => (await clientFor(operation)).record(operation, request),
  }
}

/** Shows a text that does not fit the screen, with the lines below it and the prompt, in the pager. Returns whether it was shown. */
async function pageOnTerminal(context: Context, text: string, below: number) {
  const { env, stdout } = context.host
  const room = (stdout.rows || Number.POSITIVE_INFINITY) - below - 1
  const { fitsInto } = await import('../render/text/wrap-text.ts')
  if (fitsInto(room, screenWidth(stdout), text)) return false
  const { choosePager, showInPager } = await import('./pager.ts')
  const pager = choosePager(env)
  return pager !== undefined && showInPager(pager, text, context)
}

/** The writes of a run, which its history notes as well. That is loaded with the first write: a list keeps no history. */
function noteWrites(run: Omit<RecordingRun, 'origins'>) {
  const tracker = trackWrites()
  let recorder: Promise<WriteRecorder> | undefined
  /** The origin of each profile that was called, by its name. */
  const origins = new Map<string, string>()
  const openRecorder = () => {
    recorder ??= import('./record-writes.ts').then(({ createWriteRecorder }) =>
      createWriteRecorder({ ...run, origins }),
    )
    return recorder
  }
  const noteWith = (note: (recorder: WriteRecorder) => void) => {
    recorder = recorder?.then((each) => {
      note(each)
      return each
    })
  }
  const writes: WriteTracker = {
    ...tracker,
    settled(outcome, record, one) {
      if (!one) tracker.settled(outcome)
      if (one?.isEarlier) openRecorder()
      noteWith((each) => each.settled(outcome, record, one?.isEarlier))
    },
  }
  return {
    writes,
    openRecorder,
    addOrigin: (profile: string, origin: string) => void origins.set(profile, origin),
    finish: async () => (await recorder)?.finish(),
  }
}

/**
 * The same client, from whose answers is learned what the service shows. What a list alone would teach is not worth what the
 * loading costs a list in cron: lists are learned from where a record is read or written too, or what is known is asked for.
 */
function learningFrom(client: Client, open: () => Promise<ServiceKnowledge>, isOpen: () => boolean): Client {
  const learning = once(async () => (await open()).learning(client))
  return choosing(client, async ({ response, requestRecord }) => {
    const isRecord = requestRecord !== undefined || (response.kind === 'one' && response.type !== undefined)
    return isRecord || isOpen() ? learning() : client
  })
}

/**
 * The day of a time, YYYY-MM-DD, in London and Dublin, whose clocks agree all year. In UTC it would be yesterday for an hour of each
 * summer night, and by the clock of the computer that of a server, or of a colleague abroad. Summer time is counted here, because
 * the tables of `Intl` take 20 ms to load: from 1:00 UTC of the last Sunday of March to that of October (Summer Time Order 2002;
 * Standard Time (Amendment) Act 1971).
 */
function dayAt(ms: number): string {
  const year = new Date(ms).getUTCFullYear()
  const isSummer = ms >= lastSunday(year, 'March') && ms < lastSunday(year, 'October')
  return new Date(ms + (isSummer ? hourMs : 0)).toISOString().slice(0, 10)
}

const hourMs = 60 * 60 * 1000

/** 1:00 UTC of the last Sunday of a month of 31 days. */
function lastSunday(year: number, month: 'March' | 'October'): number {
  const last = Date.UTC(year, month === 'March' ? 2 : 9, 31, 1)
  return last - new Date(last).getUTCDay() * 24 * hourMs
}

/** What the services of the profiles show, each opened once. */
function openKnowledgeOnce(directory: () => Promise<string>) {
  const opened = new Map<string, Promise<ServiceKnowledge>>()
  return {
    knowledgeOf({ name, origin = '' }: Profile): Promise<ServiceKnowledge> {
      const service = `${name} ${origin}`
      const known =
        opened.get(service) ??
        import('../write/service-knowledge.ts').then(({ openKnowledge }) => openKnowledge(directory, service))
      opened.set(service, known)
      return known
    },
    isKnowledgeOpen: () => opened.size > 0,
    async saveKnowledge() {
      for (const known of opened.values()) await (await known).save()
    },
  }
}

type OutFile = Writable & Pick<AtomicFile, 'finish' | 'discard'>

/**
 * A stream that becomes a file when it is finished, whole or not at all, and replaces an existing one. The file is
 * opened at the first write, and little is held in memory.
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
  let finished: Promise<void> | undefined
  return Object.assign(stream, {
    async finish() {
      finished ??= file().then((whole) => whole.finish())
      await finished
    },
    discard: async () => (await opened?.catch(() => undefined))?.discard(),
  })
}
