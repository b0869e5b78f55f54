import type { Failure } from '../errors.ts'
import type { Access } from './access.ts'
import { type Claim, type Intent, newOwner, type Outcome } from './claim.ts'
import { createClaims } from './claims.ts'
import { assertAllowed, assertVersion, assertWritable } from './journal-table.ts'
import { isAlive, takeLease } from './lease.ts'
import { claimReader } from './read-claims.ts'
import { askInTurn, connect, type Session } from './session.ts'

/** Looks at the shared journal, and changes nothing in it. */
export interface ClaimReader {
  /** What is known of these rows. */
  read(keys: readonly string[]): Promise<Map<string, Claim>>
  /** "ann@office (process 4711) has been at work since …": another run that created or claimed rows a short while ago. */
  atWork(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * The journal that several computers share. To claim a row is to say that it will be sent: the claim is on the disk of
 * the database before a byte leaves, and no two runs ever hold the same one. A run without the database cannot claim.
 */
export interface SharedJournal extends ClaimReader {
  /** This run. */
  readonly owner: string
  /**
   * Claims a row. Returns undefined if it is ours to send now, else what another run made of it. Throws `ClaimImpossible`
   * if the database does not answer: then it must not be sent.
   */
  claim(row: Intent): Promise<Claim | undefined>
  /** Writes what became of a row that this run holds. Never throws: the outcome is kept elsewhere as well. */
  note(key: string, outcome: Outcome): Promise<void>
  /** Writes how long after it was created the list showed a row. */
  noteShown(key: string, afterMs: number): Promise<void>
  /** Takes a row from a run that is no longer alive. Returns false if it is alive, or the row was taken meanwhile. */
  takeOver(claim: Claim, outcome: Outcome): Promise<boolean>
  /** How long a list last took to show a new row, in milliseconds. */
  lastShownMs(): Promise<number | undefined>
  /** The keys of all rows that the service has. */
  createdKeys(): AsyncGenerator<string>
  /** Why the database is not to be relied on any more; undefined while it is. */
  readonly failure: () => Failure | undefined
}

export interface SharedJournalOptions {
  /** The service and the operation: a reference is claimed once in each. */
  readonly scope: string
  /** The same under other spellings of the address, which version 0.1.0 told apart: their rows are moved. */
  readonly formerScopes?: readonly string[]
  /** How long a request may take to be applied, in milliseconds. */
  readonly settleMs: number
  /** A digest of the file. */
  readonly file: string
  /** How many statements may run at the same time. */
  readonly connections: number
}

/** Opens the shared journal. Throws a Failure, and nothing may be sent: exit 7 if it is away, 2 if it cannot be used. */
export async function connectToClaim(access: Access, options: SharedJournalOptions): Promise<SharedJournal> {
  const { place } = access
  const owner = newOwner()
  const sessions = [await connect(access)]
  const close = async () => {
    await Promise.all(sessions.map((session) => session.close()))
  }
  try {
    const [lease] = sessions
    if (!lease) throw new TypeError('there is no connection')
    await assertWritable(lease, place)
    await assertVersion(lease)
    await assertAllowed(lease, place)
    const first = await connect(access)
    sessions.push(first)
    await takeLease(lease, first, owner, place)
    await moveRows(first, options)
    while (sessions.length <= options.connections) sessions.push(await connect(access))
    const claims = createClaims({ ...options, owner, place, sessions: sessions.slice(1) })
    return { ...claims, owner, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the shared journal to look at what was claimed at a service. Throws as `openSharedJournal` does. */
export async function connectToRead(
  access: Access,
  { scope, formerScopes = [] }: Pick<SharedJournalOptions, 'scope' | 'formerScopes'>,
): Promise<ClaimReader> {
  const session = await connect(access)
  try {
    await assertVersion(session)
    const { read, atWork } = claimReader(askInTurn([session], access.place).ask, [scope, ...formerScopes])
    return { read, atWork, close: session.close }
  } catch (error) {
    await session.close()
    throw error
  }
}

/**
 * Moves the rows of other spellings of the address to the one that all runs use now. A row whose run is still alive
 * stays: that run would not find it again.
 */
async function moveRows(
  session: Session,
  { scope, formerScopes = [] }: Pick<SharedJournalOptions, 'scope' | 'formerScopes'>,
): Promise<void> {
  for (const former of formerScopes) {
    await session.query(
      `update payroll_journal old set scope = $1::text
       where scope = $2 and not ${isAlive('old.owner')}
         and not exists (select from payroll_journal same where same.scope = $1::text and same.key = old.key)`,
      [scope, former],
    )
  }
}
