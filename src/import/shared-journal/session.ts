import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import Client from 'pg/lib/client.js'
import { asFailure, type Failure, onFailure } from '../../errors.ts'
import type { DatabaseAccess } from './access.ts'
import { ClaimImpossible } from './claim.ts'
import { clearPassword, journalFailure, PasswordRefused } from './database-failure.ts'

/** One connection to the database. It never reconnects by itself: its locks would be lost unnoticed. */
export interface Session {
  /** Runs one statement after the earlier ones. Throws a Failure: see `journalFailure`. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  readonly isLost: () => boolean
  close(): Promise<void>
}

const connectMs = 10_000
/** A statement takes milliseconds. One that takes this long is waiting for a lost network. */
const statementMs = 30_000

/** Stops the server from closing an idle connection while a run waits. PostgreSQL before 14 never closes one. */
const neverIdle = `select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout'`

/** Connects. Throws exit 7 if the database cannot be reached, and exit 2 if it refuses the user. */
export async function openSession(access: DatabaseAccess): Promise<Session> {
  const { host, port, database, user, password, passwordFrom, tls, place } = access
  let [isLost, isScram] = [false, false]
  const client = new Client({
    host,
    port,
    database,
    user,
    // A function, so that the driver looks for no password itself.
    password: async () => {
      // Any program on a port of this computer could ask for it in clear, or as an MD5 that can be guessed from.
      if (password && !tls && !isScram) throw Object.assign(new Error(), { code: clearPassword })
      return password ?? ''
    },
    ssl: tls ? { ...tls, rejectUnauthorized: true } : false,
    application_name: 'payroll',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const onLost = () => {
    isLost = true
  }
  const { connection } = client as unknown as {
    readonly connection: EventEmitter & { readonly stream: Socket }
  }
  connection.once('authenticationSASL', () => {
    isScram = true
  })
  /** Drops the connection without a goodbye, as a broken network does. */
  const drop = () => {
    onLost()
    connection.stream.destroy()
  }
  client.on('error', onLost)
  client.on('end', onLost)
  let last: Promise<unknown> = Promise.resolve()
  try {
    await client.connect()
    await client.query(neverIdle)
  } catch (error) {
    drop()
    throw journalFailure(error, place, passwordFrom)
  }
  return {
    query<Row>(text: string, values: readonly unknown[] = []) {
      const result = last.then(async () => {
        if (isLost) throw journalFailure(undefined, place)
        try {
          return (await client.query(text, [...values])).rows as Row[]
        } catch (error) {
          // It is not known whether an unanswered statement was carried
          // out, so this connection is not used again.
          if (!isAnswer(error)) drop()
          throw journalFailure(error, place)
        }
      })
      last = result.catch(() => {})
      return result
    },
    isLost: () => isLost,
    async close() {
      await last
      if (!isLost) await client.end().catch(() => {})
    },
  }
}

/** Tries a password. Returns whether the database accepts it, or why it could not be tried. */
export const tryPassword = (access: DatabaseAccess) =>
  openSession(access).then(
    async (session) => {
      await session.close()
      return 'accepted' as const
    },
    onFailure((failure) =>
      failure instanceof PasswordRefused ? ('refused' as const) : { untried: failure.message },
    ),
  )

const isAnswer = (error: unknown) =>
  error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))

/** Runs one statement on the next connection in turn. Throws a `ClaimImpossible`. */
export type RunStatement = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/**
 * Runs statements on several connections in turn. After one failure every later call throws it, because the
 * state of the database is unknown.
 */
export function askInTurn(sessions: readonly Session[]) {
  let turn = 0
  let failure: ClaimImpossible | undefined
  // The run may have sent rows before.
  const failWith = (error: Failure): ClaimImpossible => {
    failure ??=
      error instanceof ClaimImpossible
        ? error
        : new ClaimImpossible('temporary', error.message, { ...error.details, outcome: undefined })
    return failure
  }
  const ask: RunStatement = async <Row>(text: string, values: readonly unknown[]) => {
    if (failure) throw failure
    turn = (turn + 1) % sessions.length
    try {
      return (await sessions[turn]?.query<Row>(text, values)) ?? []
    } catch (error) {
      throw failWith(asFailure(error))
    }
  }
  return { ask, failWith, failure: (): Failure | undefined => failure }
}
