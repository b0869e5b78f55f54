import type { ServerResponse } from 'node:http'
import { type ClientOptions, createClient } from '../../src/api/client.ts'
import { createTransport } from '../../src/api/http/transport.ts'
import { authorizationOf, presentKey } from '../../src/credentials/authorization.ts'
import { payroll, type Run } from '../payroll.ts'
import { answerJson, type Received, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'

const nights = ['payment-rates', 'update', '--id', 'r1', '--set', 'description=Nights']
const create = ['candidates', 'create', '--incomplete']

/** A command for each kind of call. */
export const calls = {
  one: { method: 'GET', argv: ['payment-rates', 'get', '--id', 'r1'] },
  list: { method: 'GET', argv: ['vat-codes', 'list'] },
  post: { method: 'POST', argv: ['payment-rates', 'create', '--set', 'code=NIGHT'] },
  put: { method: 'PUT', argv: nights },
  putApplied: { method: 'PUT', argv: nights },
  delete: { method: 'DELETE', argv: ['documents', 'delete', 'd1', '--id', '--employee', 'id:e1', '--yes'] },
  createUk: { method: 'POST', argv: [...create, '--set', 'generalSetting.forename=Ann'] },
  createIreland: { method: 'POST', argv: [...create, '--ireland', '--set', 'generalSetting.forename=Aoife'] },
} as const

export type CallName = keyof typeof calls

export const reads = ['one', 'list'] as const
export const writes = ['post', 'put', 'delete'] as const

/** The answers of an empty list and of a record. */
export const emptyPage = { data: [], totalDocs: 0 }
export const rate = { id: 'r1', code: 'NIGHT', description: 'Night shift' }

/** Status, body and headers: text and bytes go out as they are, anything else as JSON. Or what answers itself. */
export type Answer =
  | readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>]
  | ((response: ServerResponse, request: Received) => void)

/** Answers a request as the test says. */
function giveAnswer(answer: Answer, response: ServerResponse, request: Received): void {
  if (typeof answer === 'function') {
    answer(response, request)
    return
  }
  const [status, body, headers = {}] = answer
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (isRaw) response.writeHead(status).end(body)
  else answerJson(response, status, body)
}

/** An answer that gives one after the other, and the last one from then on. */
export function inTurn(first: Answer, ...others: readonly Answer[]): Answer {
  const left = [...others]
  let next = first
  return (response, request) => {
    giveAnswer(next, response, request)
    next = left.shift() ?? next
  }
}

/**
 * Each row with one of these calls in turn, and the first row of all with every call: what an answer means is decided in one
 * place, whatever asked for it.
 */
export function inTurns<Row, Call>(rows: readonly Row[], calls: readonly Call[]): [Row, Call][] {
  return rows.flatMap((row, at) =>
    (at === 0 ? calls : [calls[at % calls.length] as Call]).map((call): [Row, Call] => [row, call]),
  )
}

/** A server that answers every request so. */
export const answeringWith = (answer: Answer) =>
  service((request, response) => giveAnswer(answer, response, request))

/**
 * Runs the command of a call, with --json, against a real server that answers the call as the test says. The read before
 * an update gets the record; the read after `putApplied` gets what was sent.
 */
export async function attempt(
  name: CallName,
  answer: Answer,
  ...options: string[]
): Promise<{ run: Run; received: readonly Received[] }> {
  const { method, argv } = calls[name]
  let isApplied = false
  const { env, received } = await service((request, response) => {
    if (isSearch(request)) {
      answerJson(response, 200, emptyPage)
    } else if (request.method === method) {
      isApplied = name === 'putApplied'
      giveAnswer(answer, response, request)
    } else {
      const record = isApplied ? { ...rate, description: 'Nights' } : rate
      answerJson(response, 200, { data: wholeFor(['payment-rates'], record).record, success: true })
    }
  })
  const run = await payroll(['--json', ...options, ...argv], { env })
  return { run, received: received.filter((request) => request.method === method && !isSearch(request)) }

  /** After a 404 of an id, what was typed is looked for as a reference in the list. */
  function isSearch({ method: sent, url }: Received): boolean {
    return sent === 'GET' && name !== 'list' && !/\/[a-z]1(\?|$)/.test(url)
  }
}

/** A client of a service, as commands make it, with what the test wants otherwise. It waits for nothing. */
export const clientOf = (baseUrl: string, otherwise: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl,
    prefix: 'svc',
    corrections: {},
    authorization: async () => presentKey(authorizationOf({}), 'CANARYkey0000'),
    fetch: createTransport(baseUrl),
    redact: (text) => text,
    monotonicNow: () => performance.now(),
    sleep: async () => {},
    random: () => 0.5,
    timeoutMs: 5_000,
    ...otherwise,
  })
