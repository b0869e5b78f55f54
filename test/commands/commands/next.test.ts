import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'shell-quote'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { entries } from '../../../src/program.ts'
import { commandsIn } from '../../../src/render/failure-text.ts'
import { payroll } from '../../payroll.ts'

interface Row {
  readonly command: string
  readonly aliases: readonly string[]
  readonly arguments: readonly { readonly required: boolean; readonly repeatable: boolean }[]
  readonly options: readonly { readonly name: string; readonly takes: string | null }[]
}

const root = fileURLToPath(new URL('../../../src', import.meta.url))
const nouns = entries.map(({ name }) => name)

/** The texts of a file, with a word instead of each value that is put in. */
function textsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('payroll ')) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    if (ts.isTemplateExpression(node)) {
      // What follows a word without a blank is an option with its blank, or nothing: `payroll auth login${flag}`.
      const join = (before: string, { literal }: ts.TemplateSpan) =>
        `${before}${/(^|[\s'"/=(])$/.test(before) ? 'put-in' : ''}${literal.text}`
      found.push(node.templateSpans.reduce(join, node.head.text))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

const named = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => textsIn(`${root}/${name}`).map((text) => ({ name, text })))
  // The heading of a table in a database, and the description in an OpenAPI document.
  .filter(({ text }) => !/^payroll journal, version|listens on the default/.test(text))
  .flatMap(({ name, text }) => commandsIn(text, nouns).map((command) => [command, name] as const))

let rows: readonly Row[]
beforeAll(async () => {
  rows = (await payroll(['commands', '--json'], { home: '/nowhere' })).json()
})

/** The words up to a pipe, a redirection or a comment; `<id>` is a word. */
function wordsOf(command: string): string[] {
  const parts = parse(command.replace(/<[\w-]+>/g, 'put-in'))
  const end = parts.findIndex((part) => typeof part !== 'string')
  return (end < 0 ? parts : parts.slice(0, end)).map(String)
}

/** What is wrong with a command, by what `payroll commands` says of it. */
function problemOf(command: string): string | undefined {
  const words = wordsOf(command)
  const row = rows.findLast(({ command: each, aliases }) => {
    const known = each.split(' ')
    const isLast = (at: number) => at > 1 && at === known.length - 1
    return known.every((word, at) => words[at] === word || (isLast(at) && aliases.includes(words[at] ?? '')))
  })
  if (!row || row.command === 'payroll') return 'no such command'
  const options = new Map([...row.options, ...(rows[0]?.options ?? [])].map((each) => [each.name, each]))
  const rest = words.slice(row.command.split(' ').length)
  let given = 0
  while (rest.length > 0) {
    const [flag = '', value] = (rest.shift() ?? '').split(/=(.*)/)
    if (flag === '-o') rest.shift()
    else if (!flag.startsWith('-')) given += 1
    else {
      const option = options.get(flag)
      if (!option) return `no option ${flag}`
      if (option.takes !== null && value === undefined && rest.shift() === undefined)
        return `nothing behind ${flag}`
    }
  }
  const isOver = given > row.arguments.length && !row.arguments.some(({ repeatable }) => repeatable)
  const isShort = given < row.arguments.filter(({ required }) => required).length
  return isOver ? 'too many words' : isShort && !words.includes('--help') ? 'too few words' : undefined
}

describe('a command that a text of payroll names', () => {
  test('is found in many texts', () => {
    expect(named.length).toBeGreaterThan(150)
  })

  test.each([
    ['payroll auth logn', 'no such command'],
    ['payroll auth login --brwser', 'no option --brwser'],
    ['payroll auth login --profile', 'nothing behind --profile'],
    ['payroll candidates get', 'too few words'],
    ['payroll candidates list in York', 'too many words'],
    ['payroll candidates list --json | jq .', undefined],
  ])('is judged: %s', (command, problem) => {
    expect(problemOf(command)).toBe(problem)
  })

  test.each(named)('can be typed: %s (%s)', (command) => {
    expect(problemOf(command)).toBeUndefined()
  })
})
