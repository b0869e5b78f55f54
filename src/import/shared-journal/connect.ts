import { type Failure, invalidInput, onFailure } from '../../errors.ts'
import type { DatabaseAccess } from './access.ts'
import {
  type Claim,
  type ClaimOptions,
  type ClaimOutcome,
  type Intent,
  newOwner,
  ownerName,
} from './claim.ts'
import { journalFailure } from './database-failure.ts'
import { assertVersion, assertWritable, freeSql } from './journal-table.ts'
import { isAlive, takeLease } from './lease.ts'
import { askInTurn, openSession, type RunStatement, type Session } from './session.ts'

/**
 * The journal that several computers share. A claim is on the database's disk before a request leaves, and no
 * two runs ever hold the same one. A run that cannot reach the database cannot claim.
 */
export interface SharedJournal {
  /** The name of this run, which no other run ever has. */
  readonly owner: string
  /** The claims of rows by their keys. Throws exit 3 for a key that the database cannot store. */
  readonly read: (keys: readonly string[]) => Promise<Map<string, Claim>>
  /** How long a list last took to show a new row, in milliseconds. */
  readonly lastShownMs: () => Promise<number | undefined>
  /** The keys of all rows that were created. */
  readonly createdKeys: () => AsyncGenerator<string>
  /** Why the database can no longer be relied on; undefined while it can. */
  readonly failure: () => Failure | undefined
  /** The SQL with which the owner of the database sets rows free that were created, and deleted on purpose. */
  readonly freeSql: (keys: readonly string[]) => string
  /** Claims a row. Returns undefined if this run may send it, else the other run's claim. Throws `ClaimImpossible`. */
  readonly claim: (intent: Intent) => Promise<Claim | undefined>
  /** Writes the outcome of a row that this run holds. Never throws, because the outcome is kept elsewhere too. */
  readonly writeOutcome: (key: string, outcome: ClaimOutcome) => Promise<void>
  /** Writes how long after it was created the list showed a row. */
  readonly writeShown: (key: string, afterMs: number) => Promise<void>
  /** Takes a row from a dead run. Returns false if that run is alive, or the row was taken meanwhile. */
  readonly takeOver: (claim: Claim, outcome: ClaimOutcome) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Opens the shared journal to claim rows. Throws exit 7 if it cannot be reached, and exit 2 if it cannot be used. */
export async function connectToClaim(access: DatabaseAccess, options: ClaimOptions): Promise<SharedJournal> {
  const { place } = access
  const owner = newOwner()
  const sessions = [await openSession(access)]
  const close = async () => {
    await Promise.all(sessions.map((session) => session.close()))
  }
  try {
    const [lease] = sessions
    if (!lease) throw new TypeError('there is no connection')
    await assertVersion(lease, place)
    await assertWritable(lease, place)
    const first = await openSession(access)
    sessions.push(first)
    await takeLease(lease, first, owner, place)
    // More connections only make it faster, and a database may have no more of them.
    while (sessions.length <= options.connections) {
      const more = await openSession(access).catch(onFailure(() => undefined))
      if (!more) break
      sessions.push(more)
    }
    const claims = createClaims(options, { owner, place, sessions: sessions.slice(1) })
    return { ...claims, owner, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Some databases answer before a commit is on the disk. A power cut would undo the claim, and the row would
 * be sent twice.
 */
const isDurable = `set_config('synchronous_commit',
  case when current_setting('synchronous_commit') in ('off', 'local') then 'on'
       else current_setting('synchronous_commit') end, true) is not null`

/** The statements of the shared journal. Every change of a row names the owner that it must still have. */
function createClaims(
  { scope, settleMs, file }: ClaimOptions,
  { owner, place, sessions }: Record<'owner' | 'place', string> & { readonly sessions: readonly Session[] },
): Omit<SharedJournal, 'owner' | 'close'> {
  const { ask, failWith, failure } = askInTurn(sessions)
  const reader = claimReader(ask, scope)

  /** Runs a statement and swallows its Failure, which makes the next claim fail. */
  const record = async (text: string, values: readonly unknown[]): Promise<void> => {
    await ask(text, values).catch(onFailure(() => undefined))
  }

  return {
    ...reader,
    failure,
    freeSql: (keys) => freeSql(scope, keys),

    async claim({ key, attempt, fingerprint }) {
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
      // Nothing was inserted and there is no row: this run's lock is gone, so others take it for dead.
      throw failWith(journalFailure(undefined, place))
    },

    writeOutcome: (key, { state, attempt, id }) =>
      record(
        `update payroll_journal set state = $4, attempt = $5, id = coalesce($6::text, id), at = clock_timestamp()
         where scope = $1 and key = $2 and owner = $3 and state <> 'created' and ${isDurable}`,
        [scope, key, owner, state, attempt, id ?? null],
      ),

    writeShown: (key, afterMs) =>
      record('update payroll_journal set shown_ms = $3 where scope = $1 and key = $2', [
        scope,
        key,
        Math.round(afterMs),
      ]),

    async takeOver(claim, { state, attempt, id }) {
      const rows = await ask(
        `update payroll_journal
         set owner = $4::text, state = $5, attempt = $6, id = coalesce($7::text, id), at = clock_timestamp(),
           settle_ms = greatest(settle_ms, $8)
         where scope = $1 and key = $2 and owner = $3::text and state in ('sending', 'doubt')
           and ${isDurable} and not ${isAlive('$3::text')} and ${isAlive('$4::text')}
         returning key`,
        [scope, claim.key, claim.owner, owner, state, attempt, id ?? null, settleMs],
      )
      return rows.length > 0
    },
  }
}

const claimColumns = `key, owner, state, attempt, settle_ms as "settleMs", (extract(epoch from at) * 1000)::float8 as at,
  case when state in ('sending', 'doubt') then ${isAlive('owner')} else false end as alive`

/** The most keys that are asked for at once. */
const mostKeys = 5000

/** The statements that look at the rows of one service and operation. */
function claimReader(
  ask: RunStatement,
  scope: string,
): Pick<SharedJournal, 'read' | 'lastShownMs' | 'createdKeys'> {
  async function read(keys: readonly string[]): Promise<Map<string, Claim>> {
    for (const key of keys) assertStorable(key)
    const claims = new Map<string, Claim>()
    for (let from = 0; from < keys.length; from += mostKeys) {
      const rows = await ask<Omit<Claim, 'by'>>(
        `select ${claimColumns} from payroll_journal where scope = $1 and key = any($2)`,
        [scope, keys.slice(from, from + mostKeys)],
      )
      for (const row of rows) claims.set(row.key, claimOf(row))
    }
    return claims
  }

  return {
    read,

    async lastShownMs() {
      const [row] = await ask<{ shown_ms: number }>(
        'select shown_ms from payroll_journal where scope = $1 and shown_ms is not null order by at desc limit 1',
        [scope],
      )
      return row?.shown_ms
    },

    async *createdKeys() {
      for (let last = ''; ; ) {
        const rows: readonly { key: string }[] = await ask<{ key: string }>(
          `select key from payroll_journal where scope = $1 and state = 'created' and key > $2 order by key limit ${mostKeys}`,
          [scope, last],
        )
        for (const { key } of rows) yield key
        last = rows.at(-1)?.key ?? ''
        if (rows.length < mostKeys) return
      }
    },
  }
}

/**
 * Turns a row into a claim. A time of `infinity` was not written by payroll: such a row is damaged, and in
 * doubt unless it was created.
 */
function claimOf(row: Omit<Claim, 'by'>): Claim {
  const state = Number.isFinite(row.at) || row.state === 'created' ? row.state : 'doubt'
  return { ...row, state, by: ownerName(row.owner) }
}

/** Throws a Failure (exit 3) for a reference with NUL or half a surrogate pair, which PostgreSQL cannot store. */
function assertStorable(key: string): void {
  if (!/[\0\p{Surrogate}]/u.test(key)) return
  const printable = key.replace(/[\0\p{Surrogate}]/gu, '\uFFFD')
  const message = 'has a NUL or half of a character, which the shared journal cannot hold'
  throw invalidInput(`The reference ${printable} ${message}.`, [{ path: printable, message }])
}
