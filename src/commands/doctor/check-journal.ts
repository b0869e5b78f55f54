import type { Context } from '../../context/context.ts'
import { journalAccess, journalAddress } from '../../context/service/journal-in-force.ts'
import { Failure } from '../../errors.ts'
import type { Profile } from '../../profile/resolve.ts'
import type { Access } from '../../shared-journal/access.ts'
import { attempted, type Check, ok, problemOf, skipped } from './doctor-check.ts'

const name = 'journal'

/** Whether imports can use the journal that several computers share. It claims nothing. */
export async function checkJournal(
  context: Context,
  profile: Profile | undefined,
  settings: Context['settings'],
): Promise<Check> {
  if (!profile) return skipped(name, 'no service can be used yet')
  if (profile.kind === 'sandbox') return skipped(name, 'not needed: the sandbox runs inside this tool')
  // The settings as they are: to open them as a run does would remove what a killed run left.
  const used = { ...context, profile: async () => profile, settings }
  const address = await attempted(() => journalAddress(used))
  if (address instanceof Failure) return problemOf(name, address)
  if (!address) return ok(name, 'on this computer; none is shared with others', 'default')
  const from = address.text === context.host.env.PAYROLL_JOURNAL?.trim() ? 'PAYROLL_JOURNAL' : 'stored'
  const found = await attempted(async () => {
    const access = await journalAccess(used, address)
    return `${access.place}: ${await examined(access)}`
  })
  return found instanceof Failure ? problemOf(name, found, from) : ok(name, found, from)
}

/** Opens it as an import does, with the lock that says that a run is alive. */
async function examined(access: Access): Promise<string> {
  const { openSharedJournal } = await import('../../shared-journal/open-shared-journal.ts')
  const { version } = await import('../../shared-journal/journal-table.ts')
  const options = { scope: '', settleMs: 0, file: '', connections: 1 }
  await (await openSharedJournal(access, options)).close()
  const password = access.passwordFrom === undefined ? '' : `, password from ${access.passwordFrom}`
  return `its table has version ${version}, and no pooler changes its connections${password}`
}
