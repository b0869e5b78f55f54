import type { Profile } from '../../profile/resolve.ts'
import { howToInstall, isDatabaseInstalled } from '../../sandbox/database/not-installed.ts'
import { type Check, ok, problem, warning } from './doctor-check.ts'

/** Whether the sandbox can run: its database is an optional package. */
export function sandboxCheck(profile: Profile | undefined): Check {
  if (isDatabaseInstalled()) return ok('sandbox', 'its database is installed')
  const found = 'its database (the package libsql) is not installed; everything else works'
  return profile?.kind === 'sandbox'
    ? problem('sandbox', 'usage', found, howToInstall)
    : warning('sandbox', found, howToInstall)
}
