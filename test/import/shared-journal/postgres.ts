import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where the programs of PostgreSQL are: on the path, or where Debian puts them. */
function programs(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((each) => join(debian, each, 'bin')),
  ]
  return folders.find((folder) =>
    ['initdb', 'pg_ctl', 'psql'].every((each) => existsSync(join(folder, each))),
  )
}

const bin = programs()

/** Why the tests of the shared journal cannot run here; undefined where they can. */
export const withoutPostgres =
  bin === undefined
    ? 'PostgreSQL is not installed (Debian: apt-get install postgresql)'
    : process.platform === 'win32'
      ? 'PostgreSQL is started as on Linux and macOS'
      : undefined

/** PostgreSQL does not start as root. */
const user: SpawnOptions = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A database server of this test, in a folder of its own. */
export interface Postgres {
  readonly port: number
  readonly folder: string
  /** The address of a journal in a database of this name. */
  readonly url: (database?: string) => string
  /** Runs SQL as the owner of everything, and returns the rows as text. */
  readonly sql: (text: string, database?: string) => string
  /** Gives a file of its data to the user of the server alone. */
  readonly own: (file: string) => void
  readonly stop: (how?: 'fast' | 'immediate') => void
  readonly start: () => void
  readonly remove: () => void
}

/** Starts a server. `options`: lines of its configuration; `env`: variables for it, such as another clock. */
export async function startPostgres(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Postgres> {
  if (bin === undefined) throw new Error(withoutPostgres)
  const folder = mkdtempSync(join(tmpdir(), 'payroll-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0)
  const data = join(folder, 'data')
  const at = { cwd: folder, ...user, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const run = (program: string, ...argv: string[]) => {
    const { status, stderr } = spawnSync(join(bin, program), argv, {
      ...at,
      env: { ...at.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  }
  // Making an empty database takes longer than most tests, so one of each version is kept.
  const version = execFileSync(join(bin, 'initdb'), ['--version'], { encoding: 'utf8' })
  const kept = join('node_modules/.cache/payroll', version.replace(/\W+/g, '-'))
  const copy = (from: string, to: string) => spawnSync('cp', ['-a', from, to]).status === 0
  if (!copy(kept, data)) {
    rmSync(data, { recursive: true, force: true })
    run('initdb', '-D', data, '-U', 'owner', '--auth=trust', '-E', 'UTF8', '--no-sync', '--no-instructions')
    mkdirSync(dirname(kept), { recursive: true })
    const copied = `${kept}${process.pid}`
    // Where another test was quicker, its folder stays.
    if (copy(data, copied)) spawnSync('mv', ['-nT', copied, kept])
    rmSync(copied, { recursive: true, force: true })
  }
  const start = () => run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', '-F', 'start')
  const stop = (how: 'fast' | 'immediate' = 'fast') => run('pg_ctl', '-D', data, '-m', how, '-w', 'stop')
  const sql = (text: string, database = 'postgres') =>
    execFileSync(
      join(bin, 'psql'),
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'owner', '-d', database, '-qAtX', '-c', text],
      { ...at, encoding: 'utf8' },
    ).trim()
  // Chosen only now: making the data takes seconds, in which another program may take a port that was free. One that is
  // taken after all shows when the server starts, and another is tried.
  let port = 0
  for (let tries = 1; ; tries += 1) {
    port = await freePort()
    const settings = [
      `port = ${port}`,
      `unix_socket_directories = '${folder}'`,
      "listen_addresses = '127.0.0.1'",
    ]
    writeFileSync(join(data, 'postgresql.auto.conf'), [...settings, ...options, ''].join('\n'))
    try {
      start()
      break
    } catch (error) {
      if (tries === 3) throw error
    }
  }
  sql('create role payroll login')
  return {
    port,
    folder,
    sql,
    start,
    stop,
    own(file) {
      const path = join(data, file)
      chmodSync(path, 0o600)
      if (user.uid !== undefined) chownSync(path, user.uid, user.gid ?? 0)
    },
    url: (database = 'postgres') => `postgres://payroll@127.0.0.1:${port}/${database}`,
    remove() {
      try {
        stop('immediate')
      } catch {
        // It was stopped by the test.
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server that asks the user of the journal for this password. Its database `shared` has no table yet. */
export async function startSecurePostgres(password: string): Promise<Postgres> {
  const server = await startPostgres()
  server.sql('create database shared')
  server.sql(`alter role payroll password '${password}'; grant create on schema public to payroll`, 'shared')
  writeFileSync(
    join(server.folder, 'data/pg_hba.conf'),
    'local all all trust\nhost all owner all trust\nhost all all all scram-sha-256\n',
  )
  server.sql('select pg_reload_conf()')
  return server
}

/** A database with the table of the journal, whose user may do no more than it needs. Returns its address. */
export function freshJournal(server: Postgres, name: string, setUp: string): string {
  server.sql(`create database ${name}`)
  server.sql(setUp, name)
  return server.url(name)
}

/** Starts a program beside the server, with its user. */
export const startBeside = (program: string, argv: readonly string[], cwd: string) =>
  spawn(program, argv, { cwd, ...user, stdio: 'ignore' })

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
