import { invalidInput } from '../errors.ts'
import { type Claim, type ClaimState, ownerName, timeOf } from './claim.ts'
import { isAlive } from './lease.ts'
import type { Ask } from './session.ts'

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

/** The statements that look at the rows of one service and operation. `owner`: this run, if it may claim. */
export function claimReader(ask: Ask, scopes: readonly string[], owner = '') {
  async function read(keys: readonly string[]): Promise<Map<string, Claim>> {
    for (const key of keys) assertStorable(key)
    const found = new Map<string, Claim>()
    for (let from = 0; from < keys.length; from += most) {
      const rows = await ask<Found>(
        `select ${columns} from payroll_journal where scope = any($1) and key = any($2)`,
        [scopes, keys.slice(from, from + most)],
      )
      for (const row of rows) found.set(row.key, claimOf(row))
    }
    return found
  }

  return {
    read,

    async atWork(): Promise<string | undefined> {
      const [row] = await ask<{ owner: string; at: number }>(
        `select owner, (extract(epoch from min(at)) * 1000)::float8 as at from payroll_journal
         where scope = any($1) and owner <> $2 and at > clock_timestamp() - interval '10 minutes'
         group by owner having ${isAlive('owner')} order by 2 limit 1`,
        [scopes, owner],
      )
      return row && `${ownerName(row.owner)} has been at work since ${timeOf(row.at)}`
    },

    async lastShownMs(): Promise<number | undefined> {
      const [row] = await ask<{ shown_ms: number }>(
        'select shown_ms from payroll_journal where scope = any($1) and shown_ms is not null order by at desc limit 1',
        [scopes],
      )
      return row?.shown_ms
    },

    async *createdKeys(): AsyncGenerator<string> {
      for (let last = ''; ; ) {
        const rows: readonly { key: string }[] = await ask<{ key: string }>(
          `select key from payroll_journal where scope = any($1) and state = 'created' and key > $2 order by key limit ${most}`,
          [scopes, last],
        )
        for (const { key } of rows) yield key
        last = rows.at(-1)?.key ?? ''
        if (rows.length < most) return
      }
    },
  }
}

/** A row whose time no program of ours wrote, `infinity`, was damaged: unless it was created, its record is in doubt. */
function claimOf({ settle_ms, id, ...row }: Found): Claim {
  const state = Number.isFinite(row.at) || row.state === 'created' ? row.state : 'doubt'
  return { ...row, state, by: ownerName(row.owner), settleMs: settle_ms, id: id ?? undefined }
}

/** Throws a Failure (exit 3) for a reference that PostgreSQL cannot store: it has no NUL and no half of a surrogate pair. */
export function assertStorable(key: string): void {
  if (!/[\0\p{Surrogate}]/u.test(key)) return
  const shown = key.replace(/[\0\p{Surrogate}]/gu, '\uFFFD')
  const message = 'has a NUL or half of a character, which the shared journal cannot hold'
  throw invalidInput(`The reference ${shown} ${message}.`, [{ path: shown, message }])
}
