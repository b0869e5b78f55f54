import type { WholeRecord } from '../../../api/whole-record.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, type Issue, onFailure } from '../../../errors.ts'
import { type JsonObject, valueAt } from '../../../files/json/path.ts'
import type { Facts } from '../../../model/facts/facts.ts'
import { maskedFields } from '../../../model/mapping/service-masks.ts'
import { asClause } from '../../../text/words.ts'
import { findingsOf } from '../../../write/guards.ts'
import type {
  Change,
  GuardContext,
  GuardFinding,
  RowReason,
  Stage,
  Writer,
} from '../../../write/record-write.ts'
import { changeOne } from '../../../write/send.ts'
import type { Options } from '../../cli/options.ts'
import { chooseOperation, type Target } from '../../cli/target.ts'
import { expectWrite } from '../command-line.ts'
import { assertYes } from '../confirm.ts'
import { assertNoDoubts } from '../doubts.ts'
import { searchLists } from '../find/search-lists.ts'
import { withRecordLock } from '../record-lock.ts'
import { notCompared, storedOtherwise } from '../show-changes.ts'
import {
  type DecidedParts,
  decideMissingParts,
  lostFindings,
  warnOfLosses,
  warnOfMissing,
  warnOfSections,
  warnOfUnshown,
} from './missing-fields.ts'
import type { UpdatePlan } from './update-plan.ts'

/** What the guards of a change need, and how a person is asked. */
export interface Asking {
  readonly writer: Writer
  readonly plan: UpdatePlan
  readonly list: Target | undefined
  readonly options: Options
  /** Whether such records have a reference of their own. */
  readonly isUnique?: boolean
  /** Topics that were already warned of, so that a run of many records warns once. */
  readonly said: Set<string>
  readonly whyUnplanned?: GuardContext['whyUnplanned']
  readonly beforeAsking?: (() => void) | undefined
  /** The missing fields that were found before a form opened. */
  readonly missingParts?: DecidedParts
}

function worldOfChange(asking: Asking, facts: Facts): GuardContext {
  const { writer, plan, list, options, isUnique, whyUnplanned } = asking
  const { context } = plan
  const { id: _, ...parameters } = plan.parameters
  return {
    writer,
    today: context.today(),
    facts,
    reveal: context.reveal,
    whyUnplanned,
    async findListed(isMeant) {
      const lists = list ? [{ operation: chooseOperation(list, options) }] : []
      const found = await searchLists(context, lists, ({ item }) => isMeant(item), { parameters }).catch(
        onFailure(() => []),
      )
      return found.map(({ item }) => item)
    },
    findLost: (write) => findLost(asking, write),
    async findTaken(reference) {
      if (!isUnique) return []
      const { findTaken } = await import('../create/same-reference.ts')
      const question = 'Change it anyway?'
      return findTaken(context, { ...plan, list, parameters }, reference, { id: plan.id, question })
    },
  }
}

/**
 * Warns of what a change may lose, once for many rows. Gives a question for each such field; where the missing parts
 * cannot be decided, the record is held back.
 */
export async function findLost(
  asking: Asking,
  { seen, wanted }: Pick<Change, 'seen' | 'wanted'>,
): Promise<readonly GuardFinding[]> {
  const { writer, plan, missingParts, said } = asking
  const isOfMany = writer === 'import update'
  const isGiven = (path: string) => valueAt(wanted, path.split('.')) !== undefined
  const missing = missingParts ?? (await decideMissingParts(asking, seen, isGiven).catch(asFailure))
  if (missing instanceof Failure) {
    if (missing.code !== 'invalid-response') throw missing
    return [{ does: 'hold', failure: missing, reason: rowReasonOf(missing) }]
  }
  if (!said.has('losses') && (await warnOfLosses(plan, wanted))) said.add('losses')
  if (!isOfMany) warnOfSections(plan, seen, wanted, missing.none)
  if (!missingParts && !said.has('unshown')) warnOfUnshown(plan, missing.unshown)
  if (isOfMany && missing.unshown.length > 0) said.add('unshown')
  return lostFindings(missing.stopping.filter(({ path }) => seen.absent.includes(path) || !isGiven(path)))
}

/** Why a row is held back: nothing shows whether its record has no value in a field, or the service hides it. */
function rowReasonOf({ message, details: { issues = [], hint = '' } }: Failure): RowReason {
  const cause = 'what its record came back without is empty, or the service hides it'
  return { path: issues[0]?.path ?? '', message: `${asClause(message)}. ${hint}`.trim(), cause }
}

/**
 * Warns, before a form or an editor opens, of what the guards will ask about, because it can still be entered there.
 */
export async function warnBeforeEditing(
  asking: Asking,
  { seen }: Pick<Change, 'seen'>,
): Promise<DecidedParts> {
  const { plan } = asking
  const masked = maskedFields(plan.type, seen.body)
  if (masked.length > 0) {
    plan.context.warn(
      `the service masks these fields, so the update can be sent only if you enter them again: ${masked.join(', ')}.`,
    )
  }
  const missing = await decideMissingParts(asking, seen)
  warnOfMissing(plan, missing.stopping)
  warnOfUnshown(plan, missing.unshown)
  return missing
}

/** Asks the guards of a stage. Throws where one holds, or a question is not answered with yes. Returns the doubts. */
export async function passGuards(
  write: Change,
  stage: Stage,
  asking: Asking,
  now = write.seen,
): Promise<readonly Issue[]> {
  const found = await findingsOf(write, stage, worldOfChange(asking, await asking.plan.context.facts()), now)
  return answerFindings(asking.plan.context, found, asking)
}

/** Answers findings: throws the first that holds, says those that warn, and asks the questions last. */
export async function answerFindings(
  context: Context,
  found: readonly GuardFinding[],
  { options, said, beforeAsking = () => {} }: Pick<Asking, 'options' | 'said' | 'beforeAsking'>,
): Promise<readonly Issue[]> {
  const doubts = found.flatMap((finding) => (finding.does === 'doubt' ? [finding.issue] : []))
  assertNoDoubts(doubts, options)
  for (const finding of found) {
    if (finding.does === 'hold') throw finding.failure
    if (finding.does !== 'warn') continue
    if (finding.topic === undefined || !said.has(finding.topic)) context.warn(finding.message)
    if (finding.topic !== undefined) said.add(finding.topic)
  }
  const asks = found.filter((finding): finding is GuardFinding & { does: 'ask' } => finding.does === 'ask')
  const [first] = asks
  if (first && !context.interactive) throw first.otherwise
  if (first) beforeAsking()
  for (const { warning } of asks) context.warn(warning)
  for (const { question } of options.dryRun ? [] : asks) await assertYes(context, question, 'Stopped.')
  return doubts
}

/**
 * Sends a change once, and reports what the service made of it. Returns the record as it is now, if it can be shown.
 */
export async function sendAndReport(write: Change, asking: Asking): Promise<JsonObject | undefined> {
  const { plan } = asking
  const { context } = plan
  await expectWrite(context, plan)
  const sender = {
    client: await context.client(),
    passAgain: async (now: WholeRecord) => void (await passGuards(write, 'read again', asking, now)),
    onOutcome: context.writes.noteOutcome,
    knowledge: await context.knowledge(),
    reveal: context.reveal,
  }
  // Two runs of this computer that both read before either sends would lose the change of one of them.
  const changed = await withRecordLock(context, plan.id, () => changeOne(write, sender))
  const { stored, remark, record } = changed
  if (remark !== undefined) context.remark(remark)
  if (!stored) return record
  for (const line of storedOtherwise(context, plan.type, stored).flat()) context.warn(line)
  const hidden = notCompared(stored)
  if (hidden !== undefined) context.note(hidden)
  return record
}
