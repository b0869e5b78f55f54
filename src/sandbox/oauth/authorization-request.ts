import type { Database } from '../database/database.ts'
import { type Client, findClient, isRegistered } from './oauth-clients.ts'

/** Path of the consent page. */
export const consentPath = '/oauth/authorize'

/** The parameters of RFC 6749 section 4.1.1 and RFC 7636 section 4.3. Others, such as scope, are ignored. */
export const parameterNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** A client's request for access. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
}

/**
 * A valid request, or what is wrong with it. The redirect tells the client; if the redirect address is not certain,
 * only the person is told.
 */
export type Reading =
  | { readonly request: AuthorizationRequest }
  | { readonly redirectUri: string; readonly state: string | null; readonly error: string }
  | { readonly sentence: string }

/** Reads the parameters of the consent page. PKCE is required, with S256 only (RFC 9700 section 2.1.1). */
export function readAuthorizationRequest(database: Database, parameters: URLSearchParams): Reading {
  // "Request and response parameters MUST NOT be included more than once" (RFC 6749 section 3.1).
  if (parameterNames.some((name) => parameters.getAll(name).length > 1)) {
    return { sentence: 'This address has the same parameter twice.' }
  }
  const client = findClient(database, parameters.get('client_id') ?? '')
  if (!client) return { sentence: 'This sandbox does not know the application that sent you here.' }
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (!isRegistered(client, redirectUri)) {
    return { sentence: 'The redirect address is not registered for this application.' }
  }

  const state = parameters.get('state')
  const refused = (error: string) => ({ redirectUri, state, error })
  const type = parameters.get('response_type')
  if (type === null) return refused('invalid_request')
  if (type !== 'code') return refused('unsupported_response_type')
  const codeChallenge = parameters.get('code_challenge') ?? ''
  // The base64url of 32 bytes has 43 characters.
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)) {
    return refused('invalid_request')
  }
  return { request: { client, redirectUri, state, codeChallenge } }
}
