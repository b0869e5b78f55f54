import { describe, expect, test } from 'vitest'
import {
  formatPath,
  isObject,
  mergeDeep,
  parsePath,
  valueAt,
  withValueAt,
} from '../../../src/files/json/path.ts'

describe('a path', () => {
  test.each([
    ['generalSetting.city', ['generalSetting', 'city']],
    ['generalSetting.address[0]', ['generalSetting', 'address', '0']],
    ['generalSetting.address.0', ['generalSetting', 'address', '0']],
    ['rates[1000].units', ['rates', '1000', 'units']],
    ['a[0][1]', ['a', '0', '1']],
    ['a.b.c.d.e.f.g.h.i.j', [...'abcdefghij']],
    ['frequency_zeroPointFive', ['frequency_zeroPointFive']],
    ['x-y', ['x-y']],
  ])('%s is read as %j', (path, segments) => {
    expect(parsePath(path)).toEqual(segments)
  })

  test.each([
    ...['', '.', 'a.', '.a', 'a..b', 'a b', 'a[', 'a[]', 'a[x]', 'a[-1]', 'a[1001]', 'a.1001'],
    ...['a[4294967294]', 'a.b.c.d.e.f.g.h.i.j.k', '__proto__', 'a.__proto__.b', 'a.constructor'],
    ...['prototype.a', 'é', 'a/b', 'a\n'],
  ])('%j is none', (path) => {
    expect(parsePath(path)).toBeUndefined()
  })

  test.each(['a', 'a.b', 'a[0]', 'a[0].b', 'a[10][2].c-d'])('%s is written as it was read', (path) => {
    expect(formatPath(parsePath(path) ?? [])).toBe(path)
  })

  test('takes the places that zod names, numbers among them', () => {
    expect(formatPath(['generalSetting', 'address', 1])).toBe('generalSetting.address[1]')
    expect(formatPath([])).toBe('')
  })
})

describe('valueAt', () => {
  const record = { a: { b: [{ c: 1 }, null] }, none: null }

  test.each([
    ['a.b[0].c', 1],
    ['a.b[1]', null],
    ['a.b[2]', undefined],
    ['a.b.length', 2],
    ['none', null],
    ['none.a', undefined],
    ['a.b[0].c.d', undefined],
  ])('finds what stands at %s', (path, value) => {
    expect(valueAt(record, parsePath(path) ?? [])).toEqual(value)
  })

  test('finds nothing that every object inherits', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      expect(valueAt(record, [name])).toBeUndefined()
      expect(valueAt([], [name])).toBeUndefined()
      expect(valueAt('text', [name])).toBeUndefined()
    }
  })
})

describe('withValueAt', () => {
  test.each([
    [{}, 'a.b', 1, { a: { b: 1 } }],
    [{ a: { c: 2 } }, 'a.b', 1, { a: { c: 2, b: 1 } }],
    [{ a: ['x', 'y'] }, 'a[1]', 'z', { a: ['x', 'z'] }],
    [{ a: ['x'] }, 'a[1]', 'z', { a: ['x', 'z'] }],
    [{}, 'a[0].b', 1, { a: [{ b: 1 }] }],
    [{ a: 'text' }, 'a.b', 1, { a: { b: 1 } }],
    [{ a: null }, 'a.b', 1, { a: { b: 1 } }],
    [{ a: { 0: 'x' } }, 'a[0]', 'z', { a: { 0: 'z' } }],
    [{ a: ['x'] }, 'a.b', 1, { a: { b: 1 } }],
  ])('of %j puts at %s the value %j', (before, path, value, after) => {
    const untouched = structuredClone(before)
    expect(withValueAt(before, parsePath(path) ?? [], value)).toEqual(after)
    expect(before).toEqual(untouched)
  })

  test('cannot reach the prototype, whatever name a service sends', () => {
    const put = withValueAt({}, ['__proto__', 'polluted'], true)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(put)).toBe(Object.prototype)
  })
})

test.each([
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: 9 } }, { a: 1, b: { c: 9, d: 3 } }],
  [{ a: [1, 2, 3] }, { a: [9] }, { a: [9] }],
  [{ a: { b: 1 } }, { a: null }, { a: null }],
  [{ a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: 1 }, {}, { a: 1 }],
  [{}, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: 1 }, [1], [1]],
  [{}, { toString: { a: 1 } }, { toString: { a: 1 } }],
])('overlay of %j and %j is %j', (below, above, merged) => {
  const untouched = structuredClone(below)
  expect(mergeDeep(below, above)).toEqual(merged)
  expect(below).toEqual(untouched)
})

test('an object is neither null nor a list', () => {
  expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false])
})
