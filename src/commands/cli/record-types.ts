import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { onFailure, usage } from '../../errors.ts'
import { countryIds, defaultCountry, findCountry } from '../../model/countries/countries.ts'
import type { Fields } from '../../model/fields/field.ts'
import { answerType, type Operation, resourceName } from '../../model/records/operation.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { countryCandidates } from '../../model/resources/country-candidates.ts'
import { operations } from '../../model/resources/operations.ts'
import { operandsOf } from './find-command.ts'
import { chosenCountry, type OptionName, type Options } from './options.ts'
import type { ProgramEntry } from './verb.ts'

/** The two forms of a kind of record: as it is sent, where it can be, and as the service answers it. */
export interface RecordTypes {
  readonly sent?: RecordType
  readonly answered: RecordType
}

const { candidates: _, ...others } = operations

/** The records by the name that a person types: `explain candidates.ireland`, `schema payment-rates`. */
export const recordTypesByName: Readonly<Record<string, RecordTypes>> = {
  ...Object.fromEntries(
    countryCandidates.map(({ id, sent, answered }) => [`candidates.${id}`, { sent, answered }]),
  ),
  ...Object.fromEntries(Object.entries(others).flatMap(([name, verbs]) => recordTypes(name, verbs))),
}

/** The records that have a template. A document has none: it is uploaded as a file. */
export const templates: Readonly<Record<string, RecordType>> = Object.fromEntries(
  Object.entries(recordTypesByName).flatMap(([name, { sent }]) =>
    sent && name !== 'documents' ? [[name, sent]] : [],
  ),
)

/**
 * The name of a record that was typed as `candidates.ireland` or as `candidates --ireland`. Throws for two
 * countries, and for one without effect.
 */
export function nameOfRecord(word: string, options: Options): string {
  const country = chosenCountry(options)
  if (!country) return word
  const [kind = '', first = '', ...rest] = word.split('.')
  const place = findCountry(first)
  if (place && place !== country) throw usage(`${word} and ${country.flag} are two countries. Leave one out.`)
  const name = `${kind}.${country.id}`
  if (!Object.hasOwn(recordTypesByName, name))
    throw usage(`${country.flag} has no effect on ${word}: leave it out.`)
  return [name, ...(place ? rest : [first, ...rest])].filter(Boolean).join('.')
}

/** The name of a record where one is meant: people without a country are those of the profile or the environment. */
export async function nameOfOneRecord(context: Context, word: string, options: Options): Promise<string> {
  const name = nameOfRecord(word, options)
  if (name !== 'candidates') return name
  // A file to fill in needs no profile.
  const set = findCountry(context.host.env.PAYROLL_COUNTRY ?? '') ?? defaultCountry
  return `${name}.${await configuredCountry(context).catch(onFailure(() => set.id))}`
}

/** Throws a usage failure for a country option without a name: then all records are listed. */
export function assertNamed(word: string | undefined, options: Options): void {
  const country = chosenCountry(options)
  if (word === undefined && country)
    throw usage(`${country.flag} has no effect without a kind of record.`, `Type candidates ${country.flag}.`)
}

/** Says how to list fields: those of the record that has them, or else the records. */
export function toListFields(fields: Fields | undefined): string {
  const [name] =
    Object.entries(recordTypesByName).find(
      ([, { sent, answered }]) => sent?.fields === fields || answered.fields === fields,
    ) ?? []
  return name ? `To list the fields: payroll explain ${name}` : 'To list the records: payroll explain'
}

/** The options that choose a country. */
export const countryOptions: readonly OptionName[] = countryIds

function recordTypes(name: string, { create, list }: Readonly<Record<string, Operation>>) {
  const answer = list && answerType(list)
  const request = create?.requestRecord
  return answer
    ? [[resourceName(name), { ...(request && { sent: request }), answered: answer }] as const]
    : []
}

/** Reads `candidates.ireland export` as `candidates export --ireland`. */
export function moveCountryAfterVerb(
  argv: readonly string[],
  entries: readonly ProgramEntry[],
): readonly string[] {
  const at = argv.findIndex((word) => /^candidates\.\w+$/.test(word))
  const [noun = '', place = ''] = argv[at]?.split('.') ?? []
  const country = findCountry(place)
  // After another command it is an argument: `schema candidates.ireland`.
  const isCommand = (word: string, index: number) =>
    (word === 'help' || entries.some(({ name }) => name === word)) && !argv[index - 1]?.startsWith('-')
  const before = argv.slice(0, Math.max(at, 0))
  if (!country || before.some(isCommand)) return argv
  const behind = argv.slice(at + 1)
  const end = behind.indexOf('--')
  const [line, operands] = end < 0 ? [behind, []] : [behind.slice(0, end), behind.slice(end)]
  const isRun = operandsOf(behind).length > 0
  return [...before, noun, ...line, ...(isRun ? [country.flag] : []), ...operands]
}
