import { Failure, usage } from '../../errors.ts'
import { checkKey } from '../../profile/key.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { PkceSession } from './pkce-session.ts'

/** What a person brings back from the consent: the code, and whether its state could be compared. */
export interface BroughtBack {
  readonly code: string
  readonly isCompared: boolean
}

/**
 * The code in what was brought back: the whole address that the browser was sent to, or the code alone. The state of
 * an address must be the one that this connection began with: another one belongs to a connection that another person
 * began (RFC 6749, 10.12). Throws a Failure; nothing is sent.
 */
export function readBroughtBack(
  text: string,
  begun: Pick<PkceSession, 'state'> | undefined,
  again = 'To begin a new connection: payroll auth connect-url',
): BroughtBack {
  const trimmed = text.trim()
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return { code: checkKey(text, 'The authorization code'), isCompared: false }
  }
  if (!URL.canParse(trimmed))
    throw usage('This is not a web address. Nothing was sent.', 'Copy the whole address again.')
  const { searchParams } = new URL(trimmed)
  if (begun?.state === undefined) {
    throw usage('No connection was begun that this address could belong to. Nothing was sent.', again)
  }
  if (searchParams.get('state') !== begun.state || searchParams.getAll('state').length > 1) {
    const message =
      'The state in this address is not that of the connection you began: it may come from another person. Nothing was sent.'
    throw new Failure('auth', message, { outcome: 'not-sent', hint: again })
  }
  const error = searchParams.get('error')
  if (error !== null) {
    const words = [error, searchParams.get('error_description') ?? ''].filter(Boolean).join(': ')
    const message = `The consent was not given (${safeText(words).slice(0, 300)}). Nothing was sent.`
    throw new Failure('auth', message, { outcome: 'not-sent', hint: again })
  }
  const code = searchParams.get('code')
  if (code === null)
    throw usage('The address has no code. Nothing was sent.', 'Copy the whole address again.')
  return { code: checkKey(code, 'The authorization code'), isCompared: true }
}
