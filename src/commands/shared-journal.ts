import type { Context } from '../context/context.ts'
import { journalAccess, journalAddress } from '../context/service/journal-in-force.ts'
import { usage } from '../errors.ts'
import type { Access } from '../shared-journal/access.ts'
import { readJournalAddress } from '../shared-journal/address.ts'
import type { Resource, Verb } from './kit/declare/verb.ts'

const init: Verb = {
  name: 'init',
  summary: 'Make the table of the shared journal, if it is not there',
  options: ['sql'],
  examples: [
    'payroll journal init',
    'payroll journal init --sql > journal.sql    # for the owner of the database',
  ],
  async run(context, { options }) {
    const access = await accessInForce(context)
    const { setUp, setUpSql } = await import('../shared-journal/journal-table.ts')
    if (options.sql) {
      const sql = setUpSql(access.user)
      const { json, output } = context.options
      const isAsked = json || output !== undefined
      return (isAsked ? context.output : context.outputAs('table')).value({ sql }, sql)
    }
    const { connect } = await import('../shared-journal/session.ts')
    const session = await connect(access)
    try {
      const made = await setUp(session)
      context.note(
        made ? 'The table payroll_journal was made.' : 'The table payroll_journal is there already.',
      )
      await context.output.record({ journal: access.place, made })
    } finally {
      await session.close()
    }
  },
}

const status: Verb = {
  name: 'status',
  summary: 'Show what is in the shared journal, and who is at work',
  examples: ['payroll journal status', 'payroll journal status --profile acme --json'],
  async run(context) {
    const access = await accessInForce(context)
    const { readStatus } = await import('../shared-journal/journal-status.ts')
    await context.output.record({ journal: access.place, ...(await readStatus(access)) })
  },
}

export const journal: Resource = { verbs: [init, status] }

/** A database can be set up before any profile is. */
async function accessInForce(context: Context): Promise<Access> {
  const { env } = context.host
  const isAlone = context.options.profile === undefined && !env.PAYROLL_PROFILE && env.PAYROLL_JOURNAL
  const address = isAlone
    ? readJournalAddress(env.PAYROLL_JOURNAL ?? '', 'PAYROLL_JOURNAL')
    : await journalAddress(context)
  if (!address)
    throw usage(
      'No shared journal is set: imports keep their journals on this computer.',
      'payroll profiles set <name> --journal postgres://payroll@db.example.com/payroll, or set PAYROLL_JOURNAL',
    )
  return journalAccess(context, address)
}
