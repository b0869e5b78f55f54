import type { Resource } from '../kit/attach.ts'
import { login, logout, status } from './key.ts'
import { client, connectUrl, token } from './oauth.ts'

export const auth: Resource = { verbs: [login, status, logout, connectUrl, token, client] }
