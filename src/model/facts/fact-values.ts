import * as z from 'zod/mini'
import { isRealDay } from '../../text/day.ts'

z.config({ jitless: true })

const amount = z.number().check(z.nonnegative())
const share = z.number().check(z.gte(0), z.lte(1, 'a share is written 0.15 for 15%'))
const age = z.int().check(z.gte(0), z.lte(120))
const count = z.int().check(z.gte(0))
const filledText = z.string().check(z.trim(), z.minLength(1, 'empty'))
const isoCodes = z.array(z.string().check(z.regex(/^[A-Z]{2}$/, 'not the two capital letters of a country')))
const sortCode = z.string().check(z.regex(/^\d{6}$/, 'not the six digits of a sort code'))
const dayShape = z.string().check(z.refine(isRealDay, 'not a day: write it as 2027-04-06'))

/** assumed: an amount outside of these has its decimal point in the wrong place. */
const wage = z
  .number()
  .check(z.gte(1), z.lt(100, 'not what an hour is paid: the decimal point may be missing'))

/** The figures of each fact. Amounts are in the currency of the country; shares are 0.15 for 15%. */
export const factValues = {
  /** The minimum wage of an hour: `from21` from that age on; `apprentice` under 19, or in the first year. */
  'minimum-wage': z
    .record(z.string(), wage)
    .check(
      z.refine(
        (value) =>
          'from0' in value && Object.keys(value).every((name) => /^from\d+$|^apprentice$/.test(name)),
        'it has the rates from0, from18 and so on, by the age from which each is due, and apprentice',
      ),
    ),
  /** What an employer pays on top of a week's pay. `hours`: used where those worked are not known. */
  'employer-costs': z.strictObject({
    niShare: share,
    niAbove: amount,
    levyShare: share,
    pensionShare: share,
    pensionAbove: amount,
    /**
     * No employer's NI is due for these letters on weekly pay up to `upTo`,
     * and for no more than so many months of a job.
     */
    niFree: z.array(z.strictObject({ letters: filledText, upTo: amount, months: z.optional(count) })),
    hours: z.number().check(z.gt(0), z.lte(168)),
  }),
  /** The share of the pay that is holiday pay. */
  'holiday-pay': z.strictObject({ share }),
  /** The tax code of somebody with one job and no allowance but the personal one. */
  'usual-tax-code': z.strictObject({ code: z.string().check(z.regex(/^[1-9]\d{0,5}L$/, 'such as 1257L')) }),
  /** The State Pension age of those who were born from a day on. */
  'state-pension-age': z.strictObject({
    ages: z.array(z.strictObject({ bornFrom: dayShape, years: age, months: count.check(z.lt(12)) })).check(
      z.minLength(1, 'empty'),
      z.refine(
        (ages) => ages.every(({ bornFrom }, at) => at === 0 || bornFrom > (ages[at - 1]?.bornFrom ?? '')),
        'the birthdays do not rise',
      ),
    ),
  }),
  /** The ages at which another NI letter or PRSI class is right, and birthdays for which rules differ. */
  'contribution-ages': z.strictObject({
    /** Under this age nothing is due. */
    child: age,
    /** UK: letter M under `young`, H under `apprentice`; reduced rate if born by `lastElection`. */
    young: z.optional(age),
    apprentice: z.optional(age),
    lastElection: z.optional(dayShape),
    /** Ireland: class J from age `pension` for those born before `lastFrom`, from `last` for others. */
    pension: z.optional(age),
    last: z.optional(age),
    lastFrom: z.optional(dayShape),
  }),
  /** Class A by weekly pay: PRSI is due from `from` on; the others are the most for each subclass. */
  'prsi-bands': z.strictObject({ from: amount, A0: amount, AX: amount, AL: amount }),
  /** The yearly pay of a single person up to which the standard rate applies. */
  'standard-cut-off': z.strictObject({ single: amount }),
  /** In percent. */
  'vat-rates': z.strictObject({ standard: amount, others: z.array(amount) }),
  /** Whom each plan is for. */
  'student-loan-plans': z.strictObject({
    plans: z.array(z.strictObject({ name: filledText, about: filledText })),
  }),
  /** Hours a week, on average; whether a worker may agree to more. */
  'working-time': z.strictObject({
    most: amount,
    mayOptOut: z.boolean(),
    /** The most for somebody whose permission to work restricts the hours: of a student, in a term. */
    restricted: z.optional(amount),
    /** The most under an age, which nobody may raise. */
    young: z.optional(z.strictObject({ under: age, most: amount })),
  }),
  /** The nationalities of those who need no permission to work, as ISO 3166-1 codes. */
  'free-to-work': z.strictObject({ nationalities: isoCodes }),
  /** The countries to whose IBANs a payment is made as at home, as ISO 3166-1 codes. */
  sepa: z.strictObject({ countries: isoCodes }),
  /** A CIS verification counts for the tax year in which it was made, and so many after it. */
  'cis-verification': z.strictObject({ years: count }),
  /** How long an assessment for auto-enrolment may be postponed. */
  postponement: z.strictObject({ months: count }),
  /** The age and the pay from which somebody is enrolled into a pension, until State Pension age. */
  'auto-enrolment': z.strictObject({ from: age, week: amount, year: amount }),
  /** How banks check account numbers. Their table must not be passed on, so an admin imports it. */
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
  /** Sort codes that are checked as another sort code. */
  'sort-code-substitutes': z.record(sortCode, sortCode),
}

/** The members of a fact before its value and behind it, besides its name and its country. */
export const factDays = { from: dayShape, until: dayShape }
export const factSource = { source: filledText, looked: dayShape }

/** The name of a fact of the law. */
export type FactName = keyof typeof factValues

/** The value of each fact. Amounts are in the currency of the country; shares are 0.15 for 15%. */
export type FactValues = { readonly [Name in FactName]: z.infer<(typeof factValues)[Name]> }
