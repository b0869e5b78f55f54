import type { Context } from '../../../context/context.ts'
import { invalidInput } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { readKey } from '../../../model/natural-key.ts'
import { once } from '../../../once.ts'
import { runGuards } from '../../../write/guards.ts'
import type { GuardFinding, NewRecord } from '../../../write/record-write.ts'
import type { Creation } from '../../cli/create-request.ts'
import { findTaken, ownReference } from '../find/same-reference.ts'
import { payFacts } from '../pay-facts.ts'

/** A new record in the form that the guards judge. */
export const newRecord = (
  { type, operation, parameters, verb: { claims = [] } }: Creation,
  body: JsonObject,
): NewRecord => ({
  kind: 'create',
  target: { type, operation, parameters },
  // A single field is the reference.
  key: claims.length > 1 ? readKey(body, claims) : undefined,
  wanted: body,
})

const withoutReference = ({ type }: Creation) =>
  invalidInput('The record has no reference that --unique could look for.', [
    { path: type.reference ?? '', message: '--unique needs it' },
  ])

/** Asks the guards of a new record. A dry run reads no list; after a form, one that cannot be read is asked about. */
export async function judgeNew(
  context: Context,
  creation: Creation,
  body: JsonObject,
  writer: 'create' | 'form',
): Promise<readonly GuardFinding[]> {
  const { options, verb } = creation
  const isRead = !options.dryRun
  if (options.unique && ownReference(creation, body) === undefined)
    return [{ does: 'hold', failure: withoutReference(creation) }]
  return runGuards(newRecord(creation, body), 'wanted', {
    writer,
    today: context.today(),
    facts: await payFacts(context),
    reveal: context.reveal,
    async findTaken(reference) {
      // People easily enter the same command twice. A script with --unique looks right before it is sent.
      const isLookedFor = options.unique ? context.interactive || !isRead : context.interactive && isRead
      if (!verb.unique || !isLookedFor) return []
      return findTaken(context, creation, reference, options.unique ? {} : { question: 'Create it anyway?' })
    },
    async findAlike({ wanted }) {
      if (!isRead || !verb.people) return undefined
      const { findAlike } = await import('../find/same-person.ts')
      const isElsewhere = writer === 'form' || options.unique === true
      return findAlike(context, creation, wanted, { isElsewhere })
    },
    findWork: once(async () => {
      if (!isRead || !verb.overlaps) return undefined
      const { findWork } = await import('../find/find-work.ts')
      const onSameKey = (id: string) => creation.seenBefore.add(id)
      return findWork(context, { kind: verb.overlaps, list: creation.list, onSameKey }, body)
    }),
    overlaps: 'doubtful',
  })
}
