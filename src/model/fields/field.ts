import type { Facts } from '../facts/facts.ts'
import type { CodeList } from './code-lists.ts'

/** The JSON types of interface.md, and its strings with a special format. */
export type FieldType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  /** "Dates are `YYYY-MM-DD` strings unless a field is marked timestamp". */
  | 'date'
  /** "ISO 8601 UTC with milliseconds". */
  | 'timestamp'
  /** "decimal strings": digits, kept as text so that no cent is lost to floating point. */
  | 'decimal'
  /** "Country fields carry a two-letter country code." */
  | 'country'
  /** "one element per address line". */
  | 'lines'
  | 'array'
  | 'object'
  /** The document names the field but not its type: any JSON value. */
  | 'unknown'

/** A public standard that values are checked against. It only produces warnings. */
export type Standard =
  | 'reference'
  | 'name'
  | 'nino'
  | 'ppsn'
  | 'postcode'
  | 'eircode'
  | 'place'
  | 'address-line'
  | 'sort-code'
  | 'account-number'
  | 'roll-number'
  | 'iban'
  | 'bic'
  | 'utr'
  | 'vat-number'
  | 'company-number'
  | 'tax-code'
  | 'ni-category'
  | 'starter-declaration'
  | 'prsi-class'
  | 'cis-verification'
  | 'phone'
  | 'email'
  | 'birth-date'
  | 'weekly-hours'
  | 'start-date'
  | 'hourly-rate'
  | 'salary'

/** Whether a standard is of words, which have no format: names, towns, lines of an address. */
export const isOfWords = (standard: Standard) =>
  standard === 'name' || standard === 'place' || standard === 'address-line'

/** What another field of the same object must hold, or must not hold. An empty field holds nothing. */
type Condition =
  | { readonly field: string; readonly is: readonly (string | boolean)[] }
  | { readonly field: string; readonly isNot: readonly (string | boolean)[] }
  /** The other field is empty. */
  | { readonly without: string }

/** The day, YYYY-MM-DD, and the facts of the law that hold on it. */
export interface Law {
  readonly today: string
  readonly facts: Facts
}

/** What Enter answers in a new record: a value, one by another field, another date, or what the law says. */
type Preset =
  | { readonly value: string | boolean }
  | { readonly by: string; readonly values: Readonly<Record<string, string>> }
  | { readonly dateOf: string }
  | { readonly byLaw: 'ni-letter' | 'tax-code' }

/** One of the things that a yes can mean, such as a loan plan, and the field that is then asked for. */
export interface FieldKind {
  readonly name: string
  /** The people that it is for. */
  readonly about?: string
  readonly field: string
}

/** The records that a value is picked from. */
export type PickedFrom = 'person' | 'payment-rate' | 'vat-code'

/** One field, declared once: for prompts, checks, JSON Schema, columns, masks, completion and the sandbox. */
export interface Field {
  readonly type: FieldType
  readonly label: string
  readonly section?: Section
  /** The form asks for it first, and offers the others by section. Our choice: required fields are "not shown". */
  readonly essential?: true
  readonly when?: Condition
  readonly preset?: Preset
  /** Filled in by programs: the form shows it and does not ask for it. */
  readonly machine?: true
  /** The form offers the records of the service. */
  readonly picks?: PickedFrom
  /** The form offers these in place of a plain yes. */
  readonly kinds?: readonly FieldKind[]
  readonly sensitive?: true
  /** An amount in pounds or euros: shown with its pence or cents. */
  readonly money?: true
  /** Hours, which people also write as a time: 7:30 stands for 7.5. */
  readonly hours?: true
  /** A number of percent: 12.07 stands for 12.07%. */
  readonly percent?: true
  /** Text that is a number. */
  readonly numeric?: true
  readonly nullable?: true
  /** The document names the field but not its type. The type is a guess, so a value of another type is not refused. */
  readonly assumed?: true
  /** "Values that appear": suggestions, never limits, because the allowed sets are not shown. */
  readonly exampleValues?: readonly string[]
  /** Values that the service changes by itself: sent as the first, answered as the second. */
  readonly becomes?: Readonly<Record<string, string>>
  /** The only values, in answers of this tool. The service's are not shown, and never limited. */
  readonly oneOf?: readonly string[]
  /** Not in every answer of this tool. In a record of the service every field is optional. */
  readonly optional?: true
  /** The list of known words with their meanings: suggestions, never limits. */
  readonly codes?: CodeList
  readonly standard?: Standard
  /** The explanation in payroll words: `?` in the form, and `explain`. */
  readonly help?: string
  /** A remark on the interface, in `explain`. */
  readonly note?: string
  readonly fields?: Fields
  readonly item?: Field
  /** For a list of lines: the fields that identify a line, and the field with its hours. */
  readonly line?: HourLine
  /** Fields that the form asks for if the document shows none. Guesses, so other fields are not refused. */
  readonly promptFields?: Fields
}

/** A line of hours: `by`, its rate and what that pays, identifies it; `amount` says how many hours. */
export interface HourLine {
  readonly by: readonly [rate: string, pay: string]
  readonly amount: string
}

/** Fields by name, in the order in which the form asks for them. */
export type Fields = Readonly<Record<string, Field>>

type Details = Omit<Field, 'type' | 'label' | 'fields' | 'item'>

declare const valueType: unique symbol

/** A field whose value type the compiler knows. */
interface Typed<Value> extends Field {
  readonly [valueType]?: Value
}

type Declared<Value, D extends Details> = Typed<
  D extends { readonly nullable: true } ? Value | null : Value
> &
  (D extends { readonly optional: true } ? { readonly optional: true } : unknown)

type ValueOf<F extends Field> = F extends { readonly [valueType]?: infer Value } ? Value : unknown

type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly optional: true } ? Name : never
}[keyof F]

/** The object that these fields declare, so that its type and its JSON Schema are one declaration. */
export type ValuesOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]>
} & { readonly [Name in OptionalNames<F>]?: ValueOf<F[Name]> }

const declare =
  <Value>(type: FieldType) =>
  <D extends Details>(label: string, details?: D): Declared<Value, D> =>
    ({ type, label, ...details }) as unknown as Declared<Value, D>

/** One function for each type of field. `lines`: one text for each line, as of an address; `decimal`: an amount as text. */
export const text = declare<string>('string')
export const number = declare<number>('number')
export const integer = declare<number>('integer')
export const flag = declare<boolean>('boolean')
export const date = declare<string>('date')
export const timestamp = declare<string>('timestamp')
export const decimal = declare<string>('decimal')
export const country = declare<string>('country')
export const lines = declare<readonly string[]>('lines')
export const anything = declare<unknown>('unknown')
export const anyObject = declare<object>('object')

/** A text that is one of these words. Only for answers of this tool. */
export function choice<const Word extends string, D extends Details>(
  label: string,
  oneOf: readonly Word[],
  details?: D,
): Declared<Word, D> {
  return { type: 'string', label, oneOf, ...details } as unknown as Declared<Word, D>
}

/** A field of an object with these fields. */
export function object<F extends Fields, D extends Details>(
  label: string,
  fields: F,
  details?: D,
): Declared<ValuesOf<F>, D> {
  return { type: 'object', label, fields, ...details } as unknown as Declared<ValuesOf<F>, D>
}

/** A field of a list of such items. */
export function array<F extends Field, D extends Details>(
  label: string,
  item: F,
  details?: D,
): Declared<readonly ValueOf<F>[], D> {
  return { type: 'array', label, item, ...details } as unknown as Declared<readonly ValueOf<F>[], D>
}

/** Puts these fields into a section of the form. */
export function inSection<F extends Fields>(section: Section, fields: F): F {
  const stamped = Object.entries(fields).map(([name, field]) => [name, { section, ...field }])
  return Object.fromEntries(stamped) as F
}

/** The same fields without the named ones: "no NINumber, postCode, …". */
export function without<F extends Fields, K extends keyof F & string>(fields: F, ...names: K[]): Omit<F, K> {
  const fieldsLeft = Object.entries(fields).filter(([name]) => !names.includes(name as K))
  return Object.fromEntries(fieldsLeft) as Omit<F, K>
}

/** The same fields with one replaced by others, in its place: an Eircode instead of a postcode. */
export function inPlaceOf<F extends Fields, K extends keyof F & string, G extends Fields>(
  fields: F,
  name: K,
  fieldsInPlace: G,
): Omit<F, K> & G {
  const entries = Object.entries(fields).flatMap(([each, field]) =>
    each === name ? Object.entries(fieldsInPlace) : [[each, field] as const],
  )
  return Object.fromEntries(entries) as Omit<F, K> & G
}

/** Only the named fields. */
export function pick<F extends Fields, K extends keyof F & string>(fields: F, ...names: K[]): Pick<F, K> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, K>
}

/** The parts of a candidate in the order of the papers that an admin holds; then the rest. */
export const sections = {
  person: 'Person',
  job: 'Work and pay',
  tax: 'Tax',
  loans: 'Student and postgraduate loans',
  rpn: 'RPN: tax, USC and PRSI',
  bank: 'Bank',
  contact: 'Contact',
  starter: 'P45 and starter',
  pension: 'Pension',
  emergency: 'Emergency contact',
  work: 'Right to work',
  holiday: 'Holiday pay and expenses',
  margin: 'Margin and timesheets',
  contractor: 'CIS and company',
  account: 'Portal and agency',
  opening: 'Opening balance',
} as const

/** A part of a candidate, by which the form asks. */
export type Section = keyof typeof sections
