import { Failure, usage } from '../../errors.ts'
import { connectionCode, isCertificateError, whyNotConnected } from '../../text/connection-codes.ts'
import { ClaimImpossible } from './claim.ts'

/** The database refuses this password. Exit 2. */
export class PasswordRefused extends Failure {}

/** The server wants the password in clear or as MD5, without TLS. */
export const clearPassword = 'PAYROLL_CLEAR_PASSWORD'

const noTls = 'no TLS'

const noTable = [
  'has no table yet',
  'To make it: payroll journal init. For the owner of the database: payroll journal init --sql',
] as const

/** What somebody has to put right, by the code that says it, and what to do. */
const faults = {
  '28000': [
    'does not let this user in from this computer, or has no such user',
    'In pg_hba.conf of the server: a line for this user, database and computer. If that says hostssl: ?sslmode=verify-full',
  ],
  '3D000': ['does not exist: there is no such database'],
  '42P01': noTable,
  '3F000': noTable,
  '42501': [
    'does not let this user do that',
    'What the owner of the database has to allow: payroll journal init --sql',
  ],
  '25006': ['can only be read: it is a copy, or is set so', 'Name the server that is written to.'],
  [noTls]: ['has no TLS, which it needs unless it is on this computer', 'In its configuration: ssl = on'],
  [clearPassword]: [
    'asks for the password itself, which is not sent without TLS',
    'In pg_hba.conf of the server: scram-sha-256 in place of password or md5, and store the password there again. Or use TLS: ?sslmode=verify-full',
  ],
} as const satisfies Readonly<Record<string, readonly [says: string, hint?: string]>>

const isFault = (code = ''): code is keyof typeof faults => Object.hasOwn(faults, code)

/** The failure for what somebody has to put right. Exit 2. */
export function faultOf(code: keyof typeof faults, place: string): Failure {
  const [says, hint] = faults[code]
  return usage(`The shared journal (${place}) ${says}.`, hint)
}

/** A driver's error as a Failure, without its message, which may hold data. Undefined: the connection ended. */
export function journalFailure(error: unknown, place: string, passwordFrom?: string): Failure {
  const code = error === undefined ? 'ECONNRESET' : sqlState(error)
  if (isFault(code)) return faultOf(code, place)
  const about = `The shared journal (${place})`
  if (code === '28P01') {
    const from = passwordFrom ? ` (from ${passwordFrom})` : ', and payroll found no password for it'
    return new PasswordRefused('usage', `${about} refused the user or the password${from}.`, {
      outcome: 'not-sent',
      hint: passwordFrom
        ? 'Correct it there. To store one for a profile: payroll journal login --profile <name>'
        : 'To store one for a profile: payroll journal login --profile <name>. It is taken from PGPASSWORD too.',
    })
  }
  if (isCertificateError(code)) return usage(`${about} ${what(code)}.`, askForCertificate)
  return new ClaimImpossible('temporary', `${about} ${what(code)}.`, {
    outcome: 'not-sent',
    retryable: true,
    hint: 'Check its address, or wait until the database answers.',
  })
}

const askForCertificate =
  'Ask the people who run the database for the certificate of the authority that signed it (PEM), and name its file: ?sslrootcert=… in the address, or NODE_EXTRA_CA_CERTS.'

/** The code of PostgreSQL or of the system; never a message. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = connectionCode(error)
  if (typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code)) return code
  // The driver's own message where the server asks for a password and there is none.
  if (/^SASL: .*client password/.test(error.message)) return '28P01'
  if (/timeout/i.test(error.message)) return 'ETIMEDOUT'
  if (/connection terminated/i.test(error.message)) return 'ECONNRESET'
  return /does not support SSL/.test(error.message) ? noTls : undefined
}

/** Says what is wrong. A database that starts or stops (57P…) is unreachable; any other code is its answer. */
function what(code: string | undefined): string {
  if (code === undefined) return 'could not be reached'
  const reason = whyNotConnected(code)
  if (reason !== undefined) return `could not be reached: ${reason}`
  const isAnswer = /^(?!57P|08)[0-9A-Z]{5}$/.test(code) && /\d/.test(code)
  return isAnswer ? `cannot be used just now (${code})` : `could not be reached (${code})`
}
