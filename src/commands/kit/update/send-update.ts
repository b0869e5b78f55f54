import type { WholeRecord } from '../../../api/whole-record.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, type Issue, onFailure } from '../../../errors.ts'
import { type JsonObject, valueAt } from '../../../files/json/path.ts'
import type { Facts } from '../../../model/facts/facts.ts'
import { maskedFields } from '../../../model/mapping/service-masks.ts'
import { firstPart, readKey } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/records/operation.ts'
import { once } from '../../../once.ts'
import { asClause } from '../../../text/words.ts'
import { runGuards, strictFailure } from '../../../write/guards.ts'
import type { HistoryEntry } from '../../../write/history/history.ts'
import { readMade } from '../../../write/history/made-values.ts'
import type {
  Change,
  ChangeWriter,
  GuardFinding,
  IsMade,
  RecordWrite,
  RowReason,
  Stage,
} from '../../../write/record-write.ts'
import { changeRecord } from '../../../write/send-write.ts'
import { assertYes } from '../confirm.ts'
import { type ListedRecord, searchLists } from '../find/search-lists.ts'
import { withRecordLock } from '../record-lock.ts'
import { notCompared, storedOtherwise } from '../show-changes.ts'
import { decideAtRisk, questionsAbout, warnAtRisk, warnShownEmpty } from './ask-at-risk.ts'
import { emptyFieldsOf } from './empty-fields.ts'
import type { DecidedRisk, WriteSession } from './write-session.ts'

/** What the guards of every stage ask of an update or an undo. */
function circumstancesOf(session: WriteSession, change: Change, facts: Facts) {
  const { context, writer, verb, options } = session
  const { target } = change
  const { id: _, ...parameters } = target.parameters
  return {
    writer,
    today: context.today(),
    facts,
    reveal: context.reveal,
    async findListed(isMeant: (item: JsonObject) => boolean) {
      const pick = ({ item }: ListedRecord) => (isMeant(item) ? item : undefined)
      return searchLists(context, target.list ? [target.list] : [], pick, { parameters }).catch(
        onFailure(() => []),
      )
    },
    isAsSeen: undefined,
    findAtRisk: (change: Change) => guardAtRisk(session, change),
    async findTaken(reference: string) {
      if (!verb.unique) return []
      const { searchReference } = await import('../find/same-reference.ts')
      const search = { ...target, verb, parameters }
      return searchReference(context, search, reference, { id: target.id, question: 'Change it anyway?' })
    },
    findWork: once(async () => {
      const { list } = target
      const kind = verb.workKind
      const [before, after] = [change.seen.body, change.wanted].map(
        (body) => kind && readKey(body, kind.key.request),
      )
      if (!kind || before === after) return undefined
      const { searchWork } = await import('../find/search-work.ts')
      const found = await searchWork(context, { kind, list, own: target.id }, change.wanted)
      // Where the update leaves the person as it is, only the days are new.
      const isSamePerson = firstPart(before ?? '') === firstPart(after ?? '')
      return isSamePerson ? { overlap: found?.overlap } : found
    }),
    overlapPolicy: 'doubtful' as const,
    async findAlike({ wanted }: RecordWrite) {
      const { searchPerson } = await import('../find/same-person.ts')
      const search = { ...target, list: target.list, verb, options, parameters }
      return searchPerson(context, search, wanted, { ofNumber: target.id })
    },
  }
}

/** Warns of what a change may clear, once for many rows, and asks about what blocks it. Holds it where nobody can be asked. */
export async function guardAtRisk(
  session: WriteSession<ChangeWriter>,
  change: Change,
): Promise<readonly GuardFinding[]> {
  const { target, seen, wanted } = change
  const isGiven = (path: string) => valueAt(wanted, path) !== undefined
  const atRisk = session.atRisk ?? (await decideAtRisk(session, change, isGiven).catch(asFailure))
  if (atRisk instanceof Failure) {
    if (atRisk.code !== 'invalid-response') throw atRisk
    return [{ does: 'hold', failure: atRisk, reasons: [rowReasonOf(atRisk)] }]
  }
  await warnAtRisk(session, target, wanted, atRisk)
  const isSection = (path: string) => seen.sectionsNotReturned.includes(path)
  return questionsAbout(atRisk.blocking.filter(({ path }) => isSection(path) || !isGiven(path)))
}

/** Why a row is held back: nothing shows whether its record has no value in a field, or the service hides it. */
function rowReasonOf({ message, details: { issues = [], hint = '' } }: Failure): RowReason {
  const cause = 'what its record came back without is empty, or the service hides it'
  return { path: issues[0]?.path ?? '', message: `${asClause(message)}. ${hint}`.trim(), cause }
}

/** Reads what the service made of what earlier updates by this operation sent to the service of this run. */
export async function madeBy(context: Context, { id }: Operation): Promise<IsMade> {
  const directory = await context.directoryIfAny()
  const { name, origin = '' } = await context.profile()
  const isMeant = (entry: HistoryEntry) =>
    entry.profile === name && entry.origin === origin && entry.operation === id
  return directory === undefined ? () => false : readMade(directory, isMeant)
}

/** Warns, before a form or an editor opens, of what the guards will ask about: it can still be entered there. */
export async function warnBeforeEditing(session: WriteSession, change: Change): Promise<DecidedRisk> {
  const { context } = session
  const { target, seen } = change
  const masked = maskedFields(target.type, seen.body)
  if (masked.length > 0) {
    context.warn(
      `the service masks these fields, so the update can be sent only if you enter them again: ${masked.join(', ')}.`,
    )
  }
  const atRisk = await decideAtRisk(session, change)
  warnShownEmpty(context, atRisk.blocking)
  await warnAtRisk(session, target, seen.body, atRisk)
  return atRisk
}

/** Asks the guards of a stage. Throws where one holds, or a question is not answered with yes. Returns the doubts. */
export async function passGuards(
  session: WriteSession,
  change: Change,
  stage: Stage,
  now = change.seen,
): Promise<readonly Issue[]> {
  const circumstances = circumstancesOf(session, change, await session.context.facts())
  return answerFindings(session, await runGuards(change, stage, circumstances, now))
}

/** Answers findings: throws the first that holds, says those that warn, and asks the questions last. */
export async function answerFindings(
  {
    context,
    options,
    said,
    beforeAsking = () => {},
  }: Pick<WriteSession, 'context' | 'options' | 'said' | 'beforeAsking'>,
  findings: readonly GuardFinding[],
): Promise<readonly Issue[]> {
  const doubts = findings.flatMap((finding) => (finding.does === 'doubt' ? [finding.issue] : []))
  if (options.strict && doubts.length > 0) throw strictFailure(doubts)
  for (const finding of findings) {
    if (finding.does === 'hold') throw finding.failure
    if (finding.does !== 'warn') continue
    if (finding.topic === undefined || !said.has(finding.topic)) context.warn(finding.message)
    if (finding.topic !== undefined) said.add(finding.topic)
  }
  const asks = findings.filter((finding): finding is GuardFinding & { does: 'ask' } => finding.does === 'ask')
  const [first] = asks
  if (first && !context.interactive) throw first.otherwise
  if (first) beforeAsking()
  for (const { warning } of asks) context.warn(warning)
  for (const { question } of options.dryRun ? [] : asks) await assertYes(context, question, 'Stopped.')
  return doubts
}

/**
 * Changes a record, and reports what the service made of it. Returns the record as it is now, if it can be shown.
 * `name`: set where it is one of many.
 */
export async function changeAndReport(
  session: WriteSession,
  change: Change,
  name?: string,
): Promise<JsonObject | undefined> {
  const { context, said } = session
  const { target } = change
  context.writes.expect(await target.lookUpCommand())
  const sender = {
    client: await context.client(),
    sleep: context.host.sleep,
    recheck: async (now: WholeRecord) => void (await passGuards(session, change, 'read again', now)),
    onOutcome: context.writes.noteOutcome,
    noteSeen: context.writes.noteSeen,
    knowledge: await context.knowledge(),
    emptyFields: await emptyFieldsOf(context),
    reveal: context.reveal,
  }
  // Two runs of this computer that both read before either sends would lose the change of one of them.
  const result = await withRecordLock(context, target.id, () => changeRecord(change, sender))
  const { stored, remark, record } = result
  if (remark !== undefined) context.remark(remark)
  if (!stored) return record
  for (const [heading, ...lines] of storedOtherwise(context, target.type, stored))
    for (const line of [name === undefined ? heading : `${name}: ${heading}`, ...lines]) context.warn(line)
  const hidden = notCompared(stored)
  if (hidden !== undefined && !said.has(hidden)) context.note(hidden)
  if (hidden !== undefined) said.add(hidden)
  return record
}
