import { isIdentifier } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, isTemporary, joinHints, onFailure, usage } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { countries } from '../../../model/countries/countries.ts'
import { sentTypeOf } from '../../../model/mapping/field-mapping.ts'
import { answerType, type Operation } from '../../../model/records/operation.ts'
import { nounOfType } from '../../../model/records/record-type.ts'
import { pathParameters } from '../../cli/resource-verbs.ts'
import { chooseOperation, nounOf, operationsFor, optionsFor } from '../../cli/target.ts'
import { typedCommand } from '../command-line.ts'
import { chooseNear, chooseWhole, describe, inWords, searchHint } from './choose-meant.ts'
import { isReference, matchNames } from './match-names.ts'
import type { Found, FoundRecord, NamedInLists } from './named-record.ts'
import { memoryOf } from './reference-memory.ts'
import { type ListedName, listedRecord, readNames, unreadableFailure } from './search-lists.ts'

/** Finds the record that is meant in the lists. `notThere`: the answer to the text as an id, if that was tried. */
export async function findInLists(context: Context, named: NamedInLists, notThere?: Failure): Promise<Found> {
  const { typed, options, list, meaning, writes, mustBeListed } = named
  const asId: FoundRecord = { id: typed, options, name: typed }
  // A list may be late, or leave somebody out, so the service decides whether an id is right.
  const mayBeId = !notThere && meaning !== 'reference' && isIdentifier(typed) && !mustBeListed
  const parameters = pathParameters(options)
  const listed = await readNames(context, operationsFor(list, options), { parameters }).catch(asFailure)
  if (listed instanceof Failure) {
    // Another record may be meant.
    if (writes) throw unknownRecord(named, listed)
    const isUnreachable = isTemporary(listed.code) && listed.details.status === undefined
    // Where there was no answer at all, another request would only wait as long again.
    if (!mayBeId || isUnreachable || listed.details.status === 401) throw listed
    context.warn(`the list could not be read, so ${typed} is tried as an id. ${listed.message}`)
    return { record: asId, instead: () => Promise.reject(listed) }
  }
  // A record without an id cannot be requested.
  const records = listed.filter(({ id }) => id !== undefined)
  const matches = matchNames(records, named)
  const whole = onePerId(matches.whole, named)
  const match = await chooseWhole(context, named, whole)
  if (match) {
    if (whole.length === 1) await rememberMatch(context, named, match)
    return { record: takeMatch(context, named, match, notThere) }
  }
  const why = whyNotFound(listed, named)
  const findInstead = async (failure: Failure): Promise<Found> => {
    const isFit = ({ list }: ListedName) => placeOf(named, list).isFit
    const near = await chooseNear(context, named, matches, { notThere: failure, isFit })
    if (!near) throw why ? failure.with({ hint: joinHints(why, failure.details.hint) }) : inAllWords(failure)
    const record = takeMatch(context, named, near, failure)
    // A name is neither id nor reference: the record is checked against the reference of the one that is meant.
    const name = matches.begun.includes(near) ? record.id : (near.reference ?? record.id)
    return { record: { ...record, name } }
  }
  /** The service was asked for the id alone, and the list for the rest. */
  const inAllWords = (failure: Failure) =>
    listed.some((each) => each.reference !== undefined)
      ? failure.with({ message: failure.message.replace(`the id ${typed}`, () => inWords(named)) })
      : failure
  // Of a name that is tried as an id, a service may answer an empty list of documents.
  const isName = !writes && matches.named.length > 0
  if (!mayBeId || isName) return findInstead(notThere ?? notFound(context, named))
  // Asked for the documents of a wrong id, a service may answer an empty list.
  if (why) context.warn(`${typed} is tried as an id. ${why}`)
  return { record: asId, instead: findInstead }
}

/** Why a record may be in a list that was read and not be found there; undefined where it may not. */
function whyNotFound(listed: readonly ListedName[], { typed, target, list, options }: NamedInLists) {
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

/** Says which record is meant, and gives it with its country's options. Throws where the options exclude that country. */
function takeMatch(
  context: Context,
  named: NamedInLists,
  match: ListedName,
  notThere?: Failure,
): FoundRecord {
  const { typed } = named
  const { id = '' } = match
  const { options, isElsewhere, isFit } = placeOf(named, match.list)
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
function placeOf({ target, options: typed, anyCountry }: NamedInLists, list: Operation) {
  const options = { ...typed, ...optionsFor(list) }
  const isElsewhere = chooseOperation(target, options) !== chooseOperation(target, typed)
  return { options, isElsewhere, isFit: anyCountry === true || !isElsewhere }
}

/** Remembers where the record of a reference is. Its id needs no list. */
async function rememberMatch(context: Context, named: NamedInLists, match: ListedName): Promise<void> {
  const { typed } = named
  const { id, list } = match
  if (id === undefined || id === typed || !isReference(match.reference, typed)) return
  const memory = await memoryFor(context, named)
  await memory?.remember({ id, country: list.country?.id })
}

/** None for documents: a person may have several of one name, another one since. */
async function memoryFor(context: Context, { list, options, typed }: NamedInLists) {
  const isOfPerson = Object.keys(pathParameters(options)).length > 0
  return isOfPerson ? undefined : memoryOf(context, nounOf(chooseOperation(list, options)), typed)
}

/** Reads the record that had the reference last; undefined where it does not have it any more. Then no list is read. */
export async function readRemembered<T>(
  context: Context,
  named: NamedInLists,
  read: (found: FoundRecord) => Promise<T>,
  recordIn: (read: T) => JsonObject,
): Promise<T | undefined> {
  const { typed, options: asTyped, list: target } = named
  const memory = await memoryFor(context, named)
  const known = await memory?.recall()
  const list = known && operationsFor(target, asTyped).find(({ country }) => country?.id === known.country)
  if (!list) return undefined
  const { options, isFit } = placeOf(named, list)
  if (!isFit) return undefined
  const found = await read({ id: known.id, options, name: typed }).catch(
    onFailure((failure) => {
      if (failure.code !== 'not-found' && failure.code !== 'invalid-response') throw failure
    }),
  )
  const match = found && listedRecord({ id: known.id, ...recordIn(found) }, list)
  if (match && isReference(match.reference, typed)) {
    takeMatch(context, named, match)
    return found
  }
  await memory?.remember(undefined)
  return undefined
}

/** One record for each id. Countries may number their records separately; then the chosen country's record is meant. */
function onePerId(matches: readonly ListedName[], named: NamedInLists): readonly ListedName[] {
  const isAsked = ({ list }: ListedName) => !placeOf(named, list).isElsewhere
  const sorted = [...matches.filter(isAsked), ...matches.filter((match) => !isAsked(match))]
  return sorted.filter(({ id }, at) => sorted.findIndex((each) => each.id === id) === at)
}

/** The list could not be read, so nobody knows which record the text names. */
function unknownRecord({ typed, option, meaning }: NamedInLists, failure: Failure): Failure {
  const way = option === undefined ? 'add --id' : `type ${option} id:${typed}`
  const byId = meaning === undefined ? `If it is the id, ${way}: then no list is read.` : undefined
  return unreadableFailure(`find out which record ${typed} is`, failure, byId)
}

/** Exit 5: no list has the text, and it was not tried as an id. */
function notFound(context: Context, named: NamedInLists): Failure {
  const { typed, meaning, list, options, option, mustBeListed } = named
  const [only, ...others] = operationsFor(list, options)
  const type = only && others.length === 0 && answerType(only)
  const noun = type ? nounOfType(type) : 'record in the lists'
  const mayBeHidden = mustBeListed && meaning === undefined && isIdentifier(typed)
  const byId = mayBeHidden ? `If it is an id that no list shows: ${option} id:${typed}` : undefined
  const hint = joinHints(searchHint(context, nounOf(chooseOperation(list, options)), typed), byId)
  return new Failure('not-found', `No ${noun} has ${inWords(named)}.`, { outcome: 'not-sent', hint })
}
