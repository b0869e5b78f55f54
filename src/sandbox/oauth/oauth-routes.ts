import { operations } from '../../api/contract/operations/operations.ts'
import type { Service } from '../records/resource-routes.ts'
import { type JsonObject, mediaType, type Route, readBody, readBytes, refusal } from '../requests.ts'
import { consentPath, parameterNames } from './consent.ts'
import { findClient, redeem, tokenRefusal } from './oauth-tokens.ts'

/**
 * The three OAuth operations. assumed throughout: "Endpoint paths, parameters, token formats, lifetimes and scopes of
 * this flow …: not shown." They need the key too: "Every endpoint needs the Authorization header."
 */
export function oauthRoutes(service: Service): Route[] {
  return [
    {
      operation: operations.auth.connectUrl,
      handle(c) {
        // Pass on the parameters that the client gave; it may add the others itself.
        const asked = new URL(c.req.url)
        const url = new URL(consentPath, asked.origin)
        url.searchParams.set('response_type', 'code')
        for (const name of parameterNames) {
          const value = asked.searchParams.get(name)
          if (value !== null) url.searchParams.set(name, value)
        }
        return c.json({ data: { url: url.href }, success: true })
      },
    },
    {
      operation: operations.auth.token,
      async handle(c) {
        const answer = redeem(service, await readTokenRequest(c.req.raw))
        return c.json(answer, 200, { 'Cache-Control': 'no-store' })
      },
    },
    {
      operation: operations.oauth.clientInfo,
      handle(c) {
        const clientId = c.req.query('client_id')
        if (clientId === undefined || clientId === '') {
          const missing = { path: 'client_id', message: 'must be the id of a client application' }
          throw refusal(400, 'The query cannot be used', [missing])
        }
        const client = findClient(service.database, clientId)
        if (!client) throw refusal(404, 'No client application has this id')
        return c.json({ data: client, success: true })
      },
    },
  ]
}

const mostBytes = 64 * 1024

/**
 * Reads the parameters of a token request: a form as in RFC 6749, or JSON like the rest of the service. Throws a
 * refusal.
 */
async function readTokenRequest(request: Request): Promise<JsonObject> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') return readBody(request, undefined)
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, mostBytes)))
  // "Request and response parameters MUST NOT be included more than once" (RFC 6749 section 3.2).
  const names = [...form.keys()]
  if (new Set(names).size < names.length) throw tokenRefusal('invalid_request', 'A parameter appears twice')
  return Object.fromEntries(form)
}
