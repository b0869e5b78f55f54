import type { Agent, AgentOptions } from 'node:http'
import type { Socket } from 'node:net'
import { usage } from '../../errors.ts'

/** The variables that name a proxy for https, the first that is set before the others, and those that except hosts. */
export const proxyVariables = {
  proxy: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  except: ['no_proxy', 'NO_PROXY'],
} as const

/** So often it is looked whether a connection on its way is still wanted, in milliseconds. */
const lookEveryMs = 100

/** The proxy let nothing through: no byte of the request has left. Carries no credentials. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'
  /** Host and port of the proxy. */
  readonly proxy: string
  /** The status of its answer, such as 407; the system's own code where it did not answer. */
  readonly code: string

  constructor(proxy: string, code: string) {
    super('The proxy let nothing through.')
    this.proxy = proxy
    this.code = code
  }
}

/**
 * The agent that leads to a service through the proxy that HTTPS_PROXY names, unless NO_PROXY excepts the host;
 * undefined for the direct way. This machine itself is never reached through a proxy. The key goes through the
 * tunnel, encrypted for the service: the proxy is told a host and a port, and its own credentials.
 *
 * A request of the agent has a socket once the service itself has been reached; it fails with ProxyRefused when the
 * proxy is the reason that it was not. `keep` is told the proxy's password. Throws a usage failure for a proxy that
 * cannot be used.
 */
export async function proxyAgentFor(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
  keep: (secret: string) => void,
  options: AgentOptions = {},
): Promise<Agent | undefined> {
  // Where none is set, nothing is loaded to find a proxy.
  if (!proxyVariables.proxy.some((name) => env[name]) || isThisMachine(url.hostname)) return undefined
  const { getProxyForUrl } = await import('proxy-from-env')
  const named = getProxyForUrl(url.href)
  if (named === '') return undefined
  const { proxy, headers } = readProxy(named, env, keep)
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  const agent = new HttpsProxyAgent(proxy, { ...options, headers })
  const { connectOpts } = agent
  const connect = agent.connect.bind(agent)
  agent.connect = async (request, target) => {
    const givenUp = new AbortController()
    // A request that has no socket yet tells nobody that it was given up, and what it waits for goes on.
    const watch = setInterval(() => request.destroyed && givenUp.abort(), lookEveryMs)
    let status = 0
    request.once('proxyConnect', (answer: { statusCode: number }) => {
      status = answer.statusCode
    })
    try {
      agent.connectOpts = { ...connectOpts, signal: givenUp.signal }
      const socket = await connect(request, target).catch((error: NodeJS.ErrnoException) => {
        throw new ProxyRefused(proxy.host, error.code ?? 'ENDED')
      })
      if (status === 200) return await secured(socket)
      // The words of the proxy would be read as those of the service.
      socket.destroy()
      throw new ProxyRefused(proxy.host, String(status))
    } finally {
      clearInterval(watch)
    }
  }
  return agent
}

/** The socket once the service has shown its certificate: until then no byte of a request has left. */
function secured(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const hungUp = () => reject(Object.assign(new Error('hung up'), { code: 'ECONNRESET' }))
    socket.once('error', reject).once('close', hungUp)
    socket.once('secureConnect', () => {
      socket.off('error', reject).off('close', hungUp)
      resolve(socket)
    })
  })
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Its address without the credentials, which DEBUG=* would print, and the header that they become. */
function readProxy(
  named: string,
  env: Readonly<Record<string, string | undefined>>,
  keep: (secret: string) => void,
) {
  // Without a scheme it is taken for one like the address's own; everybody else takes it for http.
  const bare = named.startsWith('https://') ? named.slice('https://'.length) : undefined
  const text = bare && proxyVariables.proxy.some((name) => env[name] === bare) ? `http://${bare}` : named
  if (!URL.canParse(text)) throw unusable('is not an address')
  const proxy = new URL(text)
  if (!/^https?:$/.test(proxy.protocol)) throw unusable(`speaks ${proxy.protocol.slice(0, -1)}`)
  const { username, password } = proxy
  proxy.username = ''
  proxy.password = ''
  if (!username && !password) return { proxy, headers: {} }
  keep(password)
  try {
    keep(decodeURIComponent(password))
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    return { proxy, headers: { 'Proxy-Authorization': basic } }
  } catch {
    throw unusable('has credentials with a % that stands for nothing')
  }
}

/** Without the address: it may hold a password. */
function unusable(why: string) {
  return usage(
    `The proxy that the environment names ${why}. Nothing was sent.`,
    'Set HTTPS_PROXY to http://host:port, or name the service in NO_PROXY.',
  )
}
