import { timingSafeEqual } from 'node:crypto'
import { hmacWith } from '../../text/hmac.ts'

/** Seals the lines of a history: nobody without the key can change one unseen. */
export interface Seal {
  /** The line with its seal as the last member. `line`: JSON of an object. */
  readonly close: (line: string) => string
  readonly check: (line: string) => SealState
  /** A mark of a value that says whose a record is: the same of the same value. It does not tell the value. */
  readonly mark: (path: string, value: string) => string
}

/**
 * `whole`: nobody changed it. `broken`: somebody did. `none`: it has no seal, or one of another key, which cannot be checked: an
 * earlier version wrote it, or the key of the profile is another one since.
 */
type SealState = 'whole' | 'broken' | 'none'

/** 128 of 256 bits, in base64url (RFC 2104, section 5). */
const length = 22
const form = /^(\{.*),"seal":"([\w-]{6})\.([\w-]{22})"\}$/s

/** The seal of a profile, with the secret of its marks; without one, lines have none. */
export function sealWith(secret: string | undefined): Seal {
  if (secret === undefined) return { close: (line) => line, check: () => 'none', mark: () => '' }
  const hmac = hmacWith(secret)
  const sign = (kind: string, text: string) => hmac(`history ${kind}\n${text}`, 'base64url').slice(0, length)
  const key = sign('key', '').slice(0, 6)
  return {
    close: (line) => `${line.slice(0, -1)},"seal":"${key}.${sign('line', line)}"}`,
    check(line) {
      const [, rest, of, seal = ''] = form.exec(line) ?? []
      if (rest === undefined || of !== key) return 'none'
      return timingSafeEqual(Buffer.from(seal), Buffer.from(sign('line', `${rest}}`))) ? 'whole' : 'broken'
    },
    mark: (path, value) => sign('value', `${path}\n${value}`),
  }
}
