import { readFile, stat } from 'node:fs/promises'
import { platform, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../environment.ts'
import { systemCode, usage } from '../../errors.ts'
import { chmodCommand } from '../../text/shell-word.ts'
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

/** Completes an address as PostgreSQL's own programs do. A stored password is used before the password file. */
export async function accessTo(
  {
    host = 'localhost',
    port = 5432,
    user: userName,
    database: base,
    verify,
    rootCertificate,
  }: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
): Promise<DatabaseAccess> {
  const user = userName ?? env.PGUSER ?? ourName()
  const database = base ?? user
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
  const password = env.PGPASSWORD
    ? { password: env.PGPASSWORD, passwordFrom: 'PGPASSWORD' }
    : ((await stored?.(databaseTarget({ user, place }))) ??
      (await passwordFromFile([host, String(port), database, user], env)))
  const isSecure = verify || !isLocal(host)
  const ca = isSecure && rootCertificate !== undefined ? await readAccessFile(rootCertificate) : undefined
  // The driver would do without it, and trust no certificate.
  if (ca?.includes('-----BEGIN CERTIFICATE-----') === false)
    throw usage(`${rootCertificate} has no certificate in it (PEM).`)
  return { host, port, database, user, place, ...password, tls: isSecure ? { ca } : undefined }
}

/**
 * The password of the first matching line of the password file: `host:port:database:user:password`;
 * * matches anything.
 */
async function passwordFromFile(
  values: readonly string[],
  env: Environment,
): Promise<FoundPassword | undefined> {
  const isWindows = platform() === 'win32'
  const folder = isWindows ? env.APPDATA : env.HOME
  const usual = folder && join(folder, isWindows ? 'postgresql/pgpass.conf' : '.pgpass')
  const path = env.PGPASSFILE || usual
  // A container may have no home.
  if (!path) return undefined
  const about = await stat(path).catch(() => undefined)
  if (!about?.isFile()) return undefined
  if (!isWindows && (about.mode & 0o077) !== 0)
    throw usage(`Other users can read the password file ${path}.`, chmodCommand('600', path))
  for (const line of (await readAccessFile(path)).split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields = [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1'),
    )
    const fits = values.every((each, at) => fields[at] === '*' || fields[at] === each)
    if (fits && fields[4]) return { password: fields[4], passwordFrom: path }
  }
  return undefined
}

async function readAccessFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw usage(`${path} cannot be read (${systemCode(error)}).`)
  }
}

function ourName(): string {
  try {
    return userInfo().username
  } catch {
    // The user id of a container may have no name.
    return 'payroll'
  }
}
