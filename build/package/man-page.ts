import { exitCodeRows, exitCodesOf } from '../../src/commands/cli/exit-codes.ts'
import { everyCommand } from '../../src/commands/cli/find-command.ts'
import type { ProgramEntry } from '../../src/commands/cli/verb.ts'
import {
  aboutPayroll,
  type CommandPage,
  commandGroups,
  describeCommand,
  type HelpSource,
} from '../../src/commands/help/help.ts'
import type { Item } from '../../src/commands/help/layout.ts'
import { topicPages } from '../../src/commands/help/topic-pages.ts'
import { type TopicName, topics } from '../../src/commands/help/topics.ts'
import { variablesByGroup } from '../../src/environment.ts'
import { type OwnFolder, settingsDirectory } from '../../src/files/local/private-directory.ts'

/** A part of a page: paragraphs, terms with their meaning, or lines to be copied. */
type Part = string | readonly Item[] | { readonly lines: readonly string[] }

interface Section {
  readonly title: string
  readonly parts: readonly Part[]
}

interface Page {
  /** The name without its section: `payroll-candidates-update`. */
  readonly name: string
  readonly summary: string
  /** How it is typed, `payroll` first; arguments in angle brackets. */
  readonly typed: string
  readonly sections: readonly Section[]
  readonly seeAlso: readonly string[]
}

export interface Release {
  readonly version: string
  readonly released: Date
}

/**
 * The page of a command for man(1), in the macros of man(7), which groff and mandoc read. No words: the page of payroll itself, with everything that
 * holds for all commands. Throws a usage failure for words that lead to no command.
 */
export async function manPage(
  source: HelpSource,
  release: Release,
  words: readonly string[],
): Promise<string> {
  const { entries } = source
  const [first] = words
  if (first === undefined) return write(rootPage(source), release)
  return write(await commandPage(entries, words), release)
}

/** The names of all pages, each with the words that lead to it. */
export async function manPages(
  entries: readonly ProgramEntry[],
): Promise<readonly { readonly name: string; readonly words: readonly string[] }[]> {
  const all = await everyCommand(entries)
  return [[], ...all.map(({ path }) => path.split(' ').slice(1))].map((words) => ({
    name: nameOf(words),
    words,
  }))
}

const nameOf = (words: readonly string[]) => ['payroll', ...words].join('-')

const reference = (words: readonly string[]) => `${nameOf(words)}(1)`

/** What is in the folder of payroll, as payroll(1) says it. */
const files: Readonly<Record<string, string>> = {
  'config.json': 'the settings: profiles, and their keys where no keyring or command has them',
  'sandbox.db': 'the records of the sandbox',
  'accepted.json': 'the findings that check accept silences',
  'columns.json': 'which heading of a file means which field, for --map remembered',
  'service-knowledge.jsonl': 'which fields each service shows, and its words',
  'service-knowledge-sent.txt': 'which fields were sent for which record, by marks that name nobody',
}

const folders: Readonly<Record<OwnFolder, string>> = {
  drafts: 'forms that were begun and not sent',
  imports: 'the journal of each import: what was sent, and what became of it',
  history: 'what was written to services, for 90 days unless profiles set --history says otherwise',
  marks: 'the marks that changes compares with',
  bookmarks: 'where the last run with --since-last ended',
  locks: 'who is using a file or a service at the moment',
  compiled: 'what Node has compiled of payroll, to start sooner; it can be deleted',
}

/** What stands in payroll(1) alone. */
function rootPage({ entries }: HelpSource): Page {
  const groups = [...commandGroups(entries)]
  const [ofOptions, ofEnvironment, ...others] = topics
  const topic = (name: TopicName): readonly Part[] => topicPages[name]
  const title: Partial<Record<TopicName, string>> = { 'exit-codes': 'EXIT STATUS' }
  return {
    name: 'payroll',
    summary: 'UK and Irish payroll at the command line',
    typed: aboutPayroll.typed,
    sections: [
      { title: 'DESCRIPTION', parts: [aboutPayroll.about] },
      {
        title: 'COMMANDS',
        parts: groups.flatMap(([group, each]): Part[] => [
          `${group}:`,
          each.map(({ name, summary }): Item => [reference([name]), summary]),
        ]),
      },
      { title: 'OPTIONS', parts: topic(ofOptions) },
      { title: 'ENVIRONMENT', parts: topic(ofEnvironment) },
      {
        title: 'FILES',
        parts: [
          `Everything that payroll stores lies in one folder: the one of PAYROLL_CONFIG_DIR; else payroll in ~/.config on Linux, in ~/Library/Preferences on macOS, and ${settingsDirectory({ LOCALAPPDATA: '%LOCALAPPDATA%' }, 'win32')} on Windows. To see which: payroll doctor`,
          [
            ...Object.entries(files),
            ...Object.entries(folders).map(([name, text]): Item => [`${name}/`, text]),
          ],
        ],
      },
      ...others.map((name) => ({ title: title[name] ?? name.toUpperCase(), parts: topic(name) })),
      { title: 'EXAMPLES', parts: [{ lines: aboutPayroll.examples }] },
    ],
    seeAlso: entries.filter(({ hidden }) => !hidden).map(({ name }) => reference([name])),
  }
}

/** The page of a noun, a group or a verb. */
async function commandPage(entries: readonly ProgramEntry[], words: readonly string[]): Promise<Page> {
  const described = await describeCommand(entries, words)
  const { command, typed, about, verbs, notes } = described
  const { here, path, summary } = command
  const own = path.split(' ').slice(1)
  const verbList = verbs.map(([name, text]): Item => [reference([...own, name]), text])
  const above = own.slice(0, -1).map((_, at) => reference(own.slice(0, at + 1)))
  const page = {
    name: nameOf(own),
    summary,
    typed,
    seeAlso: ['payroll(1)', ...above, ...verbList.map(([name]) => name)],
  }
  const examples = { title: 'EXAMPLES', parts: [{ lines: described.examples }] }
  if (!('run' in here)) {
    return {
      ...page,
      sections: [{ title: 'DESCRIPTION', parts: [about] }, { title: 'VERBS', parts: [verbList] }, examples],
    }
  }
  const texts = textsOf(described)
  const codes = exitCodesOf(here)
  const optional = (title: string, items: readonly Item[]) =>
    items.length > 0 ? [{ title, parts: [items] }] : []
  return {
    ...page,
    seeAlso: [...new Set([...page.seeAlso, ...(await commandsIn(texts, entries))])].filter(
      (each) => each !== reference(own),
    ),
    sections: [
      { title: 'DESCRIPTION', parts: [about, ...notes] },
      ...optional('VERBS', verbList),
      ...optional('ARGUMENTS', described.arguments),
      {
        title: 'OPTIONS',
        parts: [
          described.options,
          'The options of every command, all variables of the environment and the files are in payroll(1).',
        ],
      },
      ...optional('ENVIRONMENT', variablesIn(texts)),
      {
        title: 'EXIT STATUS',
        parts: [
          exitCodeRows
            .filter(([code]) => code.split(', ').some((each) => codes.includes(Number(each))))
            .map(([code, meaning, next]): Item => [code, next ? `${meaning} → ${next}` : meaning]),
        ],
      },
      examples,
    ],
  }
}

/** All that the help of a verb says besides its summary. */
function textsOf({ arguments: taken, options, notes, examples }: CommandPage): string {
  const meanings = [...taken, ...options].map(([, meaning]) => meaning)
  return [...meanings, ...notes.flat(2), ...examples].join('\n')
}

/** The environment variables that a text names. */
function variablesIn(words: string): readonly Item[] {
  return variablesByGroup()
    .flatMap(({ rows }) => rows)
    .filter(([name]) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(words))
}

/** The pages of the commands in a text: that of candidates get for `payroll candidates get 4f1c…`. */
async function commandsIn(words: string, entries: readonly ProgramEntry[]): Promise<readonly string[]> {
  const pages = await manPages(entries)
  return [...words.matchAll(/\bpayroll((?: [a-z][a-z-]*)+)/g)].flatMap(([, typed = '']) => {
    const name = nameOf(typed.trim().split(' '))
    // Those above it stand before it.
    const page = pages.findLast((each) => each.words.length > 0 && `${name}-`.startsWith(`${each.name}-`))
    return page ? [reference(page.words)] : []
  })
}

function write({ name, summary, typed, sections, seeAlso }: Page, { version, released }: Release): string {
  const [, words = '', rest = ''] = /^(payroll(?: [a-z-]+)*)(.*)$/.exec(typed) ?? []
  return [
    `.TH ${name.toUpperCase()} 1 "${released.toISOString().slice(0, 10)}" "payroll ${version}" payroll`,
    // No word is broken, and no line stretched: what is to be copied stays as it is typed.
    '.nh',
    '.ad l',
    '.SH NAME',
    ...filled(`${inline(name)} \\- ${inline(withSmallLetter(summary))}`),
    '.SH SYNOPSIS',
    `.B ${inline(words)}`,
    ...(rest.trim() === '' ? [] : [styled(rest.trim(), 'R')]),
    ...sections.flatMap(({ title, parts }) => [
      `.SH ${title}`,
      ...parts.filter(isNotEmpty).flatMap((part, at) => partLines(part, at === 0)),
    ]),
    '.SH SEE ALSO',
    ...seeAlso.map((each, at) => {
      const [page, section] = each.split(/(?=\()/)
      return `.BR ${inline(page ?? '')} ${section}${at < seeAlso.length - 1 ? ',' : ''}`
    }),
    '',
  ].join('\n')
}

const isNotEmpty = (part: Part) => !Array.isArray(part) || part.length > 0

function partLines(part: Part, isFirst: boolean): string[] {
  if (typeof part === 'string') return [...(isFirst ? [] : ['.PP']), ...text(part)]
  if ('lines' in part) return ['.nf', ...part.lines.map((line) => guarded(escaped(line))), '.fi']
  return part.flatMap(([word, meaning]) => ['.TP', styled(word, 'B'), ...text(meaning)])
}

/** What is typed, bold or plain (B, R), with what a person puts another word for underlined. Ends plain. */
const styled = (plain: string, font: 'B' | 'R') =>
  `\\f${font}${inline(plain).replace(/<[^>]*>/g, `\\fI$&\\f${font}`)}\\fR`

/** `Change a person` as man(1) lists it; what is in capitals, or one letter, stays as it is. */
const withSmallLetter = (plain: string) => plain.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

/** mandoc finds fault with longer lines, and reads a letter beyond ASCII as `\\[u2192]`. In bytes. */
const longestLine = 80

const lengthOf = (line: string) => line.replace(/[^ -~]/gu, '\\[u2192]').length

/** Text in lines that roff puts together again. */
const text = (plain: string) => filled(inline(plain))

function filled(ready: string): string[] {
  const lines: string[] = []
  for (const word of ready.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && lengthOf(longer) <= longestLine) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map(guarded)
}

/** A point or an apostrophe at the start of a line would be a command. */
const guarded = (line: string) => line.replace(/^(?=[.'])/, '\\&')

const inline = (plain: string) => escaped(plain.replace(/\s+/g, ' '))

/**
 * What roff shows as it is: a hyphen that is to be copied stays one, and so do quotation marks and accents of ASCII. man in the
 * locale C has no `…`, and warns of it on every page.
 */
function escaped(plain: string): string {
  return plain
    .replaceAll('…', '...')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
}
