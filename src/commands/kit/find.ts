import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { countryIds } from '../../model/countries/countries.ts'
import { choice, text } from '../../model/fields/field.ts'
import { distanceOfWords, isSlipOf } from '../../model/fields/nearest.ts'
import { valueInResponse } from '../../model/mapping/field-mapping.ts'
import { describeRecord, properName } from '../../model/mapping/record-name.ts'
import { idOf } from '../../model/records/identity.ts'
import type { FieldPaths } from '../../model/records/record-type.ts'
import { compactNumber, foldText, grouped, nameSome, plural, wordsOf } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import type { FindVerb } from '../cli/resource-verbs.ts'
import { answerType } from '../cli/target.ts'
import { listsOf, type Match, type SearchedList, searchLists } from './search-lists.ts'

/** A shorter text begins too many ids by chance. */
const shortestId = 4

/** A PPS number has eight characters. */
const shortestNumber = 8

/** `M1 1AA` without its blank. */
const shortestPostcode = 5

/** Fewer digits are in too many telephone numbers. */
const shortestPhone = 5

/** A sentence names no more people than these. */
const mostNamed = 3

/**
 * The fields that are looked in, and how: for a part of a text, of which a `name` is what a person is called, and a `postcode` is
 * found with and without its blank; a `number` only whole, however it is spaced; a `phone` by its digits.
 */
const lookedIn = [
  { request: 'generalSetting.forename', item: 'forename', as: 'name' },
  { request: 'generalSetting.surname', item: 'surname', as: 'name' },
  { request: 'generalSetting.agencyRef', item: 'agencyRef', as: 'name' },
  { request: 'generalSetting.email', item: 'email', as: 'text' },
  { request: 'generalSetting.jobDescription', item: 'jobDescription', as: 'text' },
  { request: 'generalSetting.postCode', item: 'postCode', as: 'postcode' },
  { request: 'generalSetting.eircode', item: 'eircode', as: 'postcode' },
  { request: 'generalSetting.NINumber', item: 'NINumber', as: 'number' },
  { request: 'payrollSetting.ppsNumber', item: 'setting.ppsNumber', as: 'number' },
  { request: 'generalSetting.mobile', item: 'mobile', as: 'phone' },
] as const

type LookedAs = (typeof lookedIn)[number]['as']

/** The field of a record that was found, beside those that the service sends. */
export const foundFields = {
  variant: choice('Country', countryIds, { nullable: true }),
}

/** The best first; `slip` only where nothing fits better. Half a name is in many an e-mail address. */
const fits = ['whole words', 'part of the name', 'part', 'slip'] as const

type Fit = (typeof fits)[number]

/** By `fits`. Throws exit 5 where there is none, with the nearest names. */
export async function runFind(
  context: Context,
  { list, columns, noun }: FindVerb,
  typed: string,
  options: Options,
): Promise<void> {
  // Of `Surname, Forename` the comma is no part of a name.
  const words = foldText(typed)
    .split(/[\s,;]+/)
    .filter(Boolean)
  if (words.length === 0) throw usage('There is nothing to look for.')
  const lists = listsOf(list, options)
  const parts = wordsOf(typed)
  const number = compactNumber(typed)
  const phone = /^[+\d\s()./-]+$/.test(typed) ? nationalDigits(typed) : ''
  const fitOf = new Map<JsonObject, Fit>()
  const near = new Map<string, { readonly match: Match; readonly distance: number }>()
  let total = 0
  const onRead = (count: number) => {
    total += count
  }
  const isWanted = (item: JsonObject, from: SearchedList) => {
    const fit = howItFits(item)
    if (fit) fitOf.set(item, fit)
    else keepNear(item, from)
    return fit !== undefined
  }
  const found = await searchLists(context, lists, isWanted, { onRead })
  if (found.length === 0) {
    const places = lists.map(({ country }) => country?.place ?? '').join(' and ')
    const nearest = [...near.values()].sort((a, b) => a.distance - b.distance).map(({ match }) => match)
    throw new Failure(
      'not-found',
      `No ${noun} matches ${typed}: ${plural(total, noun)} searched (${places}).`,
      {
        hint: `${nearest.length > 0 ? `The nearest: ${matchNames(nearest)}. ` : ''}A part of a name, job, reference, e-mail, telephone number or postcode is enough; an NI or PPS number must be whole.`,
      },
    )
  }
  const rank = ({ item }: Match) => fits.indexOf(fitOf.get(item) ?? 'part')
  const slip = fits.indexOf('slip')
  const exact = found.filter((match) => rank(match) < slip)
  if (exact.length === 0) context.warn(`no exact match for ${typed}; nearest: ${matchNames(found)}.`)
  const matches = exact.length > 0 ? exact.sort((a, b) => rank(a) - rank(b)) : found
  const { isForPerson } = context.output.format
  const rows = matches.map(({ item, list: { country } }) => ({
    ...item,
    variant: (isForPerson ? country?.place : country?.id) ?? null,
  }))
  const type = lists[0] && answerType(lists[0].operation)
  await context.output.list(rows, {
    fields: { ...type?.fields, variant: text('Country') },
    columns: [...columns],
    documented: true,
  })
  if (isForPerson) context.note(`${grouped(matches.length)} of ${grouped(total)}`)

  function howItFits(item: JsonObject): Fit | undefined {
    const values = textsIn(item, 'name', 'text', 'postcode').join(' ')
    const whole = foldText(values)
    if (words.every((word) => whole.includes(word))) {
      if (parts.every((part) => wordsIn(values).includes(part))) return 'whole words'
      const name = foldText(textsIn(item, 'name').join(' '))
      return words.every((word) => name.includes(word)) ? 'part of the name' : 'part'
    }
    if (beginsWith(item) || hasNumber(item)) return 'whole words'
    const nameWords = wordsIn(values)
    const isMeant = (part: string) => whole.includes(part) || nameWords.some((word) => isSlipOf(part, word))
    return parts.length > 0 && parts.every(isMeant) ? 'slip' : undefined
  }

  function hasNumber(item: JsonObject): boolean {
    const isNumber = (value: string) => compactNumber(value) === number
    if (number.length >= shortestNumber && textsIn(item, 'number').some(isNumber)) return true
    if (number.length >= shortestPostcode && textsIn(item, 'postcode').some(isNumber)) return true
    if (phone.length < shortestPhone - 1) return false
    return textsIn(item, 'phone').some((value) => nationalDigits(value).includes(phone))
  }

  function beginsWith(item: JsonObject): boolean {
    return typed.length >= shortestId && (idOf(item)?.toLowerCase().startsWith(typed.toLowerCase()) ?? false)
  }

  /** Remembers who is called nearly so: a few, the nearest. */
  function keepNear(item: JsonObject, from: SearchedList): void {
    const type = answerType(from.operation)
    const name = type ? textsAt(item, properName(type)) : []
    const distance = distanceOfWords(parts, wordsOf(name.join(' ')))
    if (distance === undefined) return
    near.set(idOf(item) ?? name.join(' '), { match: { item, list: from }, distance })
    if (near.size <= mostNamed) return
    const [farthest] = [...near].sort(([, a], [, b]) => b.distance - a.distance)
    if (farthest) near.delete(farthest[0])
  }
}

/** The words of names: O'Shampla is `oshampla`, and `shampla` too. */
const wordsIn = (values: string) => [...wordsOf(values), ...wordsOf(values.replace(/['’ʼ`]/g, ' '))]

const textsAt = (item: JsonObject, fields: readonly FieldPaths[]): string[] =>
  fields.map((paths) => valueInResponse(item, paths)).filter((value) => typeof value === 'string')

const textsIn = (item: JsonObject, ...kinds: readonly LookedAs[]): string[] =>
  textsAt(
    item,
    lookedIn.filter(({ as }) => kinds.includes(as)),
  )

/** The digits of a telephone number without what a call from abroad adds or leaves out: +44, 00353, the first 0. */
const nationalDigits = (typed: string) =>
  typed
    .replaceAll(/\D/g, '')
    .replace(/^(?:00)?(?:44|353)(?=\d{8})/, '')
    .replace(/^0/, '')

function matchNames(matches: readonly Match[]): string {
  const names = matches.map(({ item, list }) => {
    const type = answerType(list.operation)
    return type ? describeRecord(type, item, idOf(item) ?? '') : (idOf(item) ?? '')
  })
  return nameSome(names, mostNamed)
}
