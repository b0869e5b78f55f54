import type { Context } from '../../context/context.ts'
import { Failure, onFailure, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { countryIds, defaultCountry } from '../../model/countries/countries.ts'
import { choice, type Field, type Fields, text } from '../../model/fields/field.ts'
import { type FieldPlaces, placesOf, valueAtPlaces } from '../../model/mapping/field-mapping.ts'
import { answerType } from '../../model/records/operation.ts'
import { candidateByCountry, countryCandidates } from '../../model/resources/country-candidates.ts'
import { ownNumber } from '../../model/values/person-likeness.ts'
import { compactNumber, foldText, groupDigits, plural, wordList } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import { candidateTargets, operationsFor, operationsOf } from '../cli/target.ts'
import type { Shape } from '../cli/verb.ts'
import { isBegun, isReference } from '../kit/find/match-names.ts'
import { type ListedRecord, searchLists } from '../kit/find/search-lists.ts'

/** A shorter text matches the beginning of too many ids by chance. */
const shortestId = 4
/** A PPS number has eight characters. */
const shortestNumber = 8
/** `M1 1AA` without its space. */
const shortestPostcode = 5
/** Fewer digits occur in too many telephone numbers. A leading 0 does not count. */
const shortestPhone = 4

/**
 * What is searched: names, texts and postcodes by any part, postcodes also without the space, a number only as a whole, a
 * telephone by its digits.
 */
const lookedIn = {
  text: placesIn('forename', 'surname', 'agencyRef', 'email', 'jobDescription', 'postCode', 'eircode'),
  postcode: placesIn('postCode', 'eircode'),
  number: countryCandidates.flatMap(({ sent }) => placesOf(sent, ownNumber(sent)?.path ?? '')),
  phone: placesIn('mobile'),
}

/** The answers of all countries have these fields under the same names. */
function placesIn(...names: readonly string[]): readonly FieldPlaces[] {
  const { sent } = candidateByCountry[defaultCountry.id]
  return names.map((name) => placesOf(sent, `generalSetting.${name}`))
}

export const foundShape: Shape = {
  list: true,
  records: operationsOf(candidateTargets.list).flatMap((operation) => answerType(operation) ?? []),
  fields: { variant: choice('Country', countryIds, { nullable: true }) },
}

const columns = ['agencyRef', 'forename', 'surname', 'variant', 'status', 'id', 'email']

/** Shows the records that contain a text: first who has it as the reference. Throws exit 5 if there is none. */
export async function findPeople(context: Context, typed: string, options: Options): Promise<void> {
  const isMeant = matcherOf(typed)
  const lists = operationsFor(candidateTargets.list, options)
  const everybody = await searchLists(context, lists, (record) => (isMeant(record) ? record : null)).catch(
    onFailure((failure) => {
      if (lists.length === 1 || failure.details.status !== 403) throw failure
      throw failure.with({ hint: 'To look in one country alone, add its option, such as --uk.' })
    }),
  )
  const total = everybody.length
  const records = everybody.filter((each) => each !== null)
  if (records.length === 0) {
    const places = lists.map(({ country }) => country?.place ?? '')
    const where = `${plural(total, 'person')} searched (${wordList(places, 'and')})`
    throw new Failure('not-found', `No candidate matches ${typed}: ${where}.`, {
      hint: 'A part of a name, job, reference, e-mail, telephone number or postcode is enough; an NI or PPS number must be whole.',
    })
  }
  records.sort((a, b) => Number(isReference(b.reference, typed)) - Number(isReference(a.reference, typed)))
  const { isForPerson } = context.output.format
  const rows = records.map(({ item, list: { country } }) => ({
    ...item,
    variant: (isForPerson ? country?.place : country?.id) ?? null,
  }))
  const fields = lists.map((list) => answerType(list)?.fields ?? {}).reduce(joinFields)
  await context.output.list(rows, {
    fields: { ...fields, variant: text('Country') },
    columns,
    documented: true,
  })
  if (isForPerson) context.note(`${groupDigits(records.length)} of ${groupDigits(total)}`)
}

/** The fields of the records of two countries. What both have is as the first has it. */
function joinFields(one: Fields, other: Fields): Fields {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const joined = names.flatMap((name): [string, Field][] => {
    const [field, more] = [one[name], other[name]]
    if (field?.fields && more?.fields)
      return [[name, { ...field, fields: joinFields(field.fields, more.fields) }]]
    return [field ?? more ?? []].flat().map((each) => [name, each])
  })
  return Object.fromEntries(joined)
}

/** A function that says whether a record is meant. Throws a usage failure for a text with nothing to look for. */
function matcherOf(typed: string): (record: ListedRecord) => boolean {
  // Each part may be a part of a word.
  const parts = foldText(typed)
    .split(/[\s,;]+/)
    .filter(Boolean)
  if (parts.length === 0) throw usage('There is nothing to look for.')
  const number = compactNumber(typed)
  const phone = /^[+\d\s()./-]+$/.test(typed) ? nationalDigits(typed) : ''
  const isNumber = (value: string) => compactNumber(value) === number
  return ({ item, id }) => {
    const texts = foldText(textsIn(item, 'text').join(' '))
    return (
      parts.every((part) => texts.includes(part)) ||
      isBegun(id, typed, shortestId) ||
      (number.length >= shortestNumber && textsIn(item, 'number').some(isNumber)) ||
      (number.length >= shortestPostcode && textsIn(item, 'postcode').some(isNumber)) ||
      (phone.length >= shortestPhone &&
        textsIn(item, 'phone').some((value) => nationalDigits(value).includes(phone)))
    )
  }
}

const textsIn = (item: JsonObject, kind: keyof typeof lookedIn): string[] =>
  lookedIn[kind].map((places) => valueAtPlaces(item, places)).filter((value) => typeof value === 'string')

/** The digits of a telephone number without the prefixes that differ at home and abroad: +44, 00353, the first 0. */
const nationalDigits = (typed: string) =>
  typed
    .replaceAll(/\D/g, '')
    .replace(/^(?:00)?(?:44|353)(?=\d{8})/, '')
    .replace(/^0/, '')
