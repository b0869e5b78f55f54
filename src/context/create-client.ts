import { type CallEvent, type CallRequest, type Client, createClient } from '../api/client.ts'
import type { Authorization, Fetch } from '../api/http/attempt.ts'
import { createTransport, keptAlive, never } from '../api/http/transport.ts'
import {
  type Access,
  type Profile,
  readOnlyFailure,
  requireBaseUrl,
  requireKey,
} from '../credentials/profile.ts'
import { Failure, usage } from '../errors.ts'
import { requireUsable } from '../model/resources/route-correction.ts'
import type { Secrets } from '../secrets.ts'
import { formatDuration } from '../text/duration.ts'
import type { RedactingHost } from './host.ts'
import { hintsFor } from './profile-hints.ts'
import { routesInForce } from './routes-in-force.ts'

export interface ConnectOptions {
  readonly host: RedactingHost
  readonly version: string
  readonly directory: () => Promise<string>
  readonly timeoutMs: number
  readonly attempts?: number
  readonly retryForMs: number
  /** Sends requests without a key where there is none, as at the first sign-in. */
  readonly withoutKey?: boolean
  /** False: an expired token is not refreshed. */
  readonly refresh?: boolean
  /** Allows failures to repeat sensitive values of the request. */
  readonly reveal: boolean
  readonly note: (line: string) => void
  /** The run does not end before this has ended. */
  readonly finishFirst: (work: Promise<unknown>) => void
  /** Aborted when the run is over: no read is sent any more, and none keeps the process alive. */
  readonly over: AbortSignal
  readonly onTrackedEvent: (event: CallEvent) => void
  readonly debug?: (line: string) => void
  readonly onEvent?: (event: CallEvent) => void
}

/** The client of a profile: over the network, or of the sandbox inside this process. */
export async function createClientOf(profile: Access, options: ConnectOptions): Promise<Client> {
  const client = await createUnredacted(profile, options)
  return options.reveal ? client : redactErrors(client)
}

async function createUnredacted(profile: Access, options: ConnectOptions): Promise<Client> {
  const { over, host } = options
  const { env, monotonicNow, secrets } = host
  const { readOnly, name } = profile
  const { prefix, routes } = routesInForce(profile)
  const shared = {
    prefix,
    userAgent: userAgentOf(host, options.version),
    corrections: requireUsable(routes),
    monotonicNow,
    async sleep(ms: number) {
      await host.sleep(ms, over)
      if (over.aborted) await never
    },
    redact: secrets.redact,
    random: Math.random,
    timeoutMs: options.timeoutMs,
    attempts: options.attempts,
    retryForMs: options.retryForMs,
    refuseWrites: readOnly && (() => readOnlyFailure(name, readOnly)),
    hints: hintsFor(profile, host),
    onEvent: createListener(options),
  }
  if (profile.kind === 'sandbox') {
    const [{ openSandbox }, { createDirectory }] = await Promise.all([
      import('../sandbox/create-sandbox.ts'),
      import('../files/local/private-directory.ts'),
    ])
    const directory = await options.directory()
    await createDirectory(directory)
    const { application, baseUrl, key } = await openSandbox(directory, host.now)
    const authorization = async () => bareKey(key)
    return createClient({ ...shared, baseUrl, authorization, fetch: inProcessFetch(application) })
  }
  const baseUrl = requireBaseUrl(profile)
  // With this setting Node accepts any certificate, so the key could go to an attacker in between.
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0' && baseUrl.startsWith('https:'))
    throw usage(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the certificate check.',
      'Unset it. If the certificate comes from your own authority, name its file in NODE_EXTRA_CA_CERTS.',
    )
  const address = new URL(baseUrl)
  const secureContext = await secureContextFor(profile, address, host)
  const isProxied = Object.keys(env).some((name) => /^(https|all)_proxy$/i.test(name))
  const proxies = isProxied ? await import('../api/http/proxy.ts') : undefined
  const agent = await proxies?.proxyAgentFor(address, env, secrets.hide, { ...keptAlive, secureContext })
  const fetch = createTransport(address.origin, { agent, secureContext, over })
  const present = await presenterOf(profile, secrets)
  if (profile.token && options.refresh !== false) {
    const { renewingClient } = await import('../credentials/token.ts')
    const { directory, debug, finishFirst } = options
    const onRefreshEvent = (event: CallEvent) => debug?.(describeEvent(event))
    return renewingClient(
      { ...profile, origin: address.origin },
      { ...shared, baseUrl, fetch },
      { now: host.now, hide: secrets.hide, env, directory, present, onRefreshEvent, finishFirst },
    )
  }
  if (options.withoutKey && profile.key === undefined)
    return createClient({ ...shared, baseUrl, authorization: async () => undefined, fetch })
  const key = requireKey(profile, host.now())
  return createClient({ ...shared, baseUrl, authorization: async () => present(key), fetch })
}

async function secureContextFor({ name, certificates }: Profile, { origin }: URL, host: RedactingHost) {
  if (certificates?.origin !== origin) return undefined
  const { secureContextOf } = await import('../credentials/certificates.ts')
  return secureContextOf(name, certificates, host)
}

/** "Requests carry the header `Authorization` with an API key value". */
const bareKey = (key: string): Authorization => ({ header: 'Authorization', value: key, key })

/** How the profile presents a key. The word of the header with the key in it is as much a secret as the key. */
async function presenterOf(profile: Profile, { hide }: Secrets): Promise<(key: string) => Authorization> {
  if (!profile.authorization) return bareKey
  const { authorizationOf, presentKey } = await import('../credentials/authorization.ts')
  const form = authorizationOf(profile)
  return (key) => {
    const presented = presentKey(form, key)
    hide(presented.value.split(' ').find((word) => word.includes(key)) ?? key)
    return presented
  }
}

const noticeAfterMs = 1000

function createListener({ note, onTrackedEvent, debug, onEvent }: ConnectOptions) {
  return (event: CallEvent) => {
    onTrackedEvent(event)
    onEvent?.(event)
    if (event.type === 'pause' && event.ms >= noticeAfterMs)
      note(
        `${reasonsOfPause[event.why] ?? `The service answered ${event.why}`}; trying again in ${formatDuration(event.ms)}.`,
      )
    debug?.(describeEvent(event))
  }
}

/** `payroll/0.2.0 (linux; Node 20.19.4; 1a2b3c4d)`: for the people who run the service, and for a firewall that wants one. */
function userAgentOf({ node, commit, platform = process.platform }: RedactingHost, version: string): string {
  const about = [platform, node && `Node ${node}`, commit].filter(Boolean)
  return `payroll/${version} (${about.join('; ')})`
}

const reasonsOfPause: Readonly<Record<string, string>> = {
  connect: 'No connection to the service',
  timeout: 'The service did not answer in time',
  reset: 'The connection to the service was lost',
}

/**
 * A client whose failures have no sensitive values: a service may quote what it refuses, and messages get into logs.
 */
function redactErrors(client: Client): Client {
  const rethrow = async (error: unknown, { query, body }: CallRequest = {}) => {
    if (!(error instanceof Failure)) throw error
    const { maskValuesIn } = await import('../render/text/mask.ts')
    const masked = maskValuesIn([query, body])
    const { hint, issues, requestId } = error.details
    throw error.with({
      message: masked(error.message),
      hint: hint && masked(hint),
      requestId: requestId && masked(requestId),
      issues: issues?.map(({ path, message }) => ({ path: masked(path), message: masked(message) })),
    })
  }
  return {
    ...client,
    call: (operation, request) =>
      client.call(operation, request).catch((error: unknown) => rethrow(error, request)),
  }
}

/** An event of a call as --debug prints it: method, path and page, and how it ended after how long. */
function describeEvent(event: CallEvent): string {
  const { method, path, page } = event
  const request = `${method} ${path}${page === undefined ? '' : ` page ${page}`}`
  if (event.type === 'request') return `> ${request}`
  const ms = `${Math.round(event.ms)} ms`
  if (event.type === 'answer') {
    return `< ${event.status} ${request} in ${ms}${event.requestId ? `, request ${event.requestId}` : ''}`
  }
  return event.type === 'lost'
    ? `< no answer (${event.why}) ${request} after ${ms}`
    : `  again in ${ms} (${event.why})`
}

/** An application inside this process as the `fetch` of a client, without a socket. */
export function inProcessFetch(
  application: (request: globalThis.Request) => globalThis.Response | Promise<globalThis.Response>,
): Fetch {
  return async (request) => {
    const { url, method, headers, signal } = request
    const content = await request.arrayBuffer()
    const body = content.byteLength > 0 ? content : null
    // The build replaces `globalThis.Request` with a lighter one, and the application takes Node's own.
    const response = await application(new Request(url, { method, headers: [...headers], body, signal }))
    const bytes = new Uint8Array(await response.arrayBuffer())
    const { status } = response
    return new globalThis.Response(bytes.byteLength > 0 ? bytes : null, {
      status,
      headers: [...response.headers],
    })
  }
}
