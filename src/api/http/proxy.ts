import type { Agent, AgentOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Environment } from '../../environment.ts'
import { usage } from '../../errors.ts'

/** The variables that name a proxy for https (the first that is set counts), and those that list exceptions. */
export const proxyVariables = {
  proxy: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  except: ['no_proxy', 'NO_PROXY'],
} as const

/** How often to check whether a request was abandoned while it is still connecting. */
const checkEveryMs = 100

/** The proxy refused the connection, so no byte of the request was sent. Carries no credentials. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'
  /** Host and port of the proxy. */
  readonly proxy: string
  /** The status of its response, such as 407, or the system's error code when there was none. */
  readonly code: string

  constructor(proxy: string, code: string) {
    super('The proxy refused the connection.')
    this.proxy = proxy
    this.code = code
  }
}

/**
 * The agent for the proxy in HTTPS_PROXY; undefined for a direct connection, as always to this machine. The
 * key goes through a tunnel that is encrypted for the service, whose `secureContext` the proxy does not get.
 * A request fails with ProxyRefused when the proxy is why the service was not reached. `hide` receives its
 * password. Throws a usage failure for an unusable proxy.
 */
export async function proxyAgentFor(
  url: URL,
  env: Environment,
  hide: (secret: string) => void,
  { secureContext, ...options }: AgentOptions & { readonly secureContext?: SecureContext | undefined } = {},
): Promise<Agent | undefined> {
  // Without a proxy, do not load the packages for one.
  const written = proxyVariables.proxy.map((name) => env[name]).find((value) => value)
  if (!written || isThisMachine(url.hostname) || isExcepted(url.hostname, env)) return undefined
  const { getProxyForUrl } = await import('proxy-from-env')
  if (getProxyForUrl(url.href) === '') return undefined
  const { proxy, headers } = readProxy(written, hide)
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  const agent = new HttpsProxyAgent(proxy, { ...options, headers })
  const { connectOpts } = agent
  const connect = agent.connect.bind(agent)
  agent.connect = async (request, target) => {
    const abandoned = new AbortController()
    // A request without a socket emits nothing when it is abandoned, so its connection attempt would go on.
    const watch = setInterval(() => request.destroyed && abandoned.abort(), checkEveryMs)
    let status = 0
    request.once('proxyConnect', (answer: { statusCode: number }) => {
      status = answer.statusCode
    })
    try {
      agent.connectOpts = { ...connectOpts, signal: abandoned.signal }
      const opened = connect(request, target.secureEndpoint ? { ...target, secureContext } : target)
      const socket = await opened.catch((error: NodeJS.ErrnoException) => {
        throw new ProxyRefused(proxy.host, error.code ?? 'ENDED')
      })
      if (status === 200) return await waitForTls(socket)
      // The proxy's own error page would be read as a response of the service.
      socket.destroy()
      throw new ProxyRefused(proxy.host, String(status))
    } finally {
      clearInterval(watch)
    }
  }
  return agent
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

/** Whether NO_PROXY covers the host: example.com also covers www.example.com, as in curl and Go. */
function isExcepted(hostname: string, env: Environment): boolean {
  const listed = proxyVariables.except.map((name) => env[name]).find((value) => value) ?? ''
  return listed
    .toLowerCase()
    .split(/[\s,]+/)
    .some(
      (name) =>
        /^[a-z\d.-]+[a-z]$/.test(name) &&
        `.${hostname.toLowerCase()}`.endsWith(`.${name.replace(/^\./, '')}`),
    )
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The proxy that a variable names, or why it cannot be used. Without a scheme it is http, as other tools take it. */
export function proxyIn(written: string): URL | string {
  const text = written.includes('://') ? written : `http://${written}`
  if (!URL.canParse(text)) return 'is not an address'
  const proxy = new URL(text)
  if (/^https?:$/.test(proxy.protocol)) return proxy
  return `uses ${proxy.protocol.slice(0, -1)}, which payroll does not support`
}

/** The proxy address without its credentials, which DEBUG=* would print, and the header made from them. */
function readProxy(written: string, hide: (secret: string) => void) {
  const proxy = proxyIn(written)
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
