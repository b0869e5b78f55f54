import { type Described, one } from '../operation.ts'

/** Group "Authentication". */
export const auth = {
  connectUrl: {
    title: 'Get url to connect the system',
    group: 'Authentication',
    method: 'GET',
    path: '/svc/oauth/grant-token-url',
    answers: one(),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  token: {
    title: 'Get access token',
    group: 'Authentication',
    method: 'POST',
    path: '/svc/oauth/token',
    answers: one(),
    known: 'name',
    assumes: ['method', 'path', 'fields', 'the same operation refreshes a token'],
  },
} satisfies Record<string, Described>

/** Group "Authorization". */
export const oauth = {
  clientInfo: {
    title: 'Get OAuth client info for the consent screen',
    group: 'Authorization',
    method: 'GET',
    path: '/svc/oauth/client-info',
    answers: one(),
    known: 'method',
    assumes: ['path', 'fields'],
  },
} satisfies Record<string, Described>
