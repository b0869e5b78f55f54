import type { Context } from '../../context/context.ts'
import { markSecret } from '../../credentials/mark-key.ts'
import { Failure, onFailure } from '../../errors.ts'
import { spelledOut } from '../../text/day.ts'
import { wordList } from '../../text/words.ts'
import { chosenCountry, countriesOf, type Options } from '../cli/options.ts'
import { readDay } from '../kit/read-day.ts'
import {
  dayOfMark,
  daysName,
  fingerprintsOf,
  type MarkHeader,
  markName,
  marksHere,
  marksInOrder,
  readMark,
} from './marks.ts'

/** What to compare with and which mark to make, known before anything is read. Throws for a mark that cannot be used. */
export async function planOf(context: Context, options: Options) {
  const { since, mark } = options
  const nameOfMark = mark === undefined ? undefined : markName(mark)
  const here = await marksHere(context)
  const { directory, place, names } = here
  const country = chosenCountry(options)?.id
  const today = context.today()
  const ofDays = names.filter((name) => {
    const [, , suffix] = daysName.exec(name) ?? ['', '', '-']
    return suffix === undefined || suffix === country
  })
  const own = country === undefined ? today : `${today}-${country}`
  const usual = ofDays.findLast((name) => name.slice(0, 10) < today) ?? ofDays.at(-1)
  const choice =
    since !== undefined
      ? await markSince(context, since, here, options)
      : nameOfMark === undefined
        ? usual
        : names.find((name) => name === nameOfMark)
  // A second mark on the day of the first would hide what changed since.
  const isFirstDay = choice?.startsWith(today)
  const makesOwn = choice === undefined || (since === undefined && !options.fields && !isFirstDay)
  const secret = await markSecret(context.place, await context.access())
  const fingerprint = secret === undefined ? undefined : fingerprintsOf(secret, place)
  return {
    directory,
    place,
    baseline: choice === undefined ? undefined : await readMark(directory, place, choice, fingerprint),
    make: nameOfMark ?? (makesOwn ? own : undefined),
    secret,
  }
}

/**
 * The mark of this name, or the newest that was made on this day or before, of those that have the people of
 * all countries that are asked for, if any has. Throws where there is none.
 */
async function markSince(
  context: Context,
  since: string,
  { directory, place, names }: Awaited<ReturnType<typeof marksHere>>,
  options: Options,
): Promise<string> {
  const name = names.find((each) => each === since.toLowerCase())
  if (name !== undefined) return name
  const day = await readDay(context, '--since', since).catch(onFailure(() => undefined))
  if (day === undefined) throw noMark(since, names)
  const marks = await marksInOrder(directory, place, names)
  const before = marks.filter((mark) => dayOfMark(mark) <= day)
  const hasAll = ({ paths }: MarkHeader) => countriesOf(options).every(({ id }) => paths[id] !== undefined)
  const newest = before.findLast(hasAll) ?? before.at(-1)
  if (newest) return newest.name
  const oldest = marks[0]
  throw new Failure(
    'not-found',
    `There is no mark of ${spelledOut(day)} or before, so nothing was compared.`,
    oldest ? { hint: `The oldest is ${oldest.name}: payroll changes --since ${oldest.name}` } : {},
  )
}

export function noMark(name: string, names: readonly string[]): Failure {
  return new Failure('not-found', `There is no mark ${name} of this service.`, {
    hint:
      names.length === 0
        ? 'There is none yet. To make the first: payroll changes'
        : `Its marks: ${wordList(names, 'and')}.`,
  })
}
