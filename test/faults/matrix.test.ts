import { describe, expect, test } from 'vitest'
import { faults } from '../sandbox/faults/catalogue/all-faults.ts'
import { type KindName, kinds, payslips, type RunWithFault, runWithFault } from './matrix.ts'
import { cellOf, expectations } from './matrix-expectations.ts'

const atOnce = 6
/** The kinds, with those in front that tell most of a fault. */
const names = Object.keys(kinds) as KindName[]

/**
 * The first fault of a row is tried with every kind. What comes of the others is decided alike, so one kind is enough: two where
 * an answer cannot be read, each in its own way.
 */
const cells = expectations.flatMap((row) =>
  row.faults.flatMap((fault, at) => {
    const happening = names.flatMap((kind) => {
      const cell = cellOf(row, kind)
      return cell && happensTo(fault, kind) ? [{ fault, kind, cell }] : []
    })
    return at === 0 ? happening : happening.slice(0, row.read?.[0] === 10 ? 2 : 1)
  }),
)

function happensTo(fault: string, kind: KindName): boolean {
  const known = faults.find(({ name }) => name === fault)
  return known !== undefined && (known.on?.(kinds[kind].operation) ?? true)
}

const stalls = (fault: string) => /stall|slow/.test(fault)

const runCell = (fault: string, kind: KindName) =>
  runWithFault(fault, kind, stalls(fault) ? ['--timeout', '2'] : [])

/** Cells that wait for `--timeout`: the first test of one runs all of them, several beside each other. */
let stalledRuns: Promise<void> | undefined
const outcomes = new Map<string, Promise<RunWithFault>>()

async function runStalled(): Promise<void> {
  const stalled = cells.filter(({ fault }) => stalls(fault))
  // What the first run of a kind loads would count against its second.
  await Promise.all(names.map((kind) => runCell('status=400', kind)))
  for (let from = 0; from < stalled.length; from += atOnce) {
    const runs = stalled.slice(from, from + atOnce).map(({ fault, kind }) => {
      const outcome = runCell(fault, kind)
      outcomes.set(`${fault} ${kind}`, outcome)
      return outcome
    })
    await Promise.allSettled(runs)
  }
}

describe(`the fault matrix, of ${cells.length} cells`, () => {
  test('has a cell for every fault that can happen to one of its operations', () => {
    const happens = faults.filter(({ name }) => names.some((kind) => happensTo(name, kind)))
    const missing = happens.filter(({ name }) => !cells.some(({ fault }) => fault === name))
    expect(missing).toEqual([])
  })

  test.each(cells)(
    '$fault, $kind',
    async ({ fault, kind, cell: [code, requests] }) => {
      if (stalls(fault)) {
        stalledRuns ??= runStalled()
        await stalledRuns
      }
      const outcome = outcomes.get(`${fault} ${kind}`) ?? runCell(fault, kind)
      const { run, requests: seen, held } = await outcome
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
        // Refused is what may be put right and sent again: never of what the service holds.
        if (held) expect(run.error().outcome).toBe('unknown')
      }
      if (held !== undefined) expect(held).toBe(faults.find(({ name }) => name === fault)?.applied !== 'no')
    },
    30_000,
  )
})
