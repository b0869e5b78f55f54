import type { Client } from '../../api/client.ts'
import { readPage } from '../../api/response-body.ts'
import type { Context } from '../../context/context.ts'
import { routesInForce } from '../../context/routes-in-force.ts'
import { Failure, usage } from '../../errors.ts'
import { countries } from '../../model/countries/countries.ts'
import { choice, text, type ValuesOf } from '../../model/fields/field.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { allOperations, candidatesByCountry } from '../../model/operations/operations.ts'
import {
  applyCorrection,
  type Corrections,
  isCatalogueRead,
} from '../../model/operations/route-correction.ts'
import { idOf } from '../../model/records/identity.ts'
import { plural } from '../../text/words.ts'
import type { Verb } from '../cli/verb.ts'
import { changeRoutes, correctionsOf } from './stored-corrections.ts'

const askedFields = {
  operation: text('Id of the operation'),
  path: text('Where it is sent now'),
  answer: choice('Whether it answered', ['yes', 'no', 'unclear', 'not asked']),
  because: text('What the service said, or why it was not asked'),
  found: text('Where it answered instead', { nullable: true }),
}

type Asked = ValuesOf<typeof askedFields>

export const check: Verb = {
  name: 'check',
  summary: 'Ask each read whose path is a guess once, and look for the right path where it is wrong',
  options: ['save'],
  notes: [
    'Only reads are sent (GET), nothing is written. Where a path answers 404 or 405, its usual spellings are tried.',
    'A path is found when a list or the record that was asked for comes back. The paths of writes are not tried.',
    'Exit 0 when every path that was asked answers, or was found and stored; 2 when one does not.',
  ],
  answer: { prints: 'json', shapes: [{ list: true, fields: askedFields }] },
  examples: ['payroll routes check', 'payroll routes check --save --profile production'],
  async run(context, { options }) {
    if (options.save) await requireStored(context)
    const corrections = await correctionsOf(context)
    const { givenRoutes: _, ...profile } = await context.access()
    const { prefix } = routesInForce(await context.profile())
    const client = await context.clientOf({ ...profile, prefix, routes: {} }, { attempts: 1 })
    const asked = await askRoutes(client, corrections)
    const foundRoutes = Object.fromEntries(
      asked.flatMap(({ operation, found }) => (found === null ? [] : [[operation, `GET ${found}`]])),
    )
    const count = Object.keys(foundRoutes).length
    const isSaved = options.save === true && count > 0
    if (isSaved) await changeRoutes(context, (routes) => ({ ...routes, ...foundRoutes }))
    await context.output.list([...asked], { columns: ['operation', 'path', 'answer', 'because', 'found'] })
    if (isSaved) context.note(`Stored ${plural(count, 'path')} in the profile ${profile.name}.`)
    requireAnswers(asked, isSaved ? {} : foundRoutes, profile.kind === 'stored')
  },
}

/** Throws a usage failure, with what to do, when a path does not answer as it is now. `unsaved`: the routes that were found and not stored. */
function requireAnswers(
  asked: readonly Asked[],
  unsaved: Readonly<Record<string, string>>,
  isStored: boolean,
): void {
  const lost = asked.filter(({ answer, found }) => answer === 'no' && found === null)
  const count = Object.keys(unsaved).length
  if (count === 0 && lost.length === 0) return
  const [first] = lost
  const messages: string[] = []
  const hints: string[] = []
  if (count > 0) {
    messages.push(`${plural(count, 'path')} answered elsewhere.`)
    hints.push(
      isStored
        ? 'To store what was found: payroll routes check --save'
        : `To use what was found, name a file in PAYROLL_ROUTES that contains ${JSON.stringify({ routes: unsaved })}`,
    )
  }
  if (first) {
    messages.push(`No path was found for ${lost.map(({ operation }) => operation).join(', ')}.`)
    if (isStored) hints.push(`To set it: payroll routes set ${first.operation} "GET /svc/…"`)
  }
  throw usage(messages.join(' '), hints.join('. ') || undefined)
}

/** Throws a usage failure where there is no stored profile to save to. Called before anything is sent. */
async function requireStored(context: Context): Promise<void> {
  const { kind, name } = await context.profile()
  if (kind === 'stored') return
  if (kind === 'sandbox') throw usage('The paths of the sandbox are right: there is nothing to store.')
  throw usage(
    `There is no stored profile to save paths in: ${name} comes from PAYROLL_BASE_URL.`,
    'Run it without --save: it prints what to put into a file for PAYROLL_ROUTES. Or store a profile: payroll profiles set <name> --base-url https://…',
  )
}

type RouteAnswer = Pick<Asked, 'answer' | 'because'> & { readonly id?: string | undefined }

/**
 * Asks each guessed read once, and where it answers 404 or 405 the usual spellings. Only GET is sent.
 * Throws for a service that cannot be reached or refuses the key.
 */
async function askRoutes(client: Client, corrections: Corrections): Promise<readonly Asked[]> {
  const reads = allOperations.filter((each) => isCatalogueRead(each) && each.known !== 'documented')
  // A record is asked for by an id of its list.
  const inOrder = [...reads].sort((one, other) => depthOf(one) - depthOf(other))
  const ids = new Map<string, string>()
  const lists = new Map<string, string>()
  /** The paths of other operations, and those that are known to lead nowhere. */
  const taken = new Set(
    [...allOperations, ...reads.map((each) => applyCorrection(each, corrections))].map(routePath),
  )
  const asked: Asked[] = []
  for (const declared of inOrder) {
    const operation = applyCorrection(declared, corrections)
    const result = await askOne(operation)
    asked.push({ operation: declared.id, path: operation.path, ...result })
  }
  return asked

  async function askOne(operation: Operation): Promise<Pick<Asked, 'answer' | 'because' | 'found'>> {
    if (operation.method !== 'GET') return { answer: 'not asked', because: 'it is a POST', found: null }
    const listId = operation.id.replace(/\.get/, '.list')
    const id = ids.get(listId)
    const person = Object.values(candidatesByCountry)
      .map(({ list }) => ids.get(list.id))
      .find((id) => id !== undefined)
    if (operation.path.includes('{employeeId}') && person === undefined)
      return { answer: 'not asked', because: 'there is no person to ask for', found: null }
    if (operation.path.includes('{id}') && id === undefined)
      return { answer: 'not asked', because: 'its list gave no id to ask for', found: null }
    const parameters = {
      ...(id !== undefined && { id }),
      ...(person !== undefined && { employeeId: person }),
    }
    const first = await ask(client, operation, parameters)
    if (first.answer === 'yes') keep(operation.path, first)
    if (first.answer !== 'no') return { answer: first.answer, because: first.because, found: null }
    const beside = lists.get(listId)
    const likely = beside === undefined || !operation.path.endsWith('/{id}') ? [] : [`${beside}/{id}`]
    for (const path of [...likely, ...spellingsOf(operation.path)]) {
      if (taken.has(path)) continue
      const other = await ask(client, { ...operation, path: path as Operation['path'] }, parameters)
      // More requests would be refused too.
      if (other.answer === 'not asked')
        return { ...first, because: `${first.because}; then ${other.because}`, found: null }
      if (other.answer === 'no') taken.add(path)
      // Only a proper answer proves a path: a 400 may come from anything.
      if (other.answer !== 'yes' || other.because !== '200') continue
      keep(path, other)
      return { answer: 'no', because: first.because, found: path }
    }
    return { answer: 'no', because: first.because, found: null }

    function keep(path: string, { id }: RouteAnswer) {
      taken.add(path)
      lists.set(operation.id, path)
      if (id !== undefined) ids.set(operation.id, id)
    }
  }
}

const routePath = ({ path }: Operation): string => path

const depthOf = ({ path }: Operation) => path.split('{').length

async function ask(
  client: Client,
  operation: Operation,
  parameters: Record<string, string>,
): Promise<RouteAnswer> {
  const isList = operation.response.kind === 'page'
  try {
    const request = { parameters, ...(isList && { query: { page: 1, size: 1 } }) }
    const { body } = await client.call(operation, request)
    if (!isList) return { answer: 'yes', because: '200' }
    const page = readPage(body)
    if (!page) return { answer: 'unclear', because: 'the answer is not a list' }
    return { answer: 'yes', because: '200', id: idOf(page.items[0]) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status } = error.details
    if (status === undefined || status === 401) throw error
    const because = String(status)
    if (status === 404 || status === 405) return { answer: 'no', because }
    if (status === 403) return { answer: 'yes', because: '403: this key may not read it' }
    if (status >= 500 || status === 408 || status === 429) return { answer: 'not asked', because }
    if (error.code === 'refused') return { answer: 'yes', because: `${because}: it wants more than a path` }
    return { answer: 'unclear', because: `${because}: the answer is not understood` }
  }
}

/** How many spellings of one path are tried at most. */
const mostSpellings = 40

/**
 * assumed: the other ways in which a service usually writes a path that is not shown: in the singular or the plural, as
 * one word or several, with a version or without, the country before or after its noun. The likely ones come first;
 * the path itself is not among them.
 */
function spellingsOf(path: string): readonly string[] {
  const [, prefix = '', ...segments] = path.split('/')
  const version = /^v\d$/.test(segments[0] ?? '') ? segments.shift() : undefined
  const [noun = '', country = ''] = segments
  const orders = isCountry(country) ? [segments, [country, noun]] : [segments]
  const bodies = orders.flatMap((order) => combine(order.map(spellSegment)))
  const versions = [...new Set([version, undefined, 'v1', 'v2'])]
  const all = versions.flatMap((each) =>
    bodies.map((body) => ['', prefix, ...(each === undefined ? [] : [each]), ...body].join('/')),
  )
  return [...new Set(all)].filter((each) => each !== path).slice(0, mostSpellings)
}

const isCountry = (segment: string) => countries.some(({ id }) => id === segment)

function spellSegment(segment: string): readonly string[] {
  if (isCountry(segment) || /^[{v]?\d|^\{|^oauth$/.test(segment)) return [segment]
  const words = segment.split('-')
  const last = words.at(-1) ?? ''
  const other = last.endsWith('s') ? last.slice(0, -1) : `${last}s`
  const numbers = [words, [...words.slice(0, -1), other]]
  return [...new Set(numbers.flatMap(joinings))]
}

/** `time-sheets`, `timesheets`, `timeSheets`, `time_sheets`. */
function joinings(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words
  const camel = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return [words.join('-'), words.join(''), camel, words.join('_')]
}

function combine(choices: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return choices.reduce<readonly (readonly string[])[]>(
    (before, segments) => segments.flatMap((segment) => before.map((body) => [...body, segment])),
    [[]],
  )
}
