import { describe, expect, test } from 'vitest'
import { faults } from '../../src/sandbox/faults/all-faults.ts'
import { type KindName, kinds, meet, payslips } from './matrix.ts'
import { expectations, type KindOfCell } from './matrix-expectations.ts'

const names = Object.keys(kinds) as KindName[]

const cells = expectations.flatMap((row) =>
  row.faults.flatMap((fault) =>
    names.flatMap((kind) => {
      const cell = row[kind as KindOfCell] ?? (kind === 'createIreland' ? row.create : undefined)
      return cell && happensTo(fault, kind) ? [{ fault, kind, cell }] : []
    }),
  ),
)

function happensTo(fault: string, kind: KindName): boolean {
  const known = faults.find(({ name }) => name === fault)
  return known !== undefined && (known.on?.(kinds[kind].operation) ?? true)
}

describe(`the fault matrix, of ${cells.length} cells`, () => {
  test('has a cell for every fault and every kind of operation that it can happen to', () => {
    const missing = faults.flatMap(({ name }) =>
      names
        .filter((kind) => happensTo(name, kind))
        .filter((kind) => !cells.some((cell) => cell.fault === name && cell.kind === kind))
        .map((kind) => `${name} ${kind}`),
    )
    expect(missing).toEqual([])
  })

  test.each(cells)(
    '$fault, $kind',
    async ({ fault, kind, cell: [code, requests] }) => {
      const patience = /stall|slow/.test(fault) ? ['--timeout', '1'] : []
      const { run, requests: seen, held } = await meet(fault, kind, ...patience)
      expect(run.code, run.err).toBe(code)
      const [fewest, most] = typeof requests === 'number' ? [requests, requests] : requests
      expect(seen).toBeGreaterThanOrEqual(fewest)
      expect(seen).toBeLessThanOrEqual(most)
      // Standard output has a whole answer or nothing, and standard error a whole error or none.
      if (code === 0) {
        const answer = run.json()
        if (kind === 'list') expect(answer.length).toBeGreaterThanOrEqual(payslips - 5)
      } else {
        expect(run.out).toBe('')
        expect(run.error().exitCode).toBe(code)
        // "Refused" is what may be put right and sent again: never of what the service holds.
        if (held) expect(run.error().outcome).toBe('unknown')
      }
      if (held !== undefined) expect(held).toBe(faults.find(({ name }) => name === fault)?.applied !== 'no')
    },
    30_000,
  )
})
