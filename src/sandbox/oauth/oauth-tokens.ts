import { createHash, randomBytes } from 'node:crypto'
import { HTTPException } from 'hono/http-exception'
import { defaults } from '../../defaults.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { dayMs } from '../../text/day.ts'
import type { Database } from '../database/database.ts'
import type { OAuthClient, Service } from '../records/resource-routes.ts'

/** In milliseconds. assumed: "token formats, lifetimes …: not shown." */
const refreshLifetime = 30 * dayMs

/** One consent of a person: a code, and every token obtained with it. */
interface Grant {
  readonly id: string
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string
}

/** A code or a token as it is stored: under its digest, so the file gives no access. */
type Secret = {
  readonly kind: 'code' | 'access' | 'refresh'
  readonly grant: Grant
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** It was used already: a second use means that it was stolen. */
  readonly spent?: true
}

/** Needs no salt: the secrets are random and too long to guess. */
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Makes a code or a token at a time, for so many milliseconds, and returns it; it cannot be read again. */
export function issue(
  { tables }: Database,
  kind: Secret['kind'],
  grant: Grant,
  at: number,
  lifetime: number,
) {
  const secret = randomBytes(32).toString('base64url')
  const record: Secret = { kind, grant, expiresAt: at + lifetime }
  tables.oauthTokens.insert('', record, at, digestOf(secret))
  return secret
}

function findSecret({ tables }: Database, kind: Secret['kind'], secret: string): Secret | undefined {
  const record = tables.oauthTokens.find('', digestOf(secret))?.body as Secret | undefined
  return record?.kind === kind ? record : undefined
}

/** Tokens for a code or a refresh token. assumed: RFC 6749 sections 4.1.3, 5.1, 6. Throws a refusal of 5.2. */
export function redeem(service: Service, request: JsonObject): JsonObject {
  const { database, now, tokenLifetimeMs = defaults.tokenLifetime * 1000 } = service
  const grantType = requireText(request, 'grant_type')
  const isCode = grantType === 'authorization_code'
  if (!isCode && grantType !== 'refresh_token') {
    throw tokenRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  }
  const clientId = requireText(request, 'client_id')
  if (!findClient(service, clientId)) throw tokenRefusal('invalid_client', 'Unknown client')
  const secret = requireText(request, isCode ? 'code' : 'refresh_token')
  const fitsCode = isCode ? codeTest(request) : () => true
  const fits = (grant: Grant) => grant.clientId === clientId && fitsCode(grant)

  // Do not throw inside: that would undo the revocation after a replay.
  const answer = database.transaction(() => {
    const at = now()
    const grant = spend(database, isCode ? 'code' : 'refresh', secret, fits, at)
    return (
      grant && {
        access_token: issue(database, 'access', grant, at, tokenLifetimeMs),
        token_type: 'Bearer',
        expires_in: tokenLifetimeMs / 1000,
        refresh_token: issue(database, 'refresh', grant, at, refreshLifetime),
      }
    )
  })
  if (answer) return answer
  const what = isCode ? 'code' : 'refresh token'
  throw tokenRefusal('invalid_grant', `The ${what} is not valid or has expired`)
}

/** Whether this is a valid access token. */
export function isAccessToken({ database, now }: Service, token: string): boolean {
  const secret = findSecret(database, 'access', token)
  return secret !== undefined && now() < secret.expiresAt
}

/** Whether a grant is the one whose code this client may redeem. */
function codeTest(request: JsonObject): (grant: Grant) => boolean {
  const redirectUri = requireText(request, 'redirect_uri')
  const verifier = requireText(request, 'code_verifier')
  // RFC 7636 section 4.6: BASE64URL-ENCODE(SHA256(ASCII(code_verifier))) == code_challenge
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isVerifier = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier)
  return (grant) => isVerifier && grant.codeChallenge === challenge && grant.redirectUri === redirectUri
}

/** Spends a code or a refresh token. A second use: stolen, so its grant is revoked (RFC 9700 2.1.1, 4.14.2). */
function spend(
  database: Database,
  kind: Secret['kind'],
  secret: string,
  fits: (grant: Grant) => boolean,
  at: number,
): Grant | undefined {
  const { oauthTokens } = database.tables
  const record = findSecret(database, kind, secret)
  if (record?.spent)
    for (const { id, body } of oauthTokens.all(''))
      if ((body as Secret).grant.id === record.grant.id) oauthTokens.remove(id)
  if (!record || record.spent || record.expiresAt <= at || !fits(record.grant)) return undefined
  oauthTokens.replace(digestOf(secret), { ...record, spent: true }, at)
  return record.grant
}

function requireText(request: JsonObject, name: string): string {
  const value = request[name]
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

/** assumed: no operation does "create a client application". payroll listens there, on any port, and nowhere else. */
export const ownClient: OAuthClient = {
  clientId: 'payroll-cli',
  name: 'Payroll command line',
  redirectUris: ['http://127.0.0.1/callback'],
}

/** The client with this id, if it is registered. */
export const findClient = ({ clients = [ownClient] }: Service, clientId: string): OAuthClient | undefined =>
  clients.find((client) => client.clientId === clientId)

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
