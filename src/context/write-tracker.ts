import type { CallEvent } from '../api/client.ts'
import { Failure, type FailureDetails, type Outcome } from '../errors.ts'

/** What a run has done at the service so far, for when it ends before its time. Learnt from the client's events. */
export interface WriteTracker {
  /** Hears, before a write leaves, which command shows what became of it. */
  readonly expect: (lookup: string) => void
  readonly onEvent: (event: CallEvent) => void
  /** The write of which a person must know, and what became of it; undefined where none was begun. */
  readonly write: () => TrackedWrite | undefined
  /** What to type before a write whose outcome is unknown is run again. */
  readonly lookupHint: () => string
  /** What to say when the run is stopped here. */
  readonly describeInterruption: () => { readonly message: string; readonly details: FailureDetails }
}

interface TrackedWrite {
  readonly outcome: Outcome
  readonly method: string
  readonly path: string
}

/** The later, the more a person has to know of it. */
const severity: readonly Outcome[] = ['not-sent', 'refused', 'applied', 'unknown']

export function trackWrites(): WriteTracker {
  let lookup: string | undefined
  /** Of each write what has become of it by now. What is under way is unknown. */
  const writes = new Map<symbol, TrackedWrite>()
  /** Of the writes that are over for good. */
  let applied: TrackedWrite | undefined
  /** Begun, and how many of them ended. */
  const reads = { begun: 0, ended: 0 }

  const write = (): TrackedWrite | undefined => {
    let gravest = applied
    for (const each of writes.values()) {
      if (!gravest || severity.indexOf(each.outcome) > severity.indexOf(gravest.outcome)) gravest = each
    }
    return gravest
  }

  const lookupHint = () => `Look before you run it again${lookup ? `: ${lookup}` : '.'}`

  return {
    expect(command) {
      lookup = command
    },
    onEvent(event) {
      if (event.type === 'guess' || event.type === 'pause') return
      const { type, call, method, path, isRead } = event
      if (method === 'GET' || isRead) {
        if (type === 'request') reads.begun++
        else reads.ended++
      } else if (type === 'request') {
        writes.set(call, { method, path, outcome: 'unknown' })
      } else {
        const ended = { method, path, outcome: event.outcome ?? 'unknown' }
        if (ended.outcome !== 'applied') return void writes.set(call, ended)
        // It is not sent again, and an import makes thousands of them.
        writes.delete(call)
        applied = ended
      }
    },
    write,
    lookupHint,
    describeInterruption() {
      const { outcome, ...route } = write() ?? {}
      if (outcome === 'unknown') {
        return {
          message: 'Stopped while the request was under way: it may or may not have been applied.',
          details: { ...route, outcome, hint: lookupHint() },
        }
      }
      if (outcome === 'applied') {
        return {
          message: 'Stopped. The request had been applied before that.',
          details: { ...route, outcome },
        }
      }
      if (outcome === 'refused') {
        return { message: 'Stopped. Nothing was applied.', details: { ...route, outcome, retryable: true } }
      }
      const isReading = reads.begun > reads.ended
      if (isReading)
        return { message: 'Reading was stopped; nothing was changed.', details: { retryable: true } }
      if (reads.begun > 0) return { message: 'Stopped. Nothing was changed.', details: { retryable: true } }
      return { message: 'Stopped. Nothing was sent.', details: { outcome: 'not-sent', retryable: true } }
    },
  }
}

/**
 * An answer that cannot be written does not undo what was applied, and must not hide it. Anything else stays what it
 * is: an EPIPE too, which ends a read quietly, while a write goes on to its own exit code.
 */
export function appliedButNotPrinted(error: Error, work: WriteTracker): Error {
  const { outcome, method = '', path = '' } = work.write() ?? {}
  if (outcome !== 'applied' && outcome !== 'unknown') return error
  const why =
    error instanceof Failure
      ? error.message
      : `The system refused to write it (${'code' in error ? error.code : error.name}).`
  const details = error instanceof Failure ? error.details : {}
  const [code, became] =
    outcome === 'applied'
      ? (['answer', 'was applied; only its answer could not be written'] as const)
      : (['unknown', 'may or may not have been applied, and what is known could not be written'] as const)
  return new Failure(code, `${method} ${path} ${became}. ${why}`, {
    ...(outcome === 'unknown' && { hint: work.lookupHint() }),
    ...details,
    outcome,
    method,
    path,
    retryable: false,
  })
}
