import { type Corrections, requireUsable } from '../../api/contract/operations/route-correction.ts'
import type { Context } from '../../context/context.ts'
import { routesInForce } from '../../context/routes-in-force.ts'
import { changeSettings } from '../../credentials/change-settings.ts'
import { isProfileChosen } from '../../credentials/resolve.ts'
import type { StoredProfile } from '../../credentials/settings.ts'
import { declined, usage } from '../../errors.ts'
import { openPrompts } from '../../verbs/open-prompts.ts'

/** What is corrected in the profile in force; nothing when there is none yet. Throws when one cannot be used. */
export async function correctionsOf(context: Context): Promise<Corrections> {
  const { host, options, settings } = context
  const chosen = await isProfileChosen({ flag: options.profile, env: host.env, settings })
  return chosen ? requireUsable(routesInForce(await context.profile()).routes) : {}
}

/** Changes what is stored of the profile in force. Throws a usage failure when it is not a stored one. */
export async function changeProfile(
  context: Context,
  by: (profile: StoredProfile) => StoredProfile,
): Promise<void> {
  const name = await storedName(context)
  const warnings = await changeSettings(await context.directory(), (settings) => ({
    ...settings,
    profiles: { ...settings.profiles, [name]: by(settings.profiles[name] ?? {}) },
  }))
  for (const warning of warnings) context.warn(warning)
  const { givenRoutes } = await context.profile()
  if (givenRoutes) context.warn(`PAYROLL_ROUTES is set: the routes in ${givenRoutes.file} are in force too.`)
}

/** The name of the profile in force. Throws a usage failure when it is not a stored one. */
export async function storedName(context: Context): Promise<string> {
  const { name, kind } = await context.profile()
  if (kind === 'stored') return name
  throw usage(
    `Routes can be corrected only in a stored profile, and ${name} is not stored.`,
    'To list the stored profiles: payroll profiles list',
  )
}

/** Asks, or takes --yes. Throws a usage failure without a terminal, or when the answer is no; nothing is changed. */
export async function agree(context: Context, question: string, unasked: string): Promise<void> {
  if (context.options.yes) return
  if (!context.interactive) throw usage(`${unasked}`, 'If that is right, add --yes.')
  const ask = await openPrompts(context)
  if (await ask.confirm({ message: question, default: false })) return
  throw declined('Not confirmed.')
}
