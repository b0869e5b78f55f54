import { operations } from '../../api/contract/operations/operations.ts'
import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import { checkBaseUrl } from '../../profile/base-url.ts'
import { checkKey, maskKey } from '../../profile/key.ts'
import { keyStore } from '../../profile/key-store.ts'
import { namedProfile, profileNames } from '../../profile/resolve.ts'
import { changeSettings } from '../../profile/settings.ts'
import type { Options } from '../kit/declare/options.ts'
import type { Verb } from '../kit/declare/verb.ts'
import { openPrompts } from '../kit/steps/open-prompts.ts'
import { readSecret, storeKey } from './stored-key.ts'
import { tryKey } from './try-key.ts'

export const login: Verb = {
  name: 'login',
  summary: 'Try the key of a profile on a read, and store it: typed in unseen, or read from standard input',
  notes: [
    'A key that the service refuses (401) is not stored, and what was stored before stays. One that cannot be tried, because the service cannot be reached, is stored.',
  ],
  options: ['baseUrl', 'withToken'],
  examples: ['payroll auth login --profile production', 'payroll auth login --profile production < key.txt'],
  async run(context, { options }) {
    const name = await profileToLogInto(context)
    const baseUrl = await addressOf(context, name, options)
    const key = checkKey(await readSecret(context, options, `API key for ${baseUrl.origin}`))
    const tried = await tryKey(context, name, baseUrl, key)
    if (tried.answer === 'refused') throw tried.failure
    const hadToken = keyStore(await context.settings()).get(name).token !== undefined
    await storeKey(context, name, baseUrl, key)
    context.note(`Stored the key of ${name}. It is sent only to ${baseUrl.origin}.`)
    if (tried.answer === 'taken') context.note('The service accepts it.')
    else context.warn(`${tried.because} To try the key again: payroll auth status --profile ${name}`)
    if (hadToken) context.note(`Removed the access token of ${name}: the key is used from now on.`)
  },
}

export const status: Verb = {
  name: 'status',
  summary: 'Show which key is in use, and check that the service accepts it',
  examples: ['payroll auth status', 'payroll auth status --profile production --json'],
  async run(context) {
    const profile = await context.profile()
    const { name, baseUrl, key, source, keyWithheld, token } = profile
    const answer = await accepted(context)
    await context.output.record({
      profile: name,
      baseUrl: baseUrl ?? null,
      key: key === undefined ? null : maskKey(key),
      keyFrom: source.key,
      // Which of the two that may be stored goes to the service.
      credential: key === undefined ? null : token ? 'access token' : 'key',
      expiresAt: token?.expiresAt === undefined ? null : new Date(token.expiresAt).toISOString(),
      keyWithheldFor: keyWithheld ?? null,
      accepted: answer === true ? true : answer.details.status === 401 ? false : null,
    })
    if (answer !== true) throw answer
  },
}

export const logout: Verb = {
  name: 'logout',
  summary: 'Remove the stored key of a profile, and its access token and refresh token',
  examples: ['payroll auth logout --profile production'],
  async run(context) {
    const { name } = await context.profile()
    let removed: readonly string[] = []
    const warnings = await changeSettings(await context.directory(), (settings) => {
      const { key, token } = keyStore(settings).get(name)
      removed = [...(key ? ['key'] : []), ...(token ? ['access token'] : [])]
      if (removed.length === 0) throw usage(`No key is stored for ${name}.`)
      return keyStore(settings).remove(name)
    })
    for (const warning of warnings) context.warn(warning)
    const rest =
      removed.length === 1
        ? 'was removed from this computer. It still works at the service until it is revoked there.'
        : 'were removed from this computer. They still work at the service until they are revoked there.'
    context.note(`The ${removed.join(' and the ')} of ${name} ${rest}`)
  },
}

/** True, or why not. */
async function accepted(context: Context): Promise<true | Failure> {
  try {
    const client = await context.client()
    await client.call(operations.candidates.list, { query: { page: 1, size: 1 } })
    return true
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function profileToLogInto(context: Context): Promise<string> {
  const { options, host } = context
  const settings = await context.settings()
  const named = namedProfile(options.profile, host.env)?.name ?? settings.default
  if (named === 'sandbox') throw usage('The sandbox needs no key.')
  if (named !== undefined) {
    if (profileNames(settings).includes(named)) return named
    throw usage(`There is no profile ${named}. The profiles are: ${profileNames(settings).join(', ')}.`)
  }
  if (!context.interactive) throw usage('Which profile is the key for? Name it with --profile.')
  const ask = await openPrompts(context)
  const choices = profileNames(settings).filter((name) => name !== 'sandbox')
  return ask.select({ message: 'Which profile is the key for?', choices })
}

/** "Their base addresses are not shown, so the first two ask for one." */
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
  const typed = await ask.input({
    message: `Base address of ${name} (https://…)`,
    validate: (text) => {
      try {
        return Boolean(checkBaseUrl(text.trim()))
      } catch (error) {
        return error instanceof Failure ? error.message : false
      }
    },
  })
  return checkBaseUrl(typed.trim())
}
