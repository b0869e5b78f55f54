import type { Environment } from '../../environment.ts'
import { Failure } from '../../errors.ts'
import { type Access, accessTo, type StoredPassword, targetOf } from './access.ts'
import type { SharedJournalAddress } from './address.ts'
import type { ClaimOptions, ClaimReader, SharedJournal } from './claim.ts'
import type { Status } from './journal-table.ts'

export type { FoundPassword } from './access.ts'
export { readSharedJournalAddress, type SharedJournalAddress } from './address.ts'

/**
 * The database of a shared journal, as the rest of the program knows it. Nothing is connected, or even loaded, before a
 * function is called.
 */
export interface JournalDatabase {
  /** `db.example.com:5432/payroll`. */
  readonly place: string
  readonly user: string
  readonly password: string | undefined
  /** Where the password was found, in words. */
  readonly passwordFrom?: string
  /** What a stored password is for: it is sent to no other database, and for no other user. */
  readonly passwordTarget: string
  /** Opens the journal, to claim rows. Throws a Failure, and nothing may be sent: exit 7 if it is away, 2 if it cannot be used. */
  openToClaim(options: ClaimOptions): Promise<SharedJournal>
  /** Opens it to look at what was claimed at a service. Throws as `openToClaim` does. */
  openToRead(options: Pick<ClaimOptions, 'scope' | 'formerScopes'>): Promise<ClaimReader>
  /** What the database says of a password: that it takes it, that it refuses it, or why it could not be asked. */
  tryPassword(password: string): Promise<'accepted' | 'refused' | { readonly untried: string }>
  /** Makes the table if it is not there. Returns whether it was made. */
  setUp(): Promise<boolean>
  /** The same for the owner of the database, in its own language. */
  setUpSql(): Promise<string>
  /** What is in the journal, and who is at work. */
  readStatus(): Promise<Status>
  /** Opens it as an import does, with the lock that says that a run is alive, and claims nothing. Returns the version of its table. */
  examine(): Promise<number>
}

/** The database with this address, and its password where one is found. `stored`: looks for the one that is stored for a target. */
export async function journalDatabase(
  address: SharedJournalAddress,
  env: Environment,
  stored?: StoredPassword,
): Promise<JournalDatabase> {
  const access = await accessTo(address, env, stored)
  const { place, user, password, passwordFrom } = access
  const openToClaim = async (options: ClaimOptions) =>
    (await import('./claims.ts')).connectToClaim(access, options)
  return {
    place,
    user,
    password,
    ...(passwordFrom !== undefined && { passwordFrom }),
    passwordTarget: targetOf(access),
    openToClaim,
    openToRead: async (options) => (await import('./claims.ts')).connectToRead(access, options),
    tryPassword: (password) => tryPassword({ ...access, password }),
    setUp: async () => (await import('./journal-table.ts')).setUp(access),
    setUpSql: async () => (await import('./journal-table.ts')).setUpSql(user),
    readStatus: async () => (await import('./journal-table.ts')).readStatus(access),
    async examine() {
      await (await openToClaim({ scope: '', settleMs: 0, file: '', connections: 1 })).close()
      return (await import('./journal-table.ts')).version
    },
  }
}

async function tryPassword(access: Access): ReturnType<JournalDatabase['tryPassword']> {
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
