import type { Resource, Verb } from '../kit/declare/verb.ts'
import { accessInForce } from './access-in-force.ts'
import { login, logout } from './store-password.ts'

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
    const { setUp, setUpSql } = await import('../../shared-journal/journal-table.ts')
    if (options.sql) {
      const sql = setUpSql(access.user)
      const { json, output } = context.options
      const isAsked = json || output !== undefined
      return (isAsked ? context.output : context.outputAs('table')).value({ sql }, sql)
    }
    const { connect } = await import('../../shared-journal/session.ts')
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
    const { readStatus } = await import('../../shared-journal/journal-status.ts')
    const { place, passwordFrom = null } = access
    await context.output.record({ journal: place, passwordFrom, ...(await readStatus(access)) })
  },
}

export const journal: Resource = { verbs: [init, status, login, logout] }
