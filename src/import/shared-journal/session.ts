import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import Client from 'pg/lib/client.js'
import { Failure } from '../../errors.ts'
import type { Access } from './access.ts'
import { ClaimImpossible } from './claim.ts'
import { clearPassword, databaseFailure } from './database-failure.ts'

/** One connection to the database. It is never made again by itself: what was lost with it must be known. */
export interface Session {
  /** One statement, after those before it. Throws a Failure: see `databaseFailure`. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  readonly isLost: () => boolean
  close(): Promise<void>
}

const connectMs = 10_000
/** A statement takes milliseconds. What takes longer waits for a network that is gone. */
const statementMs = 30_000

/** A run waits while a request settles: the server must not end what rests. Before PostgreSQL 14 it never does. */
const neverIdle = `select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout'`

/** Connects. Throws a Failure (exit 7) if the database cannot be reached, and exit 2 if it does not let us in. */
export async function connect(access: Access): Promise<Session> {
  const { host, port, database, user, password, passwordFrom, tls, place } = access
  let [isLost, isScram] = [false, false]
  const client = new Client({
    host,
    port,
    database,
    user,
    // A function, so that the driver looks for none by itself.
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
  /** Ends the connection without a word, as a network does. */
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
    throw databaseFailure(error, place, passwordFrom)
  }
  return {
    query<Row>(text: string, values: readonly unknown[] = []) {
      const result = last.then(async () => {
        if (isLost) throw databaseFailure(undefined, place)
        try {
          return (await client.query(text, [...values])).rows as Row[]
        } catch (error) {
          // Whether an unanswered statement was carried out is not known, so nothing more goes over this connection.
          if (!isAnswer(error)) drop()
          throw databaseFailure(error, place)
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

/** Whether the database answered, with an error that has one of its codes. */
const isAnswer = (error: unknown) =>
  error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))

/** One statement, by whichever connection has its turn. Throws a `ClaimImpossible`. */
export type Ask = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** Asks by several connections in turn. After a failure nothing is known of the database, so all throw it. */
export function askInTurn(sessions: readonly Session[], place: string) {
  let turn = 0
  let failure: ClaimImpossible | undefined
  const failWith = (error: Failure): ClaimImpossible => {
    failure ??= inTheMiddle(error)
    return failure
  }
  const ask: Ask = async <Row>(text: string, values: readonly unknown[]) => {
    if (failure) throw failure
    turn = (turn + 1) % sessions.length
    try {
      return (await sessions[turn]?.query<Row>(text, values)) ?? []
    } catch (error) {
      throw failWith(error instanceof Failure ? error : databaseFailure(error, place))
    }
  }
  return { ask, failWith, failure: (): Failure | undefined => failure }
}

/** The failure of a statement in the middle of a run, such as a right that was taken away: something may have been sent before. */
function inTheMiddle(failure: Failure): ClaimImpossible {
  if (failure instanceof ClaimImpossible) return failure
  const { outcome: _, ...details } = failure.details
  return new ClaimImpossible('temporary', failure.message, details)
}
