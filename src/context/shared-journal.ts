import { emptySettings, namesWithSecrets, secretsOf, settingsFile } from '../credentials/settings.ts'
import { usage } from '../errors.ts'
import type { ClaimOptions } from '../import/shared-journal/claim.ts'
import {
  type FoundPassword,
  journalDatabase,
  readSharedJournalAddress,
  type SharedJournal,
  type SharedJournalAddress,
  type SharedJournalDatabase,
} from '../import/shared-journal/shared-journal.ts'
import type { ServicePlace } from '../origin.ts'
import type { Context } from './context.ts'

/**
 * The shared journal in force: of a named profile, then of PAYROLL_JOURNAL, then of the default profile
 * or one with the same address. The sandbox has none: no other computer reaches it.
 */
export async function sharedJournalAddress({
  profile,
  settings,
}: Pick<Context, 'profile' | 'settings'>): Promise<SharedJournalAddress | undefined> {
  const { origin, journal } = await profile()
  if (journal) return readSharedJournalAddress(journal.text, journal.from)
  return origin === undefined ? undefined : sharedJournalAt(origin, settings)
}

async function sharedJournalAt(
  origin: string,
  settings: Context['settings'],
): Promise<SharedJournalAddress | undefined> {
  // Where settings cannot be read there is no shared journal of theirs, and every address is protected.
  const { profilesAt } = await import('../credentials/resolve.ts')
  const here = profilesAt(origin, await settings().catch(() => emptySettings))
  const journals = new Set(here.flatMap(([, { journal }]) => journal || []))
  const [journal, ...otherJournals] = journals
  if (otherJournals.length > 0)
    throw usage(
      `Several profiles have the address ${origin}, with different shared journals.`,
      'Name the profile with --profile, or the journal with PAYROLL_JOURNAL.',
    )
  return journal === undefined ? undefined : readSharedJournalAddress(journal, `The journal of ${origin}`)
}

type SharedJournalContext = Pick<Context, 'host' | 'profile' | 'settings' | 'directory'>

/** The database of the shared journal. From here on no output shows its password. */
export async function sharedJournalDatabase(
  context: SharedJournalContext,
  address: SharedJournalAddress,
): Promise<SharedJournalDatabase> {
  const { env, secrets } = context.host
  const database = await journalDatabase(address, env, (target) => storedPassword(context, target))
  if (database.password) secrets.hide(database.password)
  return database
}

async function storedPassword(
  context: SharedJournalContext,
  target: string,
): Promise<FoundPassword | undefined> {
  const { directory, host } = context
  const { name: ours, keyStore } = await context.profile()
  if (keyStore === 'keyring') {
    const { readSecrets } = await import('../credentials/keys.ts')
    const { journal } = await readSecrets({ directory, env: host.env }, ours)
    if (journal?.database === target)
      return { password: journal.password, passwordFrom: 'the system keyring' }
  }
  const settings = await context.settings().catch(() => emptySettings)
  // A password is for one database only, so it is used whichever profile has it.
  const passwords = [ours, ...namesWithSecrets(settings)].map((each) => secretsOf(settings, each).journal)
  const password = passwords.find((each) => each?.database === target)?.password
  return password === undefined ? undefined : { password, passwordFrom: settingsFile(await directory()) }
}

/**
 * Opens the shared journal to claim rows, if one is set. Throws exit 7 if it cannot be reached, 2 if it
 * cannot be used; then nothing may be sent.
 */
export async function openSharedJournal(
  context: SharedJournalContext,
  { place, ...options }: Omit<ClaimOptions, 'scope'> & { readonly place: ServicePlace },
): Promise<SharedJournal | undefined> {
  const address = await sharedJournalAddress(context)
  if (!address) return undefined
  const { origin, base, operation } = place
  // One service and operation of one company. The key of the service is not part of it: each admin may have another.
  const scope = [`${origin}${base}`, operation, address.company].filter(Boolean).join(' ')
  const { openToClaim } = await sharedJournalDatabase(context, address)
  return openToClaim({ ...options, scope })
}
