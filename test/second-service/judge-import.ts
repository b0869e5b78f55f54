import type { Run } from '../payroll.ts'
import { differences } from './compare.ts'
import type { Second } from './second.ts'
import type { Starters } from './starters.ts'
import type { Judgement } from './verdict.ts'

interface Report {
  readonly created: number
  readonly existing: number
  readonly refused: number
  readonly unresolved: number
  readonly pending: number
}

const nothing: Report = { created: 0, existing: 0, refused: 0, unresolved: 0, pending: 0 }

/** Counts what is held of each row, and compares it with the report. */
export function judgeImport(second: Second, { kind, rows, refOf }: Starters, run: Run): Judgement {
  const report: Report = run.out === '' ? nothing : { ...nothing, ...run.json() }
  const made = Object.entries(second.held[kind]).filter(([id]) => !(id in second.before[kind]))
  const held = (row: (typeof rows)[number]) => made.filter(([, record]) => refOf(record) === refOf(row))
  const told = `exit ${run.code}, ${made.length} held, ${JSON.stringify(report)}`
  const faults = rows.flatMap((row) => {
    const copies = held(row)
    if (copies.length > 1) return [`${refOf(row)} is held ${copies.length} times`]
    const differ = copies.flatMap(([, record]) => differences(row, record))
    return differ.length > 0 ? [`${refOf(row)} is held otherwise: ${differ.join(' ')}`] : []
  })
  const there = rows.filter((row) => held(row).length > 0).length
  const { created, existing, refused, unresolved, pending } = report
  const open = unresolved + pending
  if (created + existing > there) faults.push(`${created + existing} are said to be there, and ${there} are`)
  if (there > created + existing + open)
    faults.push(`${there} are held, and ${created + existing + open} accounted for`)
  if (second.shape.queued && refused > 0) faults.push('what is queued is said to be refused')
  const named = rows.filter((row) => run.err.includes(refOf(row))).length
  if (named < unresolved) faults.push(`${unresolved} are unresolved, and ${named} named`)
  if (run.code === 0 && there < rows.length)
    faults.push(`exit 0, and ${rows.length - there} rows are nowhere`)
  if (run.code === 1) faults.push('a bug of its own')
  if (faults.length > 0) return { verdict: 'wrong', why: `${faults.join('; ')}: ${told}` }
  if (run.code === 0) return { verdict: 'right', why: told }
  if (made.length === 0) return { verdict: open > 0 ? 'uncertain' : 'refused', why: told }
  return { verdict: open > 0 ? 'uncertain' : 'told', why: told }
}
