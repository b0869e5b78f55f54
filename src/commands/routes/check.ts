import type { Client } from '../../api/client.ts'
import { fetchPage } from '../../api/pages.ts'
import { routesInForce } from '../../context/routes-in-force.ts'
import { Failure, isTemporary, joinHints, usage } from '../../errors.ts'
import { isObject } from '../../files/json/path.ts'
import { countries } from '../../model/countries/countries.ts'
import { choice, text, type ValuesOf } from '../../model/fields/field.ts'
import { idOf } from '../../model/records/identity.ts'
import { isWrite, type Operation } from '../../model/records/operation.ts'
import { allOperations, candidatesByCountry } from '../../model/resources/operations.ts'
import { applyCorrection, type Corrections } from '../../model/resources/route-correction.ts'
import { plural } from '../../text/words.ts'
import type { Verb } from '../cli/verb.ts'
import { changeRoutes, correctionsOf, storedName } from './stored-corrections.ts'

const askedFields = {
  operation: text('Id of the operation'),
  path: text('Where it is sent now'),
  answer: choice('Whether it answered', ['yes', 'no', 'unclear', 'not asked']),
  because: text('What the service said, or why it was not asked'),
  found: text('Where it answered instead', { nullable: true }),
}

type AskedRoute = ValuesOf<typeof askedFields>

interface Asked extends AskedRoute {
  /** Why the service did not answer, this time: it may later, or elsewhere. */
  readonly failure?: Failure | undefined
}

export const check: Verb = {
  name: 'check',
  summary: 'Ask each read whose path is a guess once, and look for the right path where it is wrong',
  options: ['save'],
  notes: [
    'Only reads are sent (GET), nothing is written. Where a path answers 404 or 405, it is tried in the singular and the plural, as one word and without a version.',
    'A path is found when a list or the record that was asked for comes back. The paths of writes are not tried.',
    'Exit 0 when every path that was asked answers, or was found and stored; 2 when one does not; 7 when the service failed at one (5xx), so that it is to be asked again; 10 when a list has other names for its parts; 4 when a web page said no, and not the service.',
  ],
  answer: { prints: 'json', shapes: [{ list: true, fields: askedFields }] },
  examples: ['payroll routes check', 'payroll routes check --save --profile production'],
  async run(context, { options }) {
    if (options.save) await storedName(context)
    const corrections = await correctionsOf(context)
    const { givenRoutes: _, ...profile } = await context.access()
    const { prefix } = routesInForce(await context.profile())
    const client = await context.clientOf({ ...profile, prefix, routes: {} }, { attempts: 1 })
    const answers = await askRoutes(client, corrections)
    const foundRoutes = Object.fromEntries(
      answers.flatMap(({ operation, found }) =>
        found === null ? [] : [[operation, movedTo(corrections[operation], found)]],
      ),
    )
    const count = Object.keys(foundRoutes).length
    const isSaved = options.save === true && count > 0
    if (isSaved) await changeRoutes(context, (routes) => ({ ...routes, ...foundRoutes }))
    const rows = answers.map(({ failure: _, ...row }): AskedRoute => row)
    await context.output.list(rows, { columns: ['operation', 'path', 'answer', 'because', 'found'] })
    if (isSaved) context.note(`Stored ${plural(count, 'path')} in the profile ${profile.name}.`)
    requireAnswers(answers, isSaved ? {} : foundRoutes, profile.kind === 'stored')
  },
}

/** The correction with the path that was found; what it says besides stays. */
const movedTo = (correction: unknown, path: string) =>
  isObject(correction) ? { ...correction, path } : `GET ${path}`

/**
 * Throws a usage failure, with what to do, when a path does not answer as it is now, and else what the
 * service failed with. `unsaved`: the routes that were found and not stored.
 */
function requireAnswers(answers: readonly Asked[], unsaved: Corrections, isStored: boolean): void {
  const lost = answers.filter(({ answer, found, failure }) => answer === 'no' && found === null && !failure)
  const count = Object.keys(unsaved).length
  const failure = answers.find((each) => each.failure)?.failure
  if (count === 0 && lost.length === 0) {
    if (failure) throw failure
    return
  }
  const ids = lost.map(({ operation }) => operation)
  const elsewhere = count > 0 && `${plural(count, 'path')} answered elsewhere.`
  const nowhere = ids.length > 0 && `No path was found for ${ids.join(', ')}.`
  const toUse = isStored
    ? 'To store what was found: payroll routes check --save'
    : `To use what was found, name a file in PAYROLL_ROUTES that contains ${JSON.stringify({ routes: unsaved })}`
  const toSet = isStored && nowhere && `To set it: payroll routes set ${ids[0]} "GET /svc/…"`
  throw usage(joinHints(elsewhere, nowhere), joinHints(elsewhere && toUse, toSet) || undefined)
}

interface RouteAnswer extends Pick<Asked, 'answer' | 'because' | 'failure'> {
  /** The id of the first record of a list. */
  readonly id?: string | undefined
}

/** What was learned of the paths of a service so far. */
interface KnownRoutes {
  /** The id of a record, by the list that it is in: a record is asked for by an id of its list. */
  readonly ids: Map<string, string>
  /** The paths of other operations, and those that are known to lead nowhere. */
  readonly taken: Set<string>
}

/**
 * Asks each guessed read once, and where it answers 404 or 405 the usual spellings. Only GET is sent. Throws
 * for a service that cannot be reached or refuses the key.
 */
async function askRoutes(client: Client, corrections: Corrections): Promise<readonly Asked[]> {
  const reads = allOperations
    .filter((each) => !isWrite(each) && each.known !== 'documented')
    .map((each) => applyCorrection(each, corrections))
  const routes: KnownRoutes = {
    ids: new Map(),
    taken: new Set([...allOperations, ...reads].map(({ path }): string => path)),
  }
  const answers: Asked[] = []
  // Lists come before their records.
  for (const operation of [...reads].sort((one, other) => depthOf(one) - depthOf(other)))
    answers.push({
      operation: operation.id,
      path: operation.path,
      ...(await askOne(client, operation, routes)),
    })
  return answers
}

async function askOne(
  client: Client,
  operation: Operation,
  routes: KnownRoutes,
): Promise<Omit<Asked, 'operation' | 'path'>> {
  const { path } = operation
  const listId = operation.id.replace(/\.get/, '.list')
  const id = routes.ids.get(listId)
  const people = Object.values(candidatesByCountry).flatMap(({ list }) => routes.ids.get(list.id) ?? [])
  const [employeeId] = people
  const notAsked =
    path.includes('{employeeId}') && employeeId === undefined
      ? 'there is no person to ask for'
      : path.includes('{id}') && id === undefined && 'its list gave no id to ask for'
  if (notAsked) return { answer: 'not asked', because: notAsked, found: null }
  const parameters = { ...(id !== undefined && { id }), ...(employeeId !== undefined && { employeeId }) }
  const ask = async (spelling: string) => {
    const asked = await askRoute(client, { ...operation, path: spelling as Operation['path'] }, parameters)
    // Only a proper answer proves a path: a 400 may come from anything.
    if (asked.answer === 'no' || asked.because === '200') routes.taken.add(spelling)
    if (asked.id !== undefined) routes.ids.set(operation.id, asked.id)
    return asked
  }
  const { answer, because, failure } = await ask(path)
  if (answer !== 'no') return { answer, because, found: null, failure }
  for (const spelling of spellingsOf(path)) {
    if (!routes.taken.has(spelling) && (await ask(spelling)).because === '200')
      return { answer, because, found: spelling }
  }
  return { answer, because, found: null }
}

const depthOf = ({ path }: Operation) => path.split('{').length

async function askRoute(
  client: Client,
  operation: Operation,
  parameters: Record<string, string>,
): Promise<RouteAnswer> {
  try {
    if (operation.response.kind === 'page') {
      const { items } = await fetchPage(client, operation, 1, 1, { parameters })
      return { answer: 'yes', because: '200', id: idOf(items[0]) }
    }
    await client.call(operation, { parameters })
    return { answer: 'yes', because: '200' }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status, isPage } = error.details
    if (status === undefined || status === 401) throw error
    if (status === 404 || status === 405) return { answer: 'no', because: String(status) }
    if (!isPage && (status === 403 || error.code === 'refused'))
      return { answer: 'yes', because: `${status}: the service knows the path, and refuses this request` }
    const isNoList = operation.response.kind === 'page' && status < 300
    return {
      answer: 'unclear',
      because: isNoList ? 'the answer is not a list' : String(status),
      ...((isNoList || isPage || isTemporary(error.code)) && { failure: error }),
    }
  }
}

/** assumed: how a service may write a path otherwise: in the singular or the plural, as one word, without a version. */
function spellingsOf(path: string): readonly string[] {
  const isOther = (segment: string) => /^\{|^v\d$/.test(segment) || countries.some(({ id }) => id === segment)
  const noun = path.split('/').findLast((segment) => !isOther(segment)) ?? ''
  const nouns = [noun, noun.endsWith('s') ? noun.slice(0, -1) : `${noun}s`]
  const paths = [path, path.replace(/\/v\d(?=\/)/, '')].flatMap((each) =>
    [...nouns, ...nouns.map((word) => word.replaceAll('-', ''))].map((word) =>
      each.replace(`/${noun}`, `/${word}`),
    ),
  )
  return [...new Set(paths)].filter((each) => each !== path)
}
