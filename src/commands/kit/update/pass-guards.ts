import type { WholeRecord } from '../../../api/whole-record.ts'
import { type Issue, onFailure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { firstPart, readKey } from '../../../model/natural-key.ts'
import { once } from '../../../once.ts'
import { runGuards } from '../../../write/guards.ts'
import type { Change, Stage } from '../../../write/record-write.ts'
import { answerFindings } from '../doubts.ts'
import { type ListedRecord, searchLists } from '../find/search-lists.ts'
import { type DecidedRisk, guardAtRisk } from './ask-at-risk.ts'
import type { WriteSession } from './write-session.ts'

/**
 * Asks the guards of a stage. Throws where one holds, or a question is not answered with yes. Returns the doubts. `now`: the
 * record as it was last read; `atRisk`: what it may clear, where that was decided before a form opened.
 */
export async function passGuards(
  session: WriteSession,
  change: Change,
  stage: Stage,
  {
    now = change.seen,
    atRisk,
  }: { readonly now?: WholeRecord; readonly atRisk?: DecidedRisk | undefined } = {},
): Promise<readonly Issue[]> {
  const { context, writer, verb, options } = session
  const { target } = change
  const { id: _, ...parameters } = target.parameters
  const sought = {
    ...target,
    list: target.list,
    verb,
    options,
    parameters,
    body: change.wanted,
    own: target.id,
  }
  const circumstances = {
    writer,
    today: context.today(),
    facts: await context.facts(),
    reveal: context.reveal,
    async findListed(isMeant: (item: JsonObject) => boolean) {
      const pick = ({ item }: ListedRecord) => (isMeant(item) ? item : undefined)
      return searchLists(context, target.list ? [target.list] : [], pick, { parameters }).catch(
        onFailure(() => []),
      )
    },
    isAsSeen: undefined,
    findAtRisk: () => guardAtRisk(session, change, atRisk),
    async findTaken(reference: string) {
      if (!verb.unique) return []
      const { searchReference } = await import('../find/search-reference.ts')
      return searchReference(context, sought, reference, 'Change it anyway?')
    },
    findWork: once(async () => {
      const kind = verb.workKind
      const [before, after] = [change.seen.body, change.wanted].map(
        (body) => kind && readKey(body, kind.key.request),
      )
      if (!kind || before === after) return undefined
      const { searchWork } = await import('../find/search-work.ts')
      const found = await searchWork(context, sought)
      // Where the update leaves the person as it is, only the days are new.
      const isSamePerson = firstPart(before ?? '') === firstPart(after ?? '')
      return isSamePerson ? { overlap: found?.overlap } : found
    }),
    overlapPolicy: 'doubtful' as const,
    async findAlike() {
      const { searchPerson } = await import('../find/search-person.ts')
      return searchPerson(context, sought)
    },
  }
  return answerFindings(context, options, await runGuards(change, stage, circumstances, now), session)
}
