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

function claimOf({ settle_ms, id, ...row }: Found): Claim {
  return { ...row, by: ownerName(row.owner), settleMs: settle_ms, id: id ?? undefined }
}
