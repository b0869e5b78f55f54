import type { Context } from '../../context/context.ts'
import type { LocalEffect } from '../../errors.ts'
import { defaultCountry } from '../../model/countries/countries.ts'
import type { Fields } from '../../model/fields/field.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { describeOption, type OptionName, type Options, optionDeclarations } from './options.ts'

/** The words and options of a command line, as a verb is given them. */
export interface Input {
  /** The arguments by their names. One of several words is here as a text, with a blank between each two. */
  readonly arguments: Readonly<Record<string, string | undefined>>
  readonly words?: readonly string[] | undefined
  /** The options as typed, with the country of the profile or the environment where none was typed. */
  readonly options: Options
}

/** A word that a verb takes after its name, in the order in which they are typed. */
export interface Argument {
  readonly name: string
  readonly summary: string
  readonly optional?: true
  /** The words that it takes, where there is a fixed list. */
  readonly choices?: readonly string[]
  readonly variadic?: true
  /** Nothing is a word of it, too. */
  readonly mayBeEmpty?: true
}

/** A paragraph of a help page, or a word and what it means. */
export type HelpNote = string | readonly [term: string, text: string]

/** An argument as help shows it: `<id>`, `[name]`, `<words...>`. */
export function argumentWord({ name, optional, variadic }: Argument): string {
  const word = variadic ? `${name}...` : name
  return optional ? `[${word}]` : `<${word}>`
}

/** The use of standard input: a record as JSON, the rows of a file that is called `-`, a key or a password. */
export type InputUse = 'record' | 'rows' | 'secret'

/** One form of what a verb writes on standard output as JSON: an object, or a list of such. */
export interface Shape {
  /** The option that asks for this form, as it is typed; none for the usual form. */
  readonly with?: string
  /** When it comes, or what it is. */
  readonly about?: string
  readonly list?: true
  /** Records of the service, with whatever else it sends. With several types, each record is of one of them. */
  readonly records?: readonly RecordType[]
  /** Their fields have the names of a request, as an import takes them. */
  readonly sent?: true
  readonly fields?: Fields
  readonly open?: true
}

/** What a verb prints in a pipe or a file. `shapes`: its forms as JSON. */
export interface VerbAnswer {
  readonly prints: 'json' | 'csv' | 'text' | 'nothing'
  readonly shapes?: readonly Shape[]
}

/** Something a person can type: all that help, parsing and completion need, and what it does. */
export interface Verb {
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly Argument[] | undefined
  readonly options?: readonly OptionName[]
  /** Summaries of options that do something else here than elsewhere, with the word for a value that is another. */
  readonly optionTexts?:
    | Readonly<Partial<Record<OptionName, string | { readonly value: string; readonly summary: string }>>>
    | undefined
  readonly notes?: readonly HelpNote[] | undefined
  readonly examples: readonly string[]
  /** Verbs that can be typed in place of its first argument: `import resolve`. */
  readonly verbs?: readonly Verb[]
  /** No default country is assumed: its argument names the country, or all countries are meant. */
  readonly namesCountry?: true
  /** It sends the service nothing. */
  readonly isLocal?: true
  /** It can change something on the service: a function, where that depends on what is typed. */
  readonly writes?: true | ((input: Input) => boolean)
  /** It can end with 9: something was found, or had to be left as it is. */
  readonly mayBePartial?: true
  /** It can remove something for good: on the service if it writes, and else on this computer. */
  readonly deletes?: true
  readonly readsInput?: InputUse
  /** Loaded only for this, where it is a function. */
  readonly answer: VerbAnswer | (() => Promise<VerbAnswer>)
  /** It encodes its file itself: a workbook can go to a pipe, and the file can have any ending. */
  readonly encodesOutput?: true
  /** It only signs in: it stores a key or a token. */
  readonly signsIn?: true
  readonly localEffect?: LocalEffect
  readonly run: (context: Context, input: Input) => Promise<void>
}

/** What a verb prints. */
export const answerOf = async ({ answer }: Verb): Promise<VerbAnswer> =>
  typeof answer === 'function' ? answer() : answer

/** Whether a verb takes the --out of every command: it prints something, and has none of its own. */
export const takesOut = ({ answer, options = [] }: Verb): boolean =>
  !options.includes('out') && !('prints' in answer && answer.prints === 'nothing')

/** The option of a verb, as help shows it. */
export const describeVerbOption = (name: OptionName, verb: Verb) => describeOption(name, optionOf(name, verb))

/** An option as this verb has it. */
export function optionOf(name: OptionName, { optionTexts, namesCountry }: Verb) {
  const declaration = optionDeclarations[name]
  const isDefault = name === defaultCountry.id && !namesCountry
  const more = isDefault ? ' (the default, unless the profile or PAYROLL_COUNTRY says otherwise)' : ''
  const text = optionTexts?.[name] ?? `${declaration.summary}${more}`
  return { ...declaration, ...(typeof text === 'string' ? { summary: text } : text) }
}

/** The argument for the id or reference of a record. */
export const idArgument: Argument = { name: 'id', summary: 'the id that list shows, or your own reference' }

/** How a record is named, in every command. */
export const namingNote =
  'A record is named by its id or by your own reference. To read it, a name or the first 6 characters of the id will do where only one fits, and standard error says which is meant; to write, a script needs the whole id or reference, and a person is asked. In a script several that fit are exit 6, and none is exit 5. Before the text, id: or reference: says which it is.'

/** The note on what it costs to name a record by its reference. */
const costNote =
  'In scripts: where a record is named by its reference, the whole list is read, 100 records a request, because two records may have one reference. get remembers where it was, but for documents, and reads one record the next time; a change reads the list each time. By a UUID, or with --id, no list is read: get is one request, update three.'

/** The notes on records that are named by an argument. */
export const referenceNotes = [namingNote, costNote]

/** Verbs under a noun of their own inside a resource: `candidates drafts list`. */
export interface VerbGroup {
  readonly name: string
  readonly summary: string
  readonly about: string
  readonly verbs: readonly Verb[]
}

/** A noun with its verbs; or a single verb that needs no noun. */
export type Resource = { readonly verbs: readonly (Verb | VerbGroup)[] } | Verb

/** The verbs of a noun, and those after a verb. */
export function verbsOf(resource: Resource | VerbGroup): readonly (Verb | VerbGroup)[] {
  return 'verbs' in resource ? (resource.verbs ?? []) : []
}

/** A first word after `payroll`. Its verbs are loaded when it is typed. */
export interface ProgramEntry {
  readonly name: string
  readonly group: string
  readonly summary: string
  readonly hidden?: true
  readonly load: () => Promise<Resource>
}
