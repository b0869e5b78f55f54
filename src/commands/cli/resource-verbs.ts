import type { Parameters } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import type { JsonObject } from '../../files/json/path.ts'
import type { RowSource } from '../../files/table/row-source.ts'
import type { Section } from '../../model/fields/field.ts'
import type { RecordKind } from '../../model/natural-key.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { ItemPerson } from '../../model/whose.ts'
import type { OptionName, Options } from './options.ts'
import { operationsOf, type Target } from './target.ts'
import type { Verb } from './verb.ts'

interface DeclaredVerb {
  readonly summary: string
  readonly examples: readonly string[]
}

/** A verb as it was declared, by the name that is typed. */
export const named = (name: string, { summary, examples }: DeclaredVerb) => ({ name, summary, examples })

/** Where a record is looked for by its reference: `resource` says it to each verb. */
interface Listed {
  readonly list?: Target | undefined
}

/** How records of a kind are created. */
export interface CreateRules extends Listed {
  readonly operation: Target
  /** Whether a record is found again by its reference when the service returns no id. */
  readonly find?: true
  /** Whether the service may give a record another name than was asked for, so that a person looks for it in the list. */
  readonly isRenamed?: true
  /** Whether no two records may have one reference: `--unique` and the form look whether another record has it. */
  readonly unique?: true
  readonly people?: RecordKind | undefined
  /** Records of work, of which no two of one person should have the same days. */
  readonly workKind?: RecordKind | undefined
  /** The fields by which an import tells its rows apart. A row is claimed by them where computers share a journal. */
  readonly claims?: readonly string[] | undefined
  /** Reads a record whole, to see whether the one in the list is the one that was sent. */
  readonly get?: Target | undefined
  /** Other fields to find a record by. The first that has a value is used. */
  readonly keys?: readonly string[]
  /** How another record is read to start from, and what of it is taken over. */
  readonly copies?: {
    readonly operation: Target
    /** The parts of the form whose fields are taken over; all of them where none are named. */
    readonly sections?: readonly Section[]
    readonly without: readonly string[]
  }
}

export interface CreateVerb extends DeclaredVerb, CreateRules {}

/** Reads what an item says of its person. */
export type WhoseItem = (item: JsonObject) => ItemPerson

export interface ListVerb extends DeclaredVerb {
  readonly operation: Target
  /** Set where the items of one person can be listed. */
  readonly whoseItem?: WhoseItem
  /** Whether its items have amounts, which `--sum` adds up. */
  readonly sums?: true
  /** Makes of an item what a person reads in a table. */
  readonly inWords?: (context: Context) => Promise<(item: JsonObject) => JsonObject>
}

export interface GetVerb extends DeclaredVerb, Listed {
  readonly operation: Target
  /** Options that only this resource has, and their texts where they do something else here. */
  readonly options?: readonly OptionName[]
  readonly optionTexts?: Verb['optionTexts']
  /** Turns the record into what the options ask for; undefined where that is printed already. */
  readonly afterwards?: (
    context: Context,
    record: JsonObject,
    options: Options,
  ) => Promise<JsonObject | undefined>
}

/** How records of a kind are changed. */
export interface UpdateRules extends Listed {
  readonly operation: Target
  readonly get: Target
  /** Whether no two records may have one reference: a new one is looked for in the lists first. */
  readonly unique?: true
  /** People, of whom no two have one NI or PPS number. */
  readonly people?: RecordKind | undefined
  /** Records of work, of which no two of one person should have the same days: it may be moved to other days. */
  readonly workKind?: RecordKind | undefined
  /** The name of the record in a question, where it is not in the record: `passport.pdf of Aoife Ní Shampla`. */
  readonly describe?: (context: Context, id: string, options: Options) => Promise<string | undefined>
}

export interface UpdateVerb extends DeclaredVerb, UpdateRules {}

export interface ExportVerb extends DeclaredVerb {
  readonly list: Target
  /** The export has the fields of its record, so that it can be imported again. */
  readonly create?: Target
  /** Reads a record whole, where an item of the list is not. */
  readonly get?: Target
  readonly hasSinceLast?: true
  readonly whoseItem?: WhoseItem
  /** Another form of these records in tables: the fields of a row, and the rows of a record by their paths. */
  readonly sheet?: {
    readonly type: RecordType
    readonly rows: (context: Context) => Promise<(record: JsonObject) => readonly JsonObject[]>
  }
}

/** What is known when lines are made into records. */
export interface GatherOptions {
  /** The file was imported before, so neither a person nor the service is asked. */
  readonly isDone: boolean
  /** Where it was: finds the reference of a row that has a name in its place, by the digest of the row. */
  readonly findNamed?: ((digest: string) => string | undefined) | undefined
  readonly options: Options
}

type SheetRates = (context: Context) => Promise<readonly { readonly code: string; readonly name: string }[]>

export interface ImportVerb extends DeclaredVerb {
  readonly operation: Target
  readonly list: Target
  readonly kind: RecordKind
  /** Another form of these records in spreadsheets: the fields of a line, where they differ, and how lines become records. */
  readonly sheet?: {
    readonly type?: RecordType
    readonly gather: (context: Context, source: RowSource, about: GatherOptions) => Promise<RowSource>
    /** The payment rates of the service, where hours in a column may be paid by one. */
    readonly rates?: SheetRates
    readonly options?: readonly OptionName[]
  }
  readonly changes?: UpdateVerb | undefined
  /** A file as people call it, for examples: `starters.csv`. */
  readonly file: string
}

/** The verbs that a resource of the service has. */
export interface ResourceDeclaration {
  readonly create?: CreateVerb
  readonly list?: ListVerb
  readonly get?: GetVerb
  readonly update?: UpdateVerb
  readonly export?: ExportVerb
  readonly import?: ImportVerb
}

/** The options if a condition holds, else none. */
export const when = (condition: unknown, ...options: readonly OptionName[]): readonly OptionName[] =>
  condition ? options : []

/** The options of a `create` that guard against a record that was not meant. */
export const safetyOptions = ({ operation, unique, people }: CreateVerb): readonly OptionName[] => [
  ...when(unique, 'unique'),
  ...guardOptions(operation),
  ...when(people, 'samePerson'),
]

/** `--strict`, except for documents, where nothing is doubted; `--incomplete`, where a record needs fields. */
export const guardOptions = (target: Target): readonly OptionName[] => [
  ...when(parameterOptions(target).length === 0, 'strict'),
  ...when(
    operationsOf(target).some(({ requestRecord }) => requestRecord?.needs),
    'incomplete',
  ),
]

/** `--employee`, for operations with the id of a person in their path. */
export const parameterOptions = (target: Target): readonly OptionName[] =>
  when(
    operationsOf(target).some(({ path }) => path.includes('{employeeId}')),
    'employee',
  )

/** The parameters of a path; its person is the one whom --employee names. */
export function pathParameters({ employee }: Options, id?: string): Parameters {
  return { ...(id !== undefined && { id }), ...(employee !== undefined && { employeeId: employee }) }
}
