import { namedCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { Failure, type Issue } from '../../errors.ts'
import type { Fields } from '../../model/fields/field.ts'
import { type ClosedCountries, closedSentence } from '../../reading/people.ts'
import { capital } from '../../text/words.ts'
import { chosenCountry, type Options } from '../cli/options.ts'

interface Report<Row> {
  readonly fields: Fields
  readonly text: (rows: readonly Row[]) => string | Promise<string>
  /** Sentences, without a full stop, about what was not seen. */
  readonly remarks?: readonly string[]
}

/** Shows what was found, and warns of what was not seen. */
export async function showReport<Row extends object>(
  context: Context,
  rowsOf: () => readonly Row[] | Promise<readonly Row[]>,
  { fields, text, remarks = [] }: Report<Row>,
): Promise<void> {
  const rows = await rowsOf()
  if (context.output.isRead && !context.options.columns)
    await context.output.report([...rows], await text(rows))
  else await context.output.list([...rows], rows.length > 0 ? { fields } : {})
  for (const remark of remarks) context.warn(`${remark}.`)
}

/** The failure (exit 10) for something that was asked for and could not be seen. */
const notSeen = (message: string, hint: string, issues: readonly Issue[] = []): Failure =>
  new Failure('invalid-response', message, { hint, issues })

/** Throws exit 10 if something that was asked for could not be seen. `summary` says what could. */
export function assertSeen(summary: string, unseen: readonly string[], issues: readonly Issue[] = []): void {
  if (unseen.length > 0)
    throw notSeen(
      `${summary} But not all that was asked for could be seen: ${unseen.join('; ')}.`,
      'What the service shows of a person: payroll candidates get <reference>',
      issues,
    )
}

/**
 * Reports that there is nobody, which does not mean that all is well: a warning at a terminal, exit 10 in a
 * script. `whatWasDone`: `checked`.
 */
export function assertSomebody(context: Context, people: number, verb: string): void {
  if (people > 0) return
  const says = `The service shows nobody, so nothing was ${verb}.`
  if (!context.interactive) throw notSeen(says, 'Which people there are: payroll candidates list')
  context.warn(says)
}

/**
 * Throws exit 10 in a script where the service does not show people who were asked for: those of the country that the
 * command, the environment or the profile names, or else those of every country that the service has. `summary` says
 * what was found of the others.
 */
export async function assertPeopleShown(
  context: Context,
  options: Options,
  closedCountries: ClosedCountries,
  whatWasDone: string,
  summary = '',
): Promise<void> {
  if (context.interactive || closedCountries.size === 0) return
  const country = chosenCountry(options) ?? (await namedCountry(context))
  // A service for one country has no list of another one: that is no fault of every night.
  const unseen = [...closedCountries].flatMap(([id, { details }]) =>
    (country ? id === country.id : details.status === 403) ? [id] : [],
  )
  if (unseen.length === 0) return
  const says = unseen.map((id) => `${capital(closedSentence(id, whatWasDone))}.`)
  throw notSeen(
    [summary, ...says].filter(Boolean).join(' '),
    'Whether the key may read them: payroll doctor. To do without them, name the country: --uk, --ireland or PAYROLL_COUNTRY',
  )
}
