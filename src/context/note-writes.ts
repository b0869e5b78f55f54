import { randomUUID } from 'node:crypto'
import type { CallRequest, Client } from '../api/client.ts'
import type { Reply } from '../api/outcome/interpret-response.ts'
import { outcomeSoFar } from '../api/outcome/status-failure.ts'
import type { Settings } from '../credentials/settings.ts'
import { Failure, type Outcome } from '../errors.ts'
import { isObject, type JsonObject, valueAt } from '../files/json/path.ts'
import { userName } from '../files/local/private-directory.ts'
import { daysOf, labelOf } from '../model/mapping/record-name.ts'
import { idOf, idText } from '../model/records/identity.ts'
import type { Operation } from '../model/records/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'
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
  const id = randomUUID().slice(0, 8)
  const user = userName()
  const isImport = run.command[1] === 'import'
  /** Writes whose outcome is unknown until their record is looked at, with its id and its key or reference. */
  const unclear = new Map<WriteUnderWay, readonly (string | undefined)[]>()
  /** The last update of each record that was acknowledged, and has not been seen there yet. */
  const acknowledged = new Map<string, WriteUnderWay>()
  const ending: Promise<void>[] = []
  let applied = new Set<string>()
  /** The operations by which they may have been sent: another country may have a record of the same reference. */
  const appliedBy = new Set<string>()
  const recordings: Recording[] = []
  let hasWarned = false

  const warnOnce = (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    if (!hasWarned) run.warn(`what is written now is not noted in the history. ${error.message}`)
    hasWarned = true
  }

  const recordingOf = onceForText(async (profile: string): Promise<Recording | undefined> => {
    const directory = await run.directory().catch(warnOnce)
    if (directory === undefined) return undefined
    const settings = await run.settings().catch(() => undefined)
    const mode = settings?.profiles[profile]?.history
    if (mode === 'off') return undefined
    const days = mode === undefined || mode === 'names' ? usualHistoryDays : Number(mode)
    const recording = { history: openHistory(directory, days), namesOnly: mode === 'names' }
    recordings.push(recording)
    return recording
  })

  async function begin(
    write: DescribedWrite,
    { name: profile, origin, secret }: RecordedProfile,
  ): Promise<WriteUnderWay | undefined> {
    const recording = await recordingOf(profile)
    if (!recording) return undefined
    const { history, namesOnly } = recording
    const seal = sealWith(await secret())
    const { changes, body, type, ...rest } = write
    const whose = type && body ? ownerDigestsIn(type, body, seal) : {}
    const name = type && body && !namesOnly ? (labelOf(type, body) ?? daysOf(type, body)) : undefined
    const plannedWrite: PlannedWrite = {
      user,
      run: id,
      command: run.command.join(' '),
      profile,
      origin,
      ...rest,
      reference: rest.reference ?? run.names.get(rest.record ?? ''),
      personReference: run.names.get(rest.person ?? ''),
      name,
      whose: Object.keys(whose).length > 0 ? whose : undefined,
      changes: namesOnly ? changes?.map(({ path }) => ({ path })) : changes,
      namesOnly: changes && namesOnly ? true : undefined,
    }
    // The journal of an import is on the disk before a row is sent, but it has no old values.
    const isJournalled = isImport && changes === undefined
    return history
      .begin(plannedWrite, run.now(), seal, isJournalled)
      .catch((error: unknown) => void warnOnce(error))
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

  /** Records that are settled in one turn of the event loop are looked for together. */
  async function noteApplied(): Promise<void> {
    await new Promise(setImmediate)
    const records = applied
    applied = new Set()
    const command = run.command.join(' ')
    for (const [name, origin] of run.origins) {
      if (!(await recordingOf(name))) continue
      const isEarlier = (entry: HistoryEntry) =>
        entry.profile === name &&
        entry.origin === origin &&
        entry.command === command &&
        entry.run !== id &&
        appliedBy.has(entry.operation)
      await noteRecordsApplied(await run.directory(), records, isEarlier).catch(warnOnce)
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
      if (applied.size === 0) ending.push(noteApplied())
      applied.add(record)
      appliedBy.add(earlier)
    },
    noteSeen(record, outcome, seen) {
      const unclearWrite = () => [...unclear].find(([, names]) => names.includes(record))?.[0]
      const write = acknowledged.get(record) ?? unclearWrite()
      if (write) ending.push(write.end(outcome, seen).catch(warnOnce))
    },
    async finish() {
      await Promise.all(ending.splice(0))
      for (const { history } of recordings) history.close()
    },
  }
}

const sharesName = (one: readonly (string | undefined)[], other: readonly (string | undefined)[]) =>
  one.some((name) => name !== undefined && other.includes(name))

interface Recording {
  readonly history: ReturnType<typeof openHistory>
  readonly namesOnly: boolean
}

interface DescribedWrite
  extends Pick<PlannedWrite, 'operation' | 'record' | 'reference' | 'key' | 'person' | 'changes' | 'undoes'> {
  /** The body and its type, which give the name of the person and the marks of whose record it is. */
  readonly body?: JsonObject
  readonly type?: RecordType
}

function describeWrite(
  operation: Operation,
  { parameters = {}, body, reference: ownReference, key, changes, undoes }: CallRequest = {},
): DescribedWrite {
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

function identityAt(body: JsonObject | undefined, path: string | undefined): string | undefined {
  if (!isObject(body) || path === undefined) return undefined
  return idText(valueAt(body, path))
}
