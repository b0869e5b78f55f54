import { keyOf, wordsOfName } from '../../../model/natural-key.ts'
import type { KnownBy } from '../../../model/whose.ts'

/** What a person says that a text is. */
export type NameKind = 'id' | 'reference'

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

/** A text without the mark with which a table ends what it cuts: people copy it along. */
export const withoutMark = (text: string): string => text.replace(/…$/, '')

/** Whether an id begins with a text, of enough characters. Of a number it is all: an old reference may be its first digits. */
export function isBegun(id = '', typed: string, shortest = shortestBeginning): boolean {
  const beginning = withoutMark(typed).toLowerCase()
  if (/^\d+$/.test(id)) return id === beginning
  return beginning.length >= shortest && id.toLowerCase().startsWith(beginning)
}

/** Finds the records that a typed text may mean; one that is said to be an id or a reference is only that, whole. */
export function matchNames<T extends KnownBy>(
  records: readonly T[],
  { typed, meaning }: { readonly typed: string; readonly meaning?: NameKind | undefined },
): Matches<T> {
  const whole = records.filter(
    ({ id, reference }) =>
      (meaning !== 'id' && isReference(reference, typed)) || (meaning !== 'reference' && id === typed),
  )
  if (meaning !== undefined) return { whole, named: [], begun: [] }
  const words = wordsOfName(typed)
  const fits = (own: readonly string[]) => words.length > 0 && words.every((word) => own.includes(word))
  const partly = records.filter(({ name = '' }) => fits(wordsOfName(name)))
  const wholly = partly.filter(({ name = '' }) => isSameName(name, typed))
  const begun = records.filter(({ id }) => isBegun(id, typed))
  return { whole, named: wholly.length > 0 ? wholly : partly, begun }
}

/** Whether a reference is the typed one, ignoring capitals and spaces around it. */
export const isReference = (reference: string | undefined, text: string): boolean =>
  reference !== undefined && keyOf(reference) === keyOf(text)

/** Whether two names are the same but for titles and the order of their parts. */
export const isSameName = (one: string, other: string): boolean =>
  wordsOfName(one).join(' ') === wordsOfName(other).join(' ')
