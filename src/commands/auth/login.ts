import { readOne } from '../../api/pages.ts'
import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { checkBaseUrl, storedUrl } from '../../credentials/base-url.ts'
import { checkKey } from '../../credentials/key.ts'
import { namedProfile, profileNames, storedProfileOf } from '../../credentials/resolve.ts'
import { asFailure, Failure, usage } from '../../errors.ts'
import type { Options } from '../cli/options.ts'
import type { Verb } from '../cli/verb.ts'
import { assertCertificates } from '../kit/assert-certificates.ts'
import { openPrompts } from '../kit/open-prompts.ts'
import { readSecret } from '../kit/read-secret.ts'
import { warnOfEnvironment } from '../kit/warn-of-environment.ts'
import { profileAt, storeSignIn } from './store-sign-in.ts'

export const login: Verb = {
  name: 'login',
  writes: true,
  signsIn: true,
  localEffect: 'stored',
  readsInput: 'secret',
  summary: 'Sign in: with an API key, which is tried on a read, or by consent in the browser',
  notes: [
    'A key is typed in unseen, or read from standard input.',
    'By consent, the address of the browser is shown, and opened where there is a browser. The answer comes to 127.0.0.1 by itself, or is pasted: the whole address that the browser ended at.',
    'The id and the secret of the client application are asked for, or come from --client-id and PAYROLL_CLIENT_SECRET. The people who run the service give them to you; the sandbox knows payroll-cli, without a secret. The tokens are refreshed when they expire.',
    'A service may show its consent page only to a key, as the sandbox does: then sign in with a key first.',
    'A key that the service refuses (401) is not stored, and what was stored before stays. One that cannot be tried, because the service cannot be reached, is stored.',
  ],
  options: ['key', 'browser', 'baseUrl', 'withToken', 'clientId', 'redirectUri'],
  answer: { prints: 'nothing' },
  examples: [
    'payroll auth login --profile production',
    'payroll auth login --profile production < key.txt',
    'payroll auth login --profile production --browser --client-id payroll-cli',
  ],
  async run(context, { options }) {
    if ((options.clientId ?? options.redirectUri) !== undefined && !options.browser)
      throw usage('--client-id and --redirect-uri need --browser.')
    const name = await profileToLogInto(context)
    const baseUrl = await addressFor(context, name, options)
    const stored = (await context.settings()).profiles[name] ?? {}
    if (stored.baseUrl !== storedUrl(baseUrl))
      await assertCertificates(context, name, stored, { baseUrl: storedUrl(baseUrl) })
    if (options.browser) {
      const { signInByBrowser } = await import('./sign-in.ts')
      await signInByBrowser(context, name, baseUrl, options)
      return sayWhatIsUsed(context, name)
    }
    if (context.interactive && !options.withToken && !options.key)
      context.note('To sign in by consent in the browser instead: add --browser.')
    const key = await readSecret(context, options, `API key for ${baseUrl.origin}`, checkKey)
    const because = await whyUntried(context, name, baseUrl, key)
    const { origin } = baseUrl
    const { token } = await storeSignIn(context, name, baseUrl, ({ journal, marks }) => ({
      key: { origin, key },
      journal,
      marks,
    }))
    context.note(`Stored the key of ${name}. It is sent only to ${origin}.`)
    if (because === undefined) context.note('The service accepts it.')
    else context.warn(`${because} To try the key again: payroll auth status --profile ${name}`)
    if (token) context.note(`Removed the access token of ${name}: the key is used from now on.`)
    await sayWhatIsUsed(context, name)
  },
}

/** Somebody who has just signed in to a profile expects the next command to use it. */
async function sayWhatIsUsed(context: Context, name: string): Promise<void> {
  const { default: other = name } = await context.settings()
  const { PAYROLL_PROFILE, PAYROLL_BASE_URL } = context.host.env
  if (other !== name && !PAYROLL_PROFILE && !PAYROLL_BASE_URL)
    context.note(
      `Commands without --profile still use ${other}. To make ${name} the default: payroll profiles use ${name}`,
    )
  await warnOfEnvironment(context, name)
}

async function profileToLogInto(context: Context): Promise<string> {
  const { options, host } = context
  const settings = await context.settings()
  const named = namedProfile(options.profile, host.env)?.name ?? settings.default
  if (named === 'sandbox') throw usage('The sandbox needs no key.', 'Name another profile with --profile.')
  if (named !== undefined) {
    storedProfileOf(named, settings)
    return named
  }
  if (!context.interactive)
    throw usage('Which profile is the key for?', 'Name it with --profile. To see them: payroll profiles list')
  const ask = await openPrompts(context)
  const names = profileNames(settings).filter((name) => name !== 'sandbox')
  const choices = names.map((name) => ({ value: name, name }))
  return ask.choose({ message: 'Which profile is the key for?', choices })
}

/** The address of the profile. interface.md shows none, so production and development ask for theirs. */
async function addressFor(context: Context, name: string, options: Options): Promise<URL> {
  const storedAddress = (await context.settings()).profiles[name]?.baseUrl
  const address = options.baseUrl ?? storedAddress ?? (context.host.env.PAYROLL_BASE_URL || undefined)
  if (address !== undefined) return checkBaseUrl(address)
  if (!context.interactive)
    throw usage(
      `The profile ${name} has no address yet.`,
      `To set it: payroll profiles set ${name} --base-url https://…`,
    )
  const ask = await openPrompts(context)
  return ask.read({ message: `Base address of ${name} (https://…)`, read: (typed) => checkBaseUrl(typed) })
}

const tryTimeoutMs = 10_000

/** Tries a key with one read: undefined if it is accepted, or why that is not known. Throws if it is refused. */
async function whyUntried(
  context: Context,
  name: string,
  baseUrl: URL,
  key: string,
): Promise<string | undefined> {
  const profile = await profileAt(context, name, baseUrl)
  const timeoutMs = (context.options.timeout ?? tryTimeoutMs / 1000) * 1000
  // It is not stored yet.
  const access = { ...profile, key, keyFrom: 'none' } as const
  const country = await configuredCountry({ profile: async () => profile })
  const result = await context
    .clientOf(access, { attempts: 1, timeoutMs })
    .then((client) => readOne(client, country))
    .catch(asFailure)
  if (!(result instanceof Failure)) return undefined
  const { status, hint = '', retryable, isPage } = result.details
  if (status === 401)
    throw result.with({
      code: 'auth',
      message: `${baseUrl.origin} refused the key (401).`,
      outcome: 'refused',
    })
  if (status === 403 && !isPage) return 'the service knows the key, which may not list candidates (403).'
  // A failure that does not pass by itself has a hint that comes first.
  const next = retryable === false && hint !== '' ? ` ${hint.replace(/\.$/, '')}.` : ''
  return `the key could not be tried. ${result.message}${next}`
}
