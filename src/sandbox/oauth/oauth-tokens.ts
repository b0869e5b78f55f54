import { createHash } from 'node:crypto'
import { HTTPException } from 'hono/http-exception'
import { defaults } from '../../defaults.ts'
import type { JsonObject } from '../../files/json/path.ts'
import type { Database } from '../database/database.ts'
import type { Service } from '../records/resource-routes.ts'
import type { Grant } from './oauth-secrets.ts'

/** In milliseconds. assumed: "token formats, lifetimes …: not shown." */
const refreshLifetime = 30 * 24 * 60 * 60 * 1000

/** Tokens for a code or a refresh token. assumed: RFC 6749 sections 4.1.3, 5.1, 6. Throws a refusal of 5.2. */
export function redeem(service: Service, parameters: JsonObject): JsonObject {
  const { database, now, tokenLifetimeMs = defaults.tokenLifetime * 1000 } = service
  const grantType = requireText(parameters, 'grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw tokenRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  }
  const clientId = requireText(parameters, 'client_id')
  if (!findClient(database, clientId)) throw tokenRefusal('invalid_client', 'Unknown client')
  const use =
    grantType === 'authorization_code' ? usedCode(parameters, clientId) : usedRefresh(parameters, clientId)

  // Do not throw inside: that would undo the revocation after a replay.
  const answer = database.transaction(() => {
    const at = now()
    const grant = spend(database, use, at)
    return grant && issueTokens(database, grant, { at, tokenLifetimeMs })
  })
  if (!answer) throw tokenRefusal('invalid_grant', `The ${use.name} is not valid or has expired`)
  return answer
}

/** Whether this is a valid access token. */
export function isAccessToken({ database, now }: Service, token: string): boolean {
  const secret = database.secrets.find('access', token)
  return secret !== undefined && now() < secret.expiresAt
}

/** One use of a code or a refresh token, with the check that its grant must pass. */
interface Use {
  readonly kind: 'code' | 'refresh'
  readonly name: string
  readonly secret: string
  readonly fits: (grant: Grant) => boolean
}

function usedCode(asked: JsonObject, clientId: string): Use {
  const redirectUri = requireText(asked, 'redirect_uri')
  const verifier = requireText(asked, 'code_verifier')
  // RFC 7636 section 4.6: BASE64URL-ENCODE(SHA256(ASCII(code_verifier))) == code_challenge
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isVerifier = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier)
  return {
    kind: 'code',
    name: 'code',
    secret: requireText(asked, 'code'),
    fits: (grant) =>
      isVerifier &&
      grant.codeChallenge === challenge &&
      grant.clientId === clientId &&
      grant.redirectUri === redirectUri,
  }
}

function usedRefresh(asked: JsonObject, clientId: string): Use {
  return {
    kind: 'refresh',
    name: 'refresh token',
    secret: requireText(asked, 'refresh_token'),
    fits: (grant) => grant.clientId === clientId,
  }
}

/** Spends a code or a refresh token. A second use: stolen, so its grant is revoked (RFC 9700 2.1.1, 4.14.2). */
function spend({ secrets }: Database, { kind, secret, fits }: Use, at: number): Grant | undefined {
  const stored = secrets.find(kind, secret)
  if (stored?.spent) secrets.revoke(stored.grant.id)
  if (!stored || stored.spent || stored.expiresAt <= at || !fits(stored.grant)) return undefined
  secrets.spend(secret)
  return stored.grant
}

function issueTokens(
  { secrets }: Database,
  grant: Grant,
  { at, tokenLifetimeMs }: { readonly at: number; readonly tokenLifetimeMs: number },
): JsonObject {
  return {
    access_token: secrets.issue('access', grant, at + tokenLifetimeMs),
    token_type: 'Bearer',
    expires_in: tokenLifetimeMs / 1000,
    refresh_token: secrets.issue('refresh', grant, at + refreshLifetime),
  }
}

function requireText(asked: JsonObject, name: string): string {
  const value = asked[name]
  if (typeof value === 'string' && value !== '') return value
  throw tokenRefusal('invalid_request', `${name} is missing or not text`)
}

/** "error" and "error_description" of RFC 6749 section 5.2. Never repeats a value of the request. */
export function tokenRefusal(error: string, error_description: string): HTTPException {
  const headers = { 'Cache-Control': 'no-store' }
  return new HTTPException(400, {
    res: Response.json({ error, error_description }, { status: 400, headers }),
  })
}

/** A public client application: it has no secret and uses PKCE instead. */
export interface OAuthClient {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** The client with this id, if it is registered. */
export function findClient({ tables }: Database, clientId: string): OAuthClient | undefined {
  const record = tables.oauthClients.find('', clientId)
  return record && ({ ...record.body, clientId: record.id } as unknown as OAuthClient)
}

/**
 * Whether the client has this redirect: "simple string comparison" (RFC 6749 section 3.1.2.3), but "any port
 * … for loopback IP redirect URIs" (RFC 8252 section 7.3).
 */
export function isRegistered({ redirectUris }: OAuthClient, redirectUri: string): boolean {
  return (
    URL.canParse(redirectUri) &&
    redirectUris.map(withoutLoopbackPort).includes(withoutLoopbackPort(redirectUri))
  )
}

function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1')
}
