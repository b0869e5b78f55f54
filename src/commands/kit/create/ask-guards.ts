import type { Context } from '../../../context/context.ts'
import { invalidInput } from '../../../errors.ts'
import { readKey } from '../../../model/natural-key.ts'
import { once } from '../../../once.ts'
import { runGuards } from '../../../write/guards.ts'
import type { GuardFinding, NewRecord } from '../../../write/record-write.ts'
import type { ReadyCreation } from '../../cli/create-request.ts'
import { ownReference, searchReference } from '../find/search-reference.ts'
import { payFacts } from '../pay-facts.ts'

/** A new record in the form that the guards judge. */
export const newRecord = ({
  type,
  operation,
  parameters,
  verb: { claims = [] },
  body,
}: ReadyCreation): NewRecord => ({
  kind: 'create',
  target: { type, operation, parameters },
  // A single field is the reference.
  key: claims.length > 1 ? readKey(body, claims) : undefined,
  wanted: body,
})

/** Asks the guards of a new record. A dry run reads no list; after a form, one that cannot be read is asked about. */
export async function askGuards(
  context: Context,
  creation: ReadyCreation,
  writer: 'create' | 'form',
): Promise<readonly GuardFinding[]> {
  const { options, verb, type } = creation
  if (options.unique && ownReference(creation) === undefined) {
    const issue = { path: type.reference ?? '', message: '--unique needs it' }
    const says = 'The record has no reference that --unique could look for.'
    return [{ does: 'hold', failure: invalidInput(says, [issue]) }]
  }
  return runGuards(newRecord(creation), 'wanted', {
    writer,
    today: context.today(),
    facts: await payFacts(context),
    reveal: context.reveal,
    async findTaken(reference) {
      // People easily enter the same command twice. A script with --unique looks right before it is sent.
      const looks = context.interactive ? options.unique || !options.dryRun : options.unique && options.dryRun
      if (!verb.unique || !looks) return []
      return searchReference(context, creation, reference, options.unique ? undefined : 'Create it anyway?')
    },
    async findAlike() {
      if (options.dryRun || !verb.people) return undefined
      const { searchPerson } = await import('../find/search-person.ts')
      const isElsewhere = writer === 'form' || options.unique === true
      return searchPerson(context, creation, isElsewhere)
    },
    findWork: once(async () => {
      if (options.dryRun || !verb.workKind) return undefined
      const { searchWork } = await import('../find/search-work.ts')
      return searchWork(context, creation)
    }),
    overlapPolicy: 'doubtful',
  })
}
