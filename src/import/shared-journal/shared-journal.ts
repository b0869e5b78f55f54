import type { Environment } from '../../environment.ts'
import { Failure } from '../../errors.ts'
import { type Access, accessTo, type StoredPassword, targetOf } from './access.ts'
import type { SharedJournalAddress } from './address.ts'
import type { ClaimOptions } from './claim.ts'

export type { FoundPassword } from './access.ts'
export { readSharedJournalAddress, type SharedJournalAddress } from './address.ts'

/** The database of a shared journal, as the rest of the program knows it. */
export type JournalDatabase = Awaited<ReturnType<typeof journalDatabase>>

/** The database with this address; nothing is loaded before its use. `stored`: finds a target's password. */
export async function journalDatabase(
  address: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
) {
  const access = await accessTo(address, env, stored)
  const { place, user, password, passwordFrom } = access
  const [claims, table] = [() => import('./claims.ts'), () => import('./journal-table.ts')]
  /** Opens the journal, to claim rows. Throws a Failure, and nothing may be sent: exit 7 if it is away, 2 if it cannot be used. */
  const openToClaim = async (options: ClaimOptions) => (await claims()).connectToClaim(access, options)
  return {
    /** `db.example.com:5432/payroll` */
    place,
    user,
    password,
    /** Where the password was found, in words. */
    passwordFrom,
    passwordTarget: targetOf(access),
    openToClaim,
    /** Opens it to look at what was claimed at a service. Throws as `openToClaim` does. */
    openToRead: async (scope: string) => (await claims()).connectToRead(access, scope),
    tryPassword: (password: string) => tryPassword({ ...access, password }),
    /** Makes the table if it is not there. Returns whether it was made. */
    setUp: async () => (await table()).setUp(access),
    /** The same for the owner of the database, in its own language. */
    setUpSql: async () => (await table()).setUpSql(user),
    /** Shows how many rows are in the journal, and who is at work. */
    readStatus: async () => (await table()).readStatus(access),
    /** Opens it as an import does, with the lock that says that a run is alive, and claims nothing. Returns the version of its table. */
    async examine() {
      await (await openToClaim({ scope: '', settleMs: 0, file: '', connections: 1 })).close()
      return (await table()).version
    },
  }
}

/** Asks the database whether it takes a password: it does, it refuses it, or why it could not be asked. */
async function tryPassword(access: Access): Promise<'accepted' | 'refused' | { readonly untried: string }> {
  const [{ connect }, { PasswordRefused }] = await Promise.all([
    import('./session.ts'),
    import('./database-failure.ts'),
  ])
  try {
    await (await connect(access)).close()
    return 'accepted'
  } catch (error) {
    if (error instanceof PasswordRefused) return 'refused'
    if (error instanceof Failure) return { untried: error.message }
    throw error
  }
}
