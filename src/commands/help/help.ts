import { type Failure, usage } from '../../errors.ts'
import { aliasesOf } from '../kit/declare/aliases.ts'
import {
  type Entry,
  type GlobalOption,
  type Group,
  type Resource,
  type Verb,
  verbsOf,
} from '../kit/declare/verb.ts'
import { nounPage, verbPage } from './help-pages.ts'
import { list, page, paragraph } from './layout.ts'
import { rootPage } from './root-page.ts'
import { topics } from './topics.ts'

/** What help is made of. */
export interface HelpSource {
  readonly entries: readonly Entry[]
  readonly globalOptions: readonly GlobalOption[]
  /** In columns. */
  readonly width: number
}

/**
 * What `help <words>` prints, and `<words> --help`: the page of a command. A topic has a page too, as `topicText`
 * gives it. Throws a usage failure for words that lead to no command.
 */
export async function helpText(source: HelpSource, words: readonly string[]): Promise<string> {
  const { entries, width } = source
  const [noun, ...rest] = words
  if (noun === undefined || noun === 'help') return rootPage(entries, width)
  const entry = entries.find(({ name }) => name === noun)
  if (!entry) throw await unknown('payroll', noun, [...entries, ...topics])
  let path = `payroll ${noun}`
  let about = entry.summary
  let here: Resource | Group = await entry.load()
  let beside: readonly string[] = []
  for (const word of rest) {
    const verbs = verbsOf(here)
    beside = verbs.map(({ name }) => name)
    const next: Verb | Group | undefined = verbs.find(({ name }) => isWordFor(word, name, beside))
    if (!next) throw await unknown(path, word, verbs)
    path = `${path} ${next.name}`
    about = 'about' in next ? next.about : next.summary
    here = next
  }
  return 'run' in here
    ? verbPage(here, beside, { path, width })
    : nounPage(about, verbsOf(here), { path, width })
}

/** The page of a topic; undefined where there is none of this name. */
export async function topicText(
  { globalOptions, width }: HelpSource,
  name: string,
): Promise<string | undefined> {
  const topic = topics.find((each) => each.name === name)
  const parts = (await topic?.load())?.(globalOptions)
  return (
    parts &&
    page(parts.map((part) => (typeof part === 'string' ? paragraph(part, width) : list(part, width))))
  )
}

function isWordFor(word: string, verb: string, beside: readonly string[]): boolean {
  return word === verb || aliasesOf(verb, beside).includes(word)
}

async function unknown(
  path: string,
  word: string,
  known: readonly { readonly name: string }[],
): Promise<Failure> {
  const { nearest } = await import('../../api/contract/fields/nearest.ts')
  const near = nearest(
    known.map(({ name }) => name),
    word,
  )
  const what = path === 'payroll' ? `There is no command or topic ${word}.` : `${path} has no verb ${word}.`
  return usage(near ? `${what} Did you mean ${near}?` : what, `See ${path} --help.`)
}
