import { Failure, usage } from '../../errors.ts'
import { certificateHint, isCertificateError, whyNotConnected } from '../../text/connection-codes.ts'
import { ClaimImpossible } from './claim.ts'

/** The database refuses this password. Exit 2. */
export class PasswordRefused extends Failure {}

/** A driver's error as a Failure, without its message, which may hold data. Undefined: the connection ended. */
export function journalFailure(error: unknown, place: string, passwordFrom?: string): Failure {
  const code = error === undefined ? 'ECONNRESET' : sqlState(error)
  const about = `The shared journal (${place})`
  switch (code) {
    case '28000':
      return usage(
        `${about} does not let this user in from this computer, or has no such user.`,
        'In pg_hba.conf of the server: a line for this user, database and computer. If that says hostssl: ?sslmode=verify-full',
      )
    case '28P01':
      return new PasswordRefused(
        'usage',
        `${about} refused the user or the password${passwordFrom ? ` (from ${passwordFrom})` : ', and payroll found no password for it'}.`,
        {
          outcome: 'not-sent',
          hint: passwordFrom
            ? 'Correct it there. To store one for a profile: payroll journal login --profile <name>'
            : 'To store one for a profile: payroll journal login --profile <name>. It is taken from PGPASSWORD and ~/.pgpass (PGPASSFILE) too.',
        },
      )
    case '3D000':
      return usage(`${about} does not exist: there is no such database.`)
    case '42P01':
    case '3F000':
      return noTable(place)
    case '42501':
      return notAllowed(place)
    case noTls:
      return usage(
        `${about} has no TLS, which it needs unless it is on this computer.`,
        'In its configuration: ssl = on',
      )
    case clearPassword:
      return usage(
        `${about} asks for the password itself, which is not sent without TLS.`,
        'In pg_hba.conf of the server: scram-sha-256 in place of password or md5, and store the password there again. Or use TLS: ?sslmode=verify-full',
      )
    case '25006':
      return readOnly(place)
    default:
      if (isCertificateError(code))
        return usage(`${about} ${what(code)}.`, certificateHint(code, 'the database') ?? askForCertificate)
      return new ClaimImpossible('temporary', `${about} ${what(code)}.`, {
        outcome: 'not-sent',
        retryable: true,
        hint: 'Check its address, or wait until the database answers.',
      })
  }
}

const askForCertificate =
  'Ask the people who run the database for the certificate of the authority that signed it (PEM), and name its file: ?sslrootcert=… in the address, or NODE_EXTRA_CA_CERTS.'

export const noTable = (place: string): Failure =>
  usage(
    `The shared journal (${place}) has no table yet.`,
    'To make it: payroll journal init. For the owner of the database: payroll journal init --sql',
  )

export const readOnly = (place: string): Failure =>
  usage(
    `The shared journal (${place}) can only be read: it is a copy, or is set so.`,
    'Name the server that is written to.',
  )

export const notAllowed = (place: string): Failure =>
  usage(
    `The shared journal (${place}) does not let this user do that.`,
    'What the owner of the database has to allow: payroll journal init --sql',
  )

/** The server wants the password in clear or as MD5, without TLS. */
export const clearPassword = 'PAYROLL_CLEAR_PASSWORD'

/** A code of ours for an error that has none from the driver. */
const noTls = 'no TLS'

/** The code of PostgreSQL or of the system; never a message. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code)) return code
  // The driver's own message where the server asks for a password and there is none.
  if (/^SASL: .*client password/.test(error.message)) return '28P01'
  if (/timeout/i.test(error.message)) return 'ETIMEDOUT'
  if (/connection terminated/i.test(error.message)) return 'ECONNRESET'
  return /does not support SSL/.test(error.message) ? noTls : undefined
}

const reasons: Readonly<Record<string, string>> = {
  '53300': 'all its connections are taken',
  '57P01': 'it is being stopped',
  '57P02': 'it has crashed',
  '57P03': 'it is starting or being stopped',
}

/** Says what is wrong. A full disk is an answer of the database; one that starts or stops is unreachable. */
function what(code: string | undefined): string {
  if (code === undefined) return 'could not be reached'
  if (code === '53100') return 'cannot be used just now: its disk is full'
  const reason = reasons[code] ?? whyNotConnected(code)
  if (reason !== undefined) return `could not be reached: ${reason}`
  const isAnswer = /^(?!57P|08)[0-9A-Z]{5}$/.test(code) && /\d/.test(code)
  return isAnswer ? `cannot be used just now (${code})` : `could not be reached (${code})`
}
