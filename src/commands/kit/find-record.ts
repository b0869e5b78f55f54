import { isIdentifier } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { declined, Failure, joinHints, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { countries } from '../../model/countries/countries.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { referenceOf, valueInResponse } from '../../model/mapping/field-mapping.ts'
import { labelOf, properName } from '../../model/mapping/record-name.ts'
import { keyOf } from '../../model/natural-key.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { idOf } from '../../model/records/identity.ts'
import { wordsOf } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
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
import { isUnknownKey, listsOf, type Match, type SearchedList, searchLists } from './search-lists.ts'

/** A shorter beginning of an id is typed by mistake, or fits many. */
const shortestBeginning = 6

/** A shorter beginning is not named as nearly a name either. */
const shortestNamed = 3

/** A hint names no more than these. */
const mostNamed = 3

/** A reference, as far as it is known when the list has to be read. */
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
  const found = await find(context, reference)
  if (!('failure' in found) && found.whole.length > 0) {
    const match = await chooseWhole(context, reference, found.whole)
    if (found.whole.length === 1) await remember(context, reference, match)
    return useMatch(context, reference, match, use)
  }
  let { notThere } = reference
  const mayBeId = meaning !== 'reference' && isIdentifier(typed) && !reference.mustBeListed
  if (!notThere && !mayBeId) {
    if ('failure' in found) throw found.failure
    notThere = nothingNamed(reference)
  }
  try {
    // A list may be late, or leave somebody out: an id is right if the service says so.
    if (!notThere) return await use(typed, options, typed)
  } catch (error) {
    if (!isMissing(error)) throw error
    notThere = error
  }
  if ('failure' in found) throw found.failure
  const { beginnings, named, near } = found
  const [only] = beginnings
  if (!writes && only) {
    if (beginnings.length > 1) throw several(reference, beginnings)
    return useMatch(context, reference, only, use)
  }
  const offered = [...new Set([...beginnings, ...named.filter((match) => mayBeUsed(reference, match))])]
  if (context.interactive && offered.length > 0) {
    const match = await askWhoIsMeant(context, typed, offered)
    // A name is neither id nor reference: what is read is held against the reference of whom was meant.
    const name = match && !beginnings.includes(match) ? referenceIn(match.item, match.list.operation) : typed
    if (match) return useMatch(context, reference, match, (id, chosen) => use(id, chosen, name ?? id))
    throw declined('Stopped.')
  }
  if (named.length > 0) throw onlyNamed(context, reference, named)
  throw withNearest(reference, notThere as Failure, [...beginnings, ...near])
}

/**
 * The record that the reference was of when it was last looked for, if it still has it: a list of a hundred pages is not read
 * for it again. Nothing where that is not known, or not so any more.
 */
async function readRemembered<Seen extends SeenRecord>(
  context: Context,
  { id: typed, options, target, read, list, anyCountry, notThere }: ListedReference<Seen>,
): Promise<ReadMatch<Seen> | undefined> {
  if (!read || notThere) return undefined
  const kind = nounOf(chooseOperation(list, options))
  const known = await recallRecord(context, kind, typed)
  if (!known) return undefined
  const from = listsOf(list, options).find(({ country }) => country?.id === known.country)
  if (!from) return undefined
  const chosen = optionsOf(target, { item: {}, list: from }, options)
  const isElsewhere = chooseOperation(target, chosen).id !== chooseOperation(target, options).id
  if (isElsewhere && !anyCountry) return undefined
  const seen = await read(known.id, chosen).catch((error: unknown) => {
    if (error instanceof Failure && (error.code === 'not-found' || error.code === 'invalid-response')) return
    throw error
  })
  if (seen && isReference(referenceIn(seen.record, from.operation), typed))
    return { item: { id: known.id, ...seen.record }, list: from, seen }
  await rememberRecord(context, kind, typed, undefined)
  return undefined
}

/** A match whose record was read. */
interface ReadMatch<Seen> extends Match {
  readonly seen?: Seen
}

async function remember(
  context: Context,
  { id: typed, options, read, list }: ListedReference,
  { item, list: { operation, country } }: Match,
): Promise<void> {
  const id = idOf(item)
  if (!read || id === undefined || id === typed || !isReference(referenceIn(item, operation), typed)) return
  await rememberRecord(context, nounOf(chooseOperation(list, options)), typed, { id, country: country?.id })
}

const isMissing = (error: unknown): error is Failure =>
  error instanceof Failure && error.details.status === 404

/** Whether a record may be used without another country being typed. */
function mayBeUsed({ target, options, anyCountry }: Reference, match: Match): boolean {
  const chosen = optionsOf(target, match, options)
  return anyCountry || chooseOperation(target, chosen).id === chooseOperation(target, options).id
}

/** Whether there was no answer at all: another request would only wait as long again. */
const isUnreachable = ({ code, details }: Failure) => code === 'temporary' && details.status === undefined

/** Uses a record of the list. Throws a Failure for one of another country, where it must be of this one. */
async function useMatch<T, Seen extends SeenRecord>(
  context: Context,
  { id: typed, options, target, anyCountry, notThere }: ListedReference<Seen>,
  match: ReadMatch<Seen>,
  use: UseRecord<T, Seen>,
): Promise<T> {
  const id = idOf(match.item) ?? ''
  const chosen = optionsOf(target, match, options)
  const isElsewhere = chooseOperation(target, chosen).id !== chooseOperation(target, options).id
  if (isElsewhere && !anyCountry) throw elsewhere(context, typed, match, countryFlags(chosen))
  // The list has the id that the service says it has not: there is nothing else to try.
  if (notThere && id === typed && !isElsewhere) throw notThere
  if (id !== typed || isElsewhere) context.note(`${typed} is ${describe(match)}.`)
  return use(id, chosen, typed, match.seen)
}

interface Found {
  /** What has the text as its whole id, or as its whole reference. */
  readonly whole: readonly Match[]
  /** What has an id that begins with it. */
  readonly beginnings: readonly Match[]
  /** Whose name it is, or a part of whose name. To be offered, never to be used without a question. */
  readonly named: readonly Match[]
  /** What a person may have meant instead: what begins with it, and what is nearly called so. To be named, never to be used. */
  readonly near: readonly Match[]
}

/**
 * What the lists have. Where they cannot be read, the failure: a write throws it, because who else the text may mean is not
 * known; a read goes on with a warning.
 */
async function find(
  context: Context,
  reference: ListedReference,
): Promise<Found | { readonly failure: Failure }> {
  const { id: typed, options, target, list, meaning, writes, notThere } = reference
  const { id: _id, ...parameters } = pathParameters(target, options, typed)
  // By id: a list that moved is read again.
  const beginnings = new Map<string, Match>()
  const byName = new Map<string, Match>()
  const named = new Map<string, Match>()
  const isMeant = (item: JsonObject, from: SearchedList) => {
    const [id, ref] = [idOf(item), referenceIn(item, from.operation)]
    // What has no id cannot be asked for.
    if (id === undefined) return false
    const match = { item, list: from }
    for (const name of [id, ref]) if (name !== undefined) byName.set(name, match)
    if (meaning === undefined && isNamed(match, typed)) named.set(id, match)
    const isWhole = isReference(ref, typed) || (id === typed && meaning === undefined)
    const mayBegin = !isWhole && meaning === undefined && typed.length >= shortestBeginning
    if (mayBegin && id.toLowerCase().startsWith(typed.toLowerCase())) beginnings.set(id, match)
    return isWhole
  }
  try {
    const found = await searchLists(context, listsOf(list, options), isMeant, {
      parameters,
      mayBeMissing: true,
      mayBeClosed: true,
    })
    const isLonger = (name: string) =>
      typed.length >= shortestNamed && name.toLowerCase().startsWith(typed.toLowerCase())
    const names = [nearest([...byName.keys()], typed), ...[...byName.keys()].filter(isLonger)]
    return {
      whole: onePerId(found, reference),
      beginnings: [...beginnings.values()],
      named: [...named.values()],
      near: names.flatMap((name) => (name === undefined ? [] : (byName.get(name) ?? []))),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (writes) throw notKnown(reference, error)
    if (notThere || meaning !== undefined || isUnreachable(error) || isUnknownKey(error)) throw error
    context.warn(`the list could not be read, so ${typed} is tried as an id. ${error.message}`)
    return { failure: error }
  }
}

/** Whether every word is a word of the name of this person: of what has no name of its own, nothing is. */
function isNamed({ item, list }: Match, typed: string): boolean {
  const type = answerType(list.operation)
  if (!type) return false
  const name = properName(type).map((paths) => valueInResponse(item, paths))
  const nameWords = wordsOf(name.filter((value) => typeof value === 'string').join(' '))
  const words = wordsOf(typed)
  return words.length > 0 && words.every((word) => nameWords.includes(word))
}

/** Capitals, and blanks around it, do not make another reference. */
function isReference(reference: string | undefined, typed: string): boolean {
  return reference !== undefined && keyOf(reference.trim()) === keyOf(typed.trim())
}

/** Each country may count its records by itself: of one id, the record of the country that is asked for is meant. */
function onePerId(matches: readonly Match[], { target, options }: Reference): readonly Match[] {
  const asked = chooseOperation(target, options).id
  const isAsked = (match: Match) => chooseOperation(target, optionsOf(target, match, options)).id === asked
  const sorted = [...matches.filter(isAsked), ...matches.filter((match) => !isAsked(match))]
  const byId = new Map(sorted.map((match) => [idOf(match.item), match] as const).reverse())
  return sorted.filter((match) => byId.get(idOf(match.item)) === match)
}

/** The one of these that is meant. Throws a Failure where that cannot be told and no question can be asked. */
async function chooseWhole(
  context: Context,
  reference: ListedReference,
  whole: readonly Match[],
): Promise<Match> {
  const [first] = whole
  if (first && whole.length === 1) return first
  if (!context.interactive) {
    const isId = whole.some(({ item }) => idOf(item) === reference.id)
    throw isId ? twoMeanings(reference, whole) : several(reference, whole)
  }
  const { choose } = await openPrompts(context)
  const chosen = await choose<Match | undefined>({
    message: `${reference.id} can mean ${whole.length} records. Which do you mean?`,
    choices: [
      { value: undefined, name: 'None of them: stop' },
      ...whole.map((match) => ({
        value: match,
        name: `${describe(match)}, by its ${meaningIn(match, reference)}`,
      })),
    ],
  })
  if (chosen) return chosen
  throw declined('Stopped.')
}

/** Asks whether the record whose id begins so, or that is named so, is meant; Enter means that it is not. */
async function askWhoIsMeant(
  context: Context,
  typed: string,
  offered: readonly Match[],
): Promise<Match | undefined> {
  const { confirm, choose } = await openPrompts(context)
  const [only] = offered
  context.note(`Nothing has the id or the reference ${typed}.`)
  if (only && offered.length === 1)
    return (await confirm({ message: `Do you mean ${describeWithReference(only)}?`, default: false }))
      ? only
      : undefined
  return choose<Match | undefined>({
    message: 'Do you mean one of these?',
    choices: [
      { value: undefined, name: 'None of them: stop' },
      ...offered.map((match) => ({ value: match, name: describeWithReference(match) })),
    ],
  })
}

/** The reference that its sender gave a record. */
function referenceIn(item: JsonObject, operation: Operation): string | undefined {
  const type = answerType(operation)
  const paths = type && referenceOf(type)
  const value = paths && valueInResponse(item, paths)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** The options that choose the operation for a match: those of its country. */
function optionsOf(target: Target, { list: { country } }: Match, options: Options): Options {
  if (!country || 'path' in target || 'current' in target) return options
  return { ...options, ...optionsFor(target, target[country.id].id) }
}

/** `Aoife Ní Shampla, an Irish candidate (4f1c…)`: what a person knows the record by. */
function describe({ item, list }: Match): string {
  return `${naming(item, list)} (${idOf(item)})`
}

/** `IE-1042, Aoife Ní Shampla, an Irish candidate (4f1c…)`. */
function describeWithReference(match: Match): string {
  const reference = referenceIn(match.item, match.list.operation)
  const label = labelIn(match)
  // Without a label, and where the label is the reference, it is said by `describe`.
  const isSaid = reference === undefined || label === undefined || label === reference
  return `${isSaid ? '' : `${reference}, `}${describe(match)}`
}

function naming(item: JsonObject, list: SearchedList): string {
  const label = labelIn({ item, list }) ?? referenceIn(item, list.operation)
  const kind = answerType(list.operation)?.displayName ?? 'a record'
  return label ? `${label}, ${kind}` : kind
}

/** What a person calls a record of a list, other than by its reference. */
function labelIn({ item, list: { operation } }: Match): string | undefined {
  const type = answerType(operation)
  return type && labelOf(type, item)
}

const meaningIn = ({ item }: Match, { id }: Reference): Meaning => (idOf(item) === id ? 'id' : 'reference')

/** Exit 6: a reference, or the beginning of an id, of two records or more. */
function several(reference: Reference, matches: readonly Match[]): Failure {
  return new Failure('refused', `${reference.id} can mean ${matches.length} records.`, {
    outcome: 'not-sent',
    issues: matches.map(({ item, list }) => ({
      path: idOf(item) ?? '',
      message: [referenceIn(item, list.operation), naming(item, list)].filter(Boolean).join(', '),
    })),
    hint: 'Type the id of the one that you mean.',
  })
}

/** Exit 6: the reference of one is the id of another. */
function twoMeanings(reference: Reference, matches: readonly Match[]): Failure {
  const { id: typed, option } = reference
  const each = matches.map((match) => `the ${meaningIn(match, reference)} of ${describe(match)}`)
  const ways = matches.map((match) => {
    const meaning = meaningIn(match, reference)
    const way = option === undefined ? `add --${meaning}` : `${option} ${meaning}:${typed}`
    return `To mean ${labelIn(match) ?? `the ${meaning}`}: ${way}.`
  })
  return new Failure('refused', `${typed} is ${each.join(', and ')}.`, {
    outcome: 'not-sent',
    issues: matches.map((match) => ({
      path: idOf(match.item) ?? '',
      message: `${typed} is the ${meaningIn(match, reference)} of ${naming(match.item, match.list)}`,
    })),
    hint: ways.join(' '),
  })
}

/** The list could not be read, so whom the text means is unknown. Not exit 6, which says that several are meant. */
function notKnown(
  { id: typed, option, meaning }: ListedReference,
  { code, message, details }: Failure,
): Failure {
  const problem = `Which record ${typed} names is not known. ${message}`
  const way = option === undefined ? 'add --id' : `type ${option} id:${typed}`
  // What to do about the connection comes first: without it the id leads nowhere either.
  const byId = meaning === undefined ? `If it is the id, ${way}: then no list is read.` : undefined
  const hint =
    joinHints(code === 'temporary' || code === 'auth' ? details.hint : undefined, byId) || details.hint
  return new Failure(code === 'refused' ? 'invalid-response' : code, problem, {
    ...details,
    outcome: 'not-sent',
    ...(hint !== undefined && { hint }),
  })
}

function nothingNamed(reference: ListedReference): Failure {
  const { id: typed, meaning, target, options, option, mustBeListed } = reference
  if (mustBeListed && meaning === undefined) {
    const hint = isIdentifier(typed) ? `If it is an id that no list shows: ${option} id:${typed}` : undefined
    return new Failure(
      'not-found',
      `Nobody in the lists has the id or the reference ${JSON.stringify(typed)}.`,
      {
        outcome: 'not-sent',
        ...(hint !== undefined && { hint }),
      },
    )
  }
  const kind = answerType(chooseOperation(target, options))?.displayName ?? 'a record'
  const what = meaning ? `the ${meaning} ${typed}` : `the id or the reference ${JSON.stringify(typed)}`
  return new Failure('not-found', `No record like ${kind} has ${what}.`, {
    outcome: 'not-sent',
  })
}

/** Exit 5: the text is the name of somebody, and a name is not enough where no question can be asked. */
function onlyNamed(context: Context, reference: ListedReference, named: readonly Match[]): Failure {
  const { id: typed, option } = reference
  const [first] = named
  const start = `Nothing has the id or the reference ${typed}. It is the name of`
  if (!first || named.length > 1) {
    const issues = named.map((match) => ({
      path: idOf(match.item) ?? '',
      message: [referenceIn(match.item, match.list.operation), naming(match.item, match.list)]
        .filter(Boolean)
        .join(', '),
    }))
    return new Failure('not-found', `${start} ${named.length} people.`, {
      outcome: 'not-sent',
      issues,
      hint: 'Type the reference or the id of the one that you mean.',
    })
  }
  const { country } = first.list
  const isElsewhere = country !== undefined && !mayBeUsed(reference, first)
  const name = referenceIn(first.item, first.list.operation) ?? idOf(first.item) ?? ''
  const words = context.host.argv
    .filter((word) => !(isElsewhere && countries.some(({ flag }) => word === flag)))
    .map((word) => (word === typed ? name : word === `${option}=${typed}` ? `${option}=${name}` : word))
  const command = typedCommand(context, [...words, ...(isElsewhere ? [country.flag] : [])])
  return new Failure('not-found', `${start} ${describeWithReference(first)}.`, {
    outcome: 'not-sent',
    hint: `If you mean that person: ${command}`,
  })
}

/** The failure with what is nearly named so, where there is anything. */
function withNearest({ writes, mustBeListed }: Reference, failure: Failure, near: readonly Match[]): Failure {
  if (near.length === 0) return failure
  const { code, message, details } = failure
  const names = [...new Set(near)].slice(0, mostNamed).map(describeWithReference)
  const rule = writes ? 'A change needs the whole id or the whole reference. ' : ''
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
  const others = argv.filter((word) => !countries.some((each) => each.flag === word))
  const again = argv.includes('--') ? undefined : typedCommand(context, [...others, flag])
  return usage(
    `${id} is ${describe(match)}.`,
    again === undefined ? `To mean that record, add ${flag}.` : `To mean that record, add ${flag}: ${again}`,
  )
}
