import type { Context } from '../../context/context.ts'
import { Failure, joinHints, onFailure, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { countryIds, defaultCountry } from '../../model/countries/countries.ts'
import { choice, type Field, type Fields, text } from '../../model/fields/field.ts'
import { isSlipOf } from '../../model/fields/nearest.ts'
import { type FieldPlaces, placesOf, valueAtPlaces } from '../../model/mapping/field-mapping.ts'
import { answerType } from '../../model/records/operation.ts'
import { candidateByCountry, countryCandidates } from '../../model/resources/country-candidates.ts'
import { ownNumber } from '../../model/values/person-likeness.ts'
import { nameWithReference } from '../../model/whose.ts'
import {
  compactNumber,
  foldText,
  groupDigits,
  nameSome,
  plural,
  wordList,
  wordsOf,
} from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import { candidateTargets, operationsFor, operationsOf } from '../cli/target.ts'
import type { Shape } from '../cli/verb.ts'
import { type ListedRecord, searchLists } from '../kit/find/search-lists.ts'

/** A shorter text matches the beginning of too many ids by chance. */
const shortestId = 4
/** A PPS number has eight characters. */
const shortestNumber = 8
/** `M1 1AA` without its space. */
const shortestPostcode = 5
/** Fewer digits occur in too many telephone numbers. A leading 0 does not count. */
const shortestPhone = 4
const mostNearest = 3

/**
 * What is searched: names, texts and postcodes by any part, postcodes also without the space, a number only as a whole, a
 * telephone by its digits.
 */
const lookedIn = {
  name: placesIn('forename', 'surname', 'agencyRef'),
  text: placesIn('email', 'jobDescription'),
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

/** How well a record fits, the best first. Part of a name is often in an e-mail address too. */
const fitNames = ['whole words', 'part of the name', 'part', 'slip'] as const

type Fit = (typeof fitNames)[number]

/** Shows the records that contain a text, the best first. Throws exit 5 with the nearest names if there is none. */
export async function findPeople(context: Context, typed: string, options: Options): Promise<void> {
  const fitOf = fitTo(typed)
  const lists = operationsFor(candidateTargets.list, options)
  const everybody = await searchLists(context, lists, (record) => {
    const fit = fitOf(record)
    return fit ? { ...record, fit } : null
  }).catch(
    onFailure((failure) => {
      const { status, hint } = failure.details
      if (lists.length === 1 || status !== 403) throw failure
      const flags = lists.flatMap(({ country }) => country?.flag ?? [])
      const way = `To look in one country alone, add ${wordList(flags, 'or')}.`
      throw failure.with({ hint: joinHints(hint, way) })
    }),
  )
  const total = everybody.length
  const found = everybody.filter((each) => each !== null)
  if (found.length === 0) {
    const places = lists.map(({ country }) => country?.place ?? '')
    const where = `${plural(total, 'person')} searched (${wordList(places, 'and')})`
    throw new Failure('not-found', `No candidate matches ${typed}: ${where}.`, {
      hint: 'A part of a name, job, reference, e-mail, telephone number or postcode is enough; an NI or PPS number must be whole.',
    })
  }
  const rank = ({ fit }: (typeof found)[number]) => fitNames.indexOf(fit)
  const exact = found.filter((record) => rank(record) < fitNames.indexOf('slip'))
  if (exact.length === 0)
    context.warn(
      `no exact match for ${typed}; nearest: ${nameSome(found.map(nameWithReference), mostNearest)}.`,
    )
  const records = exact.length > 0 ? exact.sort((a, b) => rank(a) - rank(b)) : found
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

/** A function that says how well a record fits a text. Throws a usage failure for a text with nothing to look for. */
function fitTo(typed: string): (record: ListedRecord) => Fit | undefined {
  const lower = typed.toLowerCase()
  // Each part may be a part of a word.
  const parts = foldText(typed)
    .split(/[\s,;]+/)
    .filter(Boolean)
  if (parts.length === 0) throw usage('There is nothing to look for.')
  const words = wordsOf(typed)
  const number = compactNumber(typed)
  const phone = /^[+\d\s()./-]+$/.test(typed) ? nationalDigits(typed) : ''
  return ({ item, id }) => {
    const texts = textsIn(item, 'name', 'text', 'postcode').join(' ')
    const whole = foldText(texts)
    const ownWords = wordsIn(texts)
    if (parts.every((part) => whole.includes(part))) {
      if (words.every((word) => ownWords.includes(word))) return 'whole words'
      const name = foldText(textsIn(item, 'name').join(' '))
      return parts.every((part) => name.includes(part)) ? 'part of the name' : 'part'
    }
    const isNumber = (value: string) => compactNumber(value) === number
    const isFound =
      (lower.length >= shortestId && id?.toLowerCase().startsWith(lower)) ||
      (number.length >= shortestNumber && textsIn(item, 'number').some(isNumber)) ||
      (number.length >= shortestPostcode && textsIn(item, 'postcode').some(isNumber)) ||
      (phone.length >= shortestPhone &&
        textsIn(item, 'phone').some((value) => nationalDigits(value).includes(phone)))
    if (isFound) return 'whole words'
    const isMeant = (word: string) => whole.includes(word) || ownWords.some((own) => isSlipOf(word, own))
    return words.length > 0 && words.every(isMeant) ? 'slip' : undefined
  }
}

/** The words of names: O'Shampla is `oshampla`, and `shampla` too. */
const wordsIn = (texts: string) => [...wordsOf(texts), ...wordsOf(texts.replace(/['’ʼ`]/g, ' '))]

const textsIn = (item: JsonObject, ...kinds: readonly (keyof typeof lookedIn)[]): string[] =>
  kinds
    .flatMap((kind) => lookedIn[kind])
    .map((places) => valueAtPlaces(item, places))
    .filter((value) => typeof value === 'string')

/** The digits of a telephone number without the prefixes that differ at home and abroad: +44, 00353, the first 0. */
const nationalDigits = (typed: string) =>
  typed
    .replaceAll(/\D/g, '')
    .replace(/^(?:00)?(?:44|353)(?=\d{8})/, '')
    .replace(/^0/, '')
