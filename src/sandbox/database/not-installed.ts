import { createRequire } from 'node:module'
import { type Failure, usage } from '../../errors.ts'

/**
 * Whether the database of the sandbox is installed. It is a native module and an optional dependency: without it
 * everything else works. It is looked for, and not loaded.
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

/** The sandbox cannot run here. Nothing was made. */
export function notInstalled(): Failure {
  return usage(
    'The sandbox needs the package libsql, which is not installed here or does not run on this computer. Everything else works without it.',
    howToInstall,
  )
}
