import { expect, test } from 'vitest'
import { csvCell, csvText, markFormula } from '../../src/formats/csv-cell.ts'
import { ExactNumber } from '../../src/json/numbers.ts'

test.each([
  [
    '',
    'Ann',
    'Ó Briain',
    'a,b',
    'say "yes"',
    '"',
    'x\ny',
    'x\r',
    'x\u0085y',
    'x\u2028y',
    'x\u2029',
    ' x ',
    'a;b',
    'a\tb',
    'ok;=1+41',
    ';',
  ],
  ['=1+1', '+447700900123', '-5', '@x', '\t1', '＝1', "'=1", 'x\n=1', '=a,"b"', "O'Example", '\0', '×,÷'],
])('a cell is written as csv-stringify writes it: %j', (...texts) => {
  for (const text of texts)
    for (const excel of [false, true])
      expect(`${csvCell(text, excel)}\n`).toBe(csvText([[markFormula(text, excel)]]))
})

test('numbers keep their digits and are not marked, null is empty, what is inside a cell is JSON', () => {
  const values = [-1.5, new ExactNumber('-9007199254740993'), true, null, [{ a: 1 }], { b: [] }]
  expect(values.map((value) => csvCell(value))).toEqual([
    '-1.5',
    '-9007199254740993',
    'true',
    '',
    '"[{""a"":1}]"',
    '"{""b"":[]}"',
  ])
})
