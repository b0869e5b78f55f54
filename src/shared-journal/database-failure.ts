import { Failure, usage } from '../errors.ts'

/** The shared journal cannot be used just now: nothing may be claimed, so nothing may be sent. Exit 7. */
export class ClaimImpossible extends Failure {}

const again = 'Check its address, or wait until the database answers.'

/** An error of the driver as a Failure. Its own message is never shown: it may hold what was stored. */
export function databaseFailure(error: unknown, place: string): Failure {
  const code = codeOf(error)
  const about = `The shared journal (${place})`
  switch (code) {
    case '28P01':
    case '28000':
      return usage(
        `${about} refused the user or the password. Nothing was sent.`,
        'payroll takes the password from PGPASSWORD, from ~/.pgpass (PGPASSFILE) or from a service file (PGSERVICEFILE).',
      )
    case '3D000':
      return usage(`${about} does not exist: there is no such database. Nothing was sent.`)
    case '42P01':
    case '3F000':
      return usage(
        `${about} has no journal yet. Nothing was sent.`,
        'To make its table: payroll journal init. For the owner of the database: payroll journal init --sql',
      )
    case '42501':
      return usage(
        `${about} does not let this user do that. Nothing was sent.`,
        'What the owner of the database has to allow: payroll journal init --sql',
      )
    case noTls:
      return usage(
        `${about} has no TLS, which it needs unless it is on this computer. Nothing was sent.`,
        'In its configuration: ssl = on',
      )
    case '25006':
      return usage(
        `${about} is a copy that can only be read. Nothing was sent.`,
        'Name the server that is written to.',
      )
    default:
      return new ClaimImpossible('temporary', `${about} ${what(code)}${code ? ` (${code})` : ''}.`, {
        outcome: 'not-sent',
        retryable: true,
        hint: isCertificate(code)
          ? 'If its certificate comes from your own authority, name the file: ?sslrootcert=… in the address, or NODE_EXTRA_CA_CERTS.'
          : again,
      })
  }
}

/** The driver has no code for it. */
const noTls = 'no TLS'

/** The code of PostgreSQL or of the system; never a message. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]{3,60}$/.test(code)) return code
  // The driver says so by itself where the server asks for a password and there is none.
  if (/^SASL: .*client password/.test(error.message)) return '28P01'
  return /does not support SSL/.test(error.message) ? noTls : undefined
}

/** A full disk, for one, is an answer. A database that starts or stops is not there. */
const what = (code: string | undefined) =>
  code !== undefined && /^(?!57P|08)[0-9A-Z]{5}$/.test(code) && /\d/.test(code)
    ? 'cannot be used just now'
    : 'cannot be reached'

const isCertificate = (code: string | undefined) => code !== undefined && /CERT|SIGNATURE|ALTNAME/.test(code)
