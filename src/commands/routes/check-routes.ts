import type { Context } from '../../context/context.ts'
import { routesInForce } from '../../context/service/routes-in-force.ts'
import { usage } from '../../errors.ts'
import { plural } from '../../formats/words.ts'
import type { Verb } from '../kit/declare/verb.ts'
import { type Asked, askRoutes } from './ask-routes.ts'
import { changeProfile, correctionsOf } from './stored-corrections.ts'

export const check: Verb = {
  name: 'check',
  summary: 'Ask each read whose path is a guess once, and look for the right path where it is wrong',
  options: ['save'],
  notes: [
    'Only reads are sent (GET), nothing is written. Where a path answers 404 or 405, its usual spellings are tried.',
    'A path is found when a list or the record that was asked for comes back. The paths of writes are not tried.',
    'Exit 0 when every path that was asked answers, or was found and stored; 2 when one does not.',
  ],
  examples: ['payroll routes check', 'payroll routes check --save --profile production'],
  async run(context, { options }) {
    if (options.save) await requireStored(context)
    const corrections = await correctionsOf(context)
    const { givenRoutes: _, ...profile } = await context.profile()
    const { prefix } = routesInForce(await context.profile())
    const client = await context.clientOf({ ...profile, prefix, routes: {} }, { attempts: 1 })
    const asked = await askRoutes(client, corrections)
    const found = Object.fromEntries(
      asked.flatMap(({ operation, found }) => (found === null ? [] : [[operation, `GET ${found}`]])),
    )
    const count = Object.keys(found).length
    if (options.save && count > 0) {
      await changeProfile(context, (stored) => ({ ...stored, routes: { ...stored.routes, ...found } }))
    }
    await context.output.list([...asked], { columns: ['operation', 'path', 'answer', 'because', 'found'] })
    if (options.save && count > 0)
      context.note(`Stored ${plural(count, 'path')} in the profile ${profile.name}.`)
    requireAnswers(asked, { isSaved: options.save ?? false, found, isStored: profile.kind === 'stored' })
  },
}

interface Learnt {
  readonly isSaved: boolean
  readonly isStored: boolean
  readonly found: Readonly<Record<string, string>>
}

/** Throws a usage failure when a path does not answer as it is now, with what to do about it. */
function requireAnswers(asked: readonly Asked[], { isSaved, isStored, found }: Learnt): void {
  const wrong = asked.filter(({ answer }) => answer === 'no')
  const lost = wrong.filter((each) => each.found === null)
  if (wrong.length === 0 || (isSaved && lost.length === 0)) return
  const [first] = lost
  const count = Object.keys(found).length
  const set = first && `To set it: payroll routes set ${first.operation} 'GET /svc/…'`
  const save = isStored
    ? 'To store what was found: payroll routes check --save'
    : `To use what was found, name a file in PAYROLL_ROUTES that contains ${JSON.stringify({ routes: found })}`
  const where = lost.map(({ operation }) => operation).join(', ')
  const parts = [
    count > 0 && !isSaved ? `${plural(count, 'path')} answered elsewhere.` : '',
    lost.length > 0 ? `No path was found for ${where}.` : '',
  ]
  const hints = [count > 0 && !isSaved ? save : '', (isStored && set) || '']
  throw usage(parts.filter(Boolean).join(' '), hints.filter(Boolean).join('. ') || undefined)
}

/** Before anything is sent: there must be a place for what is learnt. */
async function requireStored(context: Context): Promise<void> {
  const { kind, name } = await context.profile()
  if (kind === 'stored') return
  if (kind === 'sandbox')
    throw usage('The paths of the sandbox are right: there is nothing to store. Nothing was sent.')
  throw usage(
    `There is no stored profile to save paths in: ${name} comes from PAYROLL_BASE_URL. Nothing was sent.`,
    'Run it without --save: it prints what to put into a file for PAYROLL_ROUTES. Or store a profile: payroll profiles set <name> --base-url https://…',
  )
}
