import type { KindName } from './matrix.ts'

/** The exit code, and how often the operation is asked for: exactly, or at least and at most. */
type Cell = readonly [code: number, requests: number | readonly [number, number]]

/**
 * What each fault makes of the operations that read, of those that write, and of those that differ from these. Whether the
 * service holds what was asked for is the fault's own word.
 */
interface Row extends Partial<Readonly<Record<KindName | 'read' | 'write', Cell>>> {
  readonly faults: readonly string[]
}

/** Undefined where the fault cannot happen to operations of this kind. */
export const cellOf = (row: Row, kind: KindName): Cell | undefined =>
  row[kind] ?? row[kind === 'one' || kind === 'list' ? 'read' : 'write']

/** Of one page that is asked for again when it is read again. */
const some = (most: number) => [1, most] as const

/** Of a read that is tried again for half a minute. */
const forATime = [2, 100] as const

export const expectations: readonly Row[] = [
  {
    faults: [
      ...['reset-before-commit', 'close-before-commit', 'late-commit', 'status=408', 'status=500'],
      ...['status=502', 'status=503', 'status=504', 'status=503-seconds', 'status=503-date'],
      ...['status=503-past', 'status=503-clock'],
    ],
    read: [7, forATime],
    write: [8, 1],
    delete: [8, 3],
  },
  // What became of a write is seen when the record is looked for.
  {
    faults: ['reset-after-commit', 'close-after-commit'],
    read: [7, forATime],
    write: [0, 1],
    delete: [0, 3],
  },
  // What is gone when it is deleted again was deleted.
  {
    faults: [408, 500, 502, 503, 504].map((status) => `status=${status}-after-commit`),
    read: [7, forATime],
    write: [0, 1],
    delete: [0, 2],
  },
  // The head said yes, and the rest may say no: the record is looked for.
  { faults: ['close-mid-body', 'reset-mid-body', 'short-body'], read: [7, forATime], write: [0, 1] },
  { faults: ['stall-before-commit'], read: [7, some(100)], write: [8, 1], delete: [8, some(3)] },
  { faults: ['stall-before-headers'], read: [7, some(100)], write: [0, 1], delete: [0, some(3)] },
  { faults: ['stall-mid-body', 'slow'], read: [7, some(100)], write: [0, 1] },
  {
    faults: ['status=400', 'status=405', 'status=411', 'status=415', 'status=422'],
    read: [6, 1],
    write: [6, 1],
  },
  { faults: ['status=401', 'status=403'], read: [4, 1], write: [4, 1] },
  // Where no record is asked for, it is the path that is not there.
  { faults: ['status=404'], read: [5, 1], list: [6, 1], write: [6, 1], update: [5, 1], delete: [5, 1] },
  { faults: ['status=409'], read: [6, 1], write: [6, 1], delete: [6, 2] },
  { faults: ['status=409-after-commit'], read: [6, 1], write: [0, 1], delete: [0, 2] },
  // A page is asked for in half of its size, once.
  { faults: ['status=413'], read: [6, 1], list: [6, 2], write: [6, 1] },
  {
    faults: ['status=429', 'status=429-seconds', 'status=429-date', 'status=429-past', 'status=429-clock'],
    read: [7, forATime],
    write: [7, 3],
  },
  { faults: ['status=429-absurd'], read: [7, 1], write: [7, 1] },
  { faults: ['status=503-absurd'], read: [7, 1], write: [8, 1] },
  { faults: ['status=204', 'no-body'], read: [10, 1], write: [0, 1] },
  { faults: ['status=200', 'with-body'], write: [0, 1] },
  { faults: ['status=202'], write: [0, 1] },
  {
    faults: [
      ...['301', '302', '303', '307', '308'].flatMap((status) => [
        `redirect=${status}`,
        `redirect=${status}-path`,
      ]),
      'html',
      'status=407',
    ],
    read: [10, 1],
    write: [8, 1],
  },
  { faults: ['redirect=303-after-commit', 'html-after-commit'], read: [10, 1], write: [0, 1] },
  {
    faults: ['bad-json', 'invalid-utf8', 'deep-json', 'oversized-body', 'gzip-bomb', 'unknown-encoding'],
    read: [10, 1],
    write: [0, 1],
  },
  { faults: ['truncated-json'], read: [10, forATime], write: [0, 1] },
  {
    faults: ['lone-surrogate', 'wrong-content-type', 'unknown-field', 'missing-field', 'wrong-type'],
    read: [0, 1],
    list: [0, 4],
    write: [0, 1],
  },
  // The name is twice beside the total of the list.
  { faults: ['duplicate-keys'], read: [0, 1], list: [10, 1], write: [0, 1] },
  {
    faults: ['success-false', 'inner-success-false-before-commit'],
    read: [6, 1],
    write: [6, 1],
  },
  // What was done is seen when the record is looked for.
  { faults: ['outer-success-false', 'inner-success-false'], read: [6, 1], write: [0, 1] },
  { faults: ['total-missing', 'total-negative', 'total-string', 'total-huge'], list: [10, 1] },
  { faults: ['empty-page', 'repeated-page'], list: [10, [2, 3]] },
  // Read twice, because the total changed. A third page may have been asked for by then.
  { faults: ['total-growing', 'total-shrinking'], list: [10, [4, 6]] },
  // Read twice, and short each time; a fourth page is asked for.
  { faults: ['duplicate-ids'], list: [10, [6, 8]] },
  // The first page is asked for again at the end.
  { faults: ['size-ignored'], list: [0, 14] },
  { faults: ['size-exceeded'], list: [0, 4] },
]
