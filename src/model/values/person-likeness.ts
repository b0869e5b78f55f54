import { isObject, type Json, lastName, valueAt } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import { dayOfTimestamp } from '../../text/day.ts'
import { compactNumber, wordList } from '../../text/words.ts'
import type { Standard } from '../fields/field.ts'
import { leafFields } from '../fields/field-tree.ts'
import { nearest } from '../fields/nearest.ts'
import { placesAt, placesOf, valueAtPlaces } from '../mapping/field-mapping.ts'
import { maskFinder } from '../mapping/service-masks.ts'
import { keyOf, nameKey, type RecordKind, readKey, readListedKey, textsDiffer } from '../natural-key.ts'
import { idOf } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { accountDigits, accountInIban } from '../standards/bank.ts'
import { readHeading } from './find-field.ts'

/** What tells a person from others, as far as a record says it. */
export interface Identity {
  /** Forename and surname as the record has them; in `name` they stand together. */
  readonly forename?: string | undefined
  readonly surname?: string | undefined
  readonly name: string | undefined
  readonly birthday: string | undefined
}

const identityParts = ['forename', 'surname', 'birthday'] as const

/** Reads these, in a request and in an item of the list, by the fields of a kind of record. */
export function identityReader({ identityFields }: RecordKind) {
  const identityOf = (values: readonly Json[]): Identity => {
    const [forename, surname, birthday] = values.map(textOrNothing)
    const name = [forename, surname].filter((part) => part !== undefined).join(' ') || undefined
    return { name, birthday: birthday && dayOfTimestamp(birthday), forename, surname }
  }
  const places = identityFields.map(([request, item]) => placesAt(request, item))
  return {
    sent: (record: Json) => identityOf(identityFields.map(([request]) => valueAt(record, request))),
    listed: (item: Json) => identityOf(places.map((each) => valueAtPlaces(item, each))),
  }
}

/** What differs of the two, where both say it. */
export const differingParts = (one: Identity, other: Identity) =>
  identityParts.filter((part) => textsDiffer(one[part], other[part]))

/** Whether two records are of one person in all that both say. */
export const isSamePerson = (one: Identity, other: Identity): boolean =>
  differingParts(one, other).length === 0

/** Whether an item of the list may be the record that was sent. */
export function isOfRecord(kind: RecordKind, body: Json, item: Json): boolean {
  const reader = identityReader(kind)
  return isSamePerson(reader.sent(body), reader.listed(item))
}

/** Who a record is about, as far as it says so. */
export interface ComparedPerson extends Identity {
  readonly reference: string | undefined
  /** The NI or PPS number, by its letters and digits alone. */
  readonly number: string | undefined
  readonly id: string | undefined
  /** The bank account, the email and the mobile number, as they are compared. */
  readonly contacts?: readonly Contact[] | undefined
}

/** Something that people of one name rarely share, in the words of a message: `bank account`, and its number. */
type Contact = readonly [what: string, text: string]

/** The standards of the numbers that a country gives a person, one to each. */
const ownNumbers: readonly (Standard | undefined)[] = ['nino', 'ppsn']

/** The field of a person's own number. assumed: one in each country, so who is paid in both has another in each. */
export const ownNumber = (type: RecordType) =>
  leafFields(type.fields).find(({ field }) => ownNumbers.includes(field.standard))

/** Reads who a record is about, in a request and in an item of the list, by the fields of its kind. */
export function personReader(kind: RecordKind, type: RecordType) {
  const leaf = ownNumber(type)
  const find = leaf ? numberFinder(type, leaf.path) : () => undefined
  const isMask = maskFinder(lastName(leaf?.path ?? ''), leaf?.field.standard)
  const numberOf = (value: Json) => {
    if (typeof value !== 'string' || isMask(value)) return undefined
    const number = compactNumber(value)
    // A text without five digits in a row is a word, such as `none` or `TBC`.
    if (!/\d{5}/.test(number)) return undefined
    // assumed: the last letter of a NI number tells no two people apart; some leave it out.
    return leaf?.field.standard === 'nino' ? number.replace(/^([A-Z]{2}\d{6})[A-D]$/, '$1') : number
  }
  const contacts = contactFields(type)
  const contactsOf = (readField: (field: (typeof contacts)[number]) => Json): readonly Contact[] => {
    const contactList: Contact[] = []
    for (const field of contacts) {
      const text = textOrNothing(readField(field))
      const comparable = text === undefined || field.isMask(text) ? '' : field.comparable(text)
      if (comparable !== '') contactList.push([field.what, comparable])
    }
    return contactList
  }
  const identity = identityReader(kind)
  return {
    number: leaf && { path: leaf.path, label: leaf.field.label },
    sent: (record: Json): ComparedPerson => ({
      ...identity.sent(record),
      reference: readKey(record, kind.key.request),
      number: leaf && numberOf(valueAt(record, leaf.path)),
      id: undefined,
      contacts: contactsOf(({ places }) => valueAt(record, places.sent)),
    }),
    listed: (item: Json): ComparedPerson => ({
      ...identity.listed(item),
      reference: readListedKey(item, kind.key),
      number: numberOf(find(item)),
      id: idOf(item),
      contacts: contactsOf(({ places }) => valueAtPlaces(item, places)),
    }),
  }
}

const textOrNothing = (value: Json) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** The fields of a person's own account, email and mobile number, and where each stands in a request and in a list. */
function contactFields(type: RecordType) {
  return leafFields(type.fields).flatMap(({ path, field: { standard } }) => {
    const way = standard && !/emergency/i.test(path) ? contactWays[standard] : undefined
    const isMask = maskFinder(lastName(path), standard)
    return way ? [{ ...way, places: placesOf(type, path), isMask }] : []
  })
}

/** The name of such a field in a message, and its value as it is compared: empty for none. */
const contactWays: Partial<
  Readonly<Record<Standard, { readonly what: string; readonly comparable: (text: string) => string }>>
> = {
  // The account of a British or Irish IBAN is that of its account number.
  'account-number': {
    what: 'bank account',
    comparable(text) {
      const digits = accountDigits(text)
      return /^0*$/.test(digits) ? '' : digits.padStart(8, '0')
    },
  },
  iban: {
    what: 'bank account',
    comparable: (text) => accountInIban(text)?.accountNumber ?? compactNumber(text),
  },
  email: { what: 'email', comparable: (text) => (text.includes('@') ? keyOf(text) : '') },
  phone: {
    what: 'telephone number',
    comparable: (text) => {
      // Fewer digits are a word, such as `none`.
      const [lastNine = ''] = /\d{9}$/.exec(text.replaceAll(/\D/g, '')) ?? []
      return lastNine
    },
  },
}

/** Items are searched for a number under another name until this many had none. */
const mostSearched = 100

/** Finds the number of a person in an item of a list: in its place, else under any name that a heading may have. */
function numberFinder(type: RecordType, path: string): (item: Json) => Json {
  const usual = placesOf(type, path)
  let elsewhere: readonly string[] | undefined
  let searched = 0
  return (item) => {
    const value = valueAtPlaces(item, usual)
    if (value !== undefined) return value
    if (!elsewhere && searched < mostSearched) {
      searched += 1
      elsewhere = pathOfNumber(item, [])
    }
    return elsewhere && valueAt(item, elsewhere)
  }

  function pathOfNumber(value: Json, above: readonly string[]): readonly string[] | undefined {
    if (!isObject(value) || above.length > 3) return undefined
    for (const [name, each] of Object.entries(value)) {
      const place = [...above, name]
      const isIt = typeof each === 'string' && readHeading(type, name).path === path
      const inner = isIt ? place : pathOfNumber(each, place)
      if (inner) return inner
    }
    return undefined
  }
}

/** Why two records under different references may be one person. */
export interface Likeness {
  readonly by: 'same reference' | 'reference' | 'number' | 'name' | 'slip'
  /** Whether it is enough to hold the record back; else it is a doubt. */
  readonly isSure: boolean
  /** The difference between the references, where they look alike: `zeros`. */
  readonly difference?: string | undefined
  /** The words for all that both have, where it is the name: `the name`, `the date of birth`. */
  readonly shared?: readonly string[] | undefined
}

/**
 * Whether two people under two references may be one. It is sure if they have one number, or if the
 * references look alike and neither name, birthday nor number differs. Else it is a doubt.
 */
export function likenessOf(mine: ComparedPerson, theirs: ComparedPerson): Likeness | undefined {
  const isNumber = mine.number !== undefined && mine.number === theirs.number
  const [myName, theirName] = [foldNames(mine).whole, foldNames(theirs).whole]
  const isName = myName !== undefined && myName === theirName
  const hasBirthdays = mine.birthday !== undefined && theirs.birthday !== undefined
  const isBirthday = hasBirthdays && mine.birthday === theirs.birthday
  const difference = differenceOf(mine.reference, theirs.reference)
  if (difference !== undefined) {
    const isNumberOther = mine.number !== undefined && theirs.number !== undefined && !isNumber
    const nothingDiffers =
      theirName === undefined || (isName && !(hasBirthdays && !isBirthday) && !isNumberOther)
    return { by: 'reference', isSure: isNumber || nothingDiffers, difference }
  }
  return isNumber ? { by: 'number', isSure: true } : namesakeOf(mine, theirs)
}

/** Whether two people have like names, and one birthday or contact. Compares no references or numbers. */
export function namesakeOf(mine: ComparedPerson, theirs: ComparedPerson): Likeness | undefined {
  if (mine.name === undefined || theirs.name === undefined) return undefined
  const [myNames, theirNames] = [foldNames(mine), foldNames(theirs)]
  const sameName = myNames.whole === theirNames.whole ? 'the name' : alikeNames(myNames, theirNames)
  if (sameName === undefined) return undefined
  const isBirthday = mine.birthday !== undefined && mine.birthday === theirs.birthday
  const shared = [
    ...(isBirthday ? ['the date of birth'] : []),
    ...new Set(
      (mine.contacts ?? []).flatMap(([what, text]) =>
        theirs.contacts?.some(([, other]) => other === text) ? [`the ${what}`] : [],
      ),
    ),
  ]
  return shared.length === 0 ? undefined : { by: 'name', isSure: false, shared: [sameName, ...shared] }
}

interface FoldedNames {
  readonly whole: string | undefined
  readonly forename: string
  readonly surname: string
  readonly isInitial: boolean
}

/** Worked out once: each row of a file is compared with up to fifty others. */
const foldNames = onceFor(
  ({ name, forename = '', surname = '' }: ComparedPerson): FoldedNames => ({
    whole: name === undefined ? undefined : nameKey(name),
    forename: nameKey(forename),
    surname: nameKey(surname),
    isInitial: /^\s*\p{L}(?![\p{L}'’-])/u.test(forename),
  }),
)

/** The words for what two different names share: one has an initial for the forename, or its parts are swapped. */
function alikeNames(mine: FoldedNames, theirs: FoldedNames): string | undefined {
  if (!mine.forename || !mine.surname || !theirs.forename || !theirs.surname) return undefined
  if (mine.forename === theirs.surname && mine.surname === theirs.forename)
    return 'the forename and the surname (swapped)'
  const isInitial =
    (mine.isInitial || theirs.isInitial) && mine.forename.charAt(0) === theirs.forename.charAt(0)
  return isInitial && mine.surname === theirs.surname ? 'the surname, the initial' : undefined
}

/** Whether a record without a birthday may be for somebody of the same name, with a mistyped reference. */
export function nearReferenceOf(mine: ComparedPerson, theirs: ComparedPerson): Likeness | undefined {
  const [key, other] = [mine, theirs].map(nameLookUpKey)
  const isNumberOther = mine.number !== undefined && theirs.number !== undefined
  if (mine.birthday !== undefined || isNumberOther || key === undefined || key !== other) return undefined
  const isNear = nearest([theirs.reference ?? ''], mine.reference ?? '') !== undefined
  return isNear ? { by: 'slip', isSure: false } : undefined
}

/** The key by which somebody is found whose reference was mistyped: the name. */
export const nameLookUpKey = ({ name }: ComparedPerson) =>
  name === undefined ? undefined : `called ${nameKey(name)}`

/** The likeness as a sentence about the record to create, and as a cause that many records may share. */
export function describeLikeness(
  { by, isSure, difference, shared = [] }: Likeness,
  mine: ComparedPerson,
  theirs: ComparedPerson,
  numberLabel = '',
): { readonly message: string; readonly cause: string } {
  const own = mine.reference ?? mine.name ?? 'this record'
  const other = nameOnService(mine, theirs)
  const both = wordList(shared, 'and')
  const texts: Readonly<Record<Likeness['by'], readonly [message: string, cause: string]>> = {
    reference: [
      `${own} ${isSure ? 'is on the service as' : 'looks like'} ${other}: the references differ only in ${difference}`,
      `a reference on the service differs only in ${difference}`,
    ],
    'same reference': [
      `${own} is the reference of ${other} on the service`,
      'somebody on the service has this reference',
    ],
    number: [
      `${own} has the same ${numberLabel} as ${other} on the service`,
      `somebody on the service has the same ${numberLabel}`,
    ],
    slip: [
      `nobody on the service has ${own}, and ${other} has nearly the same reference: is it mistyped?`,
      'somebody of the same name on the service has nearly the same reference: is it mistyped?',
    ],
    name: [
      `${own} has ${both} of ${other} on the service`,
      `somebody on the service has ${both} of this person`,
    ],
  }
  const [message, cause] = texts[by]
  return { message, cause }
}

/** `0003 (Ann Sample)`; with the name of the record to create, where that is another one. */
function nameOnService(mine: ComparedPerson, theirs: ComparedPerson): string {
  const { reference, name, id } = theirs
  const record = id === undefined ? undefined : `the record ${id}`
  // `ZZ has the same number as ZZ` does not say who that is.
  const isAlike = reference !== undefined && keyOf(reference) === keyOf(mine.reference ?? '')
  const known = (isAlike ? record : reference) ?? record ?? reference ?? 'somebody without a reference'
  if (name === undefined) return known
  const hasOtherName = mine.name !== undefined && foldNames(mine).whole !== foldNames(theirs).whole
  return `${known} (${name}${hasOtherName ? `, not ${mine.name}` : ''})`
}

/** Texts that few people share, such as the number, or the birthday with the letters of the name. */
export function rareKeys(person: ComparedPerson): readonly string[] {
  const { number, birthday, contacts = [] } = person
  const { whole, forename, surname } = foldNames(person)
  const keys = new Set<string>()
  if (number !== undefined) keys.add(`number ${number}`)
  if (whole === undefined) return [...keys]
  const letters = [...whole].sort().join('')
  const shared = birthday === undefined ? contacts : [['birthday', birthday] as const, ...contacts]
  for (const [what, text] of shared) {
    keys.add(`${letters} ${what} ${text}`)
    if (forename && surname) keys.add(`${forename.charAt(0)} ${surname} ${what} ${text}`)
  }
  return [...keys]
}

/** The most people with one key that are compared with a person: more would take minutes where everybody is called alike. */
export const mostAlikeCompared = 50

/** Makes a function that gives the earlier people with whom a person shares a key, and remembers the person for later ones. */
export function earlierAlike<T>(keysOf: (person: T) => readonly string[]): (person: T) => ReadonlySet<T> {
  const byKey = new Map<string, T[]>()
  return (person) => {
    const groups = keysOf(person).map((key) => {
      const group = byKey.get(key) ?? []
      byKey.set(key, group)
      return group
    })
    const earlier = new Set(groups.flat())
    for (const group of groups) if (group.length < mostAlikeCompared) group.push(person)
    return earlier
  }
}

/** The keys by which a person is found under another reference, also one that a spreadsheet changed. */
export function lookUpKeys(person: ComparedPerson): readonly string[] {
  const { reference = '' } = person
  const references = [bareReference(reference), spreadsheetNumber(reference)].filter(Boolean)
  return [...rareKeys(person), ...references.map((each) => `reference ${each}`)]
}

const capitals = (reference: string) => reference.normalize('NFKC').toUpperCase()
const withoutZeros = (text: string) => text.replaceAll(/(?<!\d)0+(?=\d)/g, '')
const withoutSigns = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The changes that programs and keyboards make to a reference, in words, and how each is undone. */
const changes: readonly (readonly [what: string, undo: (text: string) => string])[] = [
  ['zeros', withoutZeros],
  ['dashes, blanks or other signs', withoutSigns],
]

/** A reference by its letters and digits, without leading zeros, so that those that look alike are equal. */
export const bareReference = (reference: string) => withoutSigns(withoutZeros(capitals(reference)))

/** The number that a spreadsheet reads in a reference: 100000 in 1E5, 3 in 3.0, 0 in E05. */
function spreadsheetNumber(reference: string): string | undefined {
  const text = capitals(reference.trim())
  if (!/^\d*(\.\d+)?(E[+-]?\d{1,3})?$/.test(text) || /^\d*$/.test(text)) return undefined
  const number = Number(`0${text}`)
  return Number.isSafeInteger(number) ? String(number) : undefined
}

/** The difference between two references that look alike; undefined where they do not, or are the same. */
function differenceOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined || keyOf(one) === keyOf(other)) return undefined
  const [mine, theirs] = [bareReference(one), bareReference(other)]
  if (spreadsheetNumber(one) === theirs || spreadsheetNumber(other) === mine)
    return 'how a spreadsheet writes numbers'
  if (mine !== theirs || mine === '') return undefined
  const change = changes.find(([, undo]) => undo(capitals(one)) === undo(capitals(other)))
  return change?.[0] ?? 'zeros, dashes or blanks'
}
