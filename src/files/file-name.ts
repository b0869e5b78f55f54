import { basename } from 'node:path'

/** Names that Windows treats as devices, whatever extension they have. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Control, format and separator characters, and those with a meaning in paths or patterns on some system. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu

const longest = 200

/**
 * Turns a name from outside into a safe file name: its last part, without strange characters, not hidden, not a
 * device, at most 200 bytes. `undefined` when nothing remains.
 */
export function fileName(given: string): string | undefined {
  const last = basename(given.replaceAll('\\', '/')).replace(unsafe, '')
  const plain = last.replace(/^[.\s]+/, '').replace(/[.\s]+$/, '')
  if (plain === '') return undefined
  return shorten(devices.test(plain) ? `_${plain}` : plain)
}

/** Shortens the name before its extension, so that a PDF stays a PDF. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  let stem = name.slice(0, name.length - ending.length)
  while (Buffer.byteLength(stem + ending) > longest) stem = [...stem].slice(0, -1).join('')
  return stem + ending
}
