import type { Database } from '../database/database.ts'

/** A program on this machine, on any port. */
const usualRedirect = 'http://127.0.0.1/callback'

/** A public client application: it has no secret and uses PKCE instead. */
export interface Client {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export function findClient({ tables }: Database, clientId: string): Client | undefined {
  const record = tables.oauthClients.find('', clientId)
  return record && ({ ...record.body, clientId: record.id } as unknown as Client)
}

/**
 * Registers a client application, or one more redirect address of it: "create a client application" is a step of the flow
 * without an operation. It stays in the database.
 */
export function registerClient(
  database: Database,
  clientId: string,
  { redirectUri = usualRedirect, at }: { readonly redirectUri?: string | undefined; readonly at: number },
): void {
  const { oauthClients } = database.tables
  const { name = clientId, redirectUris = [] } = findClient(database, clientId) ?? {}
  const body = { name, redirectUris: [...new Set([...redirectUris, redirectUri])] }
  if (oauthClients.find('', clientId)) oauthClients.replace(clientId, body, at)
  else oauthClients.insert('', body, at, clientId)
}

/**
 * Whether the client registered this redirect: "the authorization server MUST compare the two URIs using
 * simple string comparison" (RFC 6749 section 3.1.2.3), and it "MUST allow any port to be specified at the time
 * of the request for loopback IP redirect URIs" (RFC 8252 section 7.3).
 */
export function isRegistered({ redirectUris }: Client, redirectUri: string): boolean {
  return (
    URL.canParse(redirectUri) &&
    redirectUris.map(withoutLoopbackPort).includes(withoutLoopbackPort(redirectUri))
  )
}

function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1')
}
