import { fetchPages, readSteadily } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import { Failure, type Issue } from '../../errors.ts'
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

/** Somebody on the service who is, or may be, the person to create. */
interface SamePerson {
  readonly issue: Issue
  /** True where the record is not sent without a Yes; otherwise it is a doubt. */
  readonly isSure: boolean
  readonly id: string | undefined
}

/**
 * Looks for the person among those whom the service lists; not for a record without a number, an
 * account and contacts, and in one page of a list that shows none of these. A list that cannot be read
 * is warned of; throws where the service does not answer and the record has a number. `isElsewhere`:
 * only under another reference.
 */
async function findSamePerson(
  context: Context,
  { verb, list, options, type, parameters }: Creation,
  body: JsonObject,
  isElsewhere = false,
): Promise<SamePerson | undefined> {
  const { people } = verb
  if (!people || !list || options.samePerson) return undefined
  const reader = personReader(people, type)
  const mine = reader.sent(body)
  const { number } = reader
  if (mine.number === undefined && !mine.contacts?.length) return undefined
  const client = await context.client()
  const operation = chooseOperation(list, options)
  const read = () => readSteadily(async () => closest(fetchPages(client, operation, { parameters })))
  const found = await showProgress(context, 'Searching', read()).catch(notRead)
  if (found === 'no numbers') {
    context.note(`The list shows no ${number?.label}, so whether this person is there already is not known.`)
    return undefined
  }
  if (!found) return undefined
  const { message } = describeLikeness(found.likeness, mine, found.theirs, number?.label)
  const path = (found.likeness.by === 'number' ? number?.path : type.reference?.request) ?? ''
  return { issue: { path, message }, isSure: found.isSure, id: found.theirs.id }

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

/** Who is there is asked about, and is exit 3 in a script; who may be is a doubt. */
export async function findPersonThere(
  context: Context,
  creation: Creation,
  body: JsonObject,
  isElsewhere = false,
): Promise<readonly GuardFinding[]> {
  const same = await findSamePerson(context, creation, body, isElsewhere)
  if (!same) return []
  const { issue, isSure, id } = same
  if (!isSure) return [{ does: 'doubt', issue }]
  const { verb, operation, parameters } = creation
  const look = await lookupCommand(context, {
    target: verb.operation,
    operation,
    parameters: { ...parameters, ...(id !== undefined && { id }) },
  })
  const otherwise = new Failure('input', 'The service has this person already.', {
    outcome: 'not-sent',
    issues: [issue],
    hint: `To see who is there: ${look}. To create the person a second time, add --same-person.`,
  })
  return [{ does: 'ask', warning: `${issue.message}.`, question: 'Send it anyway?', otherwise }]
}
