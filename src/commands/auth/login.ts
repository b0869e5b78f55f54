import { operations } from '../../api/contract/operations/operations.ts'
import type { Options } from '../../cli/options.ts'
import type { Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { checkBaseUrl, storedUrl } from '../../credentials/base-url.ts'
import { checkKey } from '../../credentials/key.ts'
import { keyLocationOf } from '../../credentials/key-stores.ts'
import { namedProfile, resolveProfile } from '../../credentials/resolve.ts'
import { credentialsIn } from '../../credentials/stored-credentials.ts'
import { changeKeys } from '../../credentials/stored-keys.ts'
import { profileNames } from '../../credentials/stored-profile.ts'
import { Failure, usage } from '../../errors.ts'
import { openPrompts } from '../../verbs/open-prompts.ts'
import { readSecret } from '../../verbs/read-secret.ts'

export const login: Verb = {
  name: 'login',
  writes: true,
  signsIn: true,
  localEffect: 'stored',
  readsInput: 'secret',
  summary: 'Sign in: with an API key, which is tried on a read, or by consent in the browser',
  notes: [
    'A key is typed in unseen, or read from standard input.',
    'By consent, the address of the browser is shown, and opened where there is a browser. The answer comes to 127.0.0.1 by itself, or is pasted: the whole address that the browser ended at, or the code alone.',
    'The id and the secret of the client application are asked for, or come from PAYROLL_CLIENT_ID and PAYROLL_CLIENT_SECRET. The people who run the service give them to you; the sandbox knows payroll-cli, without a secret. The tokens are refreshed when they end.',
    'A service may show its consent page only to a key, as the sandbox does: then sign in with a key first.',
    'A key that the service refuses (401) is not stored, and what was stored before stays. One that cannot be tried, because the service cannot be reached, is stored.',
  ],
  options: [
    'key',
    'browser',
    'baseUrl',
    'withToken',
    'clientId',
    'withSecret',
    'redirectPort',
    'redirectUri',
  ],
  answer: { prints: 'nothing' },
  examples: [
    'payroll auth login --profile production',
    'payroll auth login --profile production < key.txt',
    'payroll auth login --profile production --browser --client-id payroll-cli',
  ],
  async run(context, { options }) {
    assertOneWay(options)
    const name = await profileToLogInto(context)
    await assertNoCommand(context, name)
    const baseUrl = await addressOf(context, name, options)
    if (await wantsBrowser(context, options)) {
      const { signInByBrowser } = await import('./sign-in.ts')
      return signInByBrowser(context, name, baseUrl, options)
    }
    const key = checkKey(await readSecret(context, options, `API key for ${baseUrl.origin}`))
    const tried = await tryKey(context, name, baseUrl, key)
    if (tried.answer === 'refused') throw tried.failure
    const hadToken = credentialsIn(await context.settings()).get(name).token !== undefined
    await storeKey(context, name, baseUrl, key)
    context.note(`Stored the key of ${name}. It is sent only to ${baseUrl.origin}.`)
    if (tried.answer === 'taken') context.note('The service accepts it.')
    else context.warn(`${tried.because} To try the key again: payroll auth status --profile ${name}`)
    if (hadToken) context.note(`Removed the access token of ${name}: the key is used from now on.`)
  },
}

/** Throws a usage failure for options that contradict each other or would have no effect. */
function assertOneWay({ key, browser, withToken, ...others }: Options): void {
  const { clientId, withSecret, redirectPort, redirectUri } = others
  const isForBrowser = [clientId, withSecret, redirectPort, redirectUri].some((each) => each !== undefined)
  if (isForBrowser && !browser)
    throw usage('--client-id, --with-secret, --redirect-port and --redirect-uri need --browser.')
}

/** A key command comes before what is stored: a key that is stored beside it would never be used. */
async function assertNoCommand(context: Context, name: string): Promise<void> {
  const { profiles } = await context.settings()
  if (keyLocationOf(profiles[name] ?? {}).in !== 'command') return
  throw usage(
    `The key of ${name} comes from its key command.`,
    `To store a key instead: payroll profiles set ${name} --key-command=`,
  )
}

/** Whether to sign in by consent: a script that does not say gives a key. */
async function wantsBrowser(context: Context, { key, browser, withToken }: Options): Promise<boolean> {
  if (key || browser || withToken || !context.interactive) return browser ?? false
  const ask = await openPrompts(context)
  const choices = [
    { value: false, name: 'An API key' },
    { value: true, name: 'Consent in the browser' },
  ]
  return ask.choose({ message: 'How do you sign in?', choices })
}

async function profileToLogInto(context: Context): Promise<string> {
  const { options, host } = context
  const settings = await context.settings()
  const named = namedProfile(options.profile, host.env)?.name ?? settings.default
  if (named === 'sandbox') throw usage('The sandbox needs no key.', 'Name another profile with --profile.')
  if (named !== undefined) {
    if (profileNames(settings).includes(named)) return named
    throw usage(
      `There is no profile ${named}. The profiles are: ${profileNames(settings).join(', ')}.`,
      'To set up another: payroll profiles set <name> --base-url https://…',
    )
  }
  if (!context.interactive)
    throw usage('Which profile is the key for?', 'Name it with --profile. To see them: payroll profiles list')
  const ask = await openPrompts(context)
  const names = profileNames(settings).filter((name) => name !== 'sandbox')
  const choices = names.map((name) => ({ value: name, name }))
  return ask.choose({ message: 'Which profile is the key for?', choices })
}

/** The address of the profile. interface.md shows none, so production and development ask for theirs. */
async function addressOf(context: Context, name: string, options: Options): Promise<URL> {
  const stored = (await context.settings()).profiles[name]?.baseUrl
  const known = options.baseUrl ?? stored ?? (context.host.env.PAYROLL_BASE_URL || undefined)
  if (known !== undefined) return checkBaseUrl(known)
  if (!context.interactive)
    throw usage(
      `The profile ${name} has no address yet.`,
      `To set it: payroll profiles set ${name} --base-url https://…`,
    )
  const ask = await openPrompts(context)
  const typed = await ask.text({
    message: `Base address of ${name} (https://…)`,
    refuse: (text) => {
      try {
        checkBaseUrl(text.trim())
        return undefined
      } catch (error) {
        return error instanceof Failure ? error.message : 'This is not accepted.'
      }
    },
  })
  return checkBaseUrl(typed.trim())
}

/**
 * Stores a key for a profile and the one origin it may be sent to, in place of any key or token that was stored
 * for it. The first profile becomes the default.
 */
async function storeKey(context: Context, name: string, baseUrl: URL, key: string): Promise<void> {
  const place = { directory: context.directory, env: context.host.env }
  const warnings = await changeKeys(place, name, (before) => {
    const { journal, marks } = credentialsIn(before).get(name)
    const settings = credentialsIn(before).set(name, {
      key: { origin: baseUrl.origin, key },
      ...(journal && { journal }),
      ...(marks && { marks }),
    })
    return {
      ...settings,
      default: settings.default ?? name,
      profiles: {
        ...settings.profiles,
        [name]: { ...settings.profiles[name], baseUrl: storedUrl(baseUrl) },
      },
    }
  })
  for (const warning of warnings) context.warn(warning)
}

/** What the service made of a key. */
type Tried =
  | { readonly answer: 'taken' }
  | { readonly answer: 'refused'; readonly failure: Failure }
  /** It may be right. `because` is a sentence. */
  | { readonly answer: 'unclear'; readonly because: string }

/** A person waits for it. In milliseconds. */
const tryTimeoutMs = 10_000

/** Sends a key that is not stored yet with one read, to the address that it is for. */
async function tryKey(context: Context, name: string, baseUrl: URL, key: string): Promise<Tried> {
  const { PAYROLL_AUTHORIZATION } = context.host.env
  const env = PAYROLL_AUTHORIZATION === undefined ? {} : { PAYROLL_AUTHORIZATION }
  const settings = context.settings
  const {
    token: _,
    keyWithheld: __,
    ...known
  } = await resolveProfile({ flag: name, env, settings, terminal: false })
  const profile = { ...known, baseUrl: storedUrl(baseUrl), origin: baseUrl.origin, key }
  try {
    const timeoutMs = (context.options.timeout ?? tryTimeoutMs / 1000) * 1000
    const client = await context.clientOf(profile, { attempts: 1, timeoutMs })
    await client.call(operations.candidates.list, { query: { page: 1, size: 1 } })
    return { answer: 'taken' }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status } = error.details
    if (status === 401) return { answer: 'refused', failure: refused(error, baseUrl) }
    if (status === 403)
      return { answer: 'unclear', because: `the service knows the key, which may not list candidates (403).` }
    // What does not pass by itself has to be put right first.
    const { hint = '', retryable } = error.details
    const next = retryable === false && hint !== '' ? ` ${hint.replace(/\.$/, '')}.` : ''
    return { answer: 'unclear', because: `the key could not be tried. ${error.message}${next}` }
  }
}

function refused({ details }: Failure, { origin }: URL): Failure {
  return new Failure('auth', `${origin} refused the key (401).`, {
    ...details,
    outcome: 'refused',
    hint: 'A key that was stored before stays. Check the key and the address, then run the same command again.',
  })
}
