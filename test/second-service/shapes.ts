import type { Kind } from './store.ts'

/**
 * A liberty that the page leaves to a service, or a way of going wrong that it does not exclude. What a shape
 * does not say is done as documented; and a PUT always replaces the record whole, the harshest reading.
 */
export interface Shape {
  readonly name: string
  /** It concerns candidates only. */
  readonly candidates?: true
  /** How a record is laid out. */
  readonly form?: 'request' | 'flat-with-request-sections' | 'general-with-bank-and-setting' | 'no-bank'
  /** What is around one record. */
  readonly wrap?: 'bare' | 'deeper'
  readonly list?: {
    readonly summary?: true
    readonly items?: true
    /** A new record is in no list before this many lists were asked for since it was made. */
    readonly lag?: number
    readonly shortReferences?: true
    /** The last record is counted, and is on no page. */
    readonly cutShort?: true
    /** Whatever size is asked for. */
    readonly pageOf?: number
    /** When the first of its pages was answered, its first record goes to the end: once, or each time. */
    readonly moves?: 'once' | 'each time'
  }
  readonly ids?: 'numeric' | 'long'
  /** The commands are typed without the last character of the id: nothing has that id, and one record's begins so. */
  readonly typedShort?: true
  /** The reference of each record is the id of the next. */
  readonly referencesAreIds?: true
  readonly numbersAsText?: true
  readonly masked?: true
  /** What every sensitive value is shown as. */
  readonly maskedAs?: string
  /** What is left out of a record although the service holds it; of lists as well, unless they show it. */
  readonly leavesOut?: { readonly names: readonly string[]; readonly listsShow?: true }
  /** What the record does not have that the commands are about; what is empty is left out. */
  readonly lacks?: readonly string[]
  /** What a single record calls its id: a name, that of its kind (`candidateId`), or nothing. */
  readonly idAs?: string | 'kind' | 'nothing'
  /** A PUT without If-Match is refused (428), and one with a stale ETag (412). */
  readonly etags?: true
  /** Weak ones, which no If-Match can name. */
  readonly weakEtags?: true
  /** A colleague changes the record as soon as it was read once. */
  readonly colleague?: true
  /** What the answer leaves out although the service holds it. */
  readonly hides?: readonly string[]
  /** With status 200, where the request was not carried out; with `carriedOut` it was. */
  readonly errorBody?: {
    readonly body?: unknown
    /** What is sent instead of the body as JSON. */
    readonly text?: string | Uint8Array
    readonly carriedOut?: true
  }
  /** A connection is reset a few milliseconds after each answer on it, when the next request may have left. */
  readonly resetsIdle?: true
  /** It concerns commands that write only, and of one record one update: they are answered alike. */
  readonly writesAlone?: true
  /**
   * One of many that are told apart in one place, whatever the command: a third of the commands meet it, and the others
   * its neighbours. So each command meets every third of them, and each of them several commands.
   */
  readonly oneOfMany?: true
  /** 202, and nothing happens while the command runs. */
  readonly queued?: true
  /** GET of one record, or a create, answers another record. */
  readonly answersAnother?: true
  /** PUT is carried out on another record, which it answers. */
  readonly putsAnother?: true
  readonly ignoresPut?: true
  /** 204, or 200 without a record. */
  readonly putAnswers?: 'nothing' | 'success alone'
}

const hiddenByTheIrishAnswer = ['scheme', 'reference', 'holidayPayOpeningBalance']

const account = ['accountNumber', 'sortCode']
const identity = ['NINumber', 'ppsNumber', 'DOB']
const terms = ['email', 'hours', 'taxBasis']

/** Bodies that say what is wrong, beside status 200. All the words for it are in test/api/outcome. */
const complaints = {
  'error.message': { error: { message: 'NI number already used' } },
  'status 400': { status: 400, message: 'not now' },
}

/** Bodies that say yes, and cannot be read whole, or can be read in two ways. */
const damaged = {
  'its end is missing': '{"success":true,"message":"Stor',
  'success twice': '{"success":false,"success":true}',
}

export const shapes: readonly Shape[] = [
  { name: 'everything as documented' },
  { name: 'a record under the names of the request', form: 'request' },
  {
    name: 'a flat record with bankSetting and payrollSetting',
    candidates: true,
    form: 'flat-with-request-sections',
  },
  { name: 'generalSetting beside bank and setting', candidates: true, form: 'general-with-bank-and-setting' },
  { name: 'a record one level deeper', wrap: 'deeper' },
  { name: 'a record without an envelope', wrap: 'bare' },
  { name: 'lists of summaries', candidates: true, list: { summary: true } },
  { name: 'ids that are long numbers', ids: 'numeric' },
  { name: 'ids of which the beginning is typed', ids: 'long', typedShort: true },
  { name: 'references that are ids of others', referencesAreIds: true },
  { name: 'ETags that a PUT must name', etags: true },
  { name: 'weak ETags', weakEtags: true },
  { name: 'ETags, and a colleague who was quicker', etags: true, colleague: true },
  { name: 'a list that shows new records late', list: { lag: 3 } },
  { name: 'a list that hides new records', list: { lag: Number.POSITIVE_INFINITY } },
  { name: 'masked values', candidates: true, masked: true },
  { name: 'masked values: HIDDEN', candidates: true, maskedAs: 'HIDDEN' },
  { name: 'hidden account numbers', candidates: true, leavesOut: { names: account } },
  {
    name: 'account numbers hidden in records alone',
    candidates: true,
    leavesOut: { names: account, listsShow: true },
  },
  { name: 'hidden NI and PPS numbers and birth dates', candidates: true, leavesOut: { names: identity } },
  { name: 'hidden terms of pay', candidates: true, leavesOut: { names: terms } },
  { name: 'hidden surnames', candidates: true, leavesOut: { names: ['surname'] } },
  { name: 'a person without e-mail, hours and tax basis', candidates: true, lacks: terms },
  { name: 'a person who has no account', candidates: true, lacks: account },
  { name: 'a person without a number or a birth date', candidates: true, lacks: identity },
  {
    name: 'lists of summaries, and a person who has no account',
    candidates: true,
    lacks: account,
    list: { summary: true },
  },
  ...['kind', 'nothing'].map((idAs) => ({
    name: `another record than the one asked for, with its id as ${idAs}`,
    answersAnother: true as const,
    idAs,
    oneOfMany: true as const,
  })),
  { name: 'records that show no id', idAs: 'nothing', putAnswers: 'nothing' },
  ...Object.entries(complaints).map(([what, body]) => ({
    name: `200 with ${what}`,
    errorBody: { body },
    oneOfMany: true as const,
  })),
  {
    name: 'a plain no',
    errorBody: { body: { error: { message: 'NI number already used' } } },
    writesAlone: true,
  },
  ...Object.entries(damaged).map(([what, text]) => ({
    name: `a damaged answer, though it was done: ${what}`,
    errorBody: { text, carriedOut: true as const },
    writesAlone: true as const,
    oneOfMany: true as const,
  })),
  {
    name: 'a message alone',
    errorBody: { body: { message: 'NI number already used' } },
    writesAlone: true,
    oneOfMany: true,
  },
  {
    name: 'a damaged answer: half a no',
    errorBody: { text: '{"success":false,"message":"NI numb' },
    writesAlone: true,
  },
  { name: '200 with success false beside data', errorBody: { body: { data: {}, success: false } } },
  {
    name: '200 with errors beside success: true, though it was done',
    errorBody: { body: { errors: ['late'], success: true }, carriedOut: true },
  },
  { name: 'items and meta.totalDocs', list: { items: true } },
  { name: '202 for every write', queued: true },
  { name: 'idle connections that close', resetsIdle: true, writesAlone: true },
  { name: 'another record than the one asked for', answersAnother: true },
  { name: 'a PUT that lands on another record', putsAnother: true },
  { name: 'a PUT that changes nothing', ignoresPut: true },
  { name: 'a PUT that answers 204', putAnswers: 'nothing' },
  { name: 'a PUT that answers success alone', putAnswers: 'success alone' },
  { name: 'a record without its bank', candidates: true, form: 'no-bank' },
  { name: 'fields that an answer hides', candidates: true, hides: hiddenByTheIrishAnswer },
  { name: 'lists with shortened references', candidates: true, list: { shortReferences: true } },
  { name: 'numbers as text', numbersAsText: true },
  { name: 'a list that ends too early', list: { cutShort: true } },
  { name: 'pages of 20 whatever is asked', list: { pageOf: 20 } },
  { name: 'a list that changes once while it is read', list: { pageOf: 10, moves: 'once' } },
  { name: 'a list that changes whenever it is read', list: { pageOf: 10, moves: 'each time' } },
]

/**
 * The cases that meet a shape. Of one of many every third, and of its neighbour those behind them. Where the country makes no
 * difference to what is decided, the people of the UK.
 */
export function shareOf<T extends { readonly kind: Kind }>(shape: Shape, cases: readonly T[]): readonly T[] {
  const turn = shapes.indexOf(shape)
  if (shape.oneOfMany) return cases.filter((_, at) => (at + turn) % 3 === 0)
  return dependsOnCountry(shape) ? cases : cases.filter(({ kind }) => kind !== 'ireland')
}

/** The two countries differ in how a record is laid out and in what an answer hides. */
function dependsOnCountry(shape: Shape): boolean {
  return Object.keys(shape).length === 1 || (shape.form ?? shape.hides) !== undefined
}
