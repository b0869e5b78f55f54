import { isShortName } from '../text/words.ts'

/** Whether a profile can have this name. */
export const isProfileName = (name: string): boolean =>
  isShortName(name) && name !== 'constructor' && name !== 'prototype'

/** Where the key of a profile can lie, by its option: in the settings, or in the keyring of the system. */
export const keyStores = ['file', 'keyring'] as const
