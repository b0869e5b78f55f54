import type { Context } from '../context/context.ts'
import { sharedJournalAddress, sharedJournalDatabase } from '../context/shared-journal.ts'
import { requireStored } from '../credentials/keys.ts'
import { isProfileChosen } from '../credentials/resolve.ts'
import { type Failure, usage } from '../errors.ts'
import {
  journalDatabase,
  readSharedJournalAddress,
  type SharedJournalDatabase,
} from '../import/shared-journal/shared-journal.ts'
import { array, flag, integer, object, text, type ValuesOf } from '../model/fields/field.ts'
import type { Resource, Verb } from './cli/verb.ts'
import { readSecret } from './kit/read-secret.ts'

const madeFields = {
  journal: text('Where it is'),
  made: flag('Whether the table was made now'),
}

const sqlFields = { sql: text('What makes the table') }

const statusFields = {
  journal: text('Where it is'),
  passwordFrom: text('Where the password comes from', { nullable: true }),
  services: array(
    'Rows by service and operation',
    object('', {
      service: text('Service and operation'),
      created: integer('Created'),
      refused: integer('Refused'),
      sending: integer('Being sent'),
      doubt: integer('In doubt'),
    }),
  ),
  runs: array(
    'The runs that hold rows',
    object('', {
      by: text('Who'),
      alive: flag('Whether it is running'),
      service: text('Service and operation'),
      rows: integer('Rows'),
      since: text('Since when'),
    }),
  ),
}

const login: Verb = {
  name: 'login',
  isLocal: true,
  localEffect: 'stored',
  readsInput: 'secret',
  summary: 'Store the password of the shared journal for a profile, where its key lies',
  notes: [
    'The password is typed in unseen, or read from standard input. It is sent only to the database and for the user of the address as it is now.',
    'PGPASSWORD comes before it.',
    'A password that the database refuses is not stored. One that cannot be tried, because the database cannot be reached, is stored.',
  ],
  answer: { prints: 'nothing' },
  examples: [
    'payroll journal login --profile acme',
    'payroll journal login --profile acme < password.txt',
    'payroll profiles set acme --key-store keyring    # the password moves there too',
  ],
  async run(context, { options }) {
    const name = await storedProfile(context)
    const address = await sharedJournalAddress(context)
    if (!address) throw noSharedJournal()
    // The stored password is not read: it may be gone.
    const found = await journalDatabase(address, context.host.env)
    context.host.secrets.hide(found.password ?? '')
    const { passwordTarget: database, passwordFrom } = found
    const password = await readSecret(context, options, `Password for ${database}`, checkPassword)
    const result = await found.tryPassword(password)
    if (result === 'refused')
      throw usage(
        `The shared journal (${found.place}) refused the user ${found.user} or the password.`,
        'A password that was stored before stays. Check the user and the password, then run the same command again.',
      )
    await context.changeProfile(name, (stored) => ({
      ...stored,
      secrets: { ...stored.secrets, journal: { database, password } },
    }))
    context.note(`Stored the password of the shared journal of ${name}. It is sent only to ${database}.`)
    if (result === 'accepted') context.note('The database accepts it.')
    else context.warn(`the password could not be tried. ${result.untried}`)
    if (passwordFrom === 'PGPASSWORD')
      context.warn('there is another password in PGPASSWORD, which comes before it.')
  },
}

const logout: Verb = {
  name: 'logout',
  isLocal: true,
  deletes: true,
  localEffect: 'removed',
  summary: 'Remove the stored password of the shared journal of a profile',
  answer: { prints: 'nothing' },
  examples: ['payroll journal logout --profile acme'],
  async run(context) {
    const name = await storedProfile(context)
    await context.changeProfile(name, (stored) => {
      if (!stored.secrets.journal) throw usage(`No password of a shared journal is stored for ${name}.`)
      return { ...stored, secrets: { ...stored.secrets, journal: undefined } }
    })
    context.note(
      `The password of the shared journal of ${name} was removed from this computer. The database still takes it.`,
    )
  },
}

const storedProfile = async (context: Context) =>
  requireStored(await context.profile(), 'A password is stored for a profile')

/** The password without the line break that files and pipes add. Throws a usage failure that contains no part of it. */
function checkPassword(text: string): string {
  const password = text.replace(/\r?\n$/, '')
  if (password !== '' && password.length <= 1000 && !/\p{Cc}/u.test(password)) return password
  throw usage(`The password is empty, longer than 1000 characters, or has a line break in it.`)
}

const init: Verb = {
  name: 'init',
  isLocal: true,
  summary: 'Make the table of the shared journal, if it is not there',
  options: ['sql'],
  encodesOutput: true,
  answer: {
    prints: 'json',
    shapes: [
      { fields: madeFields },
      { with: '--sql', about: 'With -o json; without it, it is the SQL as text.', fields: sqlFields },
    ],
  },
  examples: [
    'payroll journal init',
    'payroll journal init --sql > journal.sql    # for the owner of the database',
  ],
  async run(context, { options }) {
    const database = await databaseInForce(context)
    if (options.sql) {
      const sql = await database.setUpSql()
      const { json, output } = context.options
      const isAsked = json || output !== undefined
      const answer: ValuesOf<typeof sqlFields> = { sql }
      return (isAsked ? context.output : context.outputAs('table')).value(answer, sql)
    }
    const isNew = await database.setUp()
    context.note(
      isNew ? 'The table payroll_journal was made.' : 'The table payroll_journal is there already.',
    )
    const answer: ValuesOf<typeof madeFields> = { journal: database.place, made: isNew }
    await context.output.record(answer)
  },
}

const status: Verb = {
  name: 'status',
  isLocal: true,
  summary: 'Show what is in the shared journal, and who is at work',
  answer: { prints: 'json', shapes: [{ fields: statusFields }] },
  examples: ['payroll journal status', 'payroll journal status --profile acme --json'],
  async run(context) {
    const { place, passwordFrom = null, readStatus } = await databaseInForce(context)
    const answer: ValuesOf<typeof statusFields> = { journal: place, passwordFrom, ...(await readStatus()) }
    await context.output.record({ ...answer })
  },
}

export const journal: Resource = { verbs: [init, status, login, logout] }

/** The database of the journal in force. It can be set up before any profile is. Throws a Failure without one. */
async function databaseInForce(context: Context): Promise<SharedJournalDatabase> {
  const { env, secrets } = context.host
  const flag = context.options.profile
  const journalOfEnvironment = flag === undefined && !env.PAYROLL_PROFILE ? env.PAYROLL_JOURNAL : undefined
  const address = journalOfEnvironment
    ? readSharedJournalAddress(journalOfEnvironment, 'PAYROLL_JOURNAL')
    : await sharedJournalAddress(context)
  if (!address) throw noSharedJournal()
  if (!journalOfEnvironment || (await isProfileChosen({ env, settings: context.settings })))
    return sharedJournalDatabase(context, address)
  const database = await journalDatabase(address, env)
  secrets.hide(database.password ?? '')
  return database
}

function noSharedJournal(): Failure {
  return usage(
    'No shared journal is set: imports keep their journals on this computer.',
    'Set PAYROLL_JOURNAL, or name one in a profile: payroll profiles set <name> --journal postgres://payroll@db.example.com/payroll',
  )
}
