import type { Context } from '../../context/context.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { describeRecord } from '../../model/mapping/record-name.ts'
import { findingsOf } from '../../write/guards.ts'
import type { World } from '../../write/record-write.ts'
import { type Creation, creationOf } from '../cli/create-request.ts'
import type { Options } from '../cli/options.ts'
import type { CreateVerb } from '../cli/resource-verbs.ts'
import type { Target } from '../cli/target.ts'
import { confirmWrite, mustAsk, requireWritable } from './confirm.ts'
import { reportCreated, sendCreate } from './create-send.ts'
import { sayDoubts } from './doubts.ts'
import { dryRun } from './dry-run.ts'
import { assertFormOptions, givenBody, wantsForm, withCorrection } from './input.ts'
import { ownReference } from './same-reference.ts'
import { answerFindings } from './write-record.ts'

/** Creates one record, from the form or from the input, and shows what the service returned. */
export async function runCreate(
  context: Context,
  { verb, list }: { readonly verb: CreateVerb; readonly list?: Target | undefined },
  options: Options,
): Promise<void> {
  const creation = creationOf(verb, options, list)
  const { operation, type, parameters } = creation
  const mayAsk = wantsForm(context, options)
  assertFormOptions(options, mayAsk && !verb.asks)
  // A missing key is reported before the form, not after it.
  await context.client()
  if (!options.dryRun) await requireWritable(context)
  const given = await verb.from?.(context, options)
  const asked = !given && mayAsk && options.from === undefined ? await verb.asks?.(context) : undefined
  const made = given ?? asked
  const template = made ?? (options.from === undefined ? undefined : await copied())
  if (!made && mayAsk) {
    const { createByForm } = await import('./create-by-form.ts')
    return createByForm(context, creation, template)
  }
  const { body, remarks } = await givenBody(context, type, options, template)
  if (options.unique) {
    const { assertUnique } = await import('./same-reference.ts')
    await assertUnique(context, creation, body)
  }
  const record = { kind: 'create', place: { type, operation, parameters }, wanted: body } as const
  const found = await findingsOf(record, 'wanted', worldOf(context, creation, await context.facts()))
  // A date that was read with the day first, or with a century in front, is a doubt to whoever typed it.
  const doubts = [...remarks, ...(await answerFindings(context, found, { options }))]
  if (options.dryRun) return dryRun(context, operation, { parameters, body }, remarks)
  const what = `create ${type.displayName}`
  const when = (await sayDoubts(context, type, doubts)) ?? (asked && 'always')
  // The question names the person; without a question no request is sent to find the name.
  const isAsked = await mustAsk(context, what, when)
  const named = isAsked ? await verb.describe?.(context, body, options) : undefined
  const reference = ownReference(creation, body)
  const whom = reference === undefined ? undefined : describeRecord(type, body, reference)
  const isNamed = whom !== undefined && !whom.startsWith(type.displayName)
  await confirmWrite(context, named ?? (isNamed ? `create ${whom}, ${type.displayName},` : what), when)
  const created = await sendCreate(context, creation, body).catch((error: unknown) => {
    // The file of a document is no record.
    throw withCorrection(error, given ? {} : options, reference)
  })
  await reportCreated(context, creation, body, created, { doubts })

  async function copied() {
    const { copyFrom } = await import('./create-from.ts')
    return copyFrom(context, creation, list)
  }
}

/** What the guards of a new record are asked with. A dry run reads no list. */
function worldOf(context: Context, creation: Creation, facts: Facts): World {
  const { options, verb } = creation
  const isRead = !options.dryRun
  return {
    today: context.today(),
    facts,
    reveal: context.reveal,
    asksForBank: false,
    lost: async () => [],
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
