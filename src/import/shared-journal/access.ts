import { readFile } from 'node:fs/promises'
import type { Environment } from '../../environment.ts'
import { systemCode, usage } from '../../errors.ts'
import { isLocal, type SharedJournalAddress } from './address.ts'

/** All that a connection needs. */
export interface DatabaseAccess extends Partial<FoundPassword> {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** TLS, with a certificate that is valid for this host; undefined without TLS. */
  readonly tls: { readonly ca: string | undefined } | undefined
  /** `db.example.com:5432/payroll`. */
  readonly place: string
}

/** A password, and where it was found. */
export interface FoundPassword {
  readonly password: string
  readonly passwordFrom: string
}

/** Looks up the stored password of a database, by the name that `databaseTarget` gives. */
export type StoredPassword = (target: string) => Promise<FoundPassword | undefined>

/** The name under which a password is stored. It is sent to no other database, and for no other user. */
export const databaseTarget = ({ user, place }: Pick<DatabaseAccess, 'user' | 'place'>) => `${user}@${place}`

/** Completes an address with the password of the environment, or the stored one, and the certificate that it names. */
export async function accessTo(
  { host, port, user, database, verify, rootCertificate }: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
): Promise<DatabaseAccess> {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
  const password = env.PGPASSWORD
    ? { password: env.PGPASSWORD, passwordFrom: 'PGPASSWORD' }
    : await stored?.(databaseTarget({ user, place }))
  const isSecure = verify || !isLocal(host)
  const ca = isSecure && rootCertificate !== undefined ? await readCertificate(rootCertificate) : undefined
  return { host, port, database, user, place, ...password, tls: isSecure ? { ca } : undefined }
}

async function readCertificate(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw usage(`${path} cannot be read (${systemCode(error)}).`)
  })
  // The driver would do without it, and trust no certificate.
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw usage(`${path} has no certificate in it (PEM).`)
}
