import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { openDatabase } from '../../src/sandbox/database/database.ts'
import { sandboxKey } from '../../src/sandbox/sandbox-key.ts'
import { freshHome, payroll } from '../payroll.ts'
import { type Received, service } from '../service.ts'

/** Lets a test interfere with a request: `carryOut` carries it out and returns the answer. */
export type Meddle = (
  request: Received & { readonly post: number },
  response: ServerResponse,
  carryOut: () => Promise<Response>,
) => boolean | Promise<boolean>

/** A file, a home, and a sandbox whose requests a test can hold up. `more`: variables for the import. `onPause`: runs instead of its pauses. */
export async function desk(
  noun: 'candidates' | 'timesheets' = 'candidates',
  more: Readonly<Record<string, string>> = {},
  onPause?: (ms: number) => Promise<void>,
) {
  const home = freshHome()
  const now = () => Date.now()
  const app = createSandbox({ database: await openDatabase(join(home, 'service.db')), key: sandboxKey, now })
  let meddle: Meddle = () => false
  let posts = 0
  const {
    env: at,
    received,
    baseUrl,
  } = await service(async (request, response) => {
    const { method, url, headers, body } = request
    if (method === 'POST') posts += 1
    const carryOut = async () =>
      app.request(`http://127.0.0.1${url}`, {
        method,
        headers: { ...headers } as Record<string, string>,
        ...(body && { body }),
      })
    if (await meddle({ ...request, post: posts }, response, carryOut)) return
    const answer = await carryOut()
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const env = { ...at, PAYROLL_API_KEY: sandboxKey, ...more }
  const file = join(home, 'starters.ndjson')
  const call = (method: string, path: string, body?: unknown) =>
    app.request(`http://127.0.0.1${path}`, {
      method,
      headers: { authorization: sandboxKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    home,
    env,
    file,
    baseUrl,
    received,
    /** The create requests. */
    posted: () => received.filter(({ method }) => method === 'POST'),
    meddle(by: Meddle) {
      posts = 0
      meddle = by
    },
    write: (rows: readonly unknown[], path = file) =>
      writeFileSync(
        path,
        rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''),
      ),
    /** Runs the import as a script does; by default it does not wait for lost requests. */
    import: (...argv: string[]) =>
      payroll([noun, 'import', file, '--settle', '0', '--json', ...argv], {
        home,
        env,
        ...(onPause && { onPause }),
      }),
    /** The same with another file. */
    importFile: (path: string, ...argv: string[]) =>
      payroll([noun, 'import', path, '--settle', '0', '--json', ...argv], {
        home,
        env,
        ...(onPause && { onPause }),
      }),
    call,
    /** The references of all records on the service. */
    async there(): Promise<string[]> {
      const answer = await call('GET', '/svc/candidates?size=100')
      return ((await answer.json()) as any).data.map(({ agencyRef }: any) => agencyRef).sort()
    },
    /** The lines of the journal, without their checksums. */
    journal: (): any[] => lines(journalOf(home)),
    journalPath: () => journalOf(home),
  }
}

function journalOf(home: string): string {
  const folder = join(home, 'imports')
  return join(folder, readdirSync(folder)[0] ?? 'none')
}

const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(9)))

/** A made-up person. */
export const person = (agencyRef: string, more: Record<string, unknown> = {}) => ({
  generalSetting: { agencyRef, forename: 'Ann', surname: `Sample ${agencyRef}`, ...more },
})

export const people = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => person(`A-${String(from + at).padStart(3, '0')}`))

export const refs = (count: number) => people(count).map(({ generalSetting }) => generalSetting.agencyRef)
