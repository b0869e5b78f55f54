import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { makeSandbox } from '../start-sandbox.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

/** A folder of its own for this test, removed after it. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payroll-sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A new sandbox for this test. Each reading of its clock is a second later than the one before; `pass` lets
 * more seconds go by.
 */
export async function freshSandbox() {
  let time = Date.UTC(2026, 3, 6, 8)
  const now = () => {
    time += 1000
    return time
  }
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  const { app, database, file, close } = await makeSandbox({ now })
  onTestFinished(close)

  /** One request with the key; a body that is not a string goes as JSON. */
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    read(
      await app.request(path, {
        method,
        headers: {
          authorization: sandboxKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  return { app, database, file, now, pass, call }
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
  }
}

/** A hand-typed body of test/fixtures or examples. */
export async function bodyOf(path: string): Promise<any> {
  return JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'))
}
