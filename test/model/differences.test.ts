import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/files/json/path.ts'
import { differences } from '../../src/model/mapping/compare-stored.ts'
import { everyField } from '../every-field.ts'

describe('differences', () => {
  const added = [
    ['a.b', undefined, 1],
    ['a.c.d', undefined, 2],
  ] as const
  const several = [
    ['a', 1, 0],
    ['b', 2, undefined],
    ['c', 3, 4],
    ['d', undefined, 5],
  ] as const

  /** Each as [path, before, after]. */
  type Found = readonly (readonly [string, unknown, unknown])[]
  test.each<[string, object, object, Found]>([
    ['nothing', { a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, { d: 2 }] }, a: 1 }, []],
    ['a value', { a: 1 }, { a: 2 }, [['a', 1, 2]]],
    ['a value deep down', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, [['a.b.c', 1, 2]]],
    ['a type alone', { a: 1 }, { a: '1' }, [['a', 1, '1']]],
    ['null and absent', { a: null }, {}, [['a', null, undefined]]],
    ['absent and null', {}, { a: null }, [['a', undefined, null]]],
    ['null and empty', { a: null }, { a: '' }, [['a', null, '']]],
    ['a list, whole', { a: [1, 2] }, { a: [2, 1] }, [['a', [1, 2], [2, 1]]]],
    ['an object that goes', { a: { b: 1 } }, {}, [['a', { b: 1 }, undefined]]],
    ['an object for a value', { a: 1 }, { a: { b: 1 } }, [['a', 1, { b: 1 }]]],
    ['an object that comes, field by field', {}, { a: { b: 1, c: { d: 2 } } }, added],
    ['several, in the order of the fields', { a: 1, b: 2, c: 3 }, { c: 4, a: 0, d: 5 }, several],
    ['a field called as a method of every object', {}, { toString: 1 }, [['toString', undefined, 1]]],
  ])('are found: %s', (_, before, after, found) => {
    const expected = found.map(([path, before, after]) => ({ path, before, after }))
    expect(differences(before as JsonObject, after as JsonObject)).toEqual(expected)
  })

  test('of a whole candidate and itself are none', () => {
    const record = everyField('ireland')
    expect(differences(record, structuredClone(record))).toEqual([])
  })
})
