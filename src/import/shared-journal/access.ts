import { readFile, stat } from 'node:fs/promises'
import { platform, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../environment.ts'
import { systemCode, usage } from '../../errors.ts'
import { isLocal, type SharedJournalAddress } from './address.ts'

/** All that is needed to connect. */
export interface Access {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  /** Where the password was found, in words. */
  readonly passwordFrom?: string
  /** The certificate must be right, for this host. */
  readonly tls: { readonly ca?: string } | undefined
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

/** What a stored password is for: it is sent to no other database, and for no other user. */
export const targetOf = ({ user, place }: Pick<Access, 'user' | 'place'>) => `${user}@${place}`

/**
 * Completes an address as PostgreSQL's own programs do: service file, PGPASSWORD, and the password file. A password that
 * is stored for the database comes before that file.
 */
export async function accessTo(
  address: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
): Promise<Access> {
  const service = address.service === undefined ? {} : await readService(address.service, env)
  const host = address.host ?? service.host ?? 'localhost'
  const port = address.port ?? Number(service.port || 5432)
  const user = address.user ?? service.user ?? env.PGUSER ?? ourName()
  const database = address.database ?? service.dbname ?? user
  const isSecure = address.verify || !isLocal(host)
  const rootCertificate = address.rootCertificate ?? service.sslrootcert
  const place = `${host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`}/${database}`
  const password =
    from('PGPASSWORD', env.PGPASSWORD) ??
    from('the service file', service.password) ??
    (await stored?.(targetOf({ user, place }))) ??
    (await passwordFromFile([host, String(port), database, user], env))
  return {
    host,
    port,
    database,
    user,
    password: undefined,
    ...password,
    tls: isSecure
      ? rootCertificate === undefined
        ? {}
        : { ca: await readText(rootCertificate) }
      : undefined,
    place,
  }
}

const from = (passwordFrom: string, password: string | undefined): FoundPassword | undefined =>
  password ? { password, passwordFrom } : undefined

/** The section of a service file: `[name]`, then lines like `host=db.example.com`. */
async function readService(name: string, env: Environment): Promise<Partial<Record<string, string>>> {
  const path = env.PGSERVICEFILE || join(env.HOME ?? '', '.pg_service.conf')
  let section: string | undefined
  const settings: Record<string, string> = {}
  let isThere = false
  for (const line of (await readText(path)).split(/\r?\n/)) {
    const [, heading] = /^\s*\[(.+)\]\s*$/.exec(line) ?? []
    if (heading !== undefined) section = heading
    isThere ||= section === name
    const [, key, value] = /^\s*([a-z_]+)\s*=(.*)$/.exec(line) ?? []
    if (section === name && key !== undefined && value !== undefined) settings[key] = value.trim()
  }
  if (!isThere) throw usage(`The service file ${path} has no section for the service that the journal names.`)
  return settings
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
    if (fits && fields[4]) return from(path, fields[4])
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
