import type { Environment } from '../../environment.ts'
import { accessTo, databaseTarget, type StoredPassword } from './access.ts'
import type { SharedJournalAddress } from './address.ts'
import type { ClaimOptions } from './claim.ts'

export type { FoundPassword } from './access.ts'
export { readSharedJournalAddress, type SharedJournalAddress } from './address.ts'
export type { SharedJournal } from './connect.ts'

/** A shared journal's database, as the rest of the program uses it. */
export type SharedJournalDatabase = Awaited<ReturnType<typeof journalDatabase>>

/** The database at an address. What needs its driver is loaded when first used. `stored` finds a stored password. */
export async function journalDatabase(
  address: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
) {
  const access = await accessTo(address, env, stored)
  const { place, user, password, passwordFrom } = access
  const [claims, table] = [() => import('./connect.ts'), () => import('./journal-table.ts')]
  /** Opens the journal to claim rows. Throws exit 7 if it cannot be reached, and exit 2 if it cannot be used. */
  const openToClaim = async (options: ClaimOptions) => (await claims()).connectToClaim(access, options)
  return {
    /** `db.example.com:5432/payroll` */
    place,
    user,
    password,
    /** Where the password was found, in words. */
    passwordFrom,
    passwordTarget: databaseTarget(access),
    openToClaim,
    /** Whether the database accepts a password, or why it could not be tried. */
    tryPassword: async (word: string) =>
      (await import('./session.ts')).tryPassword({ ...access, password: word }),
    /** Makes the table if it is not there. Returns whether it was made. */
    setUp: async () => (await table()).setUp(access),
    /** The SQL with which the owner of the database makes the table. */
    setUpSql: async () => (await table()).setUpSql(user),
    /** Counts the rows of the journal, and lists the runs that hold some. */
    readStatus: async () => (await table()).readStatus(access),
    /** Opens the journal as an import does, but claims nothing. Returns the version of its table. */
    async examine() {
      await (await openToClaim({ scope: '', settleMs: 0, file: '', connections: 1 })).close()
      return (await table()).tableVersionNow
    },
  }
}
