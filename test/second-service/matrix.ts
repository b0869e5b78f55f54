import { describe, expect, test } from 'vitest'
import { applies } from './applies.ts'
import type { Case } from './cases.ts'
import { allowed } from './expected.ts'
import { shapes } from './shapes.ts'
import { tryCell } from './try-cell.ts'

/** One test for each command in each shape in which it could go differently. */
export function tryAll(cases: readonly Case[]): void {
  describe.each(shapes)('a service with $name', (shape) => {
    const tried = cases
      .filter((one) => applies(shape, one))
      .map((one) => ({ ...one, may: allowed(shape, one) }))
    test.each(tried)('$command', async (one) => {
      const { verdict, why, run } = await tryCell(shape, one)
      expect(one.may, `${verdict}: ${why}\nexit ${run.code}\n${run.err}`).toContain(verdict)
    })
  })
}
