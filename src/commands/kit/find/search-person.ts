import { fetchPages, readSteadily } from '../../../api/pages.ts'
import type { Context } from '../../../context/context.ts'
import { onFailure } from '../../../errors.ts'
import type { Json } from '../../../files/json/path.ts'
import {
  type ComparedPerson,
  type Likeness,
  likenessOf,
  personReader,
  rareKeys,
} from '../../../model/values/person-likeness.ts'
import type { AlikePerson } from '../../../write/record-write.ts'
import { lookUpCommand } from '../command-line.ts'
import { showProgress } from '../show-progress.ts'
import { isReference } from './match-names.ts'
import { isUnreadable, type Sought, unreadableFailure, withoutList } from './search-lists.ts'

/**
 * Looks for who is most like a person among those whom the service lists, if the record says anything that tells people
 * apart. Of a list that shows none of it one page is read. `isElsewhere`: only somebody under another reference counts.
 * For a record that is changed, only somebody else with its NI or PPS number does.
 */
export async function searchPerson(
  context: Context,
  { verb, list, options, type, operation, parameters, body, seenBefore, own }: Sought,
  isElsewhere = false,
): Promise<AlikePerson | undefined> {
  const { people } = verb
  if (!people || !list || options.samePerson) return undefined
  const reader = personReader(people, type)
  const { number } = reader
  const person = reader.sent(body)
  const nothing = { id: undefined, reference: undefined, name: undefined, birthday: undefined }
  const mine: ComparedPerson = own === undefined ? person : { ...nothing, number: person.number }
  if (mine.number === undefined && !mine.contacts?.length) return undefined
  const client = await context.client()
  const likenessTo = (theirs: ComparedPerson, isSameReference: boolean) => {
    const { id } = theirs
    if (isSameReference && id !== undefined) seenBefore?.add(id)
    if ((isElsewhere && isSameReference) || (own !== undefined && id === own)) return undefined
    // At a terminal the reference is asked about by itself.
    return likenessOf(mine, theirs) ?? (isSameReference && !context.interactive ? sameReference : undefined)
  }
  const searching = readSteadily(() => {
    const pages = fetchPages(client, list, { parameters })
    return findClosest(mine, pages, reader.listed, likenessTo)
  })
  const alike = await showProgress(context, 'Searching', searching).catch(
    onFailure((failure) => {
      if (!isUnreadable(failure) && mine.number !== undefined)
        throw unreadableFailure(whetherThere, failure, 'To send it without looking, add --same-person.')
      context.warn(withoutList(whetherThere, failure))
    }),
  )
  if (alike === 'no numbers') {
    context.note(`The list shows no ${number?.label}, so payroll could not ${whetherThere}.`)
    return undefined
  }
  if (!alike) return undefined
  const { id } = alike.theirs
  return {
    ...alike,
    mine: person,
    lookUpCommand: await lookUpCommand(context, {
      operation,
      parameters: { ...parameters, ...(id !== undefined && { id }) },
    }),
  }
}

const whetherThere = 'find out whether this person is there already'

/** Nothing else is alike: the reference was typed for another person, or twice. */
const sameReference: Likeness = { by: 'same reference', isSure: true }

/** The surest likeness to anybody; 'no numbers' where the list shows no numbers, and nobody is alike in any other way. */
async function findClosest(
  mine: ComparedPerson,
  pages: AsyncIterable<readonly Json[]>,
  theirsIn: (item: Json) => ComparedPerson,
  likenessTo: (theirs: ComparedPerson, isSameReference: boolean) => Likeness | undefined,
): Promise<AlikePerson | 'no numbers' | undefined> {
  let best: AlikePerson | undefined
  let [hasNumbers, isEmpty] = [mine.number === undefined, true]
  for await (const items of pages) {
    let isComparable = hasNumbers
    for (const item of items) {
      const theirs = theirsIn(item)
      isEmpty = false
      hasNumbers ||= theirs.number !== undefined
      isComparable ||= rareKeys(theirs).length > 0
      const isSameReference = Boolean(theirs.reference) && isReference(theirs.reference, mine.reference ?? '')
      const likeness = likenessTo(theirs, isSameReference)
      if (!likeness) continue
      // Alike, and under one reference: the record was sent before, by a run that was killed perhaps.
      const certainty = likeness.isSure || isSameReference ? 'sure' : 'possible'
      const isLess = best?.certainty !== 'sure' || best.likeness === sameReference
      if (!best || (certainty === 'sure' && isLess))
        best = { likeness, mine, theirs, certainty, isAsked: false, isAllowed: false }
    }
    if (!isComparable && items.length > 0) break
  }
  return best ?? (hasNumbers || isEmpty ? undefined : 'no numbers')
}
