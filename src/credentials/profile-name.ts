export const isProfileName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name) && name !== 'constructor' && name !== 'prototype'
