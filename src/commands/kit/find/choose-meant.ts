import type { Context } from '../../../context/context.ts'
import { declined, Failure, type Issue } from '../../../errors.ts'
import type { KnownBy } from '../../../model/whose.ts'
import { typedCommand } from '../command-line.ts'
import { openPrompts } from '../open-prompts.ts'
import { isReference, type Matches, type NameKind } from './match-names.ts'

/** A text that names a record. */
export interface RecordName {
  readonly typed: string
  /** What a person says that it is. */
  readonly meaning: NameKind | undefined
  /** Whether something is written: then a script needs the whole id or reference, and a person is asked. */
  readonly writes: boolean
  /** The option that names the record, such as `--employee`; undefined where an argument names it. */
  readonly option?: string
}

type Named = KnownBy & { readonly kind?: string }

/** The record that has the text as its id or reference. Of several a person chooses one; for a script it is exit 6. */
export async function chooseWhole<T extends Named>(
  context: Context,
  { typed, option }: RecordName,
  whole: readonly T[],
): Promise<T | undefined> {
  if (whole.length <= 1) return whole[0]
  const message = `${typed} can mean ${whole.length} records`
  if (context.interactive) return chooseOne(context, `${message}. Which do you mean?`, whole)
  const way = option === undefined ? '' : `${option} `
  const byReference = whole.some(({ reference }) => reference !== undefined)
    ? `, or ${way}reference:<reference>`
    : ''
  throw new Failure('refused', `${message}.`, {
    outcome: 'not-sent',
    hint: `To say which: ${way}id:<id>${byReference}`,
    issues: issuesFor(whole),
  })
}

/**
 * The record whose id begins with the text, or that has this name: to read it, where only one fits. `isFit`: whether
 * something may be written to it. Throws exit 5 for a script that writes, with the records that fit.
 */
export async function chooseNear<T extends Named>(
  context: Context,
  name: RecordName,
  { begun, named }: Pick<Matches<T>, 'begun' | 'named'>,
  {
    notThere,
    isFit = () => true,
  }: { readonly notThere?: Failure; readonly isFit?: (match: T) => boolean } = {},
): Promise<T | undefined> {
  const near = [...new Set([...begun, ...named])]
  if (!name.writes) return chooseWhole(context, name, near)
  if (near.length === 0) return undefined
  const nothing = `Nothing has the id or the reference "${name.typed}"`
  const offered = near.filter(isFit)
  if (context.interactive && offered.length > 0)
    return chooseOne(context, `${nothing}. Do you mean one of these?`, offered)
  const message = `${nothing}: it is only a name, or the beginning of an id.`
  const failure = notThere ?? new Failure('not-found', message, {})
  const { method = 'GET' } = failure.details
  throw failure.with({
    message,
    // A 404 answered a read, or a write that was refused.
    outcome: method === 'GET' ? 'not-sent' : 'refused',
    issues: issuesFor(near),
    hint: 'Type the whole reference, or the whole id, of the one that you mean.',
  })
}

async function chooseOne<T extends Named>(
  context: Context,
  message: string,
  matches: readonly T[],
): Promise<T> {
  const { choose } = await openPrompts(context)
  const choices = matches.map((match) => ({ value: match, name: describe(match) }))
  const chosen = await choose<T | undefined>({
    message,
    choices: [{ value: undefined, name: 'None of them: stop' }, ...choices],
  })
  if (!chosen) throw declined('Stopped.')
  return chosen
}

/** `IE-1042, Aoife Ní Shampla, an Irish candidate`. A reference that was typed is not repeated. */
const naming = ({ reference, name, kind }: Named, typed = ''): string =>
  [...new Set([isReference(reference, typed) ? '' : reference, name, kind])].filter(Boolean).join(', ')

/** Its names, and behind them its id in brackets. */
export const describe = (match: Named, typed?: string): string =>
  [naming(match, typed), match.id === undefined ? '' : `(${match.id})`].filter(Boolean).join(' ')

const issuesFor = (matches: readonly Named[]): readonly Issue[] =>
  matches.map((match) => ({ path: match.id ?? '', message: naming(match) }))

/** `the reference UK-1`; what a text may be that says nothing of it: a name only where nothing is written. */
export function inWords({ typed, meaning, writes }: RecordName): string {
  if (meaning !== undefined) return `the ${meaning} ${typed}`
  return `${writes ? 'the id or the reference' : 'the id, the reference or the name'} ${JSON.stringify(typed)}`
}

/** How to find what the text did not name. `noun`: `candidates`. */
export const searchHint = (context: Context, noun: string, typed: string): string =>
  noun === 'candidates'
    ? `To look for a person: ${typedCommand(context, [noun, 'find', ...typed.split(/\s+/)])}`
    : `To see what there is: ${typedCommand(context, [noun, 'list'])}`
