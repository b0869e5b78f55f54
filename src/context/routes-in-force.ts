import { closeSync, openSync, readSync } from 'node:fs'
import type { Profile } from '../credentials/profile.ts'
import type { Environment } from '../environment.ts'
import { type Failure, usage } from '../errors.ts'
import { isObject } from '../files/json/path.ts'
import { NotJson, readJson } from '../files/json/read-json.ts'
import { readExportedRoutes } from '../model/operations/route-correction.ts'

/** In bytes. Corrections of all operations take about two kilobytes. */
const largestFile = 65_536

/**
 * Adds the routes of the file in PAYROLL_ROUTES to a profile. Throws where they cannot be used. `agreed`: a
 * POST may be taken for a read.
 */
export function withGivenRoutes(profile: Profile, env: Environment, agreed: boolean): Profile {
  const file = env.PAYROLL_ROUTES
  if (!file || profile.kind === 'sandbox') return profile
  const parsed = readFile(file)
  const stored = 'routes' in parsed ? parsed : undefined
  if (!stored) {
    const [{ path, message } = { path: '', message: '' }] = parsed as readonly {
      path: string
      message: string
    }[]
    throw unusable(file, path ? `${path}: ${message}` : message)
  }
  const read = Object.entries(stored.routes).find(([, route]) => isObject(route) && route.read === true)
  if (read && !agreed) {
    throw usage(
      `The file of PAYROLL_ROUTES, ${file}, says that the POST of ${read[0]} only reads.`,
      `If that is right, add --yes, or confirm it once for a stored profile: payroll routes set ${read[0]} '…'`,
    )
  }
  return { ...profile, givenRoutes: { file, ...stored } }
}

function readFile(file: string) {
  let bytes: Buffer
  try {
    bytes = readStart(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw unusable(
      file,
      error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${error.code})`,
    )
  }
  if (bytes.length > largestFile) throw unusable(file, 'it is too large')
  try {
    return readExportedRoutes(readJson(bytes))
  } catch (error) {
    if (error instanceof NotJson) throw unusable(file, error.message)
    throw error
  }
}

/** Reads one byte more than a file of routes may have. */
function readStart(file: string): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(largestFile + 1)
    let length = 0
    for (;;) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, null)
      length += count
      if (count === 0 || length === buffer.length) return buffer.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

function unusable(file: string, why: string): Failure {
  return usage(
    `The file of PAYROLL_ROUTES, ${file}, cannot be used: ${why}.`,
    'Write it with: payroll routes export > routes.json. Or unset PAYROLL_ROUTES.',
  )
}

/**
 * The prefix and the routes in force. A named profile comes before PAYROLL_ROUTES, the default one after it.
 */
export function routesInForce({ source, kind, prefix, routes, givenRoutes }: Profile): {
  readonly prefix: string
  readonly routes: Readonly<Record<string, unknown>>
} {
  if (!givenRoutes) return { prefix, routes }
  const isNamed = kind === 'stored' && source.profile !== 'stored'
  if (isNamed) return { prefix, routes: { ...givenRoutes.routes, ...routes } }
  return { prefix: givenRoutes.prefix ?? prefix, routes: { ...routes, ...givenRoutes.routes } }
}
