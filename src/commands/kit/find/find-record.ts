import { isIdentifier } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import {
  asFailure,
  declined,
  Failure,
  type Issue,
  isTemporary,
  joinHints,
  onFailure,
  usage,
} from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { countries } from '../../../model/countries/countries.ts'
import { sentTypeOf } from '../../../model/mapping/field-mapping.ts'
import { answerType, type Operation } from '../../../model/records/operation.ts'
import { nounOfType } from '../../../model/records/record-type.ts'
import type { Options } from '../../cli/options.ts'
import { pathParameters } from '../../cli/resource-verbs.ts'
import { chooseOperation, nounOf, operationsFor, optionsFor, type Target } from '../../cli/target.ts'
import { typedCommand } from '../command-line.ts'
import { openPrompts } from '../open-prompts.ts'
import { isReference, type Matches, matchNames } from './match-names.ts'
import { memoryOf } from './reference-memory.ts'
import { type ListedName, listedRecord, readNames, unreadableFailure } from './search-lists.ts'

/** What a person says that a text is. */
export type NameKind = 'id' | 'reference'

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
  /** A text that no list has is no id: only a list shows that something may be created below it. */
  readonly mustBeListed?: boolean
  /** The option that names the record, such as `--employee`; undefined where an argument names it. */
  readonly option?: string
}

/** The record that a text means. */
export interface FoundRecord {
  readonly id: string
  /** The options that choose the record's country. */
  readonly options: Options
  /** The id or reference by which it was named. */
  readonly name: string
}

/** What was found for a text. */
export interface Found {
  readonly record: FoundRecord
  /** Where the text is only tried as an id: finds what else is meant. `notThere`: the service's 404 for the id. */
  readonly instead?: (notThere: Failure) => Promise<Found>
}

/** A reference that is looked up in lists. */
interface LookedUp extends Reference {
  readonly list: Target
  readonly meaning: NameKind | undefined
}

/** Finds the record that is meant in the lists. `notThere`: the answer to the text as an id, if that was tried. */
export async function findInLists(context: Context, reference: LookedUp, notThere?: Failure): Promise<Found> {
  const { typed, options, target, list, meaning, writes, mustBeListed } = reference
  const asId: FoundRecord = { id: typed, options, name: typed }
  // A list may be late, or leave somebody out, so the service decides whether an id is right.
  const mayBeId = !notThere && meaning !== 'reference' && isIdentifier(typed) && !mustBeListed
  const parameters = pathParameters(target, options)
  const listed = await readNames(context, operationsFor(list, options), { parameters }).catch(asFailure)
  if (listed instanceof Failure) {
    // Another record may be meant.
    if (writes) throw unknownRecord(reference, listed)
    const isUnreachable = isTemporary(listed.code) && listed.details.status === undefined
    // Where there was no answer at all, another request would only wait as long again.
    if (!mayBeId || isUnreachable || listed.details.status === 401) throw listed
    context.warn(`the list could not be read, so ${typed} is tried as an id. ${listed.message}`)
    return { record: asId, instead: () => Promise.reject(listed) }
  }
  // A record without an id cannot be requested.
  const records = listed.filter(({ id }) => id !== undefined)
  const matches = matchNames(records, typed, meaning === 'reference' ? meaning : 'anything')
  const [only, ...others] = onePerId(matches.whole, reference)
  if (only && others.length === 0) {
    await rememberMatch(context, reference, only)
    return { record: takeMatch(context, reference, only, notThere) }
  }
  if (only) {
    if (!context.interactive) throw severalMatches(reference, [only, ...others])
    const question = `${typed} can mean ${others.length + 1} records. Which do you mean?`
    const match = await chooseOne(context, question, [only, ...others])
    return { record: takeMatch(context, reference, match, notThere) }
  }
  const why = whyNotFound(listed, reference)
  const findInstead = async (failure: Failure): Promise<Found> => {
    const withReason = why ? failure.with({ hint: joinHints(why, failure.details.hint) }) : failure
    return { record: await findNear(context, reference, matches, withReason) }
  }
  if (!mayBeId) return findInstead(notThere ?? notFound(reference))
  // Asked for the documents of a wrong id, a service may answer an empty list.
  if (why) context.warn(`${typed} is tried as an id. ${why}`)
  return { record: asId, instead: findInstead }
}

/** Why a record may be in a list that was read and not be found there; undefined where it may not. */
function whyNotFound(listed: readonly ListedName[], { typed, target, list, options }: LookedUp) {
  const known = listed.find(({ id, reference }) => id === undefined && isReference(reference, typed))
  if (known)
    return `The list has ${typed} without an id. If the service calls that otherwise: payroll routes set ${known.list.id} "GET /svc/…" --parameter id=…`
  const type = answerType(chooseOperation(list ?? target, options))
  return type &&
    sentTypeOf(type).reference !== undefined &&
    listed.length > 0 &&
    listed.every(({ reference }) => reference === undefined)
    ? 'The list shows no references, so a record is found there by its id alone.'
    : undefined
}

/** Finds a record whose id begins with the text, or that has this name. A person is asked; a script fails with them. */
async function findNear(
  context: Context,
  reference: LookedUp,
  { begun, named }: Matches<ListedName>,
  notThere: Failure,
): Promise<FoundRecord> {
  const { typed, writes } = reference
  const [only, another] = begun
  if (only && !writes) {
    if (another) throw severalMatches(reference, begun)
    return takeMatch(context, reference, only, notThere)
  }
  const nothing = `Nothing has the id or the reference "${typed}"`
  const isFit = (match: ListedName) => placeOf(reference, match.list).isFit
  const offered = [...new Set([...begun, ...named.filter(isFit)])]
  if (context.interactive && offered.length > 0) {
    const match = await chooseOne(context, `${nothing}. Do you mean one of these?`, offered)
    const found = takeMatch(context, reference, match, notThere)
    // A name is neither id nor reference: the record is checked against the reference of the chosen person.
    return begun.includes(match) ? found : { ...found, name: match.reference ?? found.id }
  }
  const near = [...begun, ...named]
  if (near.length === 0) throw notThere
  const { method = 'GET' } = notThere.details
  throw notThere.with({
    message: `${nothing}: it is only a name, or the beginning of an id.`,
    // A 404 answered a read, or a write that was refused.
    outcome: method === 'GET' ? 'not-sent' : 'refused',
    issues: issuesFor(near),
    hint: 'Type the whole reference, or the whole id, of the one that you mean.',
  })
}

/** Says which record is meant, and gives it with its country's options. Throws where the options exclude that country. */
function takeMatch(
  context: Context,
  reference: LookedUp,
  match: ListedName,
  notThere?: Failure,
): FoundRecord {
  const { typed } = reference
  const { id = '' } = match
  const { options, isElsewhere, isFit } = placeOf(reference, match.list)
  if (!isFit) {
    const { argv } = context.host
    const flag = match.list.country?.flag ?? ''
    const words = argv.filter((word) => !countries.some((country) => country.flag === word))
    throw usage(
      `${typed} is ${describe(match, typed)}.`,
      `To mean that record, add ${flag}: ${typedCommand(context, [...words, flag])}`,
    )
  }
  // The list has an id that the service says it does not have, so there is nothing else to try.
  if (notThere && id === typed && !isElsewhere) throw notThere
  if (id !== typed || isElsewhere) context.note(`${typed} is ${describe(match, typed)}.`)
  return { id, options, name: typed }
}

/** The options that choose the country of a list, and whether the verb may go there: it was asked for another one. */
function placeOf({ target, options: typed, anyCountry }: LookedUp, list: Operation) {
  const options = { ...typed, ...optionsFor(list) }
  const isElsewhere = chooseOperation(target, options) !== chooseOperation(target, typed)
  return { options, isElsewhere, isFit: anyCountry === true || !isElsewhere }
}

/** Remembers where the record of a reference is. Its id needs no list. */
async function rememberMatch(context: Context, reference: LookedUp, match: ListedName): Promise<void> {
  const { typed } = reference
  const { id, list } = match
  if (id === undefined || id === typed || !isReference(match.reference, typed)) return
  const memory = await memoryFor(context, reference)
  await memory.remember({ id, country: list.country?.id })
}

/** Documents of several people may have one name. */
function memoryFor(context: Context, { list, options, typed }: LookedUp) {
  const person = Object.values(pathParameters(list, options))
  return memoryOf(context, [nounOf(chooseOperation(list, options)), ...person].join(' '), typed)
}

/** Reads the record that had the reference last; undefined where it does not have it any more. Then no list is read. */
export async function readRemembered<T>(
  context: Context,
  reference: LookedUp,
  read: (found: FoundRecord) => Promise<T>,
  recordIn: (read: T) => JsonObject,
): Promise<T | undefined> {
  const { typed, options: asTyped, list: target } = reference
  const memory = await memoryFor(context, reference)
  const known = await memory.recall()
  const list = known && operationsFor(target, asTyped).find(({ country }) => country?.id === known.country)
  if (!list) return undefined
  const { options, isFit } = placeOf(reference, list)
  if (!isFit) return undefined
  const found = await read({ id: known.id, options, name: typed }).catch(
    onFailure((failure) => {
      if (failure.code !== 'not-found' && failure.code !== 'invalid-response') throw failure
    }),
  )
  const match = found && listedRecord({ id: known.id, ...recordIn(found) }, list)
  if (match && isReference(match.reference, typed)) {
    takeMatch(context, reference, match)
    return found
  }
  await memory.remember(undefined)
  return undefined
}

/** One record for each id. Countries may number their records separately; then the chosen country's record is meant. */
function onePerId(matches: readonly ListedName[], reference: LookedUp): readonly ListedName[] {
  const isAsked = ({ list }: ListedName) => !placeOf(reference, list).isElsewhere
  const sorted = [...matches.filter(isAsked), ...matches.filter((match) => !isAsked(match))]
  return sorted.filter(({ id }, at) => sorted.findIndex((each) => each.id === id) === at)
}

async function chooseOne(
  context: Context,
  message: string,
  matches: readonly ListedName[],
): Promise<ListedName> {
  const { choose } = await openPrompts(context)
  const choices = matches.map((match) => ({ value: match, name: describe(match) }))
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

const issuesFor = (matches: readonly ListedName[]): readonly Issue[] =>
  matches.map((match) => ({ path: match.id ?? '', message: naming(match) }))

/** Exit 6: the text means more than one record. */
const severalMatches = ({ typed, option }: LookedUp, matches: readonly ListedName[]) =>
  new Failure('refused', `${typed} can mean ${matches.length} records.`, {
    outcome: 'not-sent',
    hint:
      option === undefined
        ? 'Type the id of the one that you mean, or add --id or --reference.'
        : `To say which: ${option} id:<id>, or ${option} reference:<reference>`,
    issues: issuesFor(matches),
  })

/** The list could not be read, so nobody knows which record the text names. */
function unknownRecord({ typed, option, meaning }: LookedUp, failure: Failure): Failure {
  const way = option === undefined ? 'add --id' : `type ${option} id:${typed}`
  const byId = meaning === undefined ? `If it is the id, ${way}: then no list is read.` : undefined
  return unreadableFailure(`find out which record ${typed} is`, failure, byId)
}

/** Exit 5: no list has the text, and it was not tried as an id. */
function notFound({ typed, meaning, target, list, options, option, mustBeListed }: LookedUp): Failure {
  const type = answerType(chooseOperation(target, options))
  // The lists of all countries may have been read.
  const isOfType = type && !mustBeListed && operationsFor(list, options).length === 1
  const noun = isOfType ? nounOfType(type) : 'record in the lists'
  const called = meaning ? `the ${meaning} ${typed}` : `the id or the reference ${JSON.stringify(typed)}`
  const mayBeHidden = mustBeListed && meaning === undefined && isIdentifier(typed)
  const hint = mayBeHidden ? `If it is an id that no list shows: ${option} id:${typed}` : undefined
  return new Failure('not-found', `No ${noun} has ${called}.`, { outcome: 'not-sent', hint })
}
