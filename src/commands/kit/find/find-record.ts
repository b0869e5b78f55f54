import { isIdentifier } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, declined, Failure, type Issue, isTemporary, joinHints, usage } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { countries } from '../../../model/countries/countries.ts'
import { answerType } from '../../../model/operations/operation.ts'
import { nounOfType } from '../../../model/records/record-type.ts'
import { isUnknownKey } from '../../../reading/lists.ts'
import type { Options } from '../../cli/options.ts'
import { pathParameters } from '../../cli/resource-verbs.ts'
import { chooseOperation, nounOf, optionsFor, type Target } from '../../cli/target.ts'
import { typedCommand, withOptions } from '../command-line.ts'
import { assertYes } from '../confirm.ts'
import { openPrompts } from '../open-prompts.ts'
import { isReference, type Matches, matchNames } from './match-names.ts'
import { recallRecord, rememberRecord } from './remembered-records.ts'
import { type ListedName, listedRecord, listsOf, readNames, unreadableFailure } from './search-lists.ts'

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
  /** An id or a reference. */
  readonly typed: string
  readonly options: Options
  /** Whether the record may be of another country than the options say. */
  readonly anyCountry?: true
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
  const { typed, options, target, list, meaning, writes, mustBeListed } = reference
  const remembered = notThere ? undefined : await readRemembered(context, reference)
  if (remembered) return foundIn(context, reference, remembered.match, { seen: remembered.seen })
  // A list may be late, or leave somebody out, so the service decides whether an id is right.
  const mayBeId = !notThere && meaning !== 'reference' && isIdentifier(typed) && !mustBeListed
  const asId: FoundRecord<Seen> = { id: typed, options, name: typed }
  const listed = await readNames(context, listsOf(list, options), pathParameters(target, options)).catch(
    asFailure,
  )
  if (listed instanceof Failure) {
    // Another record may be meant.
    if (writes) throw unknownRecord(reference, listed)
    const isUnreachable = isTemporary(listed.code) && listed.details.status === undefined
    // Where there was no answer at all, another request would only wait as long again.
    if (!mayBeId || isUnreachable || isUnknownKey(listed)) throw listed
    context.warn(`the list could not be read, so ${typed} is tried as an id. ${listed.message}`)
    return { ...asId, otherwise: () => Promise.reject(listed) }
  }
  // A record without an id cannot be requested.
  const records = listed.filter(({ id }) => id !== undefined)
  const found = matchNames(records, typed)
  const ofMeaning =
    meaning === undefined
      ? found
      : {
          ...found,
          whole: found.whole.filter((each) => isReference(each.reference, typed)),
          begun: [],
          named: [],
        }
  const whole = onePerId(ofMeaning.whole, reference)
  const [only, another] = whole
  if (only && !another) await remember(context, reference, only)
  if (only)
    return foundIn(context, reference, another ? await chooseWhole(context, reference, whole) : only, {
      notThere,
    })
  const otherwise = (failure: Failure) => findNearly(context, reference, ofMeaning, failure)
  return mayBeId ? { ...asId, otherwise } : otherwise(notThere ?? notFoundFailure(reference))
}

/** Finds records whose id begins with the text, or that have this name. A person is asked; a script fails with them. */
async function findNearly<Seen extends SeenRecord>(
  context: Context,
  reference: ListReference<Seen>,
  { begun, named, near }: Matches<ListedName>,
  notThere: Failure,
): Promise<FoundRecord<Seen>> {
  const { typed, writes } = reference
  const [only, another] = begun
  if (only && !writes) {
    if (another) throw several(reference, begun)
    return foundIn(context, reference, only, { notThere })
  }
  const offered = [...new Set([...begun, ...named.filter((match) => chosenFor(reference, match).isFit)])]
  if (context.interactive && offered.length > 0) {
    context.note(only ? `${onlyBegun(typed)} ${wholeNeeded}` : notNamed(typed))
    const match = await askWhoIsMeant(context, offered)
    const found = await foundIn(context, reference, match, { notThere })
    // A name is neither id nor reference, so the record is checked against the reference of the chosen
    // person.
    return begun.includes(match) ? found : { ...found, name: match.reference ?? found.id }
  }
  if (named.length > 0) throw nameOnlyFailure(context, reference, named)
  throw withNearest(reference, notThere, near, only && onlyBegun(typed))
}

/** Says which record was found, and gives its country's options. Throws where the options exclude that country. */
async function foundIn<Seen>(
  context: Context,
  reference: ListReference<Seen>,
  match: ListedName,
  { seen, notThere }: { readonly seen?: Seen; readonly notThere?: Failure | undefined },
): Promise<FoundRecord<Seen>> {
  const { typed } = reference
  const { id = '' } = match
  const { chosen, isElsewhere, isFit } = chosenFor(reference, match)
  if (!isFit) throw foundElsewhere(context, reference, match)
  // The list has an id that the service says it does not have, so there is nothing else to try.
  if (notThere && id === typed && !isElsewhere) throw notThere
  if (id !== typed || isElsewhere) context.note(`${typed} is ${describe(match, typed)}.`)
  return { id, options: chosen, name: typed, seen }
}

function chosenFor(
  { target, options, anyCountry }: Reference,
  { list: { country } }: Pick<ListedName, 'list'>,
) {
  const hasCountries = country && !('path' in target || 'current' in target)
  const chosen = hasCountries ? { ...options, ...optionsFor(target, target[country.id].id) } : options
  const isElsewhere = chooseOperation(target, chosen).id !== chooseOperation(target, options).id
  return { chosen, isElsewhere, isFit: anyCountry === true || !isElsewhere }
}

/**
 * The record that had the reference last, if it still has it: then the list is not read again. Not for a write, because
 * another record may have the reference by now, and only the list shows that.
 */
async function readRemembered<Seen extends SeenRecord>(
  context: Context,
  reference: ListReference<Seen>,
): Promise<{ readonly match: ListedName; readonly seen: Seen } | undefined> {
  const { typed, options, read, list: target, writes } = reference
  if (!read || writes) return undefined
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
  { typed, options, read, list: target }: ListReference<unknown>,
  { id, reference, list }: ListedName,
): Promise<void> {
  if (!read || id === undefined || id === typed || !isReference(reference, typed)) return
  const kind = nounOf(chooseOperation(target, options))
  await rememberRecord(context, kind, typed, { id, country: list.country?.id })
}

/** One record for each id. Countries may number their records separately; then the chosen country's record is meant. */
function onePerId(matches: readonly ListedName[], reference: Reference): readonly ListedName[] {
  const isAsked = (match: ListedName) => !chosenFor(reference, match).isElsewhere
  const sorted = [...matches.filter(isAsked), ...matches.filter((match) => !isAsked(match))]
  return sorted.filter(({ id }, at) => sorted.findIndex((each) => each.id === id) === at)
}

async function chooseWhole(
  context: Context,
  reference: ListReference<unknown>,
  whole: readonly ListedName[],
): Promise<ListedName> {
  if (context.interactive) {
    const message = `${reference.typed} can mean ${whole.length} records. Which do you mean?`
    return chooseOne(
      context,
      message,
      whole,
      (match) => `${describe(match, reference.typed)}, by its ${meaningIn(match, reference)}`,
    )
  }
  throw whole.some(({ id }) => id === reference.typed)
    ? twoMeanings(reference, whole)
    : several(reference, whole)
}

/** Asks whether one of these is meant. The default is none, which throws. */
async function askWhoIsMeant(context: Context, offered: readonly ListedName[]): Promise<ListedName> {
  const [only, another] = offered
  if (!only || another) return chooseOne(context, 'Do you mean one of these?', offered, describe)
  await assertYes(context, `Do you mean ${describe(only)}?`, 'Stopped.')
  return only
}

async function chooseOne(
  context: Context,
  message: string,
  matches: readonly ListedName[],
  nameOf: (match: ListedName) => string,
): Promise<ListedName> {
  const { choose } = await openPrompts(context)
  const choices = matches.map((match) => ({ value: match, name: nameOf(match) }))
  const chosen = await choose<ListedName | undefined>({
    message,
    choices: [{ value: undefined, name: 'None of them: stop' }, ...choices],
  })
  if (!chosen) throw declined('Stopped.')
  return chosen
}

/** `IE-1042, Aoife Ní Shampla, an Irish candidate`. A reference that was typed is not repeated. */
const naming = ({ reference, name, kind }: ListedName, typed = ''): string =>
  [...new Set([isReference(reference, typed) ? '' : reference, name, kind])].filter(Boolean).join(', ')

const describe = (match: ListedName, typed?: string) => `${naming(match, typed)} (${match.id})`

const meaningIn = ({ id }: ListedName, { typed }: Reference): NameKind => (id === typed ? 'id' : 'reference')

const onlyBegun = (typed: string) => `${typed} is only the beginning of an id.`

const notNamed = (typed: string) => `Nothing has the id or the reference ${typed}.`

const wholeNeeded = 'A change needs the whole id or the whole reference.'

/** Exit 6 or 5: a text that means no record, or more than one. */
function notOneRecord(
  code: 'refused' | 'not-found',
  message: string,
  hint?: string,
  issues: readonly Issue[] = [],
): Failure {
  return new Failure(code, message, { outcome: 'not-sent', issues, hint })
}

const matchIssues = (
  matches: readonly ListedName[],
  messageOf: (match: ListedName) => string = naming,
): readonly Issue[] => matches.map((match) => ({ path: match.id ?? '', message: messageOf(match) }))

/** Exit 6: several records have this reference, or an id that begins so. */
function several({ typed }: Reference, matches: readonly ListedName[]): Failure {
  const message = `${typed} can mean ${matches.length} records.`
  return notOneRecord('refused', message, 'Type the id of the one that you mean.', matchIssues(matches))
}

/** Exit 6: the text is the reference of one record and the id of another. */
function twoMeanings(reference: Reference, matches: readonly ListedName[]): Failure {
  const { typed, option } = reference
  const meaning = (match: ListedName) => meaningIn(match, reference)
  const each = matches.map((match) => `the ${meaning(match)} of ${describe(match, typed)}`)
  const ways = matches.map((match) => {
    const way = option === undefined ? `add --${meaning(match)}` : `${option} ${meaning(match)}:${typed}`
    return `To mean ${match.name ?? `the ${meaning(match)}`}: ${way}.`
  })
  const asMeant = (match: ListedName) => `${typed} is the ${meaning(match)} of ${naming(match, typed)}`
  return notOneRecord(
    'refused',
    `${typed} is ${each.join(', and ')}.`,
    ways.join(' '),
    matchIssues(matches, asMeant),
  )
}

/** The list could not be read, so nobody knows which record the text names. */
function unknownRecord({ typed, option, meaning }: ListReference<unknown>, failure: Failure): Failure {
  const way = option === undefined ? 'add --id' : `type ${option} id:${typed}`
  const byId = meaning === undefined ? `If it is the id, ${way}: then no list is read.` : undefined
  return unreadableFailure(`payroll could not find out which record ${typed} is.`, failure, byId)
}

/** Exit 5: no list has the text, and it cannot be an id. */
function notFoundFailure(reference: ListReference<unknown>): Failure {
  const { typed, meaning, target, options, option, mustBeListed } = reference
  const anyName = `the id or the reference ${JSON.stringify(typed)}`
  if (mustBeListed && meaning === undefined) {
    const hint = isIdentifier(typed) ? `If it is an id that no list shows: ${option} id:${typed}` : undefined
    return notOneRecord('not-found', `No record in the lists has ${anyName}.`, hint)
  }
  const type = answerType(chooseOperation(target, options))
  return notOneRecord(
    'not-found',
    `No ${type ? nounOfType(type) : 'record'} has ${meaning ? `the ${meaning} ${typed}` : anyName}.`,
  )
}

/** Exit 5: the text is somebody's name, which is not enough where no question can be asked. */
function nameOnlyFailure(context: Context, reference: Reference, named: readonly ListedName[]): Failure {
  const [first, another] = named
  const start = `${notNamed(reference.typed)} It is the name of`
  if (!first || another) {
    const hint = 'Type the reference or the id of the one that you mean.'
    return notOneRecord('not-found', `${start} ${named.length} records.`, hint, matchIssues(named))
  }
  const command = commandFor(context, reference, first, first.reference ?? first.id ?? '')
  return notOneRecord('not-found', `${start} ${describe(first)}.`, `If you mean that person: ${command}`)
}

function withNearest(
  { writes }: Reference,
  failure: Failure,
  near: readonly ListedName[],
  message = failure.message,
): Failure {
  if (near.length === 0) return failure
  const { code, details } = failure
  const names = near.slice(0, mostSuggested).map((match) => describe(match))
  const rule = writes ? `${wholeNeeded} ` : ''
  return new Failure(code, message, {
    ...details,
    // A 404 answered a read, or a write that was refused.
    outcome: details.method === undefined || details.method === 'GET' ? 'not-sent' : 'refused',
    hint: joinHints(`${rule}The nearest: ${names.join('; ')}.`, details.hint),
  })
}

/** Exit 2: the record is of another country than that of the options. */
function foundElsewhere(context: Context, reference: Reference, match: ListedName): Failure {
  const { typed } = reference
  const again = commandFor(context, reference, match, typed)
  return usage(
    `${typed} is ${describe(match, typed)}.`,
    `To mean that record, add ${match.list.country?.flag}: ${again}`,
  )
}

/** The command of this run, with another name for the record. */
function commandFor(context: Context, reference: Reference, match: ListedName, name: string): string {
  const { typed, option } = reference
  const { argv } = context.host
  const isValue = (at: number) => argv[at - 1]?.startsWith('-') === true
  const places = [...argv.keys()].filter((at) => argv[at] === typed)
  // The value of another option may be the same text.
  const place =
    places.find((at) => (option === undefined ? !isValue(at) : argv[at - 1] === option)) ?? places[0]
  const words = argv.map((word, at) =>
    at === place ? name : word === `${option}=${typed}` ? `${option}=${name}` : word,
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
