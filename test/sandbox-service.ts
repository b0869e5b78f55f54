import { join } from 'node:path'
import { createSandbox } from '../src/sandbox/create-sandbox.ts'
import { openDatabase } from '../src/sandbox/database/database.ts'
import { sandboxKey } from '../src/sandbox/sandbox-key.ts'
import { seed } from '../src/sandbox/seed/seed.ts'
import { freshHome } from './payroll.ts'
import { type Received, service } from './service.ts'

/** The sandbox on 127.0.0.1, which records every request. */
export async function sandboxService(
  options: { readonly seeded?: boolean } = {},
): Promise<{ env: Record<string, string>; received: Received[]; home: string }> {
  const home = freshHome()
  const now = () => Date.now()
  const database = await openDatabase(join(home, 'service.db'))
  if (options.seeded) seed(database, { now })
  const app = createSandbox({ database, key: sandboxKey, now })
  const { env, received } = await service(async ({ method, url, headers, body }, response) => {
    const request = { method, headers: { ...headers } as Record<string, string>, ...(body && { body }) }
    const answer = await app.request(`http://127.0.0.1${url}`, request)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  return { env: { ...env, PAYROLL_API_KEY: sandboxKey }, received, home }
}
