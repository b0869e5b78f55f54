import { fetchPages, readSteadily } from '../../../api/pages.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, onFailure } from '../../../errors.ts'
import type { Json, JsonObject } from '../../../files/json/path.ts'
import {
  type ComparedPerson,
  describeLikeness,
  type Likeness,
  likenessOf,
  personReader,
  rareKeys,
} from '../../../model/person-likeness.ts'
import type { GuardFinding } from '../../../write/record-write.ts'
import type { Creation } from '../../cli/create-request.ts'
import { lookUpCommand } from '../command-line.ts'
import { isReference } from '../find/match-names.ts'
import { isUnreadable, unreadableFailure, withoutList } from '../find/search-lists.ts'
import { showProgress } from '../show-progress.ts'

/**
 * Looks for a person among those whom the service lists. A record without number, account and contacts is not looked for,
 * and of a list that shows none of these one page is read. A list that cannot be read is warned of; throws where the
 * service does not answer and the record has a number. `isElsewhere`: only under another reference.
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
  const { number } = reader
  const mine = reader.sent(body)
  if (mine.number === undefined && !mine.contacts?.length) return []
  const client = await context.client()
  const read = () =>
    readSteadily(() =>
      findClosest(fetchPages(client, list, { parameters }), {
        mine,
        theirsIn: reader.listed,
        isElsewhere,
      }),
    )
  const found = await showProgress(context, 'Searching', read()).catch(
    onFailure((failure) => {
      if (!isUnreadable(failure) && mine.number !== undefined) throw notLooked(failure)
      context.warn(withoutList(whetherThere, failure))
    }),
  )
  if (found === 'no numbers') {
    context.note(`The list shows no ${number?.label}, so payroll could not ${whetherThere}.`)
    return []
  }
  if (!found) return []
  const { likeness, theirs, isSure } = found
  const { message } = describeLikeness(likeness, mine, theirs, number?.label)
  const path = (likeness.by === 'number' ? number?.path : type.reference?.request) ?? ''
  const issue = { path, message }
  if (!isSure) return [{ does: 'doubt', issue }]
  const { id } = theirs
  const look = await lookUpCommand(context, {
    operation: create,
    parameters: { ...parameters, ...(id !== undefined && { id }) },
  })
  const otherwise = new Failure('input', 'The service has this person already.', {
    outcome: 'not-sent',
    issues: [issue],
    hint: `To see who is there: ${look}. To create the person a second time, add --same-person.`,
  })
  return [{ does: 'ask', warning: `${message}.`, question: 'Send it anyway?', otherwise }]
}

const whetherThere = 'find out whether this person is there already'

const notLooked = (failure: Failure) =>
  unreadableFailure(whetherThere, failure, 'To create the person without looking, add --same-person.')

interface FoundPerson {
  readonly likeness: Likeness
  readonly theirs: ComparedPerson
  readonly isSure: boolean
}

interface WantedPerson {
  readonly mine: ComparedPerson
  readonly theirsIn: (item: Json) => ComparedPerson
  readonly isElsewhere: boolean
}

/** The surest likeness to anybody; 'no numbers' where the list shows no numbers, and nobody is alike in any other way. */
async function findClosest(
  pages: AsyncIterable<readonly Json[]>,
  { mine, theirsIn, isElsewhere }: WantedPerson,
): Promise<FoundPerson | 'no numbers' | undefined> {
  let best: FoundPerson | undefined
  let [hasNumbers, isEmpty] = [mine.number === undefined, true]
  for await (const items of pages) {
    let isComparable = hasNumbers
    for (const item of items) {
      const theirs = theirsIn(item)
      isEmpty = false
      hasNumbers ||= theirs.number !== undefined
      isComparable ||= rareKeys(theirs).length > 0
      const isSameReference = Boolean(theirs.reference) && isReference(theirs.reference, mine.reference ?? '')
      if (isElsewhere && isSameReference) continue
      const likeness = likenessOf(mine, theirs)
      if (!likeness) continue
      // Alike, and under one reference: the record was sent before, by a run that was killed perhaps.
      const isSure = likeness.isSure || isSameReference
      if (!best || (isSure && !best.isSure)) best = { likeness, theirs, isSure }
    }
    if (!isComparable && items.length > 0) break
  }
  return best ?? (hasNumbers || isEmpty ? undefined : 'no numbers')
}
