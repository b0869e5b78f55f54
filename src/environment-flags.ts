import type { Environment, FlagName } from './environment.ts'

/** Whether a variable is anything but 0, no, false or off: a slip must not allow what shall be refused. */
export const isOn = (env: Environment, name: FlagName): boolean =>
  !/^(|0|no|false|off)$/i.test(env[name]?.trim() ?? '')
