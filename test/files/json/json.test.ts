import { describe, expect, test } from 'vitest'
import { duplicateNames } from '../../../src/files/json/duplicate-names.ts'
import { ExactNumber, parseNumber } from '../../../src/files/json/numbers.ts'
import { parseJson } from '../../../src/files/json/parse.ts'
import { stringifyJson } from '../../../src/files/json/stringify.ts'
import { accepted } from '../../api/json/json-texts.ts'

/** Numbers that a double would change. */
const changed = [
  '9007199254740993',
  '-9007199254740993',
  '99999999999999.99',
  '12345678901234567890',
  '0.1234567890123456789',
  '1e400',
  '-1E+400',
  '1e-400',
  '123456789012345678e-3',
]

const kept = '0 -0 9007199254740992 0.30000000000000004 1.50 1e2 0e999 100000000000000000000 5e-324'.split(
  ' ',
)

describe('a number of JSON', () => {
  test.each(changed)('%s is written with the digits that it was read with, wherever it stands', (text) => {
    for (const whole of [text, `[1,${text}]`, `{"a":{"b":[ ${text} ,2]},"c":"x"}`, `{"a":\n${text}}`]) {
      expect(stringifyJson(parseJson(whole))).toBe(whole.replaceAll(/\s/g, ''))
    }
  })

  test.each(kept)('%s is a number like any other', (text) => {
    expect(parseNumber(text)).toBe(Number(text))
    expect(parseJson(`{"a":${text}}`)).toEqual({ a: Number(text) })
  })

  test('in a string is text, whatever stands around it', () => {
    const value = { a: ': 9007199254740993, ', b: '\\": 1e400', 'c: 9007199254740993': '"' }
    const text = JSON.stringify({ ...value, d: 1 })
    expect(parseJson(text)).toEqual({ ...value, d: 1 })
    const beside = parseJson(text.replace('1}', '9007199254740993}'))
    expect(beside).toEqual({ ...value, d: new ExactNumber('9007199254740993') })
  })

  test('leaves the rest of the text as JSON.parse reads it', () => {
    const text = '{"__proto__":{"x":1},"a":1,"a":9007199254740993,"2":"b","1":"c"}'
    const value = parseJson(text) as Record<string, unknown>
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(Object.keys(value)).toEqual(Object.keys(JSON.parse(text)))
    expect(String(value.a)).toBe('9007199254740993')
  })

  test('is indented as JSON.stringify indents', () => {
    expect(stringifyJson(parseJson('{"a":[9007199254740993]}'), 2)).toBe(
      '{\n  "a": [\n    9007199254740993\n  ]\n}',
    )
  })

  test('reads a text of two million escapes without a stack', () => {
    const text = `{"a":"${'\\n'.repeat(2_000_000)}","b":9007199254740993}`
    expect(String((parseJson(text) as { b: unknown }).b)).toBe('9007199254740993')
  })
})

describe('a name that is given twice', () => {
  test.each([
    ['{"a":1,"a":2}', [['a']]],
    [String.raw`{"a":1,"\u0061":1}`, [['a']]],
    ['{"a":1,"a":2,"a":3}', [['a']]],
    ['{"x":[1,{"a":[{}],"b":":","a":{"c":1}}]}', [['x', 1, 'a']]],
    ['{"a":{"b":1,"b":2},"c":{"b":1},"a":{}}', [['a', 'b'], ['a']]],
    [String.raw`{"a\"":1,"a\"" :2}`, [['a"']]],
    ['[{"__proto__":1,"__proto__":2}]', [[0, '__proto__']]],
  ])('is found in %s', (text, places) => {
    expect(duplicateNames(text, JSON.parse(text))).toEqual(places)
  })

  test.each([
    '{"a":"a","b":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":1}}}',
    '["a","a"]',
    '{"a":"{\\"b\\":1,\\"b\\":2}"}',
    '{"id":"a","ID":"b"}',
    '{"a":["x","a"],"b":[]}',
  ])('is not found in %s', (text) => {
    expect(duplicateNames(text, JSON.parse(text))).toEqual([])
  })

  test('is looked for in every text that JSON.parse reads', () => {
    for (const [name, text] of Object.entries(accepted)) {
      expect([name, duplicateNames(String(text), JSON.parse(String(text))).length]).toEqual([
        name,
        name === 'one name twice' ? 1 : 0,
      ])
    }
  })
})
