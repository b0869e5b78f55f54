import type { Country } from '../countries/countries.ts'
import type { RecordType } from './record-type.ts'

/** A method of HTTP. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type AnswerShape =
  /** "201, no body". */
  | { readonly kind: 'nothing' }
  /** One record. `envelope`: the names that lead to it. */
  | { readonly kind: 'one'; readonly type?: RecordType; readonly envelope?: readonly string[] }
  /** "`{ data: array, totalDocs: integer }`". */
  | { readonly kind: 'page'; readonly type?: RecordType }

interface OperationBase {
  /** Its name in interface.md. */
  readonly title: string
  /** Its group in interface.md. */
  readonly group: string
  readonly method: Method
  /** Appended to the base address. A segment in braces is an identifier. */
  readonly path: `/${string}`
  /** The country whose people it is about; undefined where it is about no country alone. */
  readonly country?: Country
  readonly requestRecord?: RecordType
  readonly encoding?: 'form' | 'json' | undefined
  /** For a corrected route: what the service calls a parameter or a member of the body, by our name. */
  readonly names?: Readonly<Record<string, string>>
  /** Query parameters, besides page and size. */
  readonly query?: readonly string[]
  /** The members of a body that no record describes. */
  readonly bodyMembers?: readonly string[]
  readonly response: AnswerShape
  /** The success status, if the document shows it. */
  readonly status?: number
  /** Sentences for statuses that refuse something else than the data or the key: `The service refused the token request`. */
  readonly refuses?: Readonly<Record<number, string>>
  /** The errors that the document shows for it, by status. */
  readonly errors?: Readonly<Record<number, string>>
}

/** How much the document shows of an operation; the rest must be listed as assumed. */
type Documentation =
  | { readonly known: 'documented'; readonly assumes?: never }
  | { readonly known: 'method' | 'name'; readonly assumes: readonly [string, ...string[]] }

/** An operation without its id. */
export type DeclaredOperation = OperationBase & Documentation

/** An operation with its id: `candidates.create`. */
export type Operation = DeclaredOperation & { readonly id: string }

/** Gives each operation its id, such as `candidates.list`, from its resource and verb. */
export function nameOperations<T extends Record<string, Record<string, DeclaredOperation>>>(
  resources: T,
): { readonly [R in keyof T]: { readonly [V in keyof T[R]]: Operation } } {
  const byResource = Object.entries(resources).map(([resource, verbs]) => [
    resource,
    Object.fromEntries(
      // Not by a spread, which would look at the record, and so build its fields.
      Object.entries(verbs).map(([verb, operation]) => [
        verb,
        Object.assign(operation, { id: `${resource}.${verb}` }),
      ]),
    ),
  ])
  return Object.fromEntries(byResource)
}

/** A resource as a person types it: `payment-rates` for `paymentRates`. */
export function resourceName(resource: string): string {
  return resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** An answer without a body. */
export const emptyAnswer: AnswerShape = { kind: 'nothing' }

/** The kind of record in an answer, as a function, so that it is loaded only where somebody looks at it. */
type AnsweredRecord = () => RecordType

/** The shape of an answer that is a page of these records. */
export const pageShape = (record?: AnsweredRecord): AnswerShape => withType({ kind: 'page' }, record)

/** An answer of one record, of this type where it is known. */
export const oneRecord = (record?: AnsweredRecord, ...under: string[]): AnswerShape =>
  withType({ kind: 'one', ...(under.length > 0 && { envelope: under }) }, record)

function withType(shape: AnswerShape, record: AnsweredRecord | undefined): AnswerShape {
  if (!record) return shape
  return {
    ...shape,
    get type() {
      return record()
    },
  }
}

const verbForms = {
  create: { method: 'POST', sends: true, answers: oneRecord },
  list: { method: 'GET', answers: pageShape },
  get: { method: 'GET', ofOne: true, answers: oneRecord },
  update: { method: 'PUT', ofOne: true, sends: true, answers: oneRecord },
  delete: { method: 'DELETE', ofOne: true, answers: () => emptyAnswer },
} as const satisfies Readonly<Record<string, VerbForm>>

interface VerbForm {
  readonly method: Method
  /** Its path ends with the id of the record. */
  readonly ofOne?: true
  readonly sends?: true
  readonly answers: (record: AnsweredRecord) => AnswerShape
}

/** The own part of an operation; its answer is the record alone, unless it says otherwise. */
type OwnPart = Pick<OperationBase, 'title' | 'status' | 'errors'> &
  Partial<Pick<OperationBase, 'response'>> &
  Documentation

/** The operations on a kind of record: `path` is that of all of them, and `path/{id}` that of one. */
export function operationsOn<Verb extends keyof typeof verbForms>(
  {
    group,
    path,
    sent,
    answered = sent,
  }: Pick<OperationBase, 'group' | 'path'> & {
    readonly sent: AnsweredRecord
    readonly answered?: AnsweredRecord
  },
  parts: Readonly<Record<Verb, OwnPart>>,
): Readonly<Record<Verb, DeclaredOperation>> {
  const operations = Object.entries<OwnPart>(parts).map(([name, own]) => {
    const { method, ofOne, sends, answers }: VerbForm = verbForms[name as Verb]
    const at: OperationBase['path'] = ofOne ? `${path}/{id}` : path
    const operation = { group, method, path: at, response: answers(answered), ...own }
    const withRecord = {
      ...operation,
      get requestRecord() {
        return sent()
      },
    }
    return [name, sends ? withRecord : operation]
  })
  return Object.fromEntries(operations)
}

/** Whether an operation can change what the service holds. */
export const isWrite = ({ method }: Pick<Operation, 'method'>): boolean => method !== 'GET'

/** "Page number to fetch; default 1", "Items per page; default 20; maximum 100". */
export const limits = {
  defaultPage: 1,
  defaultSize: 20,
  maximumSize: 100,
} as const

/** The verbs of the candidates of each country. */
export const candidateVerbs = ['create', 'list', 'get', 'update'] as const

/** The name of such a verb. */
export type CandidateVerb = (typeof candidateVerbs)[number]

/** The candidate operations of one country. */
export type CandidateOperations = Readonly<Record<CandidateVerb, DeclaredOperation>>

/** The record that an operation sends, where it is known to send one. */
export function recordSentBy({ id, requestRecord }: Operation): RecordType {
  if (!requestRecord) throw new TypeError(`${id} sends nothing`)
  return requestRecord
}

/** The type of the record that an operation answers, where one is declared. */
export const answerType = ({ response }: Pick<Operation, 'response'>): RecordType | undefined =>
  response.kind === 'nothing' ? undefined : response.type
