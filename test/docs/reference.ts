import { readFileSync } from 'node:fs'
import {
  describeVerbOption,
  type HelpNote,
  type Resource,
  type Verb,
  type VerbGroup,
} from '../../src/commands/cli/verb.ts'
import { errorRows, topicPages } from '../../src/commands/help/topic-pages.ts'
import { variablesByGroup } from '../../src/environment.ts'
import { entries } from '../../src/program.ts'

const preface = `# Reference

Every command, with its arguments, options and examples. \`npm run reference\` writes this page from the data that the
commands themselves are made of; \`payroll <command> --help\` prints the same.
`

/** The page docs/reference.md. */
export async function describeCommands(): Promise<string> {
  const commands = await Promise.all(
    entries.map(async ({ name, summary, load }) => {
      const inside = describeResource(`payroll ${name}`, await load(), 3)
      return [`## ${name}`, capital(summary), ...inside].join('\n\n')
    }),
  )
  return `${[preface.trimEnd(), globalOptions(), environment(), exitCodes(), errorObject(), ...commands].join('\n\n')}\n`
}

function describeResource(name: string, resource: Resource | VerbGroup, level: number): string[] {
  if ('run' in resource) {
    const below = (resource.verbs ?? []).flatMap((each) => [
      `${'#'.repeat(level)} ${name} ${each.name}`,
      ...describeVerb(`${name} ${each.name}`, each),
    ])
    return [...describeVerb(name, resource), ...below]
  }
  return resource.verbs.flatMap((each) => {
    const heading = `${'#'.repeat(level)} ${name} ${each.name}`
    if ('run' in each) return [heading, ...describeResource(`${name} ${each.name}`, each, level + 1)]
    return [heading, capital(each.about), ...describeResource(`${name} ${each.name}`, each, level + 1)]
  })
}

function describeVerb(name: string, verb: Verb): string[] {
  const words = (verb.arguments ?? []).map(({ name, summary, optional, variadic }) => {
    const word = variadic ? `${name}...` : name
    return { word: optional ? `[${word}]` : `<${word}>`, summary }
  })
  const synopsis = [name, ...words.map(({ word }) => word), ...(verb.options?.length ? ['[options]'] : [])]
  const rows = [
    ...words.map(({ word, summary }) => row(code(word), summary)),
    ...(verb.options ?? []).map((option) => {
      const { flags, summary } = describeVerbOption(option, verb)
      return row(code(flags), summary)
    }),
  ]
  return [
    capital(verb.summary),
    fenced(synopsis.join(' ')),
    ...(rows.length > 0 ? [table(rows)] : []),
    ...(verb.notes ? [verb.notes.map(noteText).join('\n')] : []),
    'Examples:',
    fenced(verb.examples.join('\n')),
  ]
}

/** The options of every command, as `payroll help options` shows them. */
function globalOptions(): string {
  const [, rows] = topicPages.options
  if (!Array.isArray(rows)) throw new Error('the page of the options has no list')
  return `## Options of every command\n\n${table(rows.map(([flags, text]) => row(code(flags), text)))}`
}

/** The environment variables, as `payroll help environment` shows them. */
function environment(): string {
  const groups = variablesByGroup().map(
    ({ title, rows }) => `${title}\n\n${table(rows.map(([name, summary]) => row(code(name), summary)))}`,
  )
  return ['## Environment variables', ...groups].join('\n\n')
}

/** The table of the README: each code is told in one place. */
function exitCodes(): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [section = ''] = /## Exit codes\n[\s\S]*?(?=\n## )/.exec(readme) ?? []
  return section.trimEnd()
}

/** The error object, as `payroll help errors` shows it. */
function errorObject(): string {
  const [about = '', , last = ''] = topicPages.errors
  const rows = errorRows.map(([name, meaning]) => row(code(name), meaning))
  return ['## Errors as JSON', about, table(rows), last].join('\n\n')
}

const noteText = (note: HelpNote) => (typeof note === 'string' ? note : `- ${code(note[0])}: ${note[1]}`)

const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const code = (text: string) => `\`${text}\``

const table = (rows: readonly string[]) => ['| | |', '|---|---|', ...rows].join('\n')

const fenced = (text: string) => `\`\`\`sh\n${text}\n\`\`\``

const capital = (text: string) => {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
