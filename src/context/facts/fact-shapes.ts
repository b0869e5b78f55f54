import * as z from 'zod/mini'
import { countryIds } from '../../model/countries/countries.ts'
import type { AnyFact, FactName, FactValues } from '../../model/facts/facts.ts'
import { isRealDay } from '../../text/day.ts'
import { wordList } from '../../text/words.ts'

z.config({ jitless: true })

const amount = z.number().check(z.nonnegative())
const share = z.number().check(z.gte(0), z.lte(1, 'a share is written 0.15 for 15%'))
const age = z.int().check(z.gte(0), z.lte(120))
const count = z.int().check(z.gte(0))
const dayShape = z.string().check(z.refine(isRealDay, 'not a day: write it as 2027-04-06'))
const filled = z.string().check(z.trim(), z.minLength(1, 'empty'))
const isoCodes = z.array(z.string().check(z.regex(/^[A-Z]{2}$/, 'not the two capital letters of a country')))
const sortCode = z.string().check(z.regex(/^\d{6}$/, 'not the six digits of a sort code'))

/** assumed: an amount outside of these has its decimal point in the wrong place. */
const wage = z
  .number()
  .check(z.gte(1), z.lt(100, 'not what an hour is paid: the decimal point may be missing'))

const values: { readonly [Name in FactName]: z.ZodMiniType<FactValues[Name]> } = {
  'minimum-wage': z
    .catchall(z.object({ from0: wage, apprentice: z.optional(wage) }), wage)
    .check(
      z.refine(
        (value) => Object.keys(value).every((name) => /^from\d+$|^apprentice$/.test(name)),
        'it has the rates from0, from18 and so on, by the age from which each is due, and apprentice',
      ),
    ) as unknown as z.ZodMiniType<FactValues['minimum-wage']>,
  'employer-costs': z.strictObject({
    niShare: share,
    niAbove: amount,
    levyShare: share,
    pensionShare: share,
    pensionAbove: amount,
    niFree: z.array(z.strictObject({ letters: filled, upTo: amount, months: z.optional(count) })),
    hours: z.number().check(z.gt(0), z.lte(168)),
  }),
  'holiday-pay': z.strictObject({ share }),
  'usual-tax-code': z.strictObject({ code: z.string().check(z.regex(/^[1-9]\d{0,5}L$/, 'such as 1257L')) }),
  'state-pension-age': z.strictObject({
    ages: z.array(z.strictObject({ bornFrom: dayShape, years: age, months: count.check(z.lt(12)) })).check(
      z.minLength(1, 'empty'),
      z.refine(
        (ages) => ages.every(({ bornFrom }, at) => at === 0 || bornFrom > (ages[at - 1]?.bornFrom ?? '')),
        'the birthdays do not rise',
      ),
    ),
  }),
  'contribution-ages': z.strictObject({
    child: age,
    young: z.optional(age),
    apprentice: z.optional(age),
    lastElection: z.optional(dayShape),
    pension: z.optional(age),
    last: z.optional(age),
    lastFrom: z.optional(dayShape),
  }),
  'prsi-bands': z.strictObject({ from: amount, A0: amount, AX: amount, AL: amount }),
  'standard-cut-off': z.strictObject({ single: amount }),
  'vat-rates': z.strictObject({ standard: amount, others: z.array(amount) }),
  'student-loan-plans': z.strictObject({ plans: z.array(z.strictObject({ name: filled, about: filled })) }),
  'working-time': z.strictObject({
    most: amount,
    mayOptOut: z.boolean(),
    restricted: z.optional(amount),
    young: z.optional(z.strictObject({ under: age, most: amount })),
  }),
  'free-to-work': z.strictObject({ nationalities: isoCodes }),
  sepa: z.strictObject({ countries: isoCodes }),
  'cis-verification': z.strictObject({ years: count }),
  postponement: z.strictObject({ months: count }),
  'auto-enrolment': z.strictObject({ from: age, week: amount, year: amount }),
  'sort-code-weights': z.strictObject({
    rows: z.array(
      z.strictObject({
        from: sortCode,
        to: sortCode,
        method: z.enum(['MOD10', 'MOD11', 'DBLAL']),
        weights: z.array(z.int()).check(z.length(14, 'fourteen weights, one for each digit')),
        exception: z.optional(count),
      }),
    ),
  }),
  'sort-code-substitutes': z.record(sortCode, sortCode),
}

/** The members that each fact has besides its name and its value. */
const factBase = {
  country: z.enum(countryIds, `not a country that is known: ${wordList(countryIds, 'or')}`),
  from: dayShape,
  until: dayShape,
  source: filled,
  looked: dayShape,
}

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
  if (typeof name !== 'string' || !Object.hasOwn(values, name)) {
    const known = Object.keys(values).join(', ')
    return { flaws: [{ path: ['name'], message: `not the name of a fact; they are ${known}` }] }
  }
  const shape = z.strictObject({ name: z.literal(name), value: values[name as FactName], ...factBase })
  const read = shape.safeParse(value)
  if (!read.success)
    return { flaws: read.error.issues.flatMap((issue) => [...flawsOf(issue as unknown as ZodIssue)]) }
  const fact = read.data as unknown as AnyFact
  if (fact.from > fact.until) return { flaws: [{ path: ['until'], message: 'it ends before it begins' }] }
  return { fact }
}

interface ZodIssue extends Flaw {
  readonly code: string
  readonly keys?: readonly string[]
  readonly expected?: string
}

/** In plain words: the messages of the schema are for programmers. */
function* flawsOf({ path, message, code, keys = [], expected }: ZodIssue): Generator<Flaw> {
  if (code === 'unrecognized_keys') {
    for (const key of keys) yield { path: [...path, key], message: 'not a part of this fact' }
  } else if (code === 'invalid_type')
    yield { path, message: `missing, or not ${typeWords[expected ?? ''] ?? expected}` }
  else if (message !== 'Invalid input') yield { path, message }
  else yield { path, message: 'out of bounds' }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
