import { describe, expect, test } from 'vitest'
import { applies } from './applies.ts'
import type { Case } from './cases.ts'
import { allowed } from './expected.ts'
import { shapes, shareOf } from './shapes.ts'
import { tryCell } from './try-cell.ts'

/** One test for each command in each shape in which it could go differently. */
export function tryAll(cases: readonly Case[]): void {
  for (const shape of shapes) {
    const concerned = cases.filter((each) => applies(shape, each))
    const tried = shareOf(shape, concerned)
    // A group without a test is a failure.
    if (tried.length === 0) continue
    describe(`a service with ${shape.name}`, () => {
      for (const one of tried) {
        const may = allowed(shape, one)
        test(`payroll ${one.command}: ${may.join(' or ')}`, async () => {
          const { verdict, why, run } = await tryCell(shape, one)
          expect(may, `${verdict}: ${why}\nexit ${run.code}\n${run.err}`).toContain(verdict)
        })
      }
    })
  }
}
