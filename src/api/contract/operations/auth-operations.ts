import { type DeclaredOperation, oneRecord } from './operation.ts'

/** Group "Authentication". */
export const auth = {
  connectUrl: {
    title: 'Get url to connect the system',
    group: 'Authentication',
    method: 'GET',
    path: '/svc/oauth/grant-token-url',
    query: ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'],
    response: oneRecord(),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  token: {
    title: 'Get access token',
    group: 'Authentication',
    method: 'POST',
    path: '/svc/oauth/token',
    // assumed: RFC 6749, 4.1.3: "using the "application/x-www-form-urlencoded" format".
    encoding: 'form',
    refuses: { 400: 'refused the token request', 401: 'refused the client application or the key' },
    bodyMembers: [
      'grant_type',
      'code',
      'refresh_token',
      'client_id',
      'client_secret',
      'redirect_uri',
      'code_verifier',
    ],
    response: oneRecord(),
    known: 'name',
    assumes: ['method', 'path', 'fields', 'a form in place of JSON', 'the same operation refreshes a token'],
  },
} satisfies Record<string, DeclaredOperation>

/** Group "Authorization". */
export const oauth = {
  clientInfo: {
    title: 'Get OAuth client info for the consent screen',
    group: 'Authorization',
    method: 'GET',
    path: '/svc/oauth/client-info',
    query: ['client_id'],
    refuses: { 404: 'knows no such client application, or no such path' },
    response: oneRecord(),
    known: 'method',
    assumes: ['path', 'fields'],
  },
} satisfies Record<string, DeclaredOperation>
