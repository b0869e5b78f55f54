import type { Access } from './access.ts'
import { ownerName, timeOf } from './claim.ts'
import { assertVersion } from './journal-table.ts'
import { isAlive } from './lease.ts'
import { connect } from './session.ts'

/** What `payroll journal status` shows. */
export interface Status {
  /** By service and operation: how many rows are in each state. */
  readonly services: readonly Readonly<Record<string, string | number>>[]
  /** The runs that hold rows, and whether they are alive. */
  readonly runs: readonly {
    readonly by: string
    readonly alive: boolean
    readonly service: string
    readonly rows: number
    readonly since: string
  }[]
}

/** Reads the shared journal. Throws as `connect` and `assertVersion` do. */
export async function readStatus(access: Access): Promise<Status> {
  const session = await connect(access)
  try {
    await assertVersion(session)
    const services = await session.query<Record<string, string | number>>(
      `select scope as service,
         count(*) filter (where state = 'created')::float8 as created,
         count(*) filter (where state = 'refused')::float8 as refused,
         count(*) filter (where state = 'sending')::float8 as sending,
         count(*) filter (where state = 'doubt')::float8 as doubt
       from payroll_journal group by scope order by scope`,
    )
    const runs = await session.query<{
      owner: string
      scope: string
      rows: number
      at: number
      alive: boolean
    }>(
      `select owner, scope, rows, at, ${isAlive('owner')} as alive from (
         select owner, scope, count(*)::float8 as rows, (extract(epoch from min(at)) * 1000)::float8 as at
         from payroll_journal where state in ('sending', 'doubt') group by owner, scope
       ) held order by at`,
    )
    return {
      services,
      runs: runs.map(({ owner, scope, rows, at, alive }) => ({
        by: ownerName(owner),
        alive,
        service: scope,
        rows,
        since: timeOf(at),
      })),
    }
  } finally {
    await session.close()
  }
}
