import { exitCodeRows, exitCodesOf } from '../../cli/exit-codes.ts'
import { describeVerbOption } from '../../cli/options.ts'
import { aliasesOf, argumentWord, type Entry, type Group, type Verb, verbsOf } from '../../cli/verb.ts'
import { usage } from '../../errors.ts'
import { about, findCommand, type HelpSource, sentence } from './help.ts'
import type { Item } from './layout.ts'
import { topicPages } from './topic-pages.ts'
import { isTopic, type TopicName, topics } from './topics.ts'

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
  /** Other pages. */
  readonly seeAlso: readonly string[]
}

/**
 * The page of a command for man(1), as `help --man` prints it: in the macros of man(7), which groff and mandoc read, and
 * without a date, so that the same version makes the same pages. No words: the page of payroll itself, with everything that
 * holds for all commands. Throws a usage failure for words that lead to no command.
 */
export async function manPage(
  source: HelpSource,
  version: string,
  words: readonly string[],
): Promise<string> {
  const { entries } = source
  const [first] = words
  if (first === undefined) return write(rootPage(source), version)
  if (words.length === 1 && isTopic(first))
    throw usage(`${first} has no page of its own: it is in payroll(1).`, 'Type payroll help --man.')
  return write(await commandPage(entries, words), version)
}

/** The names of all pages, each with the words that lead to it. */
export async function manPages(
  entries: readonly Entry[],
): Promise<readonly { readonly name: string; readonly words: readonly string[] }[]> {
  const below = (words: readonly string[], verbs: readonly (Verb | Group)[]): (readonly string[])[] =>
    verbs.flatMap((verb) => [[...words, verb.name], ...below([...words, verb.name], verbsOf(verb))])
  const nouns = await Promise.all(
    entries
      .filter(({ hidden }) => !hidden)
      .map(async ({ name, load }) => [[name], ...below([name], verbsOf(await load()))]),
  )
  return [[], ...nouns.flat()].map((words) => ({ name: nameOf(words), words }))
}

const nameOf = (words: readonly string[]) => ['payroll', ...words].join('-')

const reference = (words: readonly string[]) => `${nameOf(words)}(1)`

/** What stands in payroll(1) alone. */
function rootPage({ entries, globalOptions }: HelpSource): Page {
  const visible = entries.filter(({ hidden }) => !hidden)
  const groups = [...new Set(visible.map(({ group }) => group))]
  const [ofOptions, ofEnvironment, ...others] = topics.map(({ name }) => name as TopicName)
  const topic = (name: TopicName | undefined): readonly Part[] =>
    name ? topicPages[name](globalOptions) : []
  const title: Partial<Record<TopicName, string>> = { 'exit-codes': 'EXIT STATUS' }
  return {
    name: 'payroll',
    summary: 'UK and Irish payroll at the command line',
    typed: 'payroll <command> <verb> [options]',
    sections: [
      { title: 'DESCRIPTION', parts: [about] },
      {
        title: 'COMMANDS',
        parts: groups.flatMap((group): Part[] => [
          `${group}:`,
          visible
            .filter((entry) => entry.group === group)
            .map(({ name, summary }): Item => [reference([name]), summary]),
        ]),
      },
      { title: 'OPTIONS', parts: topic(ofOptions) },
      { title: 'ENVIRONMENT', parts: topic(ofEnvironment) },
      {
        title: 'FILES',
        parts: [
          'Profiles, keys, drafts, journals of imports, the history and the sandbox lie in one folder: the one of PAYROLL_CONFIG_DIR; else payroll in ~/.config on Linux, in ~/Library/Preferences on macOS, and in %LOCALAPPDATA% on Windows. To see which: payroll doctor',
        ],
      },
      ...others.map((name) => ({ title: title[name] ?? name.toUpperCase(), parts: topic(name) })),
    ],
    seeAlso: visible.map(({ name }) => reference([name])),
  }
}

/** The page of a noun, a group or a verb. */
async function commandPage(entries: readonly Entry[], words: readonly string[]): Promise<Page> {
  const { entry, here, beside, summary, about: sentences, path } = await findCommand(entries, words)
  const [, ...own] = path.split(' ')
  const verbs = verbsOf(here)
  const verbList = verbs.map(({ name, summary: text }): Item => [reference([...own, name]), text])
  const above = own.slice(0, -1).map((_, at) => reference(own.slice(0, at + 1)))
  const page = {
    name: nameOf(own),
    summary,
    seeAlso: ['payroll(1)', ...above, ...verbList.map(([name]) => name)],
  }
  if (!('run' in here)) {
    return {
      ...page,
      typed: `${path} <verb> [options]`,
      sections: [
        { title: 'DESCRIPTION', parts: [sentence(sentences)] },
        { title: 'VERBS', parts: [verbList] },
        {
          title: 'EXAMPLES',
          parts: [{ lines: verbs.flatMap((verb) => ('examples' in verb ? verb.examples.slice(0, 1) : [])) }],
        },
      ],
    }
  }
  const { arguments: taken = [], options = [], examples, notes = [], name } = here
  const aliases = aliasesOf(name, beside)
  const codes = exitCodesOf(entry.group, path, here)
  return {
    ...page,
    typed: [path, ...taken.map(argumentWord), '[options]'].join(' '),
    sections: [
      {
        title: 'DESCRIPTION',
        parts: [
          sentence(summary),
          ...paragraphs(notes),
          ...(aliases.length > 0 ? [`Also typed as: ${aliases.join(', ')}.`] : []),
        ],
      },
      ...(verbList.length > 0 ? [{ title: 'VERBS', parts: [verbList] }] : []),
      ...(taken.length > 0
        ? [
            {
              title: 'ARGUMENTS',
              parts: [taken.map((each): Item => [argumentWord(each), each.summary])],
            },
          ]
        : []),
      {
        title: 'OPTIONS',
        parts: [
          options.map((option): Item => {
            const { flags, summary: text } = describeVerbOption(option)
            return [flags, text]
          }),
          'The options of every command, the environment and the files are in payroll(1).',
        ],
      },
      {
        title: 'EXIT STATUS',
        parts: [
          exitCodeRows
            .filter(([code]) => code.split(', ').some((each) => codes.includes(Number(each))))
            .map(([code, meaning]): Item => [code, meaning]),
        ],
      },
      { title: 'EXAMPLES', parts: [{ lines: examples }] },
    ],
  }
}

/** Notes as paragraphs, and words with their meaning as lists. */
function paragraphs(notes: Verb['notes'] = []): Part[] {
  const parts: Part[] = []
  let items: Item[] = []
  const endList = () => {
    if (items.length > 0) parts.push(items)
    items = []
  }
  for (const note of notes) {
    if (typeof note !== 'string') {
      items.push(note)
      continue
    }
    endList()
    parts.push(note)
  }
  endList()
  return parts
}

function write({ name, summary, typed, sections, seeAlso }: Page, version: string): string {
  const [, words = '', rest = ''] = /^(payroll(?: [a-z-]+)*)(.*)$/.exec(typed) ?? []
  return [
    `.TH ${name.toUpperCase()} 1 "" "payroll ${version}" payroll`,
    '.SH NAME',
    ...filled(`${inline(name)} \\- ${inline(summary)}`),
    '.SH SYNOPSIS',
    `.B ${inline(words)}`,
    ...(rest.trim() === '' ? [] : text(rest.trim())),
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
  if ('lines' in part) return ['.nf', ...part.lines.map((line) => guarded(inline(line))), '.fi']
  return part.flatMap(([term, meaning]) => ['.TP', `\\fB${inline(term)}\\fP`, ...text(meaning)])
}

/** mandoc finds fault with longer lines, and reads a letter beyond ASCII as `\\[u2192]`. In bytes. */
const longestLine = 80

const lengthOf = (line: string) => line.replace(/[^ -~]/gu, '\\[u2192]').length

/** Text in lines that roff puts together again. */
const text = (plain: string) => filled(inline(plain))

function filled(escaped: string): string[] {
  const lines: string[] = []
  for (const word of escaped.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && lengthOf(longer) <= longestLine) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map(guarded)
}

/** A point or an apostrophe at the start of a line would be a command. */
const guarded = (line: string) => line.replace(/^(?=[.'])/, '\\&')

/** What roff shows as it is: a hyphen that is to be copied stays one, and so do quotation marks and accents of ASCII. */
function inline(plain: string): string {
  return plain
    .replace(/\s+/g, ' ')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
}
