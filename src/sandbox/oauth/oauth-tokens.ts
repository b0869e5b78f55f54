import { createHash, randomBytes } from 'node:crypto'
import { HTTPException } from 'hono/http-exception'
import { defaults } from '../../defaults.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { dayMs } from '../../text/day.ts'
import type { Database } from '../database/database.ts'
import type { Service } from '../records/resource-routes.ts'

/** In milliseconds. assumed: "token formats, lifetimes …: not shown." */
const accessLifetime = defaults.tokenLifetime * 1000
const refreshLifetime = 30 * dayMs

/** The one client application, this tool. assumed: no operation does "create a client application". */
export const ownClient = {
  clientId: 'payroll-cli',
  name: 'Payroll command line',
  redirectUris: ['http://127.0.0.1/callback'],
} as const

/** Whether the client has this redirect: "any port … for loopback IP redirect URIs" (RFC 8252 section 7.3). */
export const isRegistered = (redirectUri: string): boolean =>
  URL.canParse(redirectUri) && /^http:\/\/127\.0\.0\.1(?::\d+)?\/callback$/.test(redirectUri)

/** One consent of a person, for a code and the tokens that are obtained with it. */
interface Grant {
  readonly redirectUri: string
  readonly codeChallenge: string
}

/** A code or a token as it is stored: under its digest, so the file gives no access. */
type Secret = {
  readonly kind: 'code' | 'access' | 'refresh'
  readonly grant: Grant
  /** Milliseconds since 1970. */
  readonly expiresAt: number
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

/** The grant of a code or a token that is good at a time. */
function grantOf({ tables }: Database, kind: Secret['kind'], secret: string, at: number): Grant | undefined {
  const record = tables.oauthTokens.find('', digestOf(secret))?.body as Secret | undefined
  return record?.kind === kind && at < record.expiresAt ? record.grant : undefined
}

/** Whether this is a valid access token. */
export const isAccessToken = ({ database, now }: Service, token: string): boolean =>
  grantOf(database, 'access', token, now()) !== undefined

/** Tokens for a code or a refresh token. assumed: RFC 6749 sections 4.1.3, 5.1, 6. Throws a refusal of 5.2. */
export function redeem({ database, now }: Service, request: JsonObject): JsonObject {
  const grantType = requireText(request, 'grant_type')
  const isCode = grantType === 'authorization_code'
  if (!isCode && grantType !== 'refresh_token')
    throw tokenRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  if (requireText(request, 'client_id') !== ownClient.clientId)
    throw tokenRefusal('invalid_client', 'Unknown client')
  const kind = isCode ? 'code' : 'refresh'
  const secret = requireText(request, isCode ? 'code' : 'refresh_token')
  const fits = isCode ? codeTest(request) : () => true
  return database.transaction(() => {
    const at = now()
    const grant = grantOf(database, kind, secret, at)
    if (!grant || !fits(grant))
      throw tokenRefusal(
        'invalid_grant',
        `The ${isCode ? 'code' : 'refresh token'} is not valid or has expired`,
      )
    // It serves once.
    database.tables.oauthTokens.remove(digestOf(secret))
    return {
      access_token: issue(database, 'access', grant, at, accessLifetime),
      token_type: 'Bearer',
      expires_in: accessLifetime / 1000,
      refresh_token: issue(database, 'refresh', grant, at, refreshLifetime),
    }
  })
}

/** Whether a grant is the one whose code may be redeemed. */
function codeTest(request: JsonObject): (grant: Grant) => boolean {
  const redirectUri = requireText(request, 'redirect_uri')
  const verifier = requireText(request, 'code_verifier')
  // RFC 7636 section 4.6: BASE64URL-ENCODE(SHA256(ASCII(code_verifier))) == code_challenge
  const challenge = digestOf(verifier)
  return (grant) => grant.codeChallenge === challenge && grant.redirectUri === redirectUri
}

function requireText(request: JsonObject, name: string): string {
  const value = request[name]
  if (typeof value === 'string' && value !== '') return value
  throw tokenRefusal('invalid_request', `${name} is missing or not text`)
}

/** "error" and "error_description" of RFC 6749 section 5.2. Never repeats a value of the request. */
function tokenRefusal(error: string, error_description: string): HTTPException {
  return new HTTPException(400, { res: Response.json({ error, error_description }, { status: 400 }) })
}
