import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../src/api/http/proxy.ts'
import { closedPort, listening } from '../api/http/ports.ts'
import { freshHome, payroll } from '../payroll.ts'
import { run } from './built.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url))
const pem = (name: string) => readFileSync(fixture(name))

const list = ['--quiet', 'candidates', 'list']
const create = ['--quiet', 'candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York']

const address = 'https://payroll.example.com'

const runHere = (argv: readonly string[], { home = '', ...env }: Readonly<Record<string, string>>) =>
  payroll(argv, { home, env: { PAYROLL_RETRY_FOR: '0', ...env } })

/** The home of somebody whose profile leads to an address, and trusts the authority of these tests. */
function homeAt(baseUrl = address): string {
  const home = freshHome()
  const profile = { baseUrl, certificateAuthority: fixture('authority') }
  const keys = { acme: { origin: baseUrl, key: 'CANARYkey0000' } }
  const settings = { default: 'acme', profiles: { acme: profile }, keys }
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 })
  return home
}

/** The service, under a name that only the proxy can look up. */
async function farAway(certificate = 'another-name', pages = 0) {
  const heard: string[] = []
  const server = createServer({ key: pem('key'), cert: pem(certificate) }, (request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'))
    const data = page > pages ? [] : [...Array(100).keys()].map((n) => ({ id: `id-${page}-${n}` }))
    if (request.method === 'POST') return response.writeHead(201).end()
    response.end(JSON.stringify({ data, totalDocs: 100 * pages }))
  })
  server.on('tlsClientError', () => {})
  return { port: await listening(server), heard }
}

/** A proxy that leads every CONNECT to this port, or answers with a status; `asked` is all that it is told. */
async function proxyTo(port: number, status?: number, asks = '') {
  const asked: { line: string; headers: string[] }[] = []
  const server = createHttpServer((request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders })
    response.writeHead(400).end()
  })
  server.on('connect', (request, socket, head) => {
    asked.push({ line: `CONNECT ${request.url}`, headers: request.rawHeaders })
    socket.on('error', () => {})
    if (status)
      return socket.end(`HTTP/1.1 ${status} No\r\n${asks}Content-Type: text/html\r\n\r\n<h1>No</h1>`)
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.write(head)
      there.pipe(socket).pipe(there)
    })
    there.on('error', () => socket.destroy())
  })
  const host = `127.0.0.1:${await listening(server)}`
  return { asked, host, url: `http://${host}` }
}

/** The service behind a proxy, and a run that is told of it. */
async function behindProxy({
  certificate = 'another-name',
  pages = 0,
  status,
  asks,
}: {
  certificate?: string
  pages?: number
  status?: number
  asks?: string
} = {}) {
  const service = await farAway(certificate, pages)
  const proxy = await proxyTo(service.port, status, asks)
  const runThrough = (argv: readonly string[], env: Record<string, string> = {}) =>
    runHere(argv, { home: homeAt(), HTTPS_PROXY: proxy.url, ...env })
  return { ...service, proxy, runThrough, withPassword: { HTTPS_PROXY: `http://ann:CANARYpw@${proxy.host}` } }
}

describe('through a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])(
    'that %s names goes a request, and its key to the service alone',
    async (name) => {
      const { heard, proxy } = await behindProxy()
      const ended = await runHere(list, { home: homeAt(), [name]: proxy.url })
      expect(ended).toMatchObject({ code: 0, out: '[]\n', err: '' })
      expect(heard).toEqual(['GET /svc/candidates?page=1&size=100 CANARYkey0000'])
      expect(proxy.asked.map(({ line }) => line)).toEqual(['CONNECT payroll.example.com:443'])
      expect(JSON.stringify(proxy.asked)).not.toMatch(/CANARY|authorization/i)
    },
  )

  test('goes a long list whole, page after page by the same few tunnels', async () => {
    const { heard, proxy, runThrough } = await behindProxy({ pages: 12 })
    const { code, out } = await runThrough(list)
    expect([code, new Set(JSON.parse(out).map(({ id }: { id: string }) => id)).size]).toEqual([0, 1200])
    // And what lies behind the last page, which is full, and the first page once more.
    expect(heard).toHaveLength(14)
    expect(proxy.asked.length).toBeLessThan(10)
  })

  test.each([
    ['goes a write, once', (host: string) => `http://${host}`],
    ['named without a scheme goes plain HTTP, as everywhere', (host: string) => host],
  ])('%s', async (_, addressOf) => {
    const { heard, proxy, runThrough } = await behindProxy()
    expect((await runThrough(create, { HTTPS_PROXY: addressOf(proxy.host) })).code).toBe(0)
    expect(heard).toEqual(['POST /svc/candidates CANARYkey0000'])
  })

  test('goes the client certificate of a profile, to the service and not to the proxy', async () => {
    const shown: string[] = []
    const options = {
      key: pem('key'),
      cert: pem('another-name'),
      requestCert: true,
      rejectUnauthorized: false,
    }
    const server = createServer(options, ({ socket }, response) => {
      shown.push((socket as TLSSocket).getPeerCertificate().subject?.CN?.toString() ?? 'nobody')
      response.end('{"data":[],"totalDocs":0}')
    })
    const asked: string[] = []
    const proxy = createServer({ ...options, cert: pem('localhost') })
    proxy.on('connect', ({ socket: client, url }, socket) => {
      asked.push(`${url}, ${(client as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody'}`)
      const there = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      there.pipe(socket).pipe(there)
    })
    const [port, proxyPort] = [await listening(server), await listening(proxy)]
    const home = freshHome()
    const acme = {
      baseUrl: address,
      certificateAuthority: fixture('authority'),
      clientCertificate: fixture('self-signed'),
      clientKey: fixture('key'),
    }
    const settings = { profiles: { acme }, keys: { acme: { origin: acme.baseUrl, key: 'CANARYkey0000' } } }
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 })
    const HTTPS_PROXY = `https://localhost:${proxyPort}`
    const env = { PAYROLL_CONFIG_DIR: home, HTTPS_PROXY, NODE_EXTRA_CA_CERTS: fixture('authority') }
    const ended = await run(['--profile', 'acme', ...list], { env })
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect([shown, asked]).toEqual([['localhost'], ['payroll.example.com:443, nobody']])
  })

  test('that wants credentials go those of its address, and its password nowhere else', async () => {
    const { proxy } = await behindProxy()
    const HTTPS_PROXY = `http://ann:s%40CANARYpw@${proxy.host}`
    const logged = { HTTPS_PROXY, DEBUG: '*', NODE_DEBUG: 'http,net' }
    const { code, out, err } = await run(['--debug', ...list], {
      env: { ...logged, PAYROLL_CONFIG_DIR: homeAt() },
    })
    expect(code).toBe(0)
    const { headers = [] } = proxy.asked[0] ?? {}
    const sent = headers[headers.indexOf('Proxy-Authorization') + 1] ?? ''
    expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString()).toBe('ann:s@CANARYpw')
    expect(out + err).not.toContain('CANARYpw')
  })

  const far = 'https://payroll.example.com'
  const v6 = 'https://[2001:db8::1]'
  const directly = ['.example.com', 'EXAMPLE.com', '*.example.com', '*', 'x, payroll.example.com:443']
  test.each([
    ...directly.map((NO_PROXY) => [far, NO_PROXY, false] as const),
    ...['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443'].map(
      (NO_PROXY) => [v6, NO_PROXY, false] as const,
    ),
    ...['ample.com', 'payroll.example.com:8443', 'www.payroll.example.com', ','].map(
      (NO_PROXY) => [far, NO_PROXY, true] as const,
    ),
    ...['2001:db8::2', '[2001:db8::1]:8443'].map((NO_PROXY) => [v6, NO_PROXY, true] as const),
  ])('goes what is meant for %s, where NO_PROXY has %s: %s', (url, NO_PROXY, isThrough) => {
    const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY }
    expect(proxyFor(new URL(url), env)).toBe(isThrough ? env.HTTPS_PROXY : undefined)
  })

  test('never goes what is meant for this machine, nor for a host of NO_PROXY', async () => {
    const { port, heard, proxy, runThrough } = await behindProxy({ certificate: 'localhost' })
    expect((await runThrough(list, { home: homeAt(`https://localhost:${port}`) })).code).toBe(0)
    expect(heard).toHaveLength(1)
    // Directly, nobody here knows that name, or nobody answers by it.
    expect((await runThrough(['--timeout', '2', ...list], { NO_PROXY: '.example.com' })).code).toBe(7)
    expect(proxy.asked).toEqual([])
  })

  test('a certificate of another name is refused anyway, and nothing was sent', async () => {
    const { heard, runThrough } = await behindProxy({ certificate: 'localhost' })
    const untrusted = 'its certificate is not trusted \\(ERR_TLS_CERT_ALTNAME_INVALID\\)\\.'
    for (const [argv, says] of [
      [list, `${untrusted}$`],
      [create, `${untrusted} Nothing was sent\\.$`],
    ] as const) {
      const { code, err } = await runThrough(['--json', ...argv])
      const refused = { outcome: 'not-sent', message: expect.stringMatching(says) }
      expect([code, JSON.parse(err).error]).toMatchObject([2, refused])
    }
    expect(heard).toEqual([])
  })
})

describe('a proxy that lets nothing through', () => {
  test('because it refuses the password with 401 is exit 2, asked once, and nothing to run again', async () => {
    const { heard, proxy, runThrough, withPassword } = await behindProxy({ status: 401 })
    const { code, err } = await runThrough(['--json', ...create], withPassword)
    expect(code).toBe(2)
    expect(JSON.parse(err).error).toMatchObject({
      outcome: 'not-sent',
      retryable: false,
      message: `No connection through the proxy ${proxy.host}: it wants a user name and a password, or others (401). Nothing was sent.`,
    })
    expect(err).not.toContain('CANARY')
    expect([proxy.asked.length, heard.length]).toEqual([1, 0])
  })

  test.each<[says: string, asks: string, isTold: boolean]>([
    ['407', '', false],
    ['407, Basic', 'Proxy-Authenticate: Basic realm="x"\r\n', false],
    ['407', '', true],
    [
      '407, Negotiate, NTLM',
      'Proxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM TlRMTVNTUAAC\r\n',
      true,
    ],
  ])('because it wants a name and a password (%s, %j) is exit 2, asked once', async (says, asks, isTold) => {
    const { heard, proxy, runThrough, withPassword } = await behindProxy({ status: 407, asks })
    for (const [at, argv] of [list, create].entries()) {
      const { code, out, err } = await runThrough(['--json', ...argv], isTold ? withPassword : {})
      expect([code, out]).toEqual([2, ''])
      expect(JSON.parse(err).error).toMatchObject({
        code: 'usage',
        outcome: 'not-sent',
        message: `No connection through the proxy ${proxy.host}: it wants a user name and a password, or others (${says}).${argv === create ? ' Nothing was sent.' : ''}`,
        hint: expect.stringMatching(/^Set them in HTTPS_PROXY: /),
      })
      expect(err).not.toContain('CANARY')
      expect(proxy.asked).toHaveLength(at + 1)
    }
    expect(heard).toEqual([])
  })

  test.each([403, 502])(
    'because it refuses (%i) is exit 7: it is not the service that spoke',
    async (status) => {
      const { heard, proxy, runThrough } = await behindProxy({ status })
      const { code, err } = await runThrough(['--json', ...create])
      expect(code).toBe(7)
      expect(JSON.parse(err).error).toMatchObject({
        outcome: 'not-sent',
        status: null,
        message: `No connection through the proxy ${proxy.host}: it refused to connect to https://payroll.example.com (${status}). Nothing was sent.`,
        hint: expect.stringMatching(/ask your IT department to let this computer reach/),
      })
      // A gateway in trouble may get over it; a no stays one.
      expect(proxy.asked).toHaveLength(status === 502 ? 3 : 1)
      expect(heard).toEqual([])
    },
  )

  test('because nobody listens there is exit 7, and its password is not shown', async () => {
    const port = await closedPort()
    const url = `http://ann:CANARYpw@127.0.0.1:${port}`
    const { code, err } = await runHere(create, { home: homeAt(), HTTPS_PROXY: url })
    expect(code).toBe(7)
    expect(err).toContain(
      `No connection through the proxy 127.0.0.1:${port}: nothing listens there. Nothing was sent.`,
    )
    expect(err).not.toContain('CANARY')
  })

  test.each<[says: string, port: () => Promise<number>, hint: string]>([
    [
      'No connection to https://payroll.example.com through the proxy HOST: it did not answer in time. Nothing was sent.',
      () => listening(createTcpServer(() => {})),
      'ask your IT department whether this computer, or its proxy',
    ],
    [
      'No connection through the proxy HOST: it ended the connection without an answer. Nothing was sent.',
      () => listening(createTcpServer((socket) => void socket.once('data', () => socket.end()))),
      'Check HTTPS_PROXY',
    ],
    [
      'No connection through the proxy HOST: its answer is not that of a proxy. Nothing was sent.',
      () =>
        listening(createTcpServer((socket) => void socket.once('data', () => socket.end('SSH-2.0\r\n\r\n')))),
      'Check HTTPS_PROXY',
    ],
    [
      'No connection to https://payroll.example.com through the proxy HOST: its certificate is not trusted',
      async () => Number((await proxyTo((await farAway('self-signed')).port)).host.split(':')[1]),
      'Ask your IT department for the file of the authority that signed it (PEM), then: payroll profiles set acme',
    ],
  ])('is named, and keeps nobody waiting past the deadline: %s', async (says, port, hint) => {
    const host = `127.0.0.1:${await port()}`
    // Without the deadline it would outlast the test.
    const { err } = await runHere(['--timeout', '1', ...create], {
      home: homeAt(),
      HTTPS_PROXY: `http://${host}`,
    })
    expect(err).toContain(says.replace('HOST', host))
    expect(err).toContain(hint)
  })

  test.each(['socks5://127.0.0.1:1', 'http://ann:CANARY%zz@127.0.0.1:1'])(
    'because its address is none that can be used is exit 2: %s',
    async (url) => {
      const { code, err } = await runHere(list, { home: homeAt(), HTTPS_PROXY: url })
      expect(code).toBe(2)
      expect(err).toMatch(/^Error: The proxy address in the environment /)
      expect(err).not.toContain('CANARY')
    },
  )
})
