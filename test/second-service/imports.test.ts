import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll, type Run } from '../payroll.ts'
import { differences } from './compare.ts'
import { allowed, type Judgement } from './expected.ts'
import { type Held, irishPerson, timesheet, ukPerson, withoutNulls } from './records.ts'
import type { Second } from './second.ts'
import { type Break, start } from './service.ts'
import { type Shape, shapes, shareOf } from './shapes.ts'
import type { Kind } from './store.ts'

/** A file to import: what each row becomes, and the reference by which it is known. */
interface Starters {
  readonly command: string
  readonly kind: Kind
  readonly rows: readonly Held[]
  readonly refOf: (record: Held) => string
}

const numbers = [1, 2, 3, 4, 5]
const personOf = ({ generalSetting }: Held) => generalSetting.agencyRef

/** The fields that only the service has a word for are not in a file, and neither is what there is none of. */
const known = (person: Held): Held => {
  delete person.generalSetting.costCentre
  return withoutNulls(person)
}

const imports: readonly Starters[] = [
  {
    command: 'candidates import --uk',
    kind: 'uk',
    rows: numbers.map((at) => known(ukPerson(`STARTER-${at}`, at))),
    refOf: personOf,
  },
  {
    command: 'candidates import --ireland',
    kind: 'ireland',
    rows: numbers.map((at) => known(irishPerson(`STARTER-${at}`, at))),
    refOf: personOf,
  },
  {
    command: 'timesheets import',
    kind: 'timesheets',
    rows: numbers.map((at) => ({
      ...timesheet(`PERSON-UK-1${at}`, at),
      ...{ assignmentRef: `STARTER-${at}`, startDate: '2026-10-05', endDate: '2026-10-11' },
      rates: [{ rate: '16.00', units: '37.50' }],
    })),
    refOf: ({ subcontractorRef }) => subcontractorRef,
  },
]

const never: Break = () => false
/** The answer to one row of five is lost, after the row was stored. */
const oneOfFive: Break = ({ method, body }) => method === 'POST' && body.includes('STARTER-3')

/**
 * An import creates and reads lists; how the service answers a PUT does not concern it. What is no candidate of the UK
 * differs in its lists alone.
 */
function concerns(shape: Shape, { kind }: Starters): boolean {
  if (shape.etags || shape.weakEtags || shape.ignoresPut || shape.putsAnother || shape.putAnswers)
    return false
  if (shape.hides || shape.leavesOut || shape.lacks || shape.idAs) return false
  if (kind !== 'uk' && !shape.list && Object.keys(shape).length > 1) return false
  return kind === 'uk' || !shape.candidates
}

async function tryImport(shape: Shape, starters: Starters, breaks: Break) {
  const { second, env } = await start(shape, false, breaks)
  const home = freshHome()
  const file = join(home, 'starters.ndjson')
  writeFileSync(file, starters.rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const words = [...starters.command.split(' '), file, '--settle', '1', '--json']
  const run = await payroll(words, { home, env })
  const { verdict, why } = judgeImport(second, starters, run)
  const may = allowed(shape, { ...starters, does: 'import' })
  expect(may, `${verdict}: ${why}\n${run.err}`).toContain(verdict)
}

interface Report {
  readonly created: number
  readonly existing: number
  readonly refused: number
  readonly unresolved: number
  readonly pending: number
}

const nothing: Report = { created: 0, existing: 0, refused: 0, unresolved: 0, pending: 0 }

/** Counts what is held of each row, and compares it with the report. */
function judgeImport(second: Second, { kind, rows, refOf }: Starters, run: Run): Judgement {
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

for (const shape of shapes) {
  const concerned = imports.filter((each) => concerns(shape, each))
  const tried = shareOf(shape, concerned)
  // A group without a test is a failure.
  if (tried.length === 0) continue
  describe(`into a service with ${shape.name}`, () => {
    for (const starters of tried) {
      // In the other shapes no row is answered for, with or without a connection.
      const loses = !shape.queued && !shape.errorBody && starters.kind === 'uk'
      const lost = loses ? ', when an answer is lost after its row was stored' : ''
      test(`payroll ${starters.command}${lost}`, () => tryImport(shape, starters, loses ? oneOfFive : never))
    }
  })
}
