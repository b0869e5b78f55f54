import type { Context } from '../../context/context.ts'
import { routesInForce } from '../../context/routes-in-force.ts'
import { requireStored } from '../../credentials/keys.ts'
import { isProfileChosen } from '../../credentials/resolve.ts'
import { type Corrections, requireUsable } from '../../model/resources/route-correction.ts'

/** The corrections of the profile in force; none when there is none yet. Throws when one cannot be used. */
export async function correctionsOf(context: Context): Promise<Corrections> {
  const { host, options, settings } = context
  const isChosen = await isProfileChosen({ flag: options.profile, env: host.env, settings })
  return isChosen ? requireUsable(routesInForce(await context.profile()).routes) : {}
}

/** Changes the stored routes of the profile in force. Throws a usage failure when it is not a stored one. */
export async function changeRoutes(
  context: Context,
  by: (routes: Corrections) => Corrections,
): Promise<void> {
  const name = await storedName(context)
  await context.changeProfile(name, (stored) => ({
    ...stored,
    profile: { ...stored.profile, routes: { ...by(stored.profile?.routes ?? {}) } },
  }))
  const { givenRoutes } = await context.profile()
  if (givenRoutes) context.warn(`PAYROLL_ROUTES is set: the routes in ${givenRoutes.file} are in force too.`)
}

/** The name of the profile in force. Throws a usage failure when it is not a stored one. */
export const storedName = async (context: Context): Promise<string> =>
  requireStored(await context.profile(), 'Routes can be corrected only in a stored profile')
