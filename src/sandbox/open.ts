import { join } from 'node:path'
import type { Fetch } from '../api/http/web-classes.ts'
import { createSandbox } from './create-sandbox.ts'
import { type Database, openDatabase } from './database/database.ts'
import { sandboxFetch } from './in-process.ts'
import { sandboxKey } from './sandbox-key.ts'

/** The sandbox's file among the settings: what one run creates the next one lists. */
export function databaseFile(directory: string): string {
  return join(directory, 'sandbox.db')
}

/** What a client needs to talk to the sandbox inside this process. Its address leads nowhere. */
export async function openSandbox(
  directory: string,
  now: () => number,
): Promise<{ baseUrl: string; authorization: () => Promise<string>; fetch: Fetch }> {
  const database: Database = await openDatabase(databaseFile(directory))
  const app = createSandbox({ database, key: sandboxKey, now })
  return {
    baseUrl: 'http://sandbox.invalid',
    authorization: async () => sandboxKey,
    fetch: sandboxFetch(app),
  }
}
