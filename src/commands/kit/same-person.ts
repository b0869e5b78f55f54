import { fetchPages, readSteadily } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { Json, JsonObject } from '../../files/json/path.ts'
import { keyOf } from '../../model/natural-key.ts'
import {
  type ComparedPerson,
  describeLikeness,
  type Likeness,
  likenessOf,
  ownKeys,
  personReader,
} from '../../model/person-likeness.ts'
import type { GuardFinding } from '../../write/record-write.ts'
import type { Creation } from '../cli/create-request.ts'
import { chooseOperation } from '../cli/target.ts'
import { lookupCommand } from './command-line.ts'
import { isUnreadable, whyUnread } from './search-lists.ts'
import { showProgress } from './show-progress.ts'

/**
 * Looks for a person among those whom the service lists. A record without number, account and contacts is not
 * looked for, and of a list that shows none of these one page is read. A list that cannot be read is warned of;
 * throws where the service does not answer and the record has a number. `isElsewhere`: only under another
 * reference.
 */
export async function findPersonThere(
  context: Context,
  { verb, list, options, type, operation: create, parameters }: Creation,
  body: JsonObject,
  isElsewhere = false,
): Promise<readonly GuardFinding[]> {
  const { people } = verb
  if (!people || !list || options.samePerson) return []
  const reader = personReader(people, type)
  const mine = reader.sent(body)
  const { number } = reader
  if (mine.number === undefined && !mine.contacts?.length) return []
  const client = await context.client()
  const operation = chooseOperation(list, options)
  const read = () => readSteadily(async () => closest(fetchPages(client, operation, { parameters })))
  const found = await showProgress(context, 'Searching', read()).catch(notRead)
  if (found === 'no numbers') {
    context.note(`The list shows no ${number?.label}, so whether this person is there already is not known.`)
    return []
  }
  if (!found) return []
  const { message } = describeLikeness(found.likeness, mine, found.theirs, number?.label)
  const path = (found.likeness.by === 'number' ? number?.path : type.reference?.request) ?? ''
  const issue = { path, message }
  if (!found.isSure) return [{ does: 'doubt', issue }]
  const { id } = found.theirs
  const look = await lookupCommand(context, {
    target: verb.operation,
    operation: create,
    parameters: { ...parameters, ...(id !== undefined && { id }) },
  })
  const otherwise = new Failure('input', 'The service has this person already.', {
    outcome: 'not-sent',
    issues: [issue],
    hint: `To see who is there: ${look}. To create the person a second time, add --same-person.`,
  })
  return [{ does: 'ask', warning: `${message}.`, question: 'Send it anyway?', otherwise }]

  function isSameReference({ reference = '' }: ComparedPerson): boolean {
    return reference !== '' && keyOf(reference) === keyOf(mine.reference ?? '')
  }

  /** The surest likeness to anybody; 'no numbers' where the list shows no numbers, and nobody is alike in any other way. */
  async function closest(
    pages: AsyncIterable<readonly Json[]>,
  ): Promise<FoundPerson | 'no numbers' | undefined> {
    let best: FoundPerson | undefined
    let [hasNumbers, isEmpty] = [mine.number === undefined, true]
    for await (const items of pages) {
      let isComparable = hasNumbers
      for (const item of items) {
        const theirs = reader.listed(item)
        isEmpty = false
        hasNumbers ||= theirs.number !== undefined
        isComparable ||= ownKeys(theirs).length > 0
        if (isElsewhere && isSameReference(theirs)) continue
        const likeness = likenessOf(mine, theirs)
        if (!likeness) continue
        // Alike, and under one reference: the record was sent before, by a run that was killed perhaps.
        const isSure = likeness.isSure || isSameReference(theirs)
        if (!best || (isSure && !best.isSure)) best = { likeness, theirs, isSure }
      }
      if (!isComparable && items.length > 0) break
    }
    return best ?? (hasNumbers || isEmpty ? undefined : 'no numbers')
  }

  function notRead(error: unknown): undefined {
    if (!(error instanceof Failure)) throw error
    if (isUnreadable(error) || mine.number === undefined) {
      const why = whyUnread(error)
      context.warn(`whether this person is there already is not known: the list cannot be read (${why}).`)
      return undefined
    }
    const message = `Whether this person is there already is not known. ${error.message}`
    throw new Failure(error.code, message, {
      ...error.details,
      outcome: 'not-sent',
      hint: 'To create the person without looking, add --same-person.',
    })
  }
}

interface FoundPerson {
  readonly likeness: Likeness
  readonly theirs: ComparedPerson
  readonly isSure: boolean
}
