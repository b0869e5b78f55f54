import { usage } from '../../errors.ts'
import { journalFailure } from './database-failure.ts'
import type { Session } from './session.ts'

/** SQL that tells whether the run of an owner is alive: its connection holds an advisory lock while it lasts. */
export const isAlive = (owner: string) => `exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = hashtextextended(${owner}, 0))`

/** Takes the lock that says that this run is alive. Throws a usage failure behind a pooler of transactions. */
export async function takeLease(
  lease: Session,
  session: Session,
  owner: string,
  place: string,
): Promise<void> {
  const pid = await backend(lease)
  // A pooler gives an idle connection to the next who asks, so ask while this one is idle.
  await session.query('begin')
  const [sessionBackend, again] = [await backend(session), await backend(lease)]
  await session.query('commit')
  if (sessionBackend === pid || again !== pid) throw poolerFailure(place)
  // The server then notices within a minute that a computer is gone, and releases its lock.
  await lease.query(`select set_config('tcp_keepalives_idle', '20', false), set_config('tcp_keepalives_interval', '10', false),
    set_config('tcp_keepalives_count', '3', false)`)
  await lease.query('select pg_advisory_lock(hashtextextended($1, 0))', [owner])
  for (let looks = 0; looks < 2; looks++) {
    const [activity] = await lease.query<{ alive: boolean; pid: number }>(
      `select ${isAlive('$1')} as alive, pg_backend_pid() as pid`,
      [owner],
    )
    if (!activity?.alive || activity.pid !== pid) throw poolerFailure(place)
  }
  if (lease.isLost()) throw journalFailure(undefined, place)
}

async function backend(session: Session): Promise<number | undefined> {
  const [row] = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  return row?.pid
}

function poolerFailure(place: string) {
  return usage(
    `The shared journal (${place}) is behind a pooler that changes connections between transactions, so no run could tell whether another is alive.`,
    'Name the database itself, or a pooler in session mode.',
  )
}
