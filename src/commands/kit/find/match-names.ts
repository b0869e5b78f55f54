import { keyOf, wordsOfName } from '../../../model/natural-key.ts'
import type { KnownBy } from '../../../model/whose.ts'

/** The records that a typed text may mean. */
export interface Matches<T> {
  /** By the whole id, or the whole reference. */
  readonly whole: readonly T[]
  /** By the name: by all of it if anybody has it whole, else by some of its words. */
  readonly named: readonly T[]
  /** By the beginning of the id; the whole one too. */
  readonly begun: readonly T[]
}

/** A shorter beginning of an id is probably a mistake, or fits many. */
const shortestBeginning = 6

/** Finds the records that a text may mean. */
export function matchNames<T extends KnownBy>(
  records: readonly T[],
  text: string,
  by: 'anything' | 'reference' = 'anything',
): Matches<T> {
  const words = wordsOfName(text)
  const fits = (own: readonly string[]) => words.length > 0 && words.every((word) => own.includes(word))
  const whole = records.filter(
    ({ id, reference }) => isReference(reference, text) || (by === 'anything' && id === text),
  )
  const partly = by === 'reference' ? [] : records.filter(({ name = '' }) => fits(wordsOfName(name)))
  const wholly = partly.filter(({ name = '' }) => isSameName(name, text))
  const begins = (id = '') => id.toLowerCase().startsWith(text.toLowerCase())
  const begun = text.length < shortestBeginning ? [] : records.filter(({ id }) => begins(id))
  return {
    whole,
    named: wholly.length > 0 ? wholly : partly,
    begun: by === 'reference' ? [] : begun,
  }
}

/** Whether a reference is the typed one, ignoring capitals and spaces around it. */
export const isReference = (reference: string | undefined, text: string): boolean =>
  reference !== undefined && keyOf(reference) === keyOf(text)

/** Whether two names are the same but for titles and the order of their parts. */
export const isSameName = (one: string, other: string): boolean =>
  wordsOfName(one).join(' ') === wordsOfName(other).join(' ')
