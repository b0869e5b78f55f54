import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { resetDatabase } from '../../src/sandbox/database/database.ts'
import { everyField as everyFieldOf, everyRateField } from '../every-field.ts'
import { makeSandbox } from '../start-sandbox.ts'
import type { Document } from './read/interface.ts'

/** A JSON object, in a body that is sent or answered. */
export type Json = Record<string, unknown>

/** A sandbox with a file of its own, called at the endpoints that the document shows. */
export interface OpenSandbox {
  /** Any call. Without other headers it carries the key. */
  readonly request: (method: string, path: string, body?: Json, headers?: Json) => Promise<Response>
  /** Calls an operation whose endpoint the document shows. */
  readonly send: (operation: string, body: Json, headers?: Json) => Promise<Response>
  /** One page, as it was answered. */
  readonly list: (path: string) => Promise<{ data: Json[]; totalDocs: number }>
  readonly reset: () => void
  readonly close: () => void
}

/** What the clock of the sandbox says throughout. */
export const clock = '2026-04-06T09:30:15.123Z'

export async function openSandbox(document: Document): Promise<OpenSandbox> {
  const { app, database, close } = await makeSandbox({ now: () => Date.parse(clock) })

  const request: OpenSandbox['request'] = async (
    method,
    path,
    body,
    headers = { Authorization: sandboxKey },
  ) => {
    const content = body && { 'Content-Type': 'application/json' }
    const init = { method, headers: { ...content, ...headers } as Record<string, string> }
    return app.request(path, body ? { ...init, body: JSON.stringify(body) } : init)
  }
  return {
    request,
    send(operation, body, headers) {
      const shown = document.operations.find(({ name }) => name === operation)
      if (!shown?.method || !shown.path) throw new Error(`the document shows no endpoint of ${operation}`)
      return request(shown.method, shown.path, body, headers)
    },
    async list(path) {
      const response = await request('GET', path)
      if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
      return (await response.json()) as { data: Json[]; totalDocs: number }
    },
    reset: () => resetDatabase(database),
    close,
  }
}

/** The bodies that have every field which the document shows for a request, by operation. */
export const everyField: Readonly<Record<string, Json>> = {
  'Create Candidate': everyFieldOf('uk'),
  'Create Ireland candidate': everyFieldOf('ireland'),
  'Create new Payment Rate': { ...everyRateField, defaultVATCode: '00000000-0000-4000-8000-000000000001' },
}

/** The value at a path of names, `data.candidate`; undefined where there is none. */
export function at(body: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body)
}
