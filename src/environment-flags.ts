import type { Environment, FlagName } from './environment.ts'

/**
 * Whether a variable is on: any value but 0, no, false, off or nothing. A misspelt value counts as on, so
 * that it never allows what should be refused.
 */
export const isOn = (env: Environment, name: FlagName): boolean =>
  !/^(|0|no|false|off)$/i.test(env[name]?.trim() ?? '')
