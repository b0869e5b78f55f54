import { readFile, stat } from 'node:fs/promises'
import { platform, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../environment.ts'
import { systemCode, usage } from '../../errors.ts'
import { isLocal, type SharedJournalAddress } from './address.ts'

/** All that a connection needs. */
export interface Access extends Partial<FoundPassword> {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** The certificate must be right, for this host. */
  readonly tls: { readonly ca: string | undefined } | undefined
  /** `db.example.com:5432/payroll`. */
  readonly place: string
}

/** A password, and where it was found. */
export interface FoundPassword {
  readonly password: string
  readonly passwordFrom: string
}

/** Looks for the password that is stored for a database, which `targetOf` names. */
export type StoredPassword = (target: string) => Promise<FoundPassword | undefined>

/** The database that a stored password is for: it is sent to no other database, and for no other user. */
export const targetOf = ({ user, place }: Pick<Access, 'user' | 'place'>) => `${user}@${place}`

/** Completes an address as PostgreSQL's own programs do. A password that is stored for the database comes before the password file. */
export async function accessTo(
  {
    host = 'localhost',
    port = 5432,
    user: named,
    database: base,
    verify,
    rootCertificate,
  }: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
): Promise<Access> {
  const user = named ?? env.PGUSER ?? ourName()
  const database = base ?? user
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
  const password = env.PGPASSWORD
    ? { password: env.PGPASSWORD, passwordFrom: 'PGPASSWORD' }
    : ((await stored?.(targetOf({ user, place }))) ??
      (await passwordFromFile([host, String(port), database, user], env)))
  const isSecure = verify || !isLocal(host)
  const ca = isSecure && rootCertificate !== undefined ? await readText(rootCertificate) : undefined
  return { host, port, database, user, place, ...password, tls: isSecure ? { ca } : undefined }
}

/** The first line of the password file that fits: `host:port:database:user:password`, with * for any. */
async function passwordFromFile(
  wanted: readonly string[],
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
    throw usage(`Other users can read the password file ${path}.`, `chmod 600 ${path}`)
  for (const line of (await readText(path)).split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields = [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1'),
    )
    const fits = wanted.every((each, at) => fields[at] === '*' || fields[at] === each)
    if (fits && fields[4]) return { password: fields[4], passwordFrom: path }
  }
  return undefined
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw usage(`${path} cannot be read (${systemCode(error)}).`)
  }
}

/** In a container the user id may have no name. */
function ourName(): string {
  try {
    return userInfo().username
  } catch {
    return 'payroll'
  }
}
