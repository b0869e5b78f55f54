import type { Environment, FlagName } from './environment.ts'

/**
 * Whether a variable is set to anything but 0, no, false or off. A slip is on too: what shall refuse every write must not be
 * left off by one. Apart from the table of variables, which only help loads.
 */
export const isOn = (env: Environment, name: FlagName): boolean =>
  !/^(|0|no|false|off)$/i.test(env[name]?.trim() ?? '')
