import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isFromSource, quotationsIn } from './quotations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

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
  [
    'a sentence over two lines',
    '\n// "The service is\n// never wrong."',
    ['x.ts:2 quotes "The service is never wrong."'],
  ],
  ['a sentence of interface.md', '/** "Country fields carry a two-letter country code." */', []],
  ['parts of interface.md', '// "Country fields … two-letter country code"', []],
  ['a sentence of a named document', '/** "MUST compare the two" (RFC 6749, 3.1.2.3). */', []],
  ['an example in backticks', '// Such as `1 "record"`.', []],
  ['a text that is no comment', 'const text = "// \\"no comment\\""', []],
])('a quotation is found in comments alone: %s', (_, code, found) => {
  expect(report('x.ts', code)).toEqual(found)
})
