import type { CallEvent } from '../api/client.ts'
import { Failure, type FailureDetails, type Outcome, outcomes } from '../errors.ts'
import type { NoteSeen } from '../write/record-write.ts'
import type { WriteRecorder } from './create-write-recorder.ts'

/** Counts what a run has written to the service so far, for when it ends early. Built from the client's events. */
export interface WriteTracker {
  readonly expect: (lookup: string) => void
  /** Sets the hint after a write whose outcome is unknown, in place of the command that looks for the record. */
  readonly advise: (hint: string) => void
  readonly onEvent: (event: CallEvent) => void
  /** By its id, what a document is called, and how somebody named its person. The history notes both. */
  readonly names: Map<string, string>
  /** Call it when the record shows what became of an unclear write, or lacks an acknowledged one. */
  readonly noteOutcome: (outcome: Outcome, record?: string) => void
  /**
   * Notes the outcome of one record of several. `earlier`: the id of the operation by which an earlier run may have
   * sent it.
   */
  readonly noteOutcomeOfRow: (outcome: Outcome, record: string | undefined, earlier?: string) => void
  /** Call it with what a record showed after its update, before the outcome of the update is noted. */
  readonly noteSeen: NoteSeen
  /** Call it before something is changed on this computer, so that a later failure does not say that nothing was. */
  readonly changedHere: () => void
  readonly hasChangedHere: () => boolean
  readonly worstWrite: () => TrackedWrite | undefined
  readonly lookupHint: () => string
  readonly describeInterruption: () => { readonly message: string; readonly details: FailureDetails }
}

interface TrackedWrite {
  readonly outcome: Outcome
  readonly method: string
  readonly path: string
}

/**
 * `tell`: tells the history of this run, if it is open. `isFirst`: it is opened for that, because an earlier run may have
 * sent the write.
 */
export function trackWrites(
  tell: (note: (recorder: WriteRecorder) => void, isFirst?: boolean) => void = () => {},
): WriteTracker {
  let lookup: string | undefined
  let advice: string | undefined
  /** The outcome of each write so far. It is unknown while the request runs. */
  const writes = new Map<symbol, TrackedWrite>()
  let applied: TrackedWrite | undefined
  let hasRead = false
  let hasChanged = false

  const worstWrite = (): TrackedWrite | undefined => {
    let mostSevere = applied
    for (const each of writes.values()) {
      if (!mostSevere || outcomes.indexOf(each.outcome) > outcomes.indexOf(mostSevere.outcome))
        mostSevere = each
    }
    return mostSevere
  }

  const lookupHint = () => advice ?? `Check the record before you run it again${lookup ? `: ${lookup}` : '.'}`

  return {
    names: new Map(),
    expect(command) {
      lookup = command
    },
    advise(hint) {
      advice = hint
    },
    onEvent(event) {
      if (event.type === 'pause') return
      const { type, call, method, path } = event
      if (method === 'GET') {
        hasRead = true
      } else if (type === 'request') {
        writes.set(call, { method, path, outcome: 'unknown' })
      } else {
        const ended = { method, path, outcome: event.outcome ?? 'unknown' }
        if (ended.outcome !== 'applied') return void writes.set(call, ended)
        // Applied writes are not kept one by one: an import makes thousands of them.
        writes.delete(call)
        applied = ended
      }
    },
    noteOutcome(outcome, record) {
      tell((history) => history.noteOutcome(outcome, record))
      // What was acknowledged last is not there.
      if (outcome === 'unknown' && applied && worstWrite() === applied)
        writes.set(Symbol(), { ...applied, outcome })
      for (const [call, write] of writes) {
        if (write.outcome !== 'unknown') continue
        if (outcome !== 'applied') writes.set(call, { ...write, outcome })
        else {
          writes.delete(call)
          applied = { ...write, outcome }
        }
      }
    },
    // An import says itself how each of its rows ended.
    noteOutcomeOfRow(outcome, record, earlier) {
      tell((history) => history.noteOutcome(outcome, record, earlier), earlier !== undefined)
    },
    noteSeen: (...seen) => tell((history) => history.noteSeen(...seen)),
    changedHere() {
      hasChanged = true
    },
    hasChangedHere: () => hasChanged,
    worstWrite,
    lookupHint,
    describeInterruption() {
      const { outcome, ...route } = worstWrite() ?? {}
      if (outcome === 'unknown') {
        return {
          message: 'Stopped while the request was under way: it may or may not have been applied.',
          details: { ...route, outcome, hint: lookupHint() },
        }
      }
      if (outcome === 'applied') {
        const message = 'Stopped. The request had been applied before that.'
        return { message, details: { ...route, outcome } }
      }
      if (outcome === undefined && hasRead && !hasChanged)
        return { message: 'Stopped. Nothing was changed.', details: { retryable: true } }
      return { message: 'Stopped.', details: { ...route, outcome: outcome ?? 'not-sent', retryable: true } }
    },
  }
}

/** An output error must not hide that a write was applied. Without a write it is returned unchanged, EPIPE too. */
export function appliedButNotPrinted(error: Error, writes: WriteTracker): Error {
  const { outcome, method = '', path = '' } = writes.worstWrite() ?? {}
  if (outcome !== 'applied' && outcome !== 'unknown') return error
  const why =
    error instanceof Failure
      ? error.message
      : `The output could not be written (${'code' in error ? error.code : error.name}).`
  const details = error instanceof Failure ? error.details : {}
  const [code, became] =
    outcome === 'applied'
      ? (['invalid-response', 'was applied, but its result could not be printed'] as const)
      : (['unknown', 'may or may not have been applied, and the result could not be printed'] as const)
  return new Failure(code, `${method} ${path} ${became}. ${why}`, {
    ...details,
    // Of a file that could not be written the hint may be to run the command again, which would write twice.
    hint: writes.lookupHint(),
    outcome,
    method,
    path,
    retryable: false,
  })
}
