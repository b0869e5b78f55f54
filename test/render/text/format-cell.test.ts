import { expect, test } from 'vitest'
import { cell } from '../../../src/render/text/format-field.ts'
import { allHostile, isHarmless } from '../hostile.ts'

test.each([
  [null, ''],
  [undefined, ''],
  ['', ''],
  [true, 'yes'],
  [false, 'no'],
  [0, '0'],
  [41600.5, '41600.5'],
  ['4000.00', '4000.00'],
  [[], ''],
  [['Flat 2', '1 Example Street'], 'Flat 2, 1 Example Street'],
  [[1, true, null], '1, yes, '],
  [{ id: 'x', n: 1 }, '{"id":"x","n":1}'],
  [[{ rate: '21.50' }], '[{"rate":"21.50"}]'],
])('%j is read as %j', (value, text) => {
  expect(cell(value)).toBe(text)
})

test.each([
  [allHostile],
  [[allHostile, allHostile]],
  [{ [allHostile]: allHostile }],
  [[{ a: [allHostile] }]],
])('is one harmless line, wherever in it hostile text stands', (value) => {
  const text = cell(value)
  expect(isHarmless(text)).toBe(true)
  expect(text).not.toContain('\n')
})
