import type { KindName } from './matrix.ts'

/** The exit code, and how often the operation is asked for: exactly, or at least and at most. */
type Cell = readonly [code: number, requests: number | readonly [number, number]]

export type KindOfCell = KindName

/**
 * What each fault makes of each kind of operation. Whether the service holds what was asked for is the fault's own
 * word; an Irish create is as a UK one where nothing else is said.
 */
interface Row extends Partial<Readonly<Record<KindName, Cell>>> {
  readonly faults: readonly string[]
}

/** Of one page that is asked for again when it is read again. */
const some = (most: number) => [1, most] as const

export const expectations: readonly Row[] = [
  {
    faults: [
      'reset-before-commit',
      'close-before-commit',
      'late-commit',
      'status=408',
      'status=500',
      'status=502',
      'status=503',
      'status=504',
      'status=503-seconds',
      'status=503-date',
      'status=503-past',
      'status=503-clock',
    ],
    one: [7, 3],
    list: [7, 3],
    create: [8, 1],
    update: [8, 1],
    delete: [8, 3],
  },
  {
    // What became of a write is seen when the record is looked for.
    faults: ['reset-after-commit', 'close-after-commit'],
    one: [7, 3],
    list: [7, 3],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 3],
  },
  {
    // What is gone when it is deleted again was deleted.
    faults: [
      'status=408-after-commit',
      'status=500-after-commit',
      'status=502-after-commit',
      'status=503-after-commit',
      'status=504-after-commit',
    ],
    one: [7, 3],
    list: [7, 3],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 2],
  },
  {
    // The head said yes, and the rest may say no: the record is looked for.
    faults: ['close-mid-body', 'reset-mid-body', 'short-body'],
    one: [7, 3],
    list: [7, 3],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['stall-before-commit'],
    one: [7, some(3)],
    list: [7, some(3)],
    create: [8, 1],
    update: [8, 1],
    delete: [8, some(3)],
  },
  {
    faults: ['stall-before-headers'],
    one: [7, some(3)],
    list: [7, some(3)],
    create: [0, 1],
    update: [0, 1],
    delete: [0, some(3)],
  },
  {
    faults: ['stall-mid-body', 'slow'],
    one: [7, some(3)],
    list: [7, some(3)],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['status=400', 'status=405', 'status=411', 'status=415', 'status=422'],
    one: [6, 1],
    list: [6, 1],
    create: [6, 1],
    update: [6, 1],
    delete: [6, 1],
  },
  {
    faults: ['status=401', 'status=403'],
    one: [4, 1],
    list: [4, 1],
    create: [4, 1],
    update: [4, 1],
    delete: [4, 1],
  },
  {
    // Where no record is asked for, it is the path that is not there.
    faults: ['status=404'],
    one: [5, 1],
    list: [6, 1],
    create: [6, 1],
    update: [5, 1],
    delete: [5, 1],
  },
  {
    faults: ['status=409'],
    one: [6, 1],
    list: [6, 1],
    create: [6, 1],
    update: [6, 1],
    delete: [6, 2],
  },
  {
    faults: ['status=409-after-commit'],
    one: [6, 1],
    list: [6, 1],
    create: [6, 1],
    update: [6, 1],
    delete: [0, 2],
  },
  {
    // A page is asked for in half of its size, once.
    faults: ['status=413'],
    one: [6, 1],
    list: [6, 2],
    create: [6, 1],
    update: [6, 1],
    delete: [6, 1],
  },
  {
    faults: ['status=429', 'status=429-seconds', 'status=429-date', 'status=429-past', 'status=429-clock'],
    one: [7, 3],
    list: [7, 3],
    create: [7, 3],
    update: [7, 3],
    delete: [7, 3],
  },
  {
    faults: ['status=429-absurd'],
    one: [7, 1],
    list: [7, 1],
    create: [7, 1],
    update: [7, 1],
    delete: [7, 1],
  },
  {
    faults: ['status=503-absurd'],
    one: [7, 1],
    list: [7, 1],
    create: [8, 1],
    update: [8, 1],
    delete: [8, 1],
  },
  {
    faults: ['status=204', 'no-body'],
    one: [10, 1],
    list: [10, 1],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['status=200', 'with-body'],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['status=202'],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: [
      ...['301', '302', '303', '307', '308'].flatMap((status) => [
        `redirect=${status}`,
        `redirect=${status}-path`,
      ]),
      'html',
      'status=407',
    ],
    one: [10, 1],
    list: [10, 1],
    create: [8, 1],
    update: [8, 1],
    delete: [8, 1],
  },
  {
    faults: ['redirect=303-after-commit', 'html-after-commit'],
    one: [10, 1],
    list: [10, 1],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['bad-json', 'invalid-utf8', 'deep-json', 'oversized-body', 'gzip-bomb', 'unknown-encoding'],
    one: [10, 1],
    list: [10, 1],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['truncated-json'],
    one: [10, 3],
    list: [10, 3],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: ['lone-surrogate', 'wrong-content-type', 'unknown-field', 'missing-field', 'wrong-type'],
    one: [0, 1],
    list: [0, 4],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  // The name is twice beside the total of the list.
  {
    faults: ['duplicate-keys'],
    one: [0, 1],
    list: [10, 1],
    create: [0, 1],
    update: [0, 1],
    delete: [0, 1],
  },
  {
    faults: [
      'success-false',
      'outer-success-false',
      'inner-success-false',
      'inner-success-false-before-commit',
    ],
    one: [6, 1],
    list: [6, 1],
    create: [6, 1],
    update: [6, 1],
    delete: [6, 1],
  },
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
