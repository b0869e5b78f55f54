import type { Client } from '../api/client.ts'
import type { Profile } from '../credentials/profile.ts'
import { defaults } from '../defaults.ts'
import type { Environment } from '../environment.ts'
import { usage } from '../errors.ts'
import { isWrite, type Operation } from '../model/records/operation.ts'
import { once, onceForText } from '../once.ts'
import { safeText } from '../render/text/safe-text.ts'
import { readDuration } from '../text/duration.ts'
import type { ServiceKnowledge } from '../write/service-knowledge.ts'
import { isTerminal } from './choose-format.ts'
import type { Context } from './context.ts'
import type { RecordingRun, WriteRecorder } from './create-write-recorder.ts'
import type { RedactingHost } from './host.ts'
import { trackWrites } from './write-tracker.ts'

interface Caller
  extends Pick<Context, 'host' | 'options' | 'version' | 'command' | 'interactive' | 'note' | 'warn'> {
  /** Says that nothing is configured, and so nothing real is reached. */
  readonly caution: (text: string) => void
  readonly debug: ((line: string) => void) | undefined
  /** Aborted when the run is over. */
  readonly over: AbortSignal
}

/**
 * Connects a run to services: settings, profiles, keys and clients. The history notes what the clients write,
 * and payroll learns from what they are answered.
 */
export function connect(caller: Caller) {
  const { host, options, version, command, interactive, note, warn, debug, over } = caller
  const { env, secrets } = host
  const { directory, directoryIfAny, settings } = storedSettings(host, warn)
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
    if (resolved.source.profile === 'built in') {
      caller.caution('Sandbox: nothing is configured, so nothing reaches a real service.')
    }
    if (env.PAYROLL_EMPTY_FIELDS && resolved.emptyFields)
      (await import('../write/at-risk.ts')).readEmptyFields(resolved.emptyFields)
    if (!env.PAYROLL_ROUTES) return resolved
    const { withGivenRoutes } = await import('./routes-in-force.ts')
    return withGivenRoutes(resolved, env)
  })
  const withKey: Context['withKey'] = async (profile) => {
    const keys = await import('../credentials/keys.ts')
    return keys.withKey(profile, { ...place, settings, hide: secrets.hide })
  }
  const { knowledgeOf, isKnowledgeOpen, saveKnowledge } = openKnowledgeOnce(directory)
  const unfinished = new Set<Promise<unknown>>()
  const clientOf: Context['clientOf'] = async (profile, more) => {
    const { createClientOf } = await import('./create-client.ts')
    const client = await createClientOf(profile, {
      host,
      version,
      directory,
      note,
      over,
      finishFirst(work) {
        unfinished.add(work)
        const forget = () => void unfinished.delete(work)
        work.then(forget, forget)
      },
      onTrackedEvent: writes.onEvent,
      timeoutMs: (options.timeout ?? defaults.timeout) * 1000,
      retryForMs:
        options.retryFor ??
        retryForIn(env) ??
        defaults[isTerminal(host.stderr) ? 'readAgainForPerson' : 'readAgain'] * 1000,
      reveal: options.reveal ?? false,
      ...(debug && { debug }),
      ...more,
    })
    const { name, origin = '' } = profile
    addOrigin(name, origin)
    const secret = once(async () => (await import('../credentials/mark-key.ts')).sealSecret(place, profile))
    // Around the client that calls is one that notes each write in the history, loaded at the first.
    const recorded = once(async () => (await openRecorder()).recorded(client, { name, origin, secret }))
    return choosing(client, async (operation) => (isWrite(operation) ? recorded() : client))
  }
  const access = once(async () => withKey(await profile()))
  const client = once(async () => {
    const signedIn = await access()
    const recording = await clientOf(signedIn)
    // Around both is one that learns from the answers. The sandbox shows every field, so there is nothing to learn.
    return signedIn.kind === 'sandbox'
      ? recording
      : learningFrom(recording, () => knowledgeOf(signedIn), isKnowledgeOpen)
  })
  return {
    directory,
    directoryIfAny,
    place,
    settings,
    writes,
    profile,
    access,
    withKey,
    client,
    clientOf,
    knowledgeOf,
    facts: once(async () => (await import('./facts/own-facts.ts')).factsInForce(await directoryIfAny())),
    knowledge: async () => knowledgeOf(await profile()),
    async changeProfile(name, change) {
      const { changeProfile } = await import('../credentials/keys.ts')
      for (const warning of await changeProfile(place, name, change)) warn(warning)
    },
    /** Waits until a token that is refreshed is stored, the history has what became of every write, and what was learned is on the disk. */
    async settle() {
      if (unfinished.size > 0) warn(waitsForToken)
      await Promise.allSettled(unfinished)
      await finish()
      await saveKnowledge()
    },
  } satisfies Partial<Context> & { settle: () => Promise<void> }
}

/** The service may answer late, or never: a request for a token ends after half a minute. */
const waitsForToken =
  'waiting for the access token that is being refreshed, so that the sign-in is not lost. Press Ctrl-C again to stop at once.'

/** The settings, and the directory in which they and everything else is stored; looked up at the first use. */
function storedSettings({ env, secrets }: RedactingHost, warn: Context['warn']) {
  const places = () => import('../files/local/private-directory.ts')
  const directory = once(async () => (await places()).settingsDirectory(env))
  const directoryIfAny = once(async () => (await places()).settingsDirectoryIfAny(env))
  const settings = once(async () => {
    const { emptySettings, readSettings, storedSecrets } = await import('../credentials/settings.ts')
    const { clearLeftovers } = await import('../files/local/leftovers.ts')
    const folder = await directoryIfAny()
    if (folder === undefined) return emptySettings
    const { settings, warnings } = await readSettings(folder)
    clearLeftovers(folder)
    for (const secret of storedSecrets(settings)) secrets.hide(secret)
    for (const warning of warnings) warn(warning)
    return settings
  })
  return { directory, directoryIfAny, settings }
}

/**
 * The time in PAYROLL_RETRY_FOR, in milliseconds. An empty variable counts as unset. Throws a usage failure
 * for a text that is not a time.
 */
function retryForIn({ PAYROLL_RETRY_FOR: text }: Environment): number | undefined {
  const ms = text ? readDuration(text) : undefined
  if (text && ms === undefined)
    throw usage(`PAYROLL_RETRY_FOR is ${safeText(text)}, and must be a time, such as 90s, 2m or 0.`)
  return ms
}

/** A client that carries out each operation by the one that is chosen for it. */
function choosing(
  { prepare }: Client,
  clientFor: (operation: Operation) => Promise<Pick<Client, 'call'>>,
): Client {
  return {
    prepare,
    call: async (operation, request) => (await clientFor(operation)).call(operation, request),
  }
}

/** Tracks the writes of a run and notes them in the history, which is loaded with the first write. */
function noteWrites(run: Omit<RecordingRun, 'origins' | 'names'>) {
  let recorder: Promise<WriteRecorder> | undefined
  /** The origin of each profile that was called, by its name. */
  const origins = new Map<string, string>()
  const openRecorder = () => {
    recorder ??= import('./create-write-recorder.ts').then(({ createWriteRecorder }) =>
      createWriteRecorder({ ...run, origins, names: writes.names }),
    )
    return recorder
  }
  const writes = trackWrites((note, isFirst) => void (isFirst ? openRecorder() : recorder)?.then(note))
  return {
    writes,
    openRecorder,
    addOrigin: (profile: string, origin: string) => void origins.set(profile, origin),
    finish: async () => (await recorder)?.finish(),
  }
}

/**
 * A client from whose answers payroll learns what the service shows. A run that reads only lists does not
 * learn, because loading that would slow down a list in cron. Lists are learned from once a record is read or
 * written, or what is known is asked for.
 */
function learningFrom(client: Client, open: () => Promise<ServiceKnowledge>, isOpen: () => boolean): Client {
  const watched = once(async () => (await open()).watch(client))
  return choosing(client, async ({ response, requestRecord }) => {
    const isRecord = requestRecord !== undefined || (response.kind === 'one' && response.type !== undefined)
    return isRecord || isOpen() ? watched() : client
  })
}

function openKnowledgeOnce(directory: () => Promise<string>) {
  const all = new Set<Promise<ServiceKnowledge>>()
  const open = onceForText(async (service) => {
    const { openKnowledge } = await import('../write/service-knowledge.ts')
    return openKnowledge(directory, service)
  })
  return {
    async knowledgeOf({ name, origin = '' }: Profile): Promise<ServiceKnowledge> {
      const knowledge = open(`${name} ${origin}`)
      all.add(knowledge)
      return knowledge
    },
    isKnowledgeOpen: () => all.size > 0,
    async saveKnowledge() {
      for (const knowledge of all) await (await knowledge).save()
    },
  }
}
