import { join } from 'node:path'
import { createSandbox, sandboxKey } from './create-sandbox.ts'
import { type Database, openDatabase } from './database/database.ts'

/** The sandbox's database, next to the settings: the next run finds what this one creates. */
export function databaseFile(directory: string): string {
  return join(directory, 'sandbox.db')
}

/** A sandbox inside this process: an address that leads nowhere, its key, and the application. */
interface OpenedSandbox {
  readonly baseUrl: string
  readonly key: string
  readonly application: (request: Request) => Response | Promise<Response>
}

/** Opens the sandbox whose database is in this directory. Throws a usage failure if it cannot be used. */
export async function openSandbox(directory: string, now: () => number): Promise<OpenedSandbox> {
  const database: Database = await openDatabase(databaseFile(directory))
  const app = createSandbox({ database, key: sandboxKey, now })
  return {
    baseUrl: 'http://sandbox.invalid',
    key: sandboxKey,
    application: (request) => app.fetch(request),
  }
}
