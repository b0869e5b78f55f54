import { operations } from '../../api/contract/operations/operations.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import { resolveProfile } from '../../profile/resolve.ts'

/** What the service made of a key. */
type Tried =
  | { readonly answer: 'taken' }
  /** `failure` says that nothing was stored. */
  | { readonly answer: 'refused'; readonly failure: Failure }
  /** It may be right. `because` is a sentence. */
  | { readonly answer: 'unclear'; readonly because: string }

/** A person waits for it. In milliseconds. */
const patienceMs = 10_000

/** Sends a key that is not stored yet with one read, to the address that it is for. */
export async function tryKey(context: Context, name: string, baseUrl: URL, key: string): Promise<Tried> {
  const { PAYROLL_AUTHORIZATION } = context.host.env
  const env = PAYROLL_AUTHORIZATION === undefined ? {} : { PAYROLL_AUTHORIZATION }
  const settings = context.settings
  const {
    token: _,
    keyWithheld: __,
    ...known
  } = await resolveProfile({ flag: name, env, settings, terminal: false })
  const profile = { ...known, baseUrl: baseUrl.href.replace(/\/$/, ''), origin: baseUrl.origin, key }
  try {
    const timeoutMs = (context.options.timeout ?? patienceMs / 1000) * 1000
    const client = await context.clientOf(profile, { attempts: 1, timeoutMs })
    await client.call(operations.candidates.list, { query: { page: 1, size: 1 } })
    return { answer: 'taken' }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status } = error.details
    if (status === 401) return { answer: 'refused', failure: refused(error, baseUrl) }
    const said = error.message.replace(/ (Nothing was sent|Nothing was applied)\./g, '')
    if (status === 403)
      return { answer: 'unclear', because: `the service knows the key, which may not list candidates (403).` }
    return { answer: 'unclear', because: `the key could not be tried. ${said}` }
  }
}

function refused({ details }: Failure, { origin }: URL): Failure {
  return new Failure(
    'auth',
    `${origin} refused the key (401). Nothing was stored; a key that was stored before stays.`,
    {
      ...details,
      outcome: 'refused',
      hint: 'Check the key and the address, then run the same command again.',
    },
  )
}
