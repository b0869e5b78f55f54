import { expect, test } from 'vitest'
import { createIdSet } from '../../src/api/pages.ts'

test.each([
  ['numbers', String],
  ['UUIDs that count up', (at: number) => `00000000-0000-4000-8001-${String(at).padStart(12, '0')}`],
  ['hexadecimal digits', (at: number) => at.toString(16).padStart(24, '0')],
  ['letters beyond ASCII', (at: number) => `Ó${String.fromCharCode(0x4e00 + (at % 5000))}-${at}`],
])('%s: every id is new once, and none is taken for another', (_, idAt) => {
  const ids = createIdSet()
  const all = Array.from({ length: 100_000 }, (_, at) => idAt(at))
  expect(all.filter((id) => !ids.add(id))).toEqual([])
  expect(all.filter((id) => ids.add(id))).toEqual([])
})
