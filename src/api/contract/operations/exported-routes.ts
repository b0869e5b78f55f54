import type { Issue } from '../../../errors.ts'
import { isObject, type Json } from '../../../json/path.ts'
import { type Corrections, unusableCorrections } from './route-correction.ts'

/** What `routes export` prints. */
export interface ExportedRoutes {
  readonly prefix?: string
  readonly routes: Corrections
}

/** The corrections in a parsed file; else what is wrong with it, an issue for each entry. */
export function readExportedRoutes(given: Json): ExportedRoutes | readonly Issue[] {
  if (!isObject(given) || !isObject(given.routes))
    return [{ path: '', message: 'it is not what routes export prints' }]
  const { prefix, routes } = given
  const issues: Issue[] = [...unusableCorrections(routes)].map(([id, message]) => ({
    path: `routes.${id}`,
    message,
  }))
  const isPrefix = prefix === undefined || (typeof prefix === 'string' && /^[A-Za-z0-9_-]+$/.test(prefix))
  if (!isPrefix) issues.push({ path: 'prefix', message: 'expected one path segment, such as svc' })
  return issues.length > 0 ? issues : { ...(typeof prefix === 'string' && { prefix }), routes }
}
