import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { capital } from '../../text/words.ts'
import type { GuardContext, GuardFinding, NewRecord } from '../../write/record-write.ts'
import type { Creation } from '../cli/create-request.ts'

/** A record to create, as the guards take it. */
export const newRecord = ({ type, operation, parameters }: Creation, wanted: JsonObject): NewRecord => ({
  kind: 'create',
  place: { type, operation, parameters },
  wanted,
})

/** The facts with which the guards of a new record are asked. A dry run reads no list. */
export function worldOfCreation(context: Context, creation: Creation, facts: Facts): GuardContext {
  const { options, verb } = creation
  const isRead = !options.dryRun
  return {
    writer: 'create',
    today: context.today(),
    facts,
    reveal: context.reveal,
    async sameReference(reference) {
      // By hand the same command is easily given twice; in a script --unique looks.
      if (!isRead || !context.interactive || !verb.unique || options.unique) return []
      const { findTaken } = await import('./same-reference.ts')
      return findTaken(context, creation, reference, { question: 'Create it anyway?' })
    },
    async samePerson({ wanted }) {
      if (!isRead || !verb.people || options.samePerson) return []
      const { findPersonThere } = await import('./same-person.ts')
      return findPersonThere(context, creation, wanted)
    },
    async overlaps({ wanted }) {
      if (!isRead || !verb.overlaps) return []
      const { findOverlaps } = await import('./find-overlaps.ts')
      const overlaps = await findOverlaps(context, creation, wanted)
      return overlaps.map((issue) => ({ does: 'doubt', issue }))
    },
  }
}

/** After a form a list that cannot be read is a question: the answers are not lost for it. */
export function worldOfForm(context: Context, creation: Creation, facts: Facts): GuardContext {
  const { options, verb } = creation
  const { sameReference, overlaps, ...world } = worldOfCreation(context, creation, facts)
  return {
    ...world,
    writer: 'form',
    async sameReference(reference) {
      const found = (await sameReference?.(reference)) ?? []
      return found.map((each) => (each.does === 'warn' ? question(capital(each.message)) : each))
    },
    async samePerson({ wanted }) {
      if (options.dryRun || !verb.people) return []
      const { findPersonThere } = await import('./same-person.ts')
      return findPersonThere(context, creation, wanted, true).catch(asQuestion)
    },
    overlaps: async (record) => (await overlaps?.(record).catch(asQuestion)) ?? [],
  }
}

function asQuestion(error: unknown): readonly GuardFinding[] {
  if (!(error instanceof Failure) || error.details.declined) throw error
  return [question(error.message, error)]
}

function question(warning: string, otherwise = new Failure('invalid-response', warning)): GuardFinding {
  return { does: 'ask', warning, question: 'Create it anyway?', otherwise }
}
