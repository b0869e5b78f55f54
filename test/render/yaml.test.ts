import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseJson } from '../../src/files/json/parse.ts'
import { yaml } from '../../src/render/yaml-output.ts'

/** Text that one version of YAML or the other would take for something else. */
const words =
  `NO no yes on off y n Y true TRUE null Null ~ = << 123_456 1_000.5 190:20:30 190:20:30.15 1:30 0:0 017 0o17
  0x1F 0b11 08 1e3 1E+3 12e03 .5 1. .inf -.INF .nan +1 2024-01-01 2024-1-1 2024-01-01T00:00:00.000Z - ? : # | > { [ @x
  \`x %x !x &x *x`.split(/\s+/)
const texts = [
  ...words,
  ...['', ' ', 'a: b', 'a #b', '- a', 'NO ', 'x\ny', '2001-12-14 21:59:43.10 -5', '\u2028', '\u0085'],
]

/** By the rules of both versions; nothing is made of a text but the value it says. */
const readings = (text: string) =>
  (['1.1', '1.2'] as const).map((version) => parse(text, { version, logLevel: 'error' }))

describe('YAML', () => {
  test.each(texts)('keeps the text %j a text, as a value and as a name, in both versions', (text) => {
    for (const value of [{ a: text }, { [text]: 1 }, [text, [text]]]) {
      for (const read of readings(yaml(value))) expect(read).toEqual(value)
    }
  })

  test('keeps numbers numbers in both versions', () => {
    const value = { a: [0, 12.5, -3, 1e21, 1.5e-7, -1e-7, 1000, true, null] }
    for (const read of readings(yaml(value))) expect(read).toEqual(value)
    expect(yaml([1e21, -1e-7])).toBe('- 1.0e+21\n- -1.0e-7\n')
  })

  test('has every digit of a number that no double holds, and no quotation marks around it', () => {
    const value = parseJson('{"a":9007199254740993,"b":[99999999999999.99,1e400,-1E-400]}')
    expect(yaml(value)).toBe('a: 9007199254740993\nb:\n  - 99999999999999.99\n  - 1.0e+400\n  - -1.0e-400\n')
  })
})
