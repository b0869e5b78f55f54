import { usage } from '../../errors.ts'
import { utcMinute } from '../../text/duration.ts'
import type { DatabaseAccess } from './access.ts'
import { type ClaimState, ownerName } from './claim.ts'
import { faultOf } from './database-failure.ts'
import { isAlive } from './lease.ts'
import { openSession, type Session } from './session.ts'

/** The version of the table, which its comment names. */
export const tableVersionNow = 1
const version = `payroll journal, version ${tableVersionNow}`

/** The table has one row for each record that was ever claimed. It holds no name and no number of a person. */
const create = `create table if not exists payroll_journal (
  scope text not null,            -- the address, the operation and the company
  key text not null,              -- the reference, in small letters
  owner text not null,            -- the run that claimed it: user@host, process, and a random part
  attempt smallint not null,      -- how many requests may have reached the service
  state text not null check (state in ('sending', 'doubt', 'created', 'refused')),
  settle_ms integer not null,     -- how long a request may take to be applied
  shown_ms integer,               -- how long after it was created the list showed it
  fingerprint text not null,      -- a salted digest of the row
  file text not null,             -- a digest of the file
  id text,                        -- the id that the service gave
  at timestamptz not null,        -- by the clock of the database
  primary key (scope, key)
);

comment on table payroll_journal is '${version}';`

/** The SQL of `payroll journal init --sql`, for the owner of the database. */
export function setUpSql(user: string): string {
  return `${create}

-- payroll needs no more than this:
grant select, insert, update on payroll_journal to "${user.replaceAll('"', '""')}";
`
}

/** The SQL with which the owner of the database sets rows free that were created, and deleted on purpose. */
export function freeSql(scope: string, keys: readonly string[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  return `delete from payroll_journal where scope = ${quoted(scope)} and state = 'created' and key in (${keys.map(quoted).join(', ')})`
}

/** Makes the table unless it exists. Returns whether it made it. Throws as `openSession` does. */
export async function setUp(access: DatabaseAccess): Promise<boolean> {
  const session = await openSession(access)
  try {
    const isThere = (await tableVersion(session)) !== undefined
    if (isThere) await assertVersion(session, access.place)
    // Both at once, or not at all: a table without its comment could not be used.
    else await session.query(create)
    return !isThere
  } finally {
    await session.close()
  }
}

/** Throws a usage failure where there is no table, or one of another version of payroll. */
export async function assertVersion(session: Session, place: string): Promise<void> {
  const found = await tableVersion(session)
  if (found === version) return
  if (found === undefined) throw faultOf('42P01', place)
  throw usage(
    'Another version of payroll made the table payroll_journal.',
    'Use the version of payroll that made it, or a newer one.',
  )
}

/** The comment on the table, which names its version; undefined without a table. */
async function tableVersion(session: Session): Promise<string | undefined> {
  const rows = await session.query<{ comment: string | null }>(
    `select obj_description(to_regclass('payroll_journal')::oid, 'pg_class') as comment
     where to_regclass('payroll_journal') is not null`,
  )
  return rows[0] && (rows[0].comment ?? '')
}

/** Throws a usage failure where no row can be claimed: the database can only be read, or this user may not write. */
export async function assertWritable(session: Session, place: string): Promise<void> {
  const [row] = await session.query<{ isReadOnly: boolean; may: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
       bool_and(has_table_privilege('payroll_journal', need)) as may
     from unnest(array['select', 'insert', 'update']) need`,
  )
  if (row?.isReadOnly) throw faultOf('25006', place)
  if (!row?.may) throw faultOf('42501', place)
}

type ServiceRows = { readonly service: string } & Readonly<Record<ClaimState, number>>

/** The answer of `payroll journal status`: the rows of each service, and the runs that hold some. Throws as `openSession` and `assertVersion` do. */
export async function readStatus(access: DatabaseAccess) {
  const session = await openSession(access)
  try {
    await assertVersion(session, access.place)
    const services = await session.query<ServiceRows>(
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
        since: utcMinute(at),
      })),
    }
  } finally {
    await session.close()
  }
}
