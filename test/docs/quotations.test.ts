import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A text in quotation marks in a comment. */
interface Quotation {
  readonly text: string
  /** The whole comment, on one line. */
  readonly comment: string
  readonly line: number
}

/** The documents that a comment can quote besides interface.md, as it has to name them. */
const source =
  /\bRFC \d{4}|\bHMRC\b|\bRevenue\b|\babout_[A-Z]\w+|\bISO \d|\bPOSIX\b|\bPostgreSQL\b|\bUnicode\b|\bUAX\b|\bECMA-\d/

const page = comparable(readFileSync(`${root}test/fixtures/interface.md`, 'utf8').replaceAll('|', ' '))

/** Whether a quotation is a sentence of interface.md, or stands beside the name of the document that it is from. */
function isFromSource({ text, comment }: Quotation): boolean {
  const parts = text.split('…').map(comparable)
  return source.test(comment) || parts.every((part) => page.includes(part))
}

/** Marks, line breaks and capitals do not make another sentence. */
function comparable(text: string): string {
  const plain = text.replaceAll(/[`*:]/g, '').replaceAll('’', "'").replaceAll(/\s+/g, ' ')
  return plain
    .trim()
    .replace(/[.,;]$/, '')
    .toLowerCase()
}

/** What stands in double quotation marks in the comments of a file. What is in backticks is no quotation. */
function quotationsIn(code: string): Quotation[] {
  if (!/(?:\/\/|^\s*\/?\*).*["“]/m.test(code)) return []
  return commentsIn(code).flatMap(({ raw, at }) => {
    const comment = raw.replaceAll(/\n?\s*(?:\/\*\*?|\*\/|\/\/|(?<=\n\s*)\*) ?/g, ' ').replaceAll(/\s+/g, ' ')
    const line = code.slice(0, at).split('\n').length
    return [
      ...comment.replaceAll(/`[^`]*`/g, (span) => span.replaceAll('"', '')).matchAll(/["“]([^"”]+)["”]/g),
    ].map(([, text = '']) => ({ text, comment: comment.trim(), line }))
  })
}

/** The comments of a file; those on lines that follow each other are one. */
function commentsIn(code: string): { raw: string; at: number }[] {
  const file = ts.createSourceFile('file.ts', code, ts.ScriptTarget.Latest)
  const ranges = new Map<number, number>()
  const visit = (node: ts.Node) => {
    const leading = ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []
    const trailing = ts.getTrailingCommentRanges(code, node.getEnd()) ?? []
    for (const { pos, end } of [...leading, ...trailing]) ranges.set(pos, end)
    ts.forEachChild(node, visit)
  }
  visit(file)
  visit(file.endOfFileToken)
  const comments: { raw: string; at: number }[] = []
  let last = -1
  for (const [pos, end] of [...ranges].sort(([one], [other]) => one - other)) {
    const before = comments.at(-1)
    if (before && /^[ \t]*\n?[ \t]*$/.test(code.slice(last, pos))) before.raw = code.slice(before.at, end)
    else comments.push({ raw: code.slice(pos, end), at: pos })
    last = end
  }
  return comments
}

/** The code in a folder. */
const codeUnder = (folder: string) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => `${folder}/${name}`)

const report = (name: string, code: string) =>
  quotationsIn(code)
    .filter((quotation) => !isFromSource(quotation))
    .map(({ text, line }) => `${name}:${line} quotes "${text}"`)

test('a quotation in a comment is a sentence of interface.md, or its comment names the document that it is from', () => {
  const files = ['src', 'test', 'bin', 'build', 'scripts', 'bench'].flatMap(codeUnder)
  expect(files.length).toBeGreaterThan(500)
  const unsourced = files.flatMap((name) => report(name, readFileSync(`${root}${name}`, 'utf8')))
  expect(unsourced, 'An example stands in backticks; a quotation names its source.').toEqual([])
}, 60_000)

test.each([
  [
    'a sentence that nobody wrote',
    '/** "The service is never wrong." */',
    ['x.ts:1 quotes "The service is never wrong."'],
  ],
  ['a sentence over two lines', '\n// "It is\n// never wrong."', ['x.ts:2 quotes "It is never wrong."']],
  ['a sentence of interface.md', '/** "Country fields carry a two-letter country code." */', []],
  ['parts of interface.md', '// "Country fields … two-letter country code"', []],
  ['a sentence of a named document', '/** "MUST compare the two" (RFC 6749, 3.1.2.3). */', []],
  ['an example in backticks', '// Such as `1 "record"`.', []],
  ['a text that is no comment', 'const text = "// \\"no comment\\""', []],
])('a quotation is found in comments alone: %s', (_, code, found) => {
  expect(report('x.ts', code)).toEqual(found)
})
