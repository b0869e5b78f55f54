import { Failure } from '../errors.ts'
import type { Claim, Intent, Outcome } from './claim.ts'
import { databaseFailure } from './database-failure.ts'
import { isAlive } from './lease.ts'
import { assertStorable, claimReader } from './read-claims.ts'
import { askInTurn, type Session } from './session.ts'

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

/** The statements of the shared journal. Every change of a row names the owner that it must still have. */
export function createClaims({ owner, scope, settleMs, file, place, sessions }: ClaimsOptions) {
  const { ask, failWith, failure } = askInTurn(sessions, place)
  const reader = claimReader(ask, [scope], owner)

  /** Asks, and keeps the failure for the next claim. */
  async function tell(text: string, values: readonly unknown[]): Promise<void> {
    await ask(text, values).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
    })
  }

  return {
    ...reader,
    failure,

    async claim({ key, attempt, fingerprint }: Intent): Promise<Claim | undefined> {
      assertStorable(key)
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
      const other = (await reader.read([key])).get(key)
      if (other) return other
      // No row at all: the lock of this run is gone, and others take it for dead.
      throw failWith(databaseFailure(undefined, place))
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
  }
}
