import { describe, expect, test } from 'vitest'
import { differences } from '../../../src/api/contract/mapping/compare-stored.ts'
import { everyField } from '../../every-field.ts'

describe('differences', () => {
  test.each([
    ['nothing', { a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, { d: 2 }] }, a: 1 }, []],
    ['a value', { a: 1 }, { a: 2 }, [{ path: 'a', before: 1, after: 2 }]],
    [
      'a value deep down',
      { a: { b: { c: 1 } } },
      { a: { b: { c: 2 } } },
      [{ path: 'a.b.c', before: 1, after: 2 }],
    ],
    ['a type alone', { a: 1 }, { a: '1' }, [{ path: 'a', before: 1, after: '1' }]],
    ['null and absent', { a: null }, {}, [{ path: 'a', before: null, after: undefined }]],
    ['absent and null', {}, { a: null }, [{ path: 'a', before: undefined, after: null }]],
    ['null and empty', { a: null }, { a: '' }, [{ path: 'a', before: null, after: '' }]],
    ['a list, whole', { a: [1, 2] }, { a: [2, 1] }, [{ path: 'a', before: [1, 2], after: [2, 1] }]],
    ['an object that goes', { a: { b: 1 } }, {}, [{ path: 'a', before: { b: 1 }, after: undefined }]],
    ['an object for a value', { a: 1 }, { a: { b: 1 } }, [{ path: 'a', before: 1, after: { b: 1 } }]],
    [
      'an object that comes, field by field',
      {},
      { a: { b: 1, c: { d: 2 } } },
      [
        { path: 'a.b', before: undefined, after: 1 },
        { path: 'a.c.d', before: undefined, after: 2 },
      ],
    ],
    [
      'several, in the order of the fields',
      { a: 1, b: 2, c: 3 },
      { c: 4, a: 0, d: 5 },
      [
        { path: 'a', before: 1, after: 0 },
        { path: 'b', before: 2, after: undefined },
        { path: 'c', before: 3, after: 4 },
        { path: 'd', before: undefined, after: 5 },
      ],
    ],
    [
      'a field called as a method of every object',
      {},
      { toString: 1 },
      [{ path: 'toString', before: undefined, after: 1 }],
    ],
  ])('are found: %s', (_, before, after, found) => {
    expect(differences(before, after)).toEqual(found)
  })

  test('differences of a whole candidate and itself are none', () => {
    const record = everyField('ireland')
    expect(differences(record, structuredClone(record))).toEqual([])
  })
})
