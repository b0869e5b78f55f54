import type { Environment, FlagName } from './environment.ts'

/** Any value is on but 0, no, false, off and nothing: a misspelt one never allows what should be refused. */
export const isOn = (env: Environment, name: FlagName): boolean =>
  !/^(|0|no|false|off)$/i.test(env[name]?.trim() ?? '')
