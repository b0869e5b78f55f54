import { isIdentifier } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, declined, Failure, type Issue, joinHints, usage } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { countries } from '../../../model/countries/countries.ts'
import { nearest } from '../../../model/fields/nearest.ts'
import { valueInResponse } from '../../../model/mapping/field-mapping.ts'
import { properName } from '../../../model/mapping/record-name.ts'
import { isUuid } from '../../../model/records/identity.ts'
import { nounOfType } from '../../../model/records/record-type.ts'
import { wordsOf } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import { pathParameters } from '../../cli/resource-verbs.ts'
import {
  answerType,
  chooseOperation,
  countryFlags,
  nounOf,
  optionsFor,
  type Target,
} from '../../cli/target.ts'
import { typedCommand, withOptions } from '../command-line.ts'
import { assertYes } from '../confirm.ts'
import { openPrompts } from '../open-prompts.ts'
import { recallRecord, rememberRecord } from './remembered-records.ts'
import {
  isReference,
  isUnknownKey,
  type ListedRecord,
  listedRecord,
  listsOf,
  nameWithKind,
  searchLists,
  unreadableFailure,
} from './search-lists.ts'

/** A shorter beginning of an id is probably a mistake, or fits many. */
const shortestBeginning = 6
/** A shorter beginning is not suggested as a near match either. */
const shortestNamed = 3
/** The most records that a hint names. */
const mostSuggested = 3

/** What a person says that a text is. */
export type NameKind = 'id' | 'reference'

/** A record that was read. Callers may add what else they learned. */
export interface SeenRecord {
  readonly record: JsonObject
}

/** How a person names the record that a verb is about. */
export interface Reference {
  readonly target: Target
  readonly list: Target | undefined
  readonly id: string
  readonly options: Options
  readonly anyCountry: boolean
  readonly writes: boolean
  /**
   * A text that no list has is not tried as an id, because only a list shows that something may be created below it.
   */
  readonly mustBeListed?: boolean
  /** The option that names the record, such as `--employee`; undefined where an argument names it. */
  readonly option?: string
}

/** Reads one such record by its id. */
export type ReadRecord<Seen> = (id: string, options: Options) => Promise<Seen>

/** The record that a text means. */
export interface FoundRecord<Seen = SeenRecord> {
  readonly id: string
  /** The options that choose the record's country. */
  readonly options: Options
  /** The id or reference by which it was named. */
  readonly name: string
  readonly seen?: Seen | undefined
  /** Set where the text was only assumed to be an id: finds the record that it names if the service has no such id. */
  readonly otherwise?: (notThere: Failure) => Promise<FoundRecord<Seen>>
}

/**
 * A reference to be looked up in lists. If a record can be read, it is first tried where it was last seen.
 */
export interface ListReference<Seen = SeenRecord> extends Reference {
  readonly list: Target
  readonly meaning: NameKind | undefined
  readonly read: ReadRecord<Seen> | undefined
}

/** The one record that the lists show to be meant. `notThere`: the answer to the text as an id, if that was tried. */
export async function findInLists<Seen extends SeenRecord>(
  context: Context,
  reference: ListReference<Seen>,
  notThere?: Failure,
): Promise<FoundRecord<Seen>> {
  const { id: typed, options, meaning, mustBeListed } = reference
  const remembered = notThere ? undefined : await readRemembered(context, reference)
  if (remembered) return foundIn(context, reference, remembered.match, { seen: remembered.seen })
  const searched = await search(context, reference, notThere)
  const [only, another] = searched.whole
  if (only) {
    const match = another ? await chooseWhole(context, reference, searched.whole) : only
    if (!another) await remember(context, reference, match)
    return foundIn(context, reference, match, { notThere })
  }
  // A list may be late, or leave somebody out, so the service decides whether an id is right.
  const mayBeId = meaning !== 'reference' && isIdentifier(typed) && !mustBeListed
  if (notThere || !mayBeId)
    return findNearly(context, reference, searched, notThere ?? notFoundFailure(reference))
  const otherwise = (failure: Failure) => findNearly(context, reference, searched, failure)
  return { id: typed, options, name: typed, otherwise }
}

/** Finds records whose id begins with the text, or that have this name. A person is asked; a script fails with them. */
async function findNearly<Seen extends SeenRecord>(
  context: Context,
  reference: ListReference<Seen>,
  { beginnings, named, near, failure }: Searched,
  notThere: Failure,
): Promise<FoundRecord<Seen>> {
  if (failure) throw failure
  const { id: typed, writes } = reference
  const [only, another] = beginnings
  if (only && !writes) {
    if (another) throw several(reference, beginnings)
    return foundIn(context, reference, only, { notThere })
  }
  const offered = [...new Set([...beginnings, ...named.filter((match) => chosenFor(reference, match).isFit)])]
  if (context.interactive && offered.length > 0) {
    context.note(only ? `${begun(typed)} ${wholeNeeded}` : notNamed(typed))
    const match = await askWhoIsMeant(context, offered)
    const found = await foundIn(context, reference, match, { notThere })
    // A name is neither id nor reference, so the record is checked against the reference of the chosen
    // person.
    return beginnings.includes(match) ? found : { ...found, name: match.reference ?? found.id }
  }
  if (named.length > 0) throw nameOnlyFailure(context, reference, named)
  if (only) throw onlyBegun(context, reference, notThere, beginnings)
  throw withNearest(reference, notThere, near)
}

/** Says which record was found, and gives its country's options. Throws where the options exclude that country. */
async function foundIn<Seen>(
  context: Context,
  reference: ListReference<Seen>,
  match: ListedRecord,
  { seen, notThere }: { readonly seen?: Seen; readonly notThere?: Failure | undefined },
): Promise<FoundRecord<Seen>> {
  const { id: typed } = reference
  const { id = '' } = match
  const { chosen, isElsewhere, isFit } = chosenFor(reference, match)
  if (!isFit) throw elsewhere(context, typed, match, countryFlags(chosen))
  // The list has an id that the service says it does not have, so there is nothing else to try.
  if (notThere && id === typed && !isElsewhere) throw notThere
  if (id !== typed || isElsewhere) context.note(`${typed} is ${describe(match)}.`)
  return { id, options: chosen, name: typed, seen }
}

function chosenFor(
  { target, options, anyCountry }: Reference,
  { list: { country } }: Pick<ListedRecord, 'list'>,
) {
  const hasCountries = country && !('path' in target || 'current' in target)
  const chosen = hasCountries ? { ...options, ...optionsFor(target, target[country.id].id) } : options
  const isElsewhere = chooseOperation(target, chosen).id !== chooseOperation(target, options).id
  return { chosen, isElsewhere, isFit: anyCountry || !isElsewhere }
}

/** The record that had the reference last, if it still has it: then the list is not read again. */
async function readRemembered<Seen extends SeenRecord>(
  context: Context,
  reference: ListReference<Seen>,
): Promise<{ readonly match: ListedRecord; readonly seen: Seen } | undefined> {
  const { id: typed, options, read, list: target } = reference
  if (!read) return undefined
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
  const match = seen && listedRecord({ id: known.id, ...seen.record }, list)
  if (match && isReference(match.reference, typed)) return { match, seen }
  await rememberRecord(context, kind, typed, undefined)
  return undefined
}

async function remember(
  context: Context,
  { id: typed, options, read, list: target }: ListReference<unknown>,
  { id, reference, list }: ListedRecord,
): Promise<void> {
  if (!read || id === undefined || id === typed || !isReference(reference, typed)) return
  const kind = nounOf(chooseOperation(target, options))
  await rememberRecord(context, kind, typed, { id, country: list.country?.id })
}

interface Searched {
  readonly whole: readonly ListedRecord[]
  readonly beginnings: readonly ListedRecord[]
  /** Records with this name. They are only offered in a question. */
  readonly named: readonly ListedRecord[]
  /** Records with nearly this name. They are only mentioned in hints. */
  readonly near: readonly ListedRecord[]
  /** Why the lists could not be read. */
  readonly failure?: Failure
}

/** Searches the lists. For a write it throws if they cannot be read, because another record may be meant. */
async function search(
  context: Context,
  reference: ListReference<unknown>,
  notThere: Failure | undefined,
): Promise<Searched> {
  const { id: typed, options, target, list, meaning, writes } = reference
  const { id: _id, ...parameters } = pathParameters(target, options, typed)
  const lower = typed.toLowerCase()
  // By id, because a list that changes is read again.
  const beginnings = new Map<string, ListedRecord>()
  const byName = new Map<string, ListedRecord>()
  const named = new Map<string, ListedRecord>()
  const isMeant = (record: ListedRecord) => {
    const { id, reference: own } = record
    // A record without an id cannot be requested.
    if (id === undefined) return false
    // Countries may number their records separately.
    const key = `${record.list.operation.id} ${id}`
    for (const name of [id, own]) if (name !== undefined) byName.set(name, record)
    const isWhole = isReference(own, typed) || (id === typed && meaning === undefined)
    if (meaning !== undefined) return isWhole
    if (isNamed(record, typed)) named.set(key, record)
    const isBegun = typed.length >= shortestBeginning && id.toLowerCase().startsWith(lower)
    if (isBegun && !isWhole) beginnings.set(key, record)
    return isWhole
  }
  const found = await searchLists(context, listsOf(list, options), isMeant, {
    parameters,
    mayBeMissing: true,
    mayBeClosed: true,
  }).catch(asFailure)
  if (!(found instanceof Failure)) {
    const isLonger = (name: string) => typed.length >= shortestNamed && name.toLowerCase().startsWith(lower)
    const names = [nearest([...byName.keys()], typed), ...[...byName.keys()].filter(isLonger)]
    return {
      whole: onePerId(found, reference),
      beginnings: [...beginnings.values()],
      named: [...named.values()],
      near: names.flatMap((name = '') => byName.get(name) ?? []),
    }
  }
  if (writes) throw unknownRecord(reference, found)
  const isUnreachable = found.code === 'temporary' && found.details.status === undefined
  // Where there was no answer at all, another request would only wait as long again.
  if (notThere || meaning !== undefined || isUnreachable || isUnknownKey(found)) throw found
  context.warn(`the list could not be read, so ${typed} is tried as an id. ${found.message}`)
  return { whole: [], beginnings: [], named: [], near: [], failure: found }
}

function isNamed({ item, list }: ListedRecord, typed: string): boolean {
  const type = answerType(list.operation)
  const words = wordsOf(typed)
  if (!type || words.length === 0) return false
  const name = properName(type).map((paths) => valueInResponse(item, paths))
  const nameWords = wordsOf(name.filter((value) => typeof value === 'string').join(' '))
  return words.every((word) => nameWords.includes(word))
}

/** One record for each id. Countries may number their records separately; then the chosen country's record is meant. */
function onePerId(matches: readonly ListedRecord[], reference: Reference): readonly ListedRecord[] {
  const isAsked = (match: ListedRecord) => !chosenFor(reference, match).isElsewhere
  const sorted = [...matches.filter(isAsked), ...matches.filter((match) => !isAsked(match))]
  const byId = new Map(sorted.toReversed().map((match) => [match.id, match]))
  return sorted.filter((match) => byId.get(match.id) === match)
}

async function chooseWhole(
  context: Context,
  reference: ListReference<unknown>,
  whole: readonly ListedRecord[],
): Promise<ListedRecord> {
  if (context.interactive) {
    const message = `${reference.id} can mean ${whole.length} records. Which do you mean?`
    return chooseOne(
      context,
      message,
      whole,
      (match) => `${describe(match)}, by its ${meaningIn(match, reference)}`,
    )
  }
  throw whole.some(({ id }) => id === reference.id)
    ? twoMeanings(reference, whole)
    : several(reference, whole)
}

/** Asks whether one of these is meant. The default is none, which throws. */
async function askWhoIsMeant(context: Context, offered: readonly ListedRecord[]): Promise<ListedRecord> {
  const [only, another] = offered
  if (!only || another) return chooseOne(context, 'Do you mean one of these?', offered, describeWithReference)
  await assertYes(context, `Do you mean ${describeWithReference(only)}?`, 'Stopped.')
  return only
}

async function chooseOne(
  context: Context,
  message: string,
  matches: readonly ListedRecord[],
  naming: (match: ListedRecord) => string,
): Promise<ListedRecord> {
  const { choose } = await openPrompts(context)
  const choices = matches.map((match) => ({ value: match, name: naming(match) }))
  const chosen = await choose<ListedRecord | undefined>({
    message,
    choices: [{ value: undefined, name: 'None of them: stop' }, ...choices],
  })
  if (!chosen) throw declined('Stopped.')
  return chosen
}

/** `Aoife Ní Shampla, an Irish candidate (4f1c…)`. */
const describe = (match: ListedRecord) => `${nameWithKind(match)} (${match.id})`

/**
 * `IE-1042, Aoife Ní Shampla, an Irish candidate`. The reference is not repeated where nothing else names the record.
 */
function referenceAndName(match: ListedRecord): string {
  const { reference, name } = match
  const isSaid = reference === undefined || name === undefined || name === reference
  return isSaid ? nameWithKind(match) : `${reference}, ${nameWithKind(match)}`
}

const describeWithReference = (match: ListedRecord) => `${referenceAndName(match)} (${match.id})`

const meaningIn = ({ id }: ListedRecord, { id: typed }: Reference): NameKind =>
  id === typed ? 'id' : 'reference'

const begun = (typed: string) => `${typed} is only the beginning of an id.`

const notNamed = (typed: string) => `Nothing has the id or the reference ${typed}.`

const wholeNeeded = 'A change needs the whole id or the whole reference.'

/** Exit 6 or 5: a text that means no record, or more than one. */
function refusal(
  code: 'refused' | 'not-found',
  message: string,
  hint?: string,
  issues: readonly Issue[] = [],
): Failure {
  return new Failure(code, message, { outcome: 'not-sent', issues, hint })
}

const issuesOf = (matches: readonly ListedRecord[], naming = referenceAndName): readonly Issue[] =>
  matches.map((match) => ({ path: match.id ?? '', message: naming(match) }))

/** Exit 6: several records have this reference, or an id that begins so. */
function several({ id: typed }: Reference, matches: readonly ListedRecord[]): Failure {
  const message = `${typed} can mean ${matches.length} records.`
  return refusal('refused', message, 'Type the id of the one that you mean.', issuesOf(matches))
}

/** Exit 6: the text is the reference of one record and the id of another. */
function twoMeanings(reference: Reference, matches: readonly ListedRecord[]): Failure {
  const { id: typed, option } = reference
  const meaning = (match: ListedRecord) => meaningIn(match, reference)
  const each = matches.map((match) => `the ${meaning(match)} of ${describe(match)}`)
  const ways = matches.map((match) => {
    const way = option === undefined ? `add --${meaning(match)}` : `${option} ${meaning(match)}:${typed}`
    return `To mean ${match.name ?? `the ${meaning(match)}`}: ${way}.`
  })
  const naming = (match: ListedRecord) => `${typed} is the ${meaning(match)} of ${nameWithKind(match)}`
  return refusal('refused', `${typed} is ${each.join(', and ')}.`, ways.join(' '), issuesOf(matches, naming))
}

/** The list could not be read, so nobody knows which record the text names. */
function unknownRecord({ id: typed, option, meaning }: ListReference<unknown>, failure: Failure): Failure {
  const way = option === undefined ? 'add --id' : `type ${option} id:${typed}`
  const byId = meaning === undefined ? `If it is the id, ${way}: then no list is read.` : undefined
  return unreadableFailure(`payroll could not find out which record ${typed} is.`, failure, byId)
}

/** Exit 5: no list has the text, and it cannot be an id. */
function notFoundFailure(reference: ListReference<unknown>): Failure {
  const { id: typed, meaning, target, options, option, mustBeListed } = reference
  const anyName = `the id or the reference ${JSON.stringify(typed)}`
  if (mustBeListed && meaning === undefined) {
    const hint = isIdentifier(typed) ? `If it is an id that no list shows: ${option} id:${typed}` : undefined
    return refusal('not-found', `No record in the lists has ${anyName}.`, hint)
  }
  const type = answerType(chooseOperation(target, options))
  return refusal(
    'not-found',
    `No ${type ? nounOfType(type) : 'record'} has ${meaning ? `the ${meaning} ${typed}` : anyName}.`,
  )
}

/** Exit 5: the text is somebody's name, which is not enough where no question can be asked. */
function nameOnlyFailure(context: Context, reference: Reference, named: readonly ListedRecord[]): Failure {
  const [first, another] = named
  const start = `${notNamed(reference.id)} It is the name of`
  if (!first || another) {
    const hint = 'Type the reference or the id of the one that you mean.'
    return refusal('not-found', `${start} ${named.length} people.`, hint, issuesOf(named))
  }
  const command = commandFor(context, reference, first, first.reference ?? first.id ?? '')
  return refusal(
    'not-found',
    `${start} ${describeWithReference(first)}.`,
    `If you mean that person: ${command}`,
  )
}

/** Exit 5: the text is the beginning of an id, which is enough to read a record and not to change one. */
function onlyBegun(
  context: Context,
  reference: Reference,
  notThere: Failure,
  beginnings: readonly ListedRecord[],
): Failure {
  const { code, details } = withNearest(reference, notThere, beginnings)
  const [first, another] = beginnings
  const { id = '' } = first ?? {}
  // The beginning of a UUID is never a whole id. But 20 may be the id of a deleted record, beside 201.
  const hint =
    first && !another && isUuid(id)
      ? `${wholeNeeded} If you mean ${describeWithReference(first)}: ${commandFor(context, reference, first, id)}`
      : details.hint
  return new Failure(code, begun(reference.id), { ...details, hint })
}

function withNearest(
  { writes, mustBeListed }: Reference,
  failure: Failure,
  near: readonly ListedRecord[],
): Failure {
  if (near.length === 0) return failure
  const { code, message, details } = failure
  const names = [...new Set(near)].slice(0, mostSuggested).map(describeWithReference)
  const rule = writes ? `${wholeNeeded} ` : ''
  return new Failure(code, message, {
    ...details,
    // A 404 answered a read, or a write that was refused.
    outcome: details.method === undefined || details.method === 'GET' ? 'not-sent' : 'refused',
    hint: joinHints(`${rule}The nearest: ${names.join('; ')}.`, mustBeListed && details.hint),
  })
}

/** Exit 2: the record is of another country than that of the options. */
function elsewhere(context: Context, typed: string, match: ListedRecord, flags: readonly string[]): Failure {
  const flag = flags[0] ?? `--${match.list.country?.id}`
  const again = typedCommand(context, withCountry(context.host.argv, flag))
  return usage(`${typed} is ${describe(match)}.`, `To mean that record, add ${flag}: ${again}`)
}

/** The command of this run, with another name for the record. */
function commandFor(context: Context, reference: Reference, match: ListedRecord, name: string): string {
  const { id: typed, option } = reference
  const words = context.host.argv.map((word) =>
    word === typed ? name : word === `${option}=${typed}` ? `${option}=${name}` : word,
  )
  const { country } = match.list
  const isOther = country !== undefined && !chosenFor(reference, match).isFit
  return typedCommand(context, isOther ? withCountry(words, country.flag) : words)
}

const withCountry = (words: readonly string[], flag: string) =>
  withOptions(
    words.filter((word) => !countries.some((each) => each.flag === word)),
    [flag],
  )
