import { randomUUID } from 'node:crypto'
import type { CallRequest, Client } from '../api/client.ts'
import type { Reply } from '../api/outcome/interpret-response.ts'
import { outcomeSoFar } from '../api/outcome/status-failure.ts'
import type { Settings } from '../credentials/settings.ts'
import { Failure, type Outcome } from '../errors.ts'
import { type JsonObject, valueAt } from '../files/json/path.ts'
import { userName } from '../files/local/private-directory.ts'
import { daysOf, labelOf } from '../model/mapping/record-name.ts'
import { idOf, idText } from '../model/records/identity.ts'
import type { Operation } from '../model/records/operation.ts'
import { operations } from '../model/resources/operations.ts'
import { onceForText } from '../once.ts'
import {
  type HistoryEntry,
  noteRecordsApplied,
  openHistory,
  type PlannedWrite,
  usualHistoryDays,
  type WriteUnderWay,
} from '../write/history/history.ts'
import { sealWith } from '../write/history/seal.ts'
import { ownerDigestsIn } from '../write/owner-signs.ts'
import type { NoteSeen } from '../write/record-write.ts'

/** The parts of a run that the history needs. */
export interface RecordingRun {
  readonly now: () => number
  readonly directory: () => Promise<string>
  readonly settings: () => Promise<Settings>
  readonly command: readonly string[]
  readonly warn: (text: string) => void
  readonly origins: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

interface RecordedProfile {
  readonly name: string
  readonly origin: string
  readonly secret: () => Promise<string | undefined>
}

export interface WriteRecorder {
  /** Sends writes by a client, and notes each in the history of this computer: before it is sent, and after. */
  recorded(client: Client, profile: RecordedProfile): Pick<Client, 'call'>
  /**
   * Notes what the record shows of unclear writes: of all, or of those of one record, by its id, key or reference.
   * `earlier`: the id of the operation by which a run of this command that was killed may have sent it.
   */
  noteOutcome(outcome: Outcome, record?: string, earlier?: string): void
  /** Notes what a record showed after an update. Call it before the outcome is noted. */
  readonly noteSeen: NoteSeen
  finish(): Promise<void>
}

/** Notes writes. One that cannot be noted is sent anyway, with one warning: people are paid also when the disk is full. */
export function createWriteRecorder(run: RecordingRun): WriteRecorder {
  const thisRun = { user: userName(), run: randomUUID().slice(0, 8), command: run.command.join(' ') }
  /** Writes whose outcome is unknown until their record is looked at, with its id and its key or reference. */
  const unclear = new Map<WriteUnderWay, readonly (string | undefined)[]>()
  /** The last update of each record that was acknowledged, and has not been seen there yet. */
  const acknowledged = new Map<string, WriteUnderWay>()
  const ending: Promise<void>[] = []
  let hasWarned = false

  const warnOnce = (error: unknown): undefined => {
    if (!(error instanceof Failure)) throw error
    if (!hasWarned) run.warn(`what is written now is not noted in the history. ${error.message}`)
    hasWarned = true
  }

  const histories = openHistories(run, warnOnce)
  const noteEarlier = earlierWritesOf(run, thisRun, histories.of, warnOnce)

  async function begin(write: DescribedWrite, profile: RecordedProfile): Promise<WriteUnderWay | undefined> {
    const opened = await histories.of(profile.name)
    if (!opened) return undefined
    const seal = sealWith(await profile.secret())
    const plannedWrite = { ...thisRun, ...planWrite(write, profile, run.names, opened.namesOnly, seal) }
    // The journal of an import is on the disk before a row is sent, but it has no old values.
    const isJournalled = run.command[1] === 'import' && write.changes === undefined
    return opened.history.begin(plannedWrite, run.now(), seal, isJournalled).catch(warnOnce)
  }

  async function note(
    operation: Operation,
    request: CallRequest | undefined,
    profile: RecordedProfile,
    send: () => Promise<Reply>,
  ): Promise<Reply> {
    const write = describeWrite(operation, request)
    const underWay = await begin(write, profile)
    if (!underWay) return send()
    const names = [write.record, write.key ?? write.reference]
    // The record is sent once more: what is seen afterwards is the outcome of this write.
    for (const [each, of] of unclear) if (sharesName(names, of)) unclear.delete(each)
    const end = (outcome: Outcome, record?: string) =>
      void ending.push(underWay.end(outcome, record === undefined ? {} : { record }).catch(warnOnce))
    try {
      const answer = await send()
      end('applied', write.record === undefined ? idOf(answer.record ?? answer.body) : undefined)
      if (write.changes && write.record !== undefined) acknowledged.set(write.record, underWay)
      return answer
    } catch (error) {
      const outcome = (error instanceof Failure && outcomeSoFar(operation, error)) || 'unknown'
      if (outcome === 'unknown') unclear.set(underWay, names)
      end(outcome)
      throw error
    }
  }

  return {
    recorded: (client, profile) => ({
      call(operation, request) {
        const send = () => client.call(operation, request)
        // A sign-in writes no record.
        const writesNone = operation.id === operations.auth.token.id
        return writesNone ? send() : note(operation, request, profile, send)
      },
    }),
    noteOutcome(outcome, record, earlier) {
      let isOurs = false
      if (record !== undefined) {
        const write = acknowledged.get(record)
        acknowledged.delete(record)
        if (write && outcome === 'unknown') unclear.set(write, [record])
      }
      for (const [each, names] of unclear) {
        if (record !== undefined && !names.includes(record)) continue
        ending.push(each.end(outcome).catch(warnOnce))
        if (outcome !== 'unknown') unclear.delete(each)
        isOurs = true
      }
      if (earlier === undefined || outcome !== 'applied' || isOurs || record === undefined) return
      ending.push(noteEarlier(record, earlier))
    },
    noteSeen(record, outcome, seen) {
      const unclearWrite = () => [...unclear].find(([, names]) => names.includes(record))?.[0]
      const write = acknowledged.get(record) ?? unclearWrite()
      if (write) ending.push(write.end(outcome, seen).catch(warnOnce))
    },
    async finish() {
      await Promise.all(ending.splice(0))
      histories.close()
    },
  }
}

const sharesName = (one: readonly (string | undefined)[], other: readonly (string | undefined)[]) =>
  one.some((name) => name !== undefined && other.includes(name))

/** Opens the history for each profile, as its settings say; none where they say `off`. */
function openHistories({ directory, settings }: RecordingRun, warnOnce: (error: unknown) => undefined) {
  const opened: ReturnType<typeof openHistory>[] = []
  return {
    of: onceForText(async (profile: string) => {
      const place = await directory().catch(warnOnce)
      if (place === undefined) return undefined
      const mode = (await settings().catch(() => undefined))?.profiles[profile]?.history
      if (mode === 'off') return undefined
      const days = mode === undefined || mode === 'names' ? usualHistoryDays : Number(mode)
      const history = openHistory(place, days)
      opened.push(history)
      return { history, namesOnly: mode === 'names' }
    }),
    close() {
      for (const history of opened) history.close()
    },
  }
}

/** Notes that a write of an earlier run of this command was applied. */
function earlierWritesOf(
  { origins, directory }: RecordingRun,
  thisRun: Pick<HistoryEntry, 'run' | 'command'>,
  historyOf: ReturnType<typeof openHistories>['of'],
  warnOnce: (error: unknown) => undefined,
): (record: string, operation: string) => Promise<void> {
  let applied = new Set<string>()
  /** The operations by which they may have been sent: another country may have a record of the same reference. */
  const appliedBy = new Set<string>()
  return async (record, operation) => {
    const isFirst = applied.size === 0
    applied.add(record)
    appliedBy.add(operation)
    // Records that are settled in one turn of the event loop are looked for together.
    if (!isFirst) return
    await new Promise(setImmediate)
    const records = applied
    applied = new Set()
    for (const [name, origin] of origins) {
      if (!(await historyOf(name))) continue
      const isEarlier = (entry: HistoryEntry) =>
        entry.profile === name &&
        entry.origin === origin &&
        entry.command === thisRun.command &&
        entry.run !== thisRun.run &&
        appliedBy.has(entry.operation)
      await noteRecordsApplied(await directory(), records, isEarlier).catch(warnOnce)
    }
  }
}

/** The entry of a write before it is sent, by what the profile lets the history know. */
function planWrite(
  { changes, body, type, ...rest }: DescribedWrite,
  { name: profile, origin }: RecordedProfile,
  names: RecordingRun['names'],
  namesOnly: boolean,
  seal: ReturnType<typeof sealWith>,
): Omit<PlannedWrite, 'user' | 'run' | 'command'> {
  const whose = type && body ? ownerDigestsIn(type, body, seal) : {}
  return {
    profile,
    origin,
    ...rest,
    reference: rest.reference ?? names.get(rest.record ?? ''),
    personReference: names.get(rest.person ?? ''),
    name: type && body && !namesOnly ? (labelOf(type, body) ?? daysOf(type, body)) : undefined,
    whose: Object.keys(whose).length > 0 ? whose : undefined,
    changes: namesOnly ? changes?.map(({ path }) => ({ path })) : changes,
    namesOnly: changes && namesOnly ? true : undefined,
  }
}

type DescribedWrite = ReturnType<typeof describeWrite>

/** What a request writes. The body and its type give the name of the person and the marks of whose record it is. */
function describeWrite(
  operation: Operation,
  { parameters = {}, body, reference: ownReference, key, changes, undoes }: CallRequest = {},
) {
  const { id, requestRecord, group, method, path } = operation
  const { id: record, employeeId } = parameters
  const reference = ownReference ?? identityAt(body, requestRecord?.reference)
  const namesNobodyElse =
    requestRecord?.documented && !Object.hasOwn(requestRecord.fields, 'subcontractorRef')
  const person = namesNobodyElse ? employeeId : (identityAt(body, 'subcontractorRef') ?? employeeId)
  return {
    operation: group === 'api' ? `${method} ${path}` : id,
    record,
    reference,
    key,
    person,
    changes: changes?.map(({ path, before, after }) => ({ path, from: before, to: after })),
    undoes,
    ...(body && requestRecord && { body, type: requestRecord }),
  }
}

const identityAt = (body: JsonObject | undefined, path: string | undefined) =>
  path === undefined ? undefined : idText(valueAt(body, path))
