import { usage } from '../errors.ts'
import type { Profile } from './profile.ts'

/** How a key is presented to the service: one header, whose value has `{token}` where the key goes. */
interface AuthorizationForm {
  readonly header: string
  readonly value: string
}

/** "Requests carry the header `Authorization` with an API key value". */
const bareKey: AuthorizationForm = { header: 'Authorization', value: '{token}' }

const keyPlace = '{token}'

/** A token of RFC 9110, 5.6.2. */
const headerName = /^[!#$%&'*+.^_`|~\w-]{1,64}$/

/** Headers with another meaning, and those that this tool or Node sets. */
const reservedHeader =
  /^(host|accept|accept-.*|content-.*|connection|cookie|date|expect|if-.*|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|user-agent|via|proxy-.*|sec-.*|access-control-.*)$/i

const authorizationExample = "Write it like 'Bearer {token}' or 'X-Api-Key: {token}'."

/** Reads `Bearer {token}`, or `X-Api-Key: {token}`. Throws a usage failure without the text, which may hold a key. */
export function readAuthorization(text: string, what = 'The authorization'): AuthorizationForm {
  const refuse = (why: string) => usage(`${what} ${why}.`, authorizationExample)
  if (text.length > 512 || !/^[\x20-\x7e]*$/.test(text)) {
    throw refuse('is too long, or contains a character that no header has')
  }
  const [before = '', after, ...more] = text.split(keyPlace)
  if (after === undefined || more.length > 0) throw refuse('must contain {token} exactly once')
  const colon = before.indexOf(':')
  if (colon < 0) return { header: bareKey.header, value: text.trim() }
  const header = text.slice(0, colon).trim()
  if (!headerName.test(header)) throw refuse('does not begin with the name of a header')
  if (reservedHeader.test(header)) throw refuse(`names ${header}, a header with another purpose`)
  return { header, value: text.slice(colon + 1).trim() }
}

/** How the key of a profile is presented. Throws a usage failure for what cannot be used. */
export function authorizationOf({ authorization }: Pick<Profile, 'authorization'>): AuthorizationForm {
  return authorization ? readAuthorization(authorization.text, authorization.from) : bareKey
}

/** The form as a person types it. */
export function authorizationText({ header, value }: AuthorizationForm): string {
  return header === bareKey.header ? value : `${header}: ${value}`
}

/** The header with this key in it. */
export function presentKey({ header, value }: AuthorizationForm, key: string) {
  return { header, value: value.split(keyPlace).join(key), key }
}
