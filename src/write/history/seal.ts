import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seals the lines of a history, so that nobody without the key can change one unnoticed. */
export interface Seal {
  /** Adds the seal as the last member of a line, which is the JSON of an object. */
  readonly addTo: (line: string) => string
  readonly check: (line: string) => SealState
  /** A digest of a value that tells whose a record is. Equal values have equal digests, and none reveals the value. */
  readonly digest: (path: string, value: string) => string
}

/**
 * `whole`: the line is as it was written. `broken`: somebody changed it. `none`: it cannot be checked, because
 * the key could not be read when it was written, or the profile had another key then.
 */
type SealState = 'whole' | 'broken' | 'none'

/** The length of a seal: 128 of 256 bits in base64url. Shortening is allowed by RFC 2104, section 5. */
const length = 22
const sealedLine = /^(\{.*),"seal":"([\w-]{6})\.([\w-]{22})"\}$/s

/** The seal of a profile. Without a secret, lines get no seal. */
export function sealWith(secret: string | undefined): Seal {
  if (secret === undefined) return { addTo: (line) => line, check: () => 'none', digest: () => '' }
  const sign = (kind: string, text: string) =>
    createHmac('sha256', secret).update(`history ${kind}\n${text}`).digest('base64url').slice(0, length)
  const key = sign('key', '').slice(0, 6)
  return {
    addTo: (line) => `${line.slice(0, -1)},"seal":"${key}.${sign('line', line)}"}`,
    check(line) {
      const [, rest, of, seal = ''] = sealedLine.exec(line) ?? []
      if (rest === undefined || of !== key) return 'none'
      return timingSafeEqual(Buffer.from(seal), Buffer.from(sign('line', `${rest}}`))) ? 'whole' : 'broken'
    },
    digest: (path, value) => sign('value', `${path}\n${value}`),
  }
}
