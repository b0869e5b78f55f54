import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { serveSandbox } from '../../src/sandbox/serve.ts'
import { freshHome, payroll, type Run } from '../payroll.ts'
import { freshSandbox } from '../sandbox/fresh-sandbox.ts'

/** What a run is given besides its words. */
interface Given {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

type RunIn = (argv: readonly string[], given?: Given) => Promise<Run>

export interface Request {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
  readonly authorization: string | undefined
}

/** A sandbox on loopback that notes what reaches it, and the two variables that lead to it. */
export async function loopback() {
  const { app, call } = await freshSandbox()
  const requests: Request[] = []
  const door = new Hono().all('*', async (c) => {
    const body = await c.req.raw.clone().text()
    const { pathname, search } = new URL(c.req.url)
    requests.push({
      method: c.req.method,
      url: pathname + search,
      body,
      authorization: c.req.header('Authorization'),
    })
    return app.fetch(c.req.raw)
  })
  const { baseUrl, close } = await serveSandbox({ app: door, port: 0 })
  onTestFinished(close)
  const home = freshHome()
  const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
  const run: RunIn = (argv, given = {}) => payroll(argv, { home, ...given, env: { ...env, ...given.env } })
  const writes = () => requests.filter(({ method }) => method !== 'GET')
  return { home, env, baseUrl, call, requests, writes, run }
}

/** A stored, protected profile `production` that leads to a sandbox on loopback, and nothing in the environment. */
export async function production() {
  const { baseUrl, requests, call } = await loopback()
  const home = freshHome()
  await payroll(['profiles', 'set', 'production', '--base-url', baseUrl], { home })
  await payroll(['auth', 'login', '--profile', 'production'], { home, input: `${sandboxKey}\n` })
  // The key was tried on a read.
  requests.length = 0
  const run: RunIn = (argv, given = {}) => payroll(argv, { home, ...given })
  return { home, baseUrl, requests, call, run }
}

/** A hand-typed body of test/fixtures or examples. */
export function body(path: string): any {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
}

/** A file in the home of the test. */
export function file(home: string, name: string, content: string | Uint8Array): string {
  const path = join(home, name)
  writeFileSync(path, content)
  return path
}

/** A candidate of each country: how they are chosen, where they are, and bodies of them. */
export const candidateTargets = [
  {
    adjective: 'UK',
    flags: [],
    path: '/svc/candidates',
    example: 'examples/candidate-uk.json',
    country: 'uk',
  },
  {
    adjective: 'Irish',
    flags: ['--ireland'],
    path: '/svc/candidates/ireland',
    example: 'examples/candidate-ireland.json',
    country: 'ireland',
  },
] as const
