import type { Method, Operation } from '../api/contract/operations/operation.ts'
import { everyPage } from '../api/pages.ts'
import { invalidInput, usage } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import type { Verb } from './kit/declare/verb.ts'
import { confirmWrite } from './kit/steps/confirm.ts'
import { dryRun } from './kit/steps/dry-run.ts'

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]

/** `api <method> <path>`: any call of the service, with the key, the deadline and the outcome of all others. */
export const api: Verb = {
  name: 'api',
  summary: 'A raw call of the service, with the key of the profile',
  arguments: [
    { name: 'method', summary: methods.join(', ') },
    { name: 'path', summary: 'from the root, with its query: /svc/candidates?page=1' },
  ],
  options: ['file', 'paginate', 'dryRun'],
  examples: [
    "payroll api GET '/svc/candidates?page=1&size=5'",
    'payroll api GET /svc/time-sheets --paginate',
    'payroll api POST /svc/payment-rate --file rate.json',
  ],
  async run(context, { arguments: { method = '', path = '' }, options }) {
    const { operation, query } = asOperation(method.toUpperCase(), path)
    const isRead = operation.method === 'GET'
    if (options.paginate && !isRead) throw usage('--paginate goes with GET.')
    const client = await context.client()
    if (options.paginate) {
      await context.output.pages(everyPage(client, operation, { query }))
      return
    }
    const body = options.file === undefined ? undefined : await readBody()
    const request = { query, ...(body && { body }) }
    if (options.dryRun) return dryRun(context, operation, request)
    if (!isRead) await confirmWrite(context, `${operation.method} ${operation.path}`)
    const answer = await client.call(operation, request)
    await context.output.value(answer.body ?? null)

    async function readBody(): Promise<JsonObject> {
      const { givenRecord } = await import('./kit/input/read-record.ts')
      const given = await givenRecord(context, options)
      if (typeof given === 'object' && given !== null) return given as JsonObject
      throw invalidInput('The body of a call is a JSON object or array. Nothing was sent.', [])
    }
  },
}

/** A call as an operation that nobody declared. Throws a usage failure for what could leave its path. */
function asOperation(method: string, path: string): { operation: Operation; query: Record<string, string> } {
  if (!methods.includes(method)) throw usage(`The methods are ${methods.join(', ')}.`)
  const plain = /^(\/[A-Za-z0-9_~@:-][A-Za-z0-9._~@:-]*)+(\?[^#\s]*)?$/
  if (!plain.test(path)) throw usage('A path begins with / and has plain segments, as /svc/candidates?page=1')
  const { pathname, searchParams } = new URL(path, 'http://path.invalid')
  const names = [...searchParams.keys()]
  if (new Set(names).size < names.length) throw usage('Each name stands once in the query of a path.')
  const operation: Operation = {
    id: 'api',
    title: 'A raw call',
    group: 'api',
    method: method as Method,
    path: pathname as Operation['path'],
    answers: { kind: 'one' },
    known: 'documented',
  }
  return { operation, query: Object.fromEntries(searchParams) }
}
