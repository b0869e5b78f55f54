import type { Resource } from '../cli/verb.ts'
import { login } from './login.ts'
import { connectUrl, showClient, token } from './oauth.ts'
import { logout, status } from './status.ts'

export const auth: Resource = { verbs: [login, status, logout, connectUrl, token, showClient] }
