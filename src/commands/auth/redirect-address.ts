import { Failure, usage } from '../../errors.ts'
import { checkKey } from '../../profile/keys/key.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { PkceSession } from './pkce-session.ts'

/** What a person brings back from the consent: the code, and whether its state could be compared. */
export interface BroughtBack {
  readonly code: string
  readonly isCompared: boolean
}

/** What a failure says of what was done, and of what to type next. */
interface Words {
  readonly effect: string
  readonly hint: string
}

/** Of a connection that is made by hand, with two commands. */
const atHand: Words = {
  effect: 'Nothing was sent.',
  hint: 'To begin a new connection: payroll auth connect-url',
}

/**
 * The code in what was brought back: the whole address that the browser was sent to, or the code alone. The state of
 * an address must be the one that this connection began with: another one belongs to a connection that another person
 * began (RFC 6749, 10.12). Throws a Failure; nothing is sent.
 */
export function readBroughtBack(
  text: string,
  begun: Pick<PkceSession, 'state'> | undefined,
  { effect, hint }: Words = atHand,
): BroughtBack {
  const trimmed = text.trim()
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return { code: checkKey(text, 'The authorization code'), isCompared: false }
  }
  if (!URL.canParse(trimmed))
    throw usage(`This is not a web address. ${effect}`, `Copy the whole address again. ${hint}`)
  const { searchParams } = new URL(trimmed)
  if (begun?.state === undefined) {
    throw usage(`No connection was begun that this address could belong to. ${effect}`, hint)
  }
  if (searchParams.get('state') !== begun.state || searchParams.getAll('state').length > 1) {
    const message = `This address does not belong to the sign-in that you began (its state differs): it may come from another person. ${effect}`
    throw new Failure('auth', message, { outcome: 'not-sent', hint })
  }
  const error = searchParams.get('error')
  if (error !== null) {
    const words = [error, searchParams.get('error_description') ?? ''].filter(Boolean).join(': ')
    const message = `The consent was not given (${safeText(words).slice(0, 300)}). ${effect}`
    throw new Failure('auth', message, { outcome: 'not-sent', hint })
  }
  const code = searchParams.get('code')
  if (code === null)
    throw usage(
      `The address has no code. ${effect}`,
      `Copy the address that the browser shows after you have decided. ${hint}`,
    )
  return { code: checkKey(code, 'The authorization code'), isCompared: true }
}
