import type { Parameters } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import type { RowSource } from '../../files/table/row-source.ts'
import type { Section } from '../../model/fields/field.ts'
import type { RecordKind } from '../../model/natural-key.ts'
import type { FieldPaths, RecordType } from '../../model/records/record-type.ts'
import type { OptionName, Options } from './options.ts'
import { operationsOf, type Target } from './target.ts'
import type { Verb } from './verb.ts'

/** What a resource says of its `create`. */
export interface CreateVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
  /** Options of this resource alone, and the body that they make; `undefined` when they were not used. */
  readonly options?: readonly OptionName[]
  readonly from?: (context: Context, options: Options) => Promise<JsonObject | undefined>
  /** What is asked at a terminal instead of the form: the body that it makes. */
  readonly asks?: (context: Context) => Promise<JsonObject | undefined>
  /** What the question before it asks: `upload passport.pdf for Aoife Ní Shampla`. Without it, to create such a record. */
  readonly describe?: (context: Context, body: JsonObject, options: Options) => Promise<string>
  /** How a record is found again when the service returns no id. */
  readonly find?: {
    readonly operation: Target
    /** The field that is the record's own reference, in the request and in an item of the list. */
    readonly key: FieldPaths
  }
  /** Whether the reference of a record is its own: `--unique` and the form look whether another record has it. */
  readonly unique?: true
  /** Of people: how they are compared with those whom the service has. */
  readonly people?: RecordKind
  /** Of records for some days: how they are compared with those that are there for days of the same week. */
  readonly overlaps?: RecordKind
  /** The fields by which an import tells its rows apart: they are claimed where computers share a journal. */
  readonly claims?: readonly string[]
  /** How a record is read whole: whether the one in the list is the one that was sent. */
  readonly reads?: Target
  /** What else a record is found by, by a person who has to look: the first that was given. */
  readonly keys?: readonly FieldPaths[]
  /** How another record is read to start from, and what of it is taken over. */
  readonly copies?: {
    readonly operation: Target
    /** The parts of the form whose fields are taken over; all of them where none are named. */
    readonly sections?: readonly Section[]
    /** Fields that belong to the one record alone. */
    readonly without: readonly string[]
  }
}

/** Where the items of a list say of whom they are: the first of these fields that an item has. */
export interface PersonFields {
  readonly name: readonly string[]
  readonly reference: readonly string[]
}

/** What it says of its `list`. */
export interface ListVerb {
  readonly operation: Target
  /** Where its items say of whom they are, if it takes a person. */
  readonly person?: PersonFields
  /** Whether its items have amounts, which `--sum` adds up. */
  readonly sums?: true
  readonly summary: string
  readonly examples: readonly string[]
}

/** What it says of its `find`. */
export interface FindVerb {
  /** The list of each country. */
  readonly list: Target
  /** What a table shows of a record; `variant`, as the JSON has it, is its country. */
  readonly columns: readonly string[]
  /** As a sentence names one: "candidate". */
  readonly noun: string
  readonly summary: string
  readonly examples: readonly string[]
}

/** What it says of its `get`. */
export interface GetVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
  /** Options of this resource alone, and what they do here where that differs. */
  readonly options?: readonly OptionName[]
  readonly optionTexts?: Verb['optionTexts']
  /** Throws a usage failure for options that cannot be followed, before anything is read. */
  readonly check?: (context: Context, options: Options) => Promise<void>
  /** What the options make of the record before it is shown; undefined where it is printed already. */
  readonly afterwards?: (
    context: Context,
    record: JsonObject,
    options: Options,
  ) => Promise<JsonObject | undefined>
}

/** What it says of its `update`. */
export interface UpdateVerb {
  readonly operation: Target
  /** How the record is read before it is changed. */
  readonly reads: Target
  /** Whether the reference of a record is its own: one that changes is looked for in the lists first. */
  readonly unique?: true
  /** The record as a question names it, where that takes more than the record: `passport.pdf of Aoife Ní Shampla`. */
  readonly describe?: (context: Context, id: string, options: Options) => Promise<string | undefined>
  readonly summary: string
  readonly examples: readonly string[]
}

/** What it says of its `delete`. */
export interface DeleteVerb {
  readonly operation: Target
  /** How the record is read: whether it is still there after an unclear answer. */
  readonly reads: Target
  /** As a sentence names it: `the document`. */
  readonly noun: string
  /** The record as a question names it: `passport.pdf of Aoife Ní Shampla`. Undefined when it cannot be read. */
  readonly describe?: (context: Context, id: string, options: Options) => Promise<string | undefined>
  readonly summary: string
  readonly examples: readonly string[]
}

/** What it says of its `export`. */
export interface ExportVerb {
  readonly list: Target
  /** The operation that creates such a record: the export has its fields, so it can be imported again. */
  readonly create?: Target
  /** What reads a record whole, where an item of the list is not. */
  readonly get?: Target
  /** Whether an export can continue where the last one ended. */
  readonly goesOn?: true
  /** Where its records say of whom they are, if it takes a person. */
  readonly person?: PersonFields
  readonly summary: string
  readonly examples: readonly string[]
}

/** What lines are made into records by. */
export interface GatherOptions {
  /** The file was imported before, so nobody is asked, the service neither. */
  readonly isDone: boolean
  readonly options: Options
}

export type SheetRates = (
  context: Context,
) => Promise<readonly { readonly code: string; readonly name: string }[]>

/** What it says of its `import`. */
export interface ImportVerb {
  /** What creates a record. */
  readonly operation: Target
  /** How the records that exist are read. */
  readonly list: Target
  readonly kind: RecordKind
  /** Of records that sheets have in another form: the fields of a line, if they are others, and how lines become records. */
  readonly sheet?: {
    readonly type?: RecordType
    readonly gather: (context: Context, source: RowSource, about: GatherOptions) => Promise<RowSource>
    /** The payment rates of the service, where hours in a column may be paid by one. */
    readonly rates?: SheetRates
    /** Its options besides those of every import. */
    readonly options?: readonly OptionName[]
  }
  /** How a record that exists is read and changed, where it can be. */
  readonly changes?: Pick<UpdateVerb, 'operation' | 'reads'>
  readonly summary: string
  readonly examples: readonly string[]
}

/** The verbs that a resource of the service has. */
export interface ResourceDeclaration {
  readonly create?: CreateVerb
  readonly list?: ListVerb
  readonly find?: FindVerb
  readonly get?: GetVerb
  readonly update?: UpdateVerb
  readonly delete?: DeleteVerb
  readonly export?: ExportVerb
  readonly import?: ImportVerb
}

/** The options of a `create` that guard against a record that was not meant. */
export function safetyOptions({ operation, unique, people }: CreateVerb): readonly OptionName[] {
  return [
    ...(unique ? (['unique'] as const) : []),
    ...strictOption(operation),
    ...incompleteOption(operation),
    ...(people ? (['samePerson'] as const) : []),
  ]
}

/** `--strict`, but for documents: nothing is doubted of those. */
export const strictOption = (target: Target): readonly OptionName[] =>
  parameterOptions(target).length > 0 ? [] : ['strict']

/** `--incomplete`, where a record needs fields that it could be sent without. */
export function incompleteOption(target: Target): readonly OptionName[] {
  return operationsOf(target).some(({ requestRecord }) => requestRecord?.needs) ? ['incomplete'] : []
}

/** Options that fill an identifier of a path other than the record's own: `{employeeId}` by --employee. */
export function parameterOptions(target: Target): readonly OptionName[] {
  return operationsOf(target).some(({ path }) => path.includes('{employeeId}')) ? ['employee'] : []
}

/** What fills the braces of an operation's path. Throws a usage failure when an option for it is missing. */
export function pathParameters(target: Target, { employee }: Options, id?: string): Parameters {
  if (parameterOptions(target).length > 0 && employee === undefined) {
    throw usage('Whose documents? Name the person with --employee <id>.')
  }
  return { ...(id !== undefined && { id }), ...(employee !== undefined && { employeeId: employee }) }
}
