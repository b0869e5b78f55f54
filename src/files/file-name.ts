import { basename } from 'node:path'

/** What Windows takes for a device whatever stands behind the dot. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Control, format and separator characters, and what some system reads as a path or a pattern. */
const strange = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu

const longest = 200

/**
 * A name from outside as the name of a file: its last part, without strange characters, not hidden, no device,
 * at most 200 bytes. `undefined` when nothing is left of it.
 */
export function fileName(given: string): string | undefined {
  const last = basename(given.replaceAll('\\', '/')).replace(strange, '')
  const plain = last.replace(/^[.\s]+/, '').replace(/[.\s]+$/, '')
  if (plain === '') return undefined
  return shortened(devices.test(plain) ? `_${plain}` : plain)
}

/** Cut before its ending, so that a PDF stays one. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  let stem = name.slice(0, name.length - ending.length)
  while (Buffer.byteLength(stem + ending) > longest) stem = [...stem].slice(0, -1).join('')
  return stem + ending
}
