import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { answer } from './answer.ts'
import { write } from './exact-json.ts'
import type { Held } from './records.ts'
import type { Request, Second } from './second.ts'
import type { Shape } from './shapes.ts'
import { chosen, holdings, referToNext } from './store.ts'

const key = 'CANARYkey0000'

/** Whether the connection is broken once a request was carried out. */
export type Break = (request: Request) => boolean

/** Starts the service on 127.0.0.1; it is gone after the test. */
export async function start(shape: Shape, readsGoWrong = false, breaks: Break = () => false) {
  const held = holdings(shape.ids ?? 'text')
  if (shape.hides) for (const person of Object.values(held.ireland)) addWhatIsHidden(person)
  for (const kind of ['uk', 'ireland'] as const) {
    const person = held[kind][chosen(held, kind)] as Held
    for (const name of shape.lacks ?? [])
      for (const section of Object.values<any>(person)) delete section[name]
  }
  if (shape.referencesAreIds) referToNext(held)
  const second: Second = {
    shape,
    held,
    before: structuredClone(held),
    readsGoWrong,
    versions: new Map(),
    born: new Map(),
    requests: [],
    replies: [],
    lists: 0,
    moved: 0,
    made: 0,
  }
  const server = createServer(async (incoming, response) => {
    const request = await received(incoming)
    second.requests.push(request)
    const authorized = incoming.headers.authorization === key
    const reply = authorized ? answer(second, request) : { status: 401, body: { message: 'no key' } }
    second.replies.push(reply)
    if (breaks(request)) return response.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    if (shape.resetsIdle) {
      const afterMs = 1 + (second.requests.length % 3)
      response.on('finish', () => setTimeout(() => incoming.socket.resetAndDestroy(), afterMs))
    }
    response.end(reply.text ?? (reply.body === undefined ? undefined : write(reply.body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { second, env: { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key } }
}

async function received(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { pathname: path, searchParams: query } = new URL(incoming.url ?? '', 'http://127.0.0.1')
  const ifMatch = incoming.headers['if-match']
  return { method: incoming.method ?? '', path, query, ifMatch, body: Buffer.concat(chunks).toString() }
}

function addWhatIsHidden(person: any): void {
  Object.assign(person.generalSetting.pensionSetting, { scheme: 'S-1', reference: 'P-1' })
  person.payrollSetting.holidayPayOpeningBalance = 3.5
}
