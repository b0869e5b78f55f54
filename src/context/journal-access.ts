import { isProfileChosen } from '../credentials/resolve.ts'
import { type Failure, usage } from '../errors.ts'
import { type Access, accessTo } from '../shared-journal/access.ts'
import { readJournalAddress } from '../shared-journal/address.ts'
import type { Context } from './context.ts'
import { journalAccess, journalAddress } from './journal-in-force.ts'

/** What connects to the journal in force. A database can be set up before any profile is. Throws a Failure without one. */
export async function accessInForce(context: Context): Promise<Access> {
  const { env, secrets } = context.host
  const flag = context.options.profile
  const given = flag === undefined && !env.PAYROLL_PROFILE ? env.PAYROLL_JOURNAL : undefined
  const address = given ? readJournalAddress(given, 'PAYROLL_JOURNAL') : await journalAddress(context)
  if (!address) throw noJournal()
  if (!given || (await isProfileChosen({ env, settings: context.settings })))
    return journalAccess(context, address)
  const access = await accessTo(address, env)
  secrets.hide(access.password ?? '')
  return access
}

export function noJournal(): Failure {
  return usage(
    'No shared journal is set: imports keep their journals on this computer.',
    'payroll profiles set <name> --journal postgres://payroll@db.example.com/payroll, or set PAYROLL_JOURNAL',
  )
}
