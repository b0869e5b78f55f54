import * as z from 'zod/mini'
import { countryIds } from '../../model/countries/countries.ts'
import { factDays, factSource, factValues } from '../../model/facts/fact-values.ts'
import type { AnyFact } from '../../model/facts/facts.ts'
import { wordList } from '../../text/words.ts'

interface Flaw {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const expectedForm =
  'expected a fact, or a list of them, each as {"name": "holiday-pay", "country": "uk", "from": "2027-04-06", "until": "2028-04-05", "value": {"share": 0.1207}, "source": "…", "looked": "2027-04-01"}'

/** Reads a value as a fact, or says what is wrong with it. */
export function readFact(value: unknown): { readonly fact: AnyFact } | { readonly flaws: readonly Flaw[] } {
  const name = (value as { name?: unknown } | null)?.name
  if (name === undefined) return { flaws: [{ path: [], message: expectedForm }] }
  const [, valueShape] = Object.entries(factValues).find(([each]) => each === name) ?? []
  if (!valueShape) {
    const names = Object.keys(factValues).join(', ')
    return { flaws: [{ path: ['name'], message: `not the name of a fact; they are ${names}` }] }
  }
  const country = z.enum(countryIds, `not a country that is known: ${wordList(countryIds, 'or')}`)
  const shape = z.strictObject({ name: z.string(), country, ...factDays, value: valueShape, ...factSource })
  const result = shape.safeParse(value)
  if (!result.success) return { flaws: result.error.issues.flatMap(flawsOf) }
  const fact = result.data as unknown as AnyFact
  if (fact.from > fact.until) return { flaws: [{ path: ['until'], message: 'it ends before it begins' }] }
  return { fact }
}

/** In plain words: the messages of the schema are for programmers. */
function flawsOf(issue: z.core.$ZodIssue): readonly Flaw[] {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'not a part of this fact' }))
  if (issue.code === 'invalid_type')
    return [{ path, message: `missing, or not ${typeWords[issue.expected] ?? issue.expected}` }]
  return [{ path, message: message === 'Invalid input' ? 'out of bounds' : message }]
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
