import type { Profile } from './profile.ts'

/** What a stored profile and the environment say of one setting, in their order: a named profile, the environment, the default. */
export const inForce = <T>(
  { isNamed }: Pick<Profile, 'isNamed'>,
  stored: T | undefined,
  given: T | undefined,
): T | undefined => (isNamed ? (stored ?? given) : (given ?? stored))
