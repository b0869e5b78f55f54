import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSandbox, sandboxKey } from '../src/sandbox/create-sandbox.ts'
import { openDatabase } from '../src/sandbox/database/database.ts'
import { seed } from '../src/sandbox/seed.ts'
import { type Received, service } from './service.ts'

/** Lets a test interfere with a request: `carryOut` carries it out. Gives whether it has answered itself. */
export type Intercept = (
  request: Received & { readonly post: number },
  response: ServerResponse,
  carryOut: () => Promise<Response>,
) => boolean | Promise<boolean>

export interface SandboxSetting {
  /** Whether it begins with the sample records; a number says how many payslips are among them. */
  readonly seeded?: boolean | number
  readonly key?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** A sandbox in a new folder. Close it, which removes the folder. */
export async function makeSandbox({ seeded, key = sandboxKey, now = Date.now }: SandboxSetting = {}) {
  const home = mkdtempSync(join(tmpdir(), 'payroll-sandbox-'))
  const file = join(home, 'sandbox.db')
  if (seeded) await copySeeded(file, seeded === true ? undefined : seeded)
  const database = await openDatabase(file)
  const app = createSandbox({ database, key, now })
  return {
    home,
    file,
    database,
    app,
    close() {
      database.close()
      rmSync(home, { recursive: true, force: true })
    },
    /** A request with the key, past whatever stands before the sandbox. */
    call: (method: string, path: string, body?: unknown) =>
      app.request(path, {
        method,
        headers: { authorization: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

/** A closed database: its file, and where SQLite has not moved all into it yet, as on Node 20, the log beside it. */
type Files = ReadonlyMap<string, Buffer>

/** Seeding takes longer than most tests, so it is done once and its files are copied. */
const seededFiles = new Map<number | undefined, Promise<Files>>()

/** A settings folder whose sandbox, that of the profile sandbox, has the sample records in it. Removed after the test. */
export async function seededHome(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'payroll-test-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  await copySeeded(join(home, 'sandbox.db'), undefined)
  return home
}

async function copySeeded(file: string, payslips: number | undefined): Promise<void> {
  const files = seededFiles.get(payslips) ?? makeSeeded(payslips)
  seededFiles.set(payslips, files)
  for (const [ending, bytes] of await files) writeFileSync(`${file}${ending}`, bytes, { mode: 0o600 })
}

async function makeSeeded(payslips: number | undefined): Promise<Files> {
  const { home, file, database } = await makeSandbox()
  seed(database, { now: Date.now, payslips })
  database.close()
  const endings = ['', '-wal'].filter((ending) => existsSync(`${file}${ending}`))
  const files = new Map(endings.map((ending) => [ending, readFileSync(`${file}${ending}`)]))
  rmSync(home, { recursive: true })
  return files
}

/** The sandbox on 127.0.0.1, which records every request. Stopped after the test. */
export async function startSandbox({
  intercept = () => false,
  ...setting
}: SandboxSetting & { readonly intercept?: Intercept } = {}) {
  const sandbox = await makeSandbox(setting)
  onTestFinished(sandbox.close)
  let [act, posts] = [intercept, 0]
  const served = await service(async (request, response) => {
    const { method, url, headers, body } = request
    if (method === 'POST') posts += 1
    const carryOut = async () =>
      sandbox.app.request(`http://127.0.0.1${url}`, {
        method,
        headers: { ...headers } as Record<string, string>,
        ...(body && { body }),
      })
    if (await act({ ...request, post: posts }, response, carryOut)) return
    const answer = await carryOut()
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  return {
    ...sandbox,
    ...served,
    env: { PAYROLL_BASE_URL: served.baseUrl, PAYROLL_API_KEY: setting.key ?? sandboxKey },
    /** Interferes from now on, and counts the POSTs anew. */
    intercept(by: Intercept) {
      posts = 0
      act = by
    },
  }
}
