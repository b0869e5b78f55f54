import { Failure } from '../errors.ts'
import type { Claim, ClaimState, Intent, Outcome } from './claim.ts'
import { ClaimImpossible, databaseFailure } from './database-failure.ts'
import { isAlive } from './lease.ts'
import { ownerName, timeOf } from './owner.ts'
import type { Session } from './session.ts'

interface ClaimsOptions {
  readonly owner: string
  readonly scope: string
  readonly settleMs: number
  readonly file: string
  readonly place: string
  readonly sessions: readonly Session[]
}

/** Some databases answer before a commit is on the disk. A claim that a power cut takes back would be sent twice. */
const isDurable = `set_config('synchronous_commit',
  case when current_setting('synchronous_commit') in ('off', 'local') then 'on'
       else current_setting('synchronous_commit') end, true) is not null`

const columns = `key, owner, state, attempt, settle_ms, id, (extract(epoch from at) * 1000)::float8 as at,
  case when state in ('sending', 'doubt') then ${isAlive('owner')} else false end as alive`

/** A row of `columns`. */
interface Found {
  readonly key: string
  readonly owner: string
  readonly state: ClaimState
  readonly attempt: number
  readonly settle_ms: number
  readonly id: string | null
  readonly at: number
  readonly alive: boolean
}

/** As many keys are asked for at once. */
const most = 5000

/** The statements of the shared journal. Every change of a row names the owner that it must still have. */
export function createClaims({ owner, scope, settleMs, file, place, sessions }: ClaimsOptions) {
  let turn = 0
  let failure: Failure | undefined

  /** After a failure nothing more is asked: what the database has of this run is not known. */
  async function ask<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (failure) throw failure
    turn = (turn + 1) % sessions.length
    const session = sessions[turn]
    try {
      return session ? await session.query<Row>(text, values) : []
    } catch (error) {
      failure ??= inTheMiddle(error instanceof Failure ? error : databaseFailure(error, place))
      throw failure
    }
  }

  /** Asks, and keeps the failure for the next claim. */
  async function tell(text: string, values: readonly unknown[]): Promise<void> {
    await ask(text, values).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
    })
  }

  async function read(keys: readonly string[]): Promise<Map<string, Claim>> {
    const found = new Map<string, Claim>()
    for (let from = 0; from < keys.length; from += most) {
      const rows = await ask<Found>(
        `select ${columns} from payroll_journal where scope = $1 and key = any($2)`,
        [scope, keys.slice(from, from + most)],
      )
      for (const row of rows) found.set(row.key, claimOf(row))
    }
    return found
  }

  return {
    read,

    async claim({ key, attempt, fingerprint }: Intent): Promise<Claim | undefined> {
      const ours = await ask(
        `insert into payroll_journal as old
           (scope, key, owner, attempt, state, settle_ms, fingerprint, file, at)
         select $1::text, $2::text, $3::text, $4::smallint, 'sending', $5::integer, $6::text, $7::text,
           clock_timestamp()
         where ${isDurable} and ${isAlive('$3::text')}
         on conflict (scope, key) do update
           set owner = excluded.owner, attempt = excluded.attempt, state = excluded.state,
             settle_ms = excluded.settle_ms, shown_ms = null, fingerprint = excluded.fingerprint,
             file = excluded.file, id = null, at = excluded.at
           where old.state = 'refused' and old.attempt < excluded.attempt
         returning key`,
        [scope, key, owner, attempt, settleMs, fingerprint, file],
      )
      if (ours.length > 0) return undefined
      const other = (await read([key])).get(key)
      if (other) return other
      // No row at all: the lock of this run is gone, and others take it for dead.
      failure ??= databaseFailure(undefined, place)
      throw failure
    },

    note: (key: string, { state, attempt, id }: Outcome) =>
      tell(
        `update payroll_journal set state = $4, attempt = $5, id = coalesce($6::text, id), at = clock_timestamp()
         where scope = $1 and key = $2 and owner = $3 and state <> 'created' and ${isDurable}`,
        [scope, key, owner, state, attempt, id ?? null],
      ),

    noteShown: (key: string, afterMs: number) =>
      tell('update payroll_journal set shown_ms = $3 where scope = $1 and key = $2', [
        scope,
        key,
        Math.round(afterMs),
      ]),

    async takeOver(claim: Claim, { state, attempt, id }: Outcome): Promise<boolean> {
      const taken = await ask(
        `update payroll_journal
         set owner = $4::text, state = $5, attempt = $6, id = coalesce($7::text, id), at = clock_timestamp(),
           settle_ms = greatest(settle_ms, $8)
         where scope = $1 and key = $2 and owner = $3::text and state in ('sending', 'doubt')
           and ${isDurable} and not ${isAlive('$3::text')} and ${isAlive('$4::text')}
         returning key`,
        [scope, claim.key, claim.owner, owner, state, attempt, id ?? null, settleMs],
      )
      return taken.length > 0
    },

    async atWork(): Promise<string | undefined> {
      const [row] = await ask<{ owner: string; at: number }>(
        `select owner, (extract(epoch from min(at)) * 1000)::float8 as at from payroll_journal
         where scope = $1 and owner <> $2 and at > clock_timestamp() - interval '10 minutes'
         group by owner having ${isAlive('owner')} order by 2 limit 1`,
        [scope, owner],
      )
      return row && `${ownerName(row.owner)} has been at work since ${timeOf(row.at)}`
    },

    async lastShownMs(): Promise<number | undefined> {
      const [row] = await ask<{ shown_ms: number }>(
        'select shown_ms from payroll_journal where scope = $1 and shown_ms is not null order by at desc limit 1',
        [scope],
      )
      return row?.shown_ms
    },

    async *createdKeys(): AsyncGenerator<string> {
      for (let last = ''; ; ) {
        const rows: readonly { key: string }[] = await ask<{ key: string }>(
          `select key from payroll_journal where scope = $1 and state = 'created' and key > $2 order by key limit ${most}`,
          [scope, last],
        )
        for (const { key } of rows) yield key
        last = rows.at(-1)?.key ?? ''
        if (rows.length < most) return
      }
    },

    failure: (): Failure | undefined => failure,
  }
}

/** What is wrong in the middle of a run, such as a right that was taken away: something may have been sent before. */
function inTheMiddle(failure: Failure): ClaimImpossible {
  if (failure instanceof ClaimImpossible) return failure
  const { outcome: _, ...details } = failure.details
  return new ClaimImpossible('temporary', failure.message.replace(/ Nothing was sent\./, ''), details)
}

function claimOf({ settle_ms, id, ...row }: Found): Claim {
  return { ...row, by: ownerName(row.owner), settleMs: settle_ms, id: id ?? undefined }
}
