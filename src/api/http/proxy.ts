import type { Agent, AgentOptions } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Environment } from '../../environment.ts'
import { usage } from '../../errors.ts'
import {
  askForAuthority,
  connectionCode,
  isCertificateError,
  whyNotConnected,
} from '../../text/connection-codes.ts'
import { ConnectionLost, type ProxyRefusal } from './attempt.ts'

/** The variables that name a proxy for https (the first that is set counts), and those that list exceptions. */
export const proxyVariables = {
  proxy: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  except: ['no_proxy', 'NO_PROXY'],
} as const

/** How often to check whether a request was abandoned while it is still connecting. */
const checkEveryMs = 100

/** An agent for connections through a proxy, whose address has no credentials. */
export type ProxyAgent = Agent & { readonly proxy: URL }

/**
 * The agent for the proxy in HTTPS_PROXY; undefined for a direct connection, as always to this machine. The
 * key goes through a tunnel that is encrypted for the service, whose `secureContext` the proxy does not get.
 * A request fails with a ConnectionLost that has a `refusal` when the proxy is why the service was not
 * reached. `hide` receives its password. Throws a usage failure for an unusable proxy.
 */
export async function proxyAgentFor(
  url: URL,
  env: Environment,
  hide: (secret: string) => void,
  { secureContext, ...options }: AgentOptions & { readonly secureContext?: SecureContext | undefined } = {},
): Promise<ProxyAgent | undefined> {
  const address = proxyFor(url, env)
  if (address === undefined) return undefined
  const { proxy, headers } = readProxy(address, hide)
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  const agent = new HttpsProxyAgent(proxy, { ...options, headers })
  const { connectOpts } = agent
  const connect = agent.connect.bind(agent)
  agent.connect = async (request, target) => {
    const abandoned = new AbortController()
    // A request without a socket emits nothing when it is abandoned, so its connection attempt would go on.
    const watch = setInterval(() => request.destroyed && abandoned.abort(), checkEveryMs)
    let answer: ConnectAnswer | undefined
    request.once('proxyConnect', (connected: ConnectAnswer) => {
      answer = connected
    })
    try {
      agent.connectOpts = { ...connectOpts, signal: abandoned.signal }
      const opened = connect(request, target.secureEndpoint ? { ...target, secureContext } : target)
      const socket = await opened.catch((error: NodeJS.ErrnoException) => {
        throw lostBefore(proxy, connectionCode(error))
      })
      if (answer?.statusCode === 200) return await waitForTls(socket)
      // The proxy's own error page would be read as a response of the service.
      socket.destroy()
      throw lostBy(proxy, url.origin, answer)
    } finally {
      clearInterval(watch)
    }
  }
  return agent
}

/** The head of a proxy's answer to CONNECT. */
interface ConnectAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The proxy is why no byte of the request was sent. */
function lostAt({ host }: URL, cause: string, why: string, first: string, code: ProxyRefusal['code']) {
  const message = `No connection through the proxy ${host}: ${why}.`
  const hint = `${first} If the service is reached without a proxy, add it to NO_PROXY.`
  return new ConnectionLost('connect', { sent: false, cause, proxy: host, refusal: { code, message, hint } })
}

/** The proxy gave no answer. */
function lostBefore(proxy: URL, code = ''): ConnectionLost {
  const why = whyNotConnected(code) ?? (code || 'it ended the connection without an answer')
  if (!isCertificateError(code)) return lostAt(proxy, code, why, 'Check HTTPS_PROXY.', 'temporary')
  const trustHint = `${askForAuthority}, and name it in NODE_EXTRA_CA_CERTS.`
  return lostAt(proxy, code, why, trustHint, 'usage')
}

/** The proxy, and not the service, has said no. RFC 9110 has 407; some answer a wrong name or password with 401. */
function lostBy(proxy: URL, origin: string, answer: ConnectAnswer | undefined) {
  const { statusCode: status = 0, headers = {} } = answer ?? {}
  if (status !== 407 && status !== 401) {
    const why = status
      ? `it refused to connect to ${origin} (${status})`
      : 'its answer is not that of a proxy'
    const hint = `Check HTTPS_PROXY, or ask your IT department to let this computer reach ${origin} through it.`
    return lostAt(proxy, `${status || ''}`, why, hint, 'temporary')
  }
  const ways = [headers['proxy-authenticate'] ?? []].flat().flatMap((way) => way.match(/^[\w-]{1,20}/) ?? [])
  const wants = `it wants a user name and a password, or others (${[status, ...ways].join(', ')})`
  const hint =
    'Set them in HTTPS_PROXY: http://name:password@host:port. payroll says them in one way only (Basic): if it takes another, ask your IT department.'
  return lostAt(proxy, `${status}`, wants, hint, 'usage')
}

/** Waits for the TLS handshake with the service: until then no byte of a request is sent. */
function waitForTls(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(Object.assign(new Error('hung up'), { code: 'ECONNRESET' }))
    socket.once('error', reject).once('close', onClose)
    socket.once('secureConnect', () => {
      socket.off('error', reject).off('close', onClose)
      resolve(socket)
    })
  })
}

/** The proxy for an address, as the environment names it; undefined where it is reached without one. */
export function proxyFor(url: URL, env: Environment): string | undefined {
  if (isThisMachine(url.hostname) || isExcepted(url, env)) return undefined
  return proxyVariables.proxy.map((name) => env[name]).find((value) => value)
}

/** Whether NO_PROXY covers the address: example.com also covers www.example.com, as in curl and Go. */
function isExcepted({ hostname, port }: URL, env: Environment): boolean {
  const exceptions = proxyVariables.except.map((name) => env[name]).find((value) => value) ?? ''
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((exception) => {
      // A URL has an IPv6 address in brackets; without them its end would be taken for a port.
      const entry = isIPv6(exception) ? `[${exception}]` : exception
      const [, host = '', only = port || '443'] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      // A number of an address has no names below it.
      const isBelow = /[a-z]$/.test(host) && hostname.endsWith(`.${host}`)
      return entry === '*' || ((hostname === host || isBelow) && only === (port || '443'))
    })
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The proxy that a variable names, or why it cannot be used. Without a scheme it is http, as other tools take it. */
export function proxyIn(address: string): URL | string {
  const text = address.includes('://') ? address : `http://${address}`
  if (!URL.canParse(text)) return 'is not an address'
  const proxy = new URL(text)
  if (/^https?:$/.test(proxy.protocol)) return proxy
  return `uses ${proxy.protocol.slice(0, -1)}, which payroll does not support`
}

/** The proxy address without its credentials, which DEBUG=* would print, and the header made from them. */
function readProxy(address: string, hide: (secret: string) => void) {
  const proxy = proxyIn(address)
  if (typeof proxy === 'string') throw unusableProxy(proxy)
  const { username, password } = proxy
  proxy.username = ''
  proxy.password = ''
  if (!username && !password) return { proxy, headers: {} }
  hide(password)
  try {
    hide(decodeURIComponent(password))
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    return { proxy, headers: { 'Proxy-Authorization': basic } }
  } catch {
    throw unusableProxy('has an invalid % escape in its user name or password')
  }
}

/** Does not repeat the address: it may contain a password. */
function unusableProxy(why: string) {
  return usage(
    `The proxy address in the environment ${why}.`,
    'Set HTTPS_PROXY to http://host:port, or name the service in NO_PROXY.',
  )
}
