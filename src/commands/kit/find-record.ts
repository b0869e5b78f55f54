import { isIdentifier } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { declined, Failure, joinHints, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { countries } from '../../model/countries/countries.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { valueInResponse } from '../../model/mapping/field-mapping.ts'
import { properName } from '../../model/mapping/record-name.ts'
import { keyOf } from '../../model/natural-key.ts'
import { idOf, isUuid } from '../../model/records/identity.ts'
import { wordsOf } from '../../text/words.ts'
import { pathParameters } from '../cli/resource-verbs.ts'
import { answerType, chooseOperation, countryFlags, nounOf, optionsFor, type Target } from '../cli/target.ts'
import {
  type Meaning,
  type Reference,
  type SeenRecord,
  typedCommand,
  type UseRecord,
} from './command-line.ts'
import { openPrompts } from './open-prompts.ts'
import { recallRecord, rememberRecord } from './remembered-records.ts'
import {
  isUnknownKey,
  labelIn,
  listsOf,
  type Match,
  nameIn,
  notKnown,
  referenceIn,
  type SearchedList,
  searchLists,
} from './search-lists.ts'

/** A shorter beginning of an id is typed by mistake, or fits many. */
const shortestBeginning = 6

/** A shorter beginning is not named as nearly a name either. */
const shortestNamed = 3

/** A hint names no more than these. */
const mostNamed = 3

interface ListedReference<Seen extends SeenRecord = SeenRecord> extends Reference<Seen> {
  readonly list: Target
  readonly meaning: Meaning | undefined
  /** The service's answer to the text as an id, where that was tried first. */
  readonly notThere: Failure | undefined
}

/** Uses the one record that the list shows to be meant; what the list does not have is tried as an id. */
export async function useReferred<T, Seen extends SeenRecord>(
  context: Context,
  reference: ListedReference<Seen>,
  use: UseRecord<T, Seen>,
): Promise<T> {
  const { id: typed, options, meaning, writes } = reference
  const remembered = await readRemembered(context, reference)
  if (remembered) return useMatch(context, reference, remembered, use)
  const { whole, beginnings, named, near, failure } = await search(context, reference)
  if (whole.length > 0) {
    const match = await chooseWhole(context, reference, whole)
    if (whole.length === 1) await remember(context, reference, match)
    return useMatch(context, reference, match, use)
  }
  let { notThere } = reference
  const mayBeId = meaning !== 'reference' && isIdentifier(typed) && !reference.mustBeListed
  if (!notThere && !mayBeId) notThere = failure ?? nothingNamed(reference)
  try {
    // A list may be late, or leave somebody out: an id is right if the service says so.
    if (!notThere) return await use(typed, options, typed)
  } catch (error) {
    if (!(error instanceof Failure && error.details.status === 404)) throw error
    notThere = error
  }
  if (failure) throw failure
  const [only] = beginnings
  if (!writes && only) {
    if (beginnings.length > 1) throw several(reference, beginnings)
    return useMatch(context, reference, only, use)
  }
  const offered = [...new Set([...beginnings, ...named.filter((match) => chosenFor(reference, match).isFit)])]
  if (context.interactive && offered.length > 0) {
    const match = await askWhoIsMeant(
      context,
      only ? `${begun(typed)} ${wholeNeeded}` : notNamed(typed),
      offered,
    )
    // A name is neither id nor reference: what is read is held against the reference of whom was meant.
    const name = match && !beginnings.includes(match) ? referenceIn(match) : typed
    if (match) return useMatch(context, reference, match, (id, chosen) => use(id, chosen, name ?? id))
    throw declined('Stopped.')
  }
  if (named.length > 0) throw onlyNamed(context, reference, named)
  if (only) throw onlyBegun(context, reference, notThere, beginnings)
  throw withNearest(reference, notThere, near)
}

function chosenFor<Seen extends SeenRecord>(
  { target, options, anyCountry }: Reference<Seen>,
  { list: { country } }: Pick<Match, 'list'>,
) {
  const hasCountries = country && !('path' in target || 'current' in target)
  const chosen = hasCountries ? { ...options, ...optionsFor(target, target[country.id].id) } : options
  const isElsewhere = chooseOperation(target, chosen).id !== chooseOperation(target, options).id
  return { chosen, isElsewhere, isFit: anyCountry || !isElsewhere }
}

interface ReadMatch<Seen> extends Match {
  readonly seen?: Seen | undefined
}

/**
 * The record that had the reference last, if it still has it: a list of a hundred pages is not read
 * again.
 */
async function readRemembered<Seen extends SeenRecord>(
  context: Context,
  reference: ListedReference<Seen>,
): Promise<ReadMatch<Seen> | undefined> {
  const { id: typed, options, read, list: target, notThere } = reference
  if (!read || notThere) return undefined
  const kind = nounOf(chooseOperation(target, options))
  const known = await recallRecord(context, kind, typed)
  const list = known && listsOf(target, options).find(({ country }) => country?.id === known.country)
  if (!list) return undefined
  const { chosen, isFit } = chosenFor(reference, { list })
  if (!isFit) return undefined
  const seen = await read(known.id, chosen).catch((error: unknown) => {
    if (error instanceof Failure && (error.code === 'not-found' || error.code === 'invalid-response')) return
    throw error
  })
  const match = seen && { item: { id: known.id, ...seen.record }, list, seen }
  if (match && isReference(referenceIn(match), typed)) return match
  await rememberRecord(context, kind, typed, undefined)
  return undefined
}

async function remember(
  context: Context,
  { id: typed, options, read, list }: ListedReference,
  match: Match,
): Promise<void> {
  const id = idOf(match.item)
  if (!read || id === undefined || id === typed || !isReference(referenceIn(match), typed)) return
  const kind = nounOf(chooseOperation(list, options))
  await rememberRecord(context, kind, typed, { id, country: match.list.country?.id })
}

async function useMatch<T, Seen extends SeenRecord>(
  context: Context,
  reference: ListedReference<Seen>,
  match: ReadMatch<Seen>,
  use: UseRecord<T, Seen>,
): Promise<T> {
  const { id: typed, notThere } = reference
  const id = idOf(match.item) ?? ''
  const { chosen, isElsewhere, isFit } = chosenFor(reference, match)
  if (!isFit) throw elsewhere(context, typed, match, countryFlags(chosen))
  // The list has the id that the service says it has not: there is nothing else to try.
  if (notThere && id === typed && !isElsewhere) throw notThere
  if (id !== typed || isElsewhere) context.note(`${typed} is ${describe(match)}.`)
  return use(id, chosen, typed, match.seen)
}

interface FoundRecord {
  readonly whole: readonly Match[]
  readonly beginnings: readonly Match[]
  /** Only offered, never used without a question. */
  readonly named: readonly Match[]
  /** Only named, never used. */
  readonly near: readonly Match[]
  /** Why the lists could not be read, which only warns of a read. */
  readonly failure?: Failure
}

/** Throws where the lists cannot be read and something is written: who else is meant is not known. */
async function search(context: Context, reference: ListedReference): Promise<FoundRecord> {
  const { id: typed, options, target, list, meaning, writes, notThere } = reference
  const { id: _id, ...parameters } = pathParameters(target, options, typed)
  const lower = typed.toLowerCase()
  // By id: a list that moved is read again.
  const beginnings = new Map<string, Match>()
  const byName = new Map<string, Match>()
  const named = new Map<string, Match>()
  const isMeant = (item: JsonObject, from: SearchedList) => {
    const match = { item, list: from }
    const [id, own] = [idOf(item), referenceIn(match)]
    // What has no id cannot be asked for.
    if (id === undefined) return false
    // Each country may count its ids from one.
    const key = `${from.operation.id} ${id}`
    for (const name of [id, own]) if (name !== undefined) byName.set(name, match)
    if (meaning === undefined && isNamed(match, typed)) named.set(key, match)
    const isWhole = isReference(own, typed) || (id === typed && meaning === undefined)
    const mayBegin = !isWhole && meaning === undefined && typed.length >= shortestBeginning
    if (mayBegin && id.toLowerCase().startsWith(lower)) beginnings.set(key, match)
    return isWhole
  }
  try {
    const found = await searchLists(context, listsOf(list, options), isMeant, {
      parameters,
      mayBeMissing: true,
      mayBeClosed: true,
    })
    const isLonger = (name: string) => typed.length >= shortestNamed && name.toLowerCase().startsWith(lower)
    const names = [nearest([...byName.keys()], typed), ...[...byName.keys()].filter(isLonger)]
    return {
      whole: onePerId(found, reference),
      beginnings: [...beginnings.values()],
      named: [...named.values()],
      near: names.flatMap((name = '') => byName.get(name) ?? []),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (writes) throw unknownRecord(reference, error)
    const isUnreachable = error.code === 'temporary' && error.details.status === undefined
    // Where there was no answer at all, another request would only wait as long again.
    if (notThere || meaning !== undefined || isUnreachable || isUnknownKey(error)) throw error
    context.warn(`the list could not be read, so ${typed} is tried as an id. ${error.message}`)
    return { whole: [], beginnings: [], named: [], near: [], failure: error }
  }
}

function isNamed({ item, list }: Match, typed: string): boolean {
  const type = answerType(list.operation)
  if (!type) return false
  const name = properName(type).map((paths) => valueInResponse(item, paths))
  const nameWords = wordsOf(name.filter((value) => typeof value === 'string').join(' '))
  const words = wordsOf(typed)
  return words.length > 0 && words.every((word) => nameWords.includes(word))
}

/** Capitals, and blanks around it, do not make another reference. */
const isReference = (reference: string | undefined, typed: string): boolean =>
  reference !== undefined && keyOf(reference.trim()) === keyOf(typed.trim())

/** Each country may count its records by itself: of one id, the record of the country that is asked for is meant. */
function onePerId(matches: readonly Match[], reference: Reference): readonly Match[] {
  const isAsked = (match: Match) => !chosenFor(reference, match).isElsewhere
  const sorted = [...matches.filter(isAsked), ...matches.filter((match) => !isAsked(match))]
  const byId = new Map(sorted.toReversed().map((match) => [idOf(match.item), match]))
  return sorted.filter((match) => byId.get(idOf(match.item)) === match)
}

async function chooseWhole(
  context: Context,
  reference: ListedReference,
  whole: readonly Match[],
): Promise<Match> {
  const [first] = whole
  if (first && whole.length === 1) return first
  if (context.interactive) {
    const message = `${reference.id} can mean ${whole.length} records. Which do you mean?`
    const naming = (match: Match) => `${describe(match)}, by its ${meaningIn(match, reference)}`
    const chosen = await chooseOne(context, message, whole, naming)
    if (chosen) return chosen
    throw declined('Stopped.')
  }
  const isId = whole.some(({ item }) => idOf(item) === reference.id)
  throw isId ? twoMeanings(reference, whole) : several(reference, whole)
}

/** Asks whether the record whose id begins so, or that is named so, is meant; Enter means that it is not. */
async function askWhoIsMeant(
  context: Context,
  why: string,
  offered: readonly Match[],
): Promise<Match | undefined> {
  const [only] = offered
  context.note(why)
  if (!only || offered.length > 1)
    return chooseOne(context, 'Do you mean one of these?', offered, describeWithReference)
  const { confirm } = await openPrompts(context)
  const isMeant = await confirm({ message: `Do you mean ${describeWithReference(only)}?`, default: false })
  return isMeant ? only : undefined
}

async function chooseOne(
  context: Context,
  message: string,
  matches: readonly Match[],
  naming: (match: Match) => string,
): Promise<Match | undefined> {
  const { choose } = await openPrompts(context)
  const choices = matches.map((match) => ({ value: match, name: naming(match) }))
  return choose<Match | undefined>({
    message,
    choices: [{ value: undefined, name: 'None of them: stop' }, ...choices],
  })
}

/** `Aoife Ní Shampla, an Irish candidate (4f1c…)`. */
const describe = (match: Match) => `${nameIn(match)} (${idOf(match.item)})`

/** `IE-1042, Aoife Ní Shampla, an Irish candidate`; the reference once, where it is all that names the record. */
function nameWithReference(match: Match): string {
  const [own, label] = [referenceIn(match), labelIn(match)]
  const isSaid = own === undefined || label === undefined || label === own
  return isSaid ? nameIn(match) : `${own}, ${nameIn(match)}`
}

const describeWithReference = (match: Match) => `${nameWithReference(match)} (${idOf(match.item)})`

const meaningIn = ({ item }: Match, { id }: Reference): Meaning => (idOf(item) === id ? 'id' : 'reference')

function refusal(
  code: 'refused' | 'not-found',
  message: string,
  hint?: string,
  matches: readonly Match[] = [],
  naming = nameWithReference,
): Failure {
  const issues = matches.map((match) => ({ path: idOf(match.item) ?? '', message: naming(match) }))
  return new Failure(code, message, { outcome: 'not-sent', issues, hint })
}

/** Exit 6: a reference, or the beginning of an id, of two records or more. */
const several = ({ id }: Reference, matches: readonly Match[]) =>
  refusal(
    'refused',
    `${id} can mean ${matches.length} records.`,
    'Type the id of the one that you mean.',
    matches,
  )

/** Exit 6: the reference of one is the id of another. */
function twoMeanings(reference: Reference, matches: readonly Match[]): Failure {
  const { id: typed, option } = reference
  const meaning = (match: Match) => meaningIn(match, reference)
  const each = matches.map((match) => `the ${meaning(match)} of ${describe(match)}`)
  const ways = matches.map((match) => {
    const way = option === undefined ? `add --${meaning(match)}` : `${option} ${meaning(match)}:${typed}`
    return `To mean ${labelIn(match) ?? `the ${meaning(match)}`}: ${way}.`
  })
  return refusal(
    'refused',
    `${typed} is ${each.join(', and ')}.`,
    ways.join(' '),
    matches,
    (match) => `${typed} is the ${meaning(match)} of ${nameIn(match)}`,
  )
}

/** The list could not be read, so whom the text means is unknown. */
function unknownRecord({ id: typed, option, meaning }: ListedReference, failure: Failure): Failure {
  const { code, details } = failure
  const way = option === undefined ? 'add --id' : `type ${option} id:${typed}`
  // What to do about the connection comes first: without it the id leads nowhere either.
  const byId = meaning === undefined ? `If it is the id, ${way}: then no list is read.` : undefined
  const hint = joinHints(code === 'temporary' || code === 'auth' ? details.hint : undefined, byId)
  return notKnown(`Which record ${typed} names is not known.`, failure, hint || details.hint)
}

function nothingNamed(reference: ListedReference): Failure {
  const { id: typed, meaning, target, options, option, mustBeListed } = reference
  const anyName = `the id or the reference ${JSON.stringify(typed)}`
  if (mustBeListed && meaning === undefined) {
    const hint = isIdentifier(typed) ? `If it is an id that no list shows: ${option} id:${typed}` : undefined
    return refusal('not-found', `No record in the lists has ${anyName}.`, hint)
  }
  const { displayName = 'a record' } = answerType(chooseOperation(target, options)) ?? {}
  const kind = displayName.replace(/^an? /, '')
  return refusal('not-found', `No ${kind} has ${meaning ? `the ${meaning} ${typed}` : anyName}.`)
}

const notNamed = (typed: string) => `Nothing has the id or the reference ${typed}.`

/** Exit 5: the text is the name of somebody, and a name is not enough where no question can be asked. */
function onlyNamed(context: Context, reference: ListedReference, named: readonly Match[]): Failure {
  const { id: typed } = reference
  const [first] = named
  const start = `${notNamed(typed)} It is the name of`
  if (!first || named.length > 1)
    return refusal(
      'not-found',
      `${start} ${named.length} people.`,
      'Type the reference or the id of the one that you mean.',
      named,
    )
  return refusal(
    'not-found',
    `${start} ${describeWithReference(first)}.`,
    `If you mean that person: ${commandFor(context, reference, first, referenceIn(first) ?? idOf(first.item) ?? '')}`,
  )
}

/** Exit 5: the text is the beginning of an id, which is enough to read a record and not to change one. */
function onlyBegun(
  context: Context,
  reference: ListedReference,
  notThere: Failure,
  beginnings: readonly Match[],
): Failure {
  const failure = withNearest(reference, notThere, beginnings)
  const [first] = beginnings
  const id = (first && idOf(first.item)) ?? ''
  // The beginning of a UUID is never an id itself; 20 may be that of a deleted record, beside 201.
  const hint =
    first && beginnings.length === 1 && isUuid(id)
      ? `${wholeNeeded} If you mean ${describeWithReference(first)}: ${commandFor(context, reference, first, id)}`
      : failure.details.hint
  return new Failure(failure.code, begun(reference.id), { ...failure.details, hint })
}

const begun = (typed: string) => `${typed} is only the beginning of an id.`

const wholeNeeded = 'A change needs the whole id or the whole reference.'

function commandFor(context: Context, reference: ListedReference, match: Match, name: string): string {
  const { id: typed, option } = reference
  const words = context.host.argv.map((word) =>
    word === typed ? name : word === `${option}=${typed}` ? `${option}=${name}` : word,
  )
  const { country } = match.list
  const isOther = country !== undefined && !chosenFor(reference, match).isFit
  return typedCommand(context, isOther ? withCountry(words, country.flag) : words)
}

const withCountry = (words: readonly string[], flag: string) => [
  ...words.filter((word) => !countries.some((each) => each.flag === word)),
  flag,
]

function withNearest({ writes, mustBeListed }: Reference, failure: Failure, near: readonly Match[]): Failure {
  if (near.length === 0) return failure
  const { code, message, details } = failure
  const names = [...new Set(near)].slice(0, mostNamed).map(describeWithReference)
  const rule = writes ? `${wholeNeeded} ` : ''
  return new Failure(code, message, {
    ...details,
    // What was answered with 404 was a read, or a write that was refused.
    outcome: details.method === undefined || details.method === 'GET' ? 'not-sent' : 'refused',
    hint: joinHints(`${rule}The nearest: ${names.join('; ')}.`, mustBeListed && details.hint),
  })
}

function elsewhere(context: Context, id: string, match: Match, flags: readonly string[]): Failure {
  const flag = flags[0] ?? `--${match.list.country?.id}`
  const { argv } = context.host
  const again = argv.includes('--') ? '.' : `: ${typedCommand(context, withCountry(argv, flag))}`
  return usage(`${id} is ${describe(match)}.`, `To mean that record, add ${flag}${again}`)
}
