import type { Resource } from '../kit/declare/verb.ts'
import { login, logout, status } from './login.ts'
import { connectUrl, showClient, token } from './oauth.ts'

export const auth: Resource = { verbs: [login, status, logout, connectUrl, token, showClient] }
