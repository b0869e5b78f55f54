import { fetchPages, readSteadily } from '../api/pages.ts'
import { invalidInput, usage } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import type { Operation } from '../model/records/operation.ts'
import { isMethod, methods } from '../model/resources/route-correction.ts'
import type { Verb } from './cli/verb.ts'
import { confirmWrite } from './kit/confirm.ts'
import { dryRun, dryRunFields } from './kit/dry-run.ts'

/** `api <method> <path>`: any request to the service, with the same key, timeout and outcomes as other commands. */
export const api: Verb = {
  name: 'api',
  readsInput: 'record',
  writes: ({ arguments: { method } }) => !isRead(method),
  summary: 'Send any request to the service, with the key of the profile',
  arguments: [
    { name: 'method', summary: methods.join(', '), choices: methods },
    { name: 'path', summary: 'the path with its query, such as /svc/candidates?page=1' },
  ],
  options: ['file', 'paginate', 'dryRun'],
  answer: {
    prints: 'json',
    shapes: [{ about: 'As the service sends it.' }, { with: '--dry-run', fields: dryRunFields }],
  },
  examples: [
    'payroll api GET "/svc/candidates?page=1&size=5"',
    'payroll api GET /svc/time-sheets --paginate',
    'payroll api POST /svc/payment-rate --file rate.json',
  ],
  async run(context, { arguments: { method = '', path = '' }, options }) {
    const { operation, query } = asOperation(method.toUpperCase(), path)
    if (options.paginate && !isRead(method)) throw usage('--paginate works only with GET.')
    if (options.file !== undefined && isRead(method))
      throw usage('--file has no effect on GET: leave it out.')
    const client = await context.client()
    if (options.paginate && !options.dryRun) {
      // Lines are written as they arrive, and cannot be taken back.
      const asItComes = context.output.format.streams
      const show = () => context.output.pages(fetchPages(client, operation, { query }, { asItComes }))
      await readSteadily(show, { ...(asItComes && { most: 1 }) })
      return
    }
    const body = options.file === undefined ? undefined : await readBody()
    const request = { query, body }
    if (options.dryRun) return dryRun(context, operation, request, { doubts: [] })
    if (!isRead(method)) await confirmWrite(context, `${operation.method} ${operation.path}`)
    const answer = await client.call(operation, request)
    await context.output.value(answer.body ?? null)

    async function readBody(): Promise<JsonObject> {
      const { givenRecord } = await import('./kit/input.ts')
      const body = await givenRecord(context, options)
      if (typeof body === 'object' && body !== null) return body as JsonObject
      throw invalidInput('The body of a request must be a JSON object or array.', [])
    }
  },
}

const isRead = (method = '') => method.toUpperCase() === 'GET'

/** A request as an operation that is not in the contract. Throws a usage failure for a path that could lead elsewhere. */
function asOperation(method: string, path: string): { operation: Operation; query: Record<string, string> } {
  if (!isMethod(method)) throw usage(`${method} is not a method. Use one of: ${methods.join(', ')}.`)
  const plain = /^(\/[A-Za-z0-9_~@:-][A-Za-z0-9._~@:-]*)+(\?[^#\s]*)?$/
  if (!plain.test(path))
    throw usage(
      'The path must begin with / and have plain segments.',
      'Such as: payroll api GET "/svc/candidates?page=1"',
    )
  const { pathname, searchParams } = new URL(path, 'http://path.invalid')
  const names = [...searchParams.keys()]
  if (new Set(names).size < names.length) throw usage('The query of the path has the same parameter twice.')
  const operation: Operation = {
    id: 'api',
    title: 'A raw request',
    group: 'api',
    method,
    path: pathname as Operation['path'],
    response: { kind: 'one' },
    known: 'documented',
  }
  return { operation, query: Object.fromEntries(searchParams) }
}
