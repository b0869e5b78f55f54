import { capital } from '../../formats/words.ts'
import { aliasesOf } from '../kit/declare/aliases.ts'
import { optionDeclarations } from '../kit/declare/options.ts'
import { argumentWord, type Group, type Note, type Verb } from '../kit/declare/verb.ts'
import { commands, type Item, list, page, paragraph, section } from './layout.ts'

/** Of a noun: more would push its verbs off the screen. */
const mostExamples = 4

/** Where the options stand that every command understands. */
export const globalOptionsHint = 'Options of every command (--json, --yes, …): payroll help options'

/** What a page needs to know besides what it is about. */
interface Page {
  /** The words that lead to the command, `payroll` first. */
  readonly path: string
  /** In columns. */
  readonly width: number
}

/** The help of one verb: how it is typed, then its own options. `others`: the verbs beside it. */
export function verbPage(verb: Verb, others: readonly string[], { path, width }: Page): string {
  const words = (verb.arguments ?? []).map((each): Item => [argumentWord(each), each.summary])
  const options = (verb.options ?? []).map((name): Item => {
    const { flags, summary } = optionDeclarations[name]
    return [flags, summary]
  })
  const typed = [path, ...words.map(([word]) => word), ...(options.length ? ['[options]'] : [])]
  const aliases = aliasesOf(verb.name, others)
  return page([
    paragraph(`Usage: ${typed.join(' ')}`, width),
    paragraph(sentence(verb.summary), width),
    section('Examples', commands(verb.examples, width)),
    section('Arguments', list(words, width)),
    section('Options', list(options, width)),
    section(
      'Verbs',
      list(
        (verb.verbs ?? []).map(({ name, summary }): Item => [name, summary]),
        width,
      ),
    ),
    notesText(verb.notes ?? [], width),
    aliases.length > 0 ? paragraph(`Also typed as: ${aliases.join(', ')}.`, width) : '',
    paragraph(globalOptionsHint, width),
  ])
}

/** The help of a noun: its verbs, and an example of each of the first. */
export function nounPage(about: string, verbs: readonly (Verb | Group)[], { path, width }: Page): string {
  const examples = verbs.flatMap((verb) => ('examples' in verb ? verb.examples.slice(0, 1) : []))
  return page([
    paragraph(`Usage: ${path} <verb> [options]`, width),
    paragraph(sentence(about), width),
    section(
      'Verbs',
      list(
        verbs.map(({ name, summary }): Item => [name, summary]),
        width,
      ),
    ),
    section('Examples', commands(examples.slice(0, mostExamples), width)),
    paragraph(`The options of one verb: ${path} <verb> --help`, width),
  ])
}

function notesText(notes: readonly Note[], width: number): string {
  const blocks: string[] = []
  let items: Item[] = []
  for (const note of notes) {
    if (typeof note !== 'string') {
      items.push(note)
      continue
    }
    if (items.length > 0) blocks.push(list(items, width))
    items = []
    blocks.push(paragraph(note, width))
  }
  return [...blocks, ...(items.length > 0 ? [list(items, width)] : [])].join('\n')
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`
}
