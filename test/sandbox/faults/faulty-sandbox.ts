import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { serveSandbox } from '../../../src/sandbox/serve.ts'
import { freshSandbox } from '../fresh-sandbox.ts'
import { planAnyFaults } from './further-faults.ts'

/** What a client received. */
export interface Met {
  /** 0 if no response head came. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As received, compressed or not. */
  readonly bytes: Buffer
  readonly text: string
  /** A complete answer; or the connection was closed (FIN), reset (RST) or still open. */
  readonly end: 'whole' | 'closed' | 'reset' | 'open'
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request over a new connection. Gives up after `patienceMs`. */
function ask(
  baseUrl: string,
  { method, path, headers = {}, body }: Asked,
  patienceMs = 20_000,
): Promise<Met> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let head: { status: number; headers: IncomingHttpHeaders } = { status: 0, headers: {} }
    let end: Met['end'] = 'closed'
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const outgoing = httpRequest(`${baseUrl}${path}`, { method, agent: false })
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    if (json) outgoing.setHeader('content-type', 'application/json').setHeader('content-length', json.length)
    const patience = setTimeout(() => {
      end = 'open'
      outgoing.destroy()
    }, patienceMs)
    outgoing.on('socket', (socket) =>
      socket.on('error', () => {
        end = 'reset'
      }),
    )
    outgoing.on('response', (incoming) => {
      head = { status: incoming.statusCode ?? 0, headers: incoming.headers }
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        end = 'whole'
      })
      incoming.on('error', () => {})
    })
    outgoing.on('error', () => {})
    outgoing.on('close', () => {
      clearTimeout(patience)
      const bytes = Buffer.concat(chunks)
      // Decoded where it is looked at: some bodies have 40 MiB.
      resolve({
        ...head,
        bytes,
        end,
        get text() {
          return bytes.toString()
        },
      })
    })
    outgoing.end(json)
  })
}

const authorization = { authorization: sandboxKey }

/** A sandbox of this test behind its faults, and how to ask it with the key. */
export async function faulty(...specs: string[]) {
  const sandbox = await freshSandbox()
  const faults = planAnyFaults(specs)
  const { baseUrl, close } = await serveSandbox({ app: sandbox.app, port: 0, faults })
  onTestFinished(close)
  const send = (asked: Asked, patienceMs?: number) =>
    ask(baseUrl, { ...asked, headers: { ...authorization, ...asked.headers } }, patienceMs)
  return { ...sandbox, baseUrl, close, send }
}

export type Faulty = Awaited<ReturnType<typeof faulty>>
