import { describe, expect, test } from 'vitest'
import { candidateIrelandAnswer } from '../../src/api/contract/candidate/candidate-answer.ts'
import { styleFor } from '../../src/render/style.ts'
import { table } from '../../src/render/table.ts'
import { allHostile, isHarmless } from './hostile.ts'

const { fields } = candidateIrelandAnswer
const plain = styleFor(false)

describe('a table', () => {
  test('has the labels of its columns above, no borders, and nothing behind the last word of a line', () => {
    const rows = [
      { id: 'c-1', forename: 'Síle', bank: { country: 'IE' } },
      { id: 'c-22', forename: null },
      { id: 'c-3', forename: '田中', bank: { country: 'GB' } },
    ]
    expect(table(rows, ['id', 'forename', 'bank.country'], fields, plain)).toBe(
      ['ID    Forename  Bank country', 'c-1   Síle      IE', 'c-22', 'c-3   田中      GB', ''].join('\n'),
    )
  })

  test('names a column that nobody declared by its path, and finds a name with a dot in it', () => {
    expect(table([{ 'a.b': 1, a: { c: 2 } }], ['a.b', 'a.c'], {}, plain)).toBe('a.b  a.c\n1    2\n')
  })

  test('without columns is one value a line', () => {
    expect(table(['T1', null, 7], [], {}, plain)).toBe('T1\n\n7\n')
  })

  test('shows false and nought, which are not nothing', () => {
    expect(table([{ a: false, b: 0 }], ['a', 'b'], {}, plain)).toBe('a   b\nno  0\n')
  })

  test('has bold labels in colour, in line with what stands below', () => {
    expect(table([{ id: 'c-1' }], ['id', 'forename'], fields, styleFor(true))).toBe(
      '\u001B[1mID\u001B[22m   \u001B[1mForename\u001B[22m\nc-1\n',
    )
  })

  test('is harmless, a line for each row, with hostile text in names and values', () => {
    const text = table([{ [allHostile]: allHostile, id: allHostile }], ['id', allHostile], fields, plain)
    expect(isHarmless(text)).toBe(true)
    expect(text.split('\n')).toHaveLength(3)
  })
})
