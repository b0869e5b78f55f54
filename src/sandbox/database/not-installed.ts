import { createRequire } from 'node:module'
import { type Failure, usage } from '../../errors.ts'

/**
 * Whether the sandbox's database is installed. It is a native module and an optional dependency: everything else works
 * without it. Looks for the package without loading it.
 */
export function isDatabaseInstalled(): boolean {
  try {
    return createRequire(import.meta.url).resolve('libsql') !== ''
  } catch {
    return false
  }
}

export const howToInstall =
  'Install payroll again with its optional packages: npm install --global --include=optional <what you installed>'

/** The failure when the sandbox cannot run here. Nothing was made. */
export function notInstalled(): Failure {
  return usage(
    'The sandbox needs the package libsql, which is not installed here or does not run on this computer. Everything else works without it.',
    howToInstall,
  )
}
