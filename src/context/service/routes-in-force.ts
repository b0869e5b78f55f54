import type { Profile } from '../../profile/resolve.ts'

/**
 * The prefix and the corrected routes by which requests are sent. A profile that was named goes before the
 * environment, and its default comes after it.
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
