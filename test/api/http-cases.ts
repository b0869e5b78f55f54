import type { ServerResponse } from 'node:http'
import { payroll, type Run } from '../payroll.ts'
import { answerJson, type Received, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'

/** A command for each kind of call. */
export const calls = {
  one: { method: 'GET', argv: ['payment-rates', 'get', '--id', 'r1'] },
  list: { method: 'GET', argv: ['vat-codes', 'list'] },
  post: { method: 'POST', argv: ['payment-rates', 'create', '--set', 'code=NIGHT'] },
  put: { method: 'PUT', argv: ['payment-rates', 'update', '--id', 'r1', '--set', 'description=Nights'] },
  putApplied: {
    method: 'PUT',
    argv: ['payment-rates', 'update', '--id', 'r1', '--set', 'description=Nights'],
  },
  delete: { method: 'DELETE', argv: ['documents', 'delete', 'd1', '--id', '--employee', 'id:e1', '--yes'] },
  createUk: {
    method: 'POST',
    argv: ['candidates', 'create', '--incomplete', '--set', 'generalSetting.forename=Ann'],
  },
  createIreland: {
    method: 'POST',
    argv: ['candidates', 'create', '--incomplete', '--ireland', '--set', 'generalSetting.forename=Aoife'],
  },
} as const

export type CallName = keyof typeof calls

export const reads = ['one', 'list'] as const
export const writes = ['post', 'put', 'delete'] as const

/** The answers of an empty list and of a record. */
export const emptyPage = { data: [], totalDocs: 0 }
export const rate = { id: 'r1', code: 'NIGHT', description: 'Night shift' }

/**
 * Runs the command of a call, with --json, against a real server that answers the call as the test says. The read before
 * an update gets the record; the read after `putApplied` gets what was sent.
 */
export async function attempt(
  name: CallName,
  answer: (response: ServerResponse, request: Received) => void,
  ...options: string[]
): Promise<{ run: Run; received: readonly Received[] }> {
  const { method, argv } = calls[name]
  let isApplied = false
  const { env, received } = await service((request, response) => {
    if (isSearch(request)) {
      answerJson(response, 200, emptyPage)
    } else if (request.method === method) {
      isApplied = name === 'putApplied'
      answer(response, request)
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
