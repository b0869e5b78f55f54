import { readFileSync } from 'node:fs'
import type { Profile } from '../credentials/profile.ts'
import type { Environment } from '../environment.ts'
import { type Failure, systemCode, usage } from '../errors.ts'
import { NotJson, readJson } from '../files/json/read-json.ts'
import { readExportedRoutes } from '../model/resources/route-correction.ts'

/** Adds the routes of the file in PAYROLL_ROUTES to a profile. Throws where they cannot be used. */
export function withGivenRoutes(profile: Profile, env: Environment): Profile {
  const file = env.PAYROLL_ROUTES
  if (!file || profile.kind === 'sandbox') return profile
  return { ...profile, givenRoutes: { file, ...readRoutesFile(file) } }
}

function readRoutesFile(file: string) {
  try {
    const routesFile = readExportedRoutes(readJson(readFileSync(file)))
    if ('routes' in routesFile) return routesFile
    const [{ path, message } = { path: '', message: '' }] = routesFile
    throw unusable(file, path ? `${path}: ${message}` : message)
  } catch (error) {
    if (error instanceof NotJson) throw unusable(file, error.message)
    const code = systemCode(error)
    if (code === undefined) throw error
    throw unusable(file, code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`)
  }
}

function unusable(file: string, why: string): Failure {
  return usage(
    `The file of PAYROLL_ROUTES, ${file}, cannot be used: ${why}.`,
    'Write it with: payroll routes export > routes.json. Or unset PAYROLL_ROUTES.',
  )
}

/** The prefix and the routes in force. A named profile comes before PAYROLL_ROUTES, the default one after it. */
export function routesInForce({ isNamed, prefix, routes, givenRoutes }: Profile): {
  readonly prefix: string
  readonly routes: Readonly<Record<string, unknown>>
} {
  if (!givenRoutes) return { prefix, routes }
  if (isNamed) return { prefix, routes: { ...givenRoutes.routes, ...routes } }
  return { prefix: givenRoutes.prefix ?? prefix, routes: { ...routes, ...givenRoutes.routes } }
}
