// @module-tag tables
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guards } from '../../src/write/guards.ts'
import type { Guard, Writer } from '../../src/write/record-write.ts'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** A script that writes. A form asks at a terminal: test/commands/create, test/prompts. */
type Script = Exclude<Writer, 'form'>

type Asked = Pick<Guard<never>, 'for' | 'why'>

/** Something that a guard finds. */
interface Finding {
  /** Changes the answer of each read of the record, from this one on: the second is right before it is sent. */
  readonly read?: readonly [number, (record: any) => void]
  /** What is set of the record, instead of a city; in a file one column for each. */
  readonly sets?: Readonly<Record<string, string>>
  /** A reference that somebody else is given before it is sent, and after what an undo takes back. */
  readonly taken?: Partial<Record<Script, string>>
  readonly options?: readonly string[]
  readonly says: RegExp
  /** The exit code; a script that is asked ends too. `0` where it is only said. */
  readonly ends: Partial<Record<Script, number>>
}

const held = 9

/** By guard: what is found, and how each script ends that asks it. */
const found: readonly (readonly [string, Finding])[] = Object.entries<Finding>({
  'same owner': {
    read: [1, (record) => Object.assign(record, { agencyRef: 'X-9' })],
    says: /is not the record that was changed/,
    ends: { undo: 6 },
  },
  'right record': {
    read: [1, (record) => delete record.id && Object.assign(record, { forename: 'Eve', surname: 'Else' })],
    says: /has no id, and is not what the list has/,
    ends: { update: 10, undo: 10 },
  },
  'right record by its reference': {
    read: [1, (record) => Object.assign(record, { agencyRef: 'X-9' })],
    says: /the record that the service returned for .* is X-9/,
    ends: { update: 10, 'import update': held },
  },
  'fits a request': {
    read: [1, (record) => Object.assign(record, { shoes: { size: '41' } })],
    says: /shoes/,
    ends: { update: 10, undo: 10, 'import update': held },
  },
  'unchanged since': {
    read: [1, (record) => Object.assign(record, { city: 'Hull' })],
    says: /does not have what/,
    ends: { undo: 6 },
  },
  'right person': {
    sets: { forename: 'Eve', surname: 'Else' },
    says: /is the reference right\?/,
    ends: { 'import update': 3 },
  },
  'as planned': {
    options: ['--as-planned', 'plan.csv'],
    says: /not as planned: .*plan\.csv does not have it/,
    ends: { 'import update': held, 'import create': held },
  },
  'bank details': {
    sets: { accountNumber: '55779911' },
    says: /bank details change only with --bank/,
    ends: { 'import update': held },
  },
  doubts: {
    sets: { rateHour: '0.4' },
    options: ['--strict'],
    says: /rateHour|minimum/,
    ends: { update: 3, create: 3, 'import update': 3, 'import create': 3 },
  },
  masks: {
    read: [1, (record) => Object.assign(record.bank, { accountNumber: '****6819' })],
    says: /accountNumber/,
    ends: { update: 10, undo: 10, 'import update': held },
  },
  'at risk': {
    read: [1, (record) => delete record.bank],
    says: /without bankSetting|without bank details|show bank details/,
    ends: { update: 10, undo: 10, 'import update': held },
  },
  'not sent back': {
    read: [1, (record) => Object.assign(record, { shoes: { size: '41' } })],
    options: ['--allow-missing', 'shoes'],
    says: /shoes has no place in .*, and is not sent back/,
    ends: { update: 0, undo: 0, 'import update': 0 },
  },
  'same reference': {
    sets: { agencyRef: 'E-3' },
    taken: { update: 'E-3', undo: 'E-1' },
    says: /E-\d is Cat Sample already/,
    ends: { update: 6, undo: 6 },
  },
  'old reference': {
    sets: { agencyRef: 'E-9' },
    says: /stay under the old reference E-\d: nothing moves them to E-\d/,
    ends: { update: 0, undo: 0 },
  },
  'same person': {
    sets: { agencyRef: 'N-1', forename: 'Ben', surname: 'Other', NINumber: 'QQ123456C' },
    says: /Ben Other/,
    ends: { create: 3, update: 3, 'import update': 3, 'import create': 3 },
  },
  'still fits a request': {
    read: [2, (record) => Object.assign(record, { shoes: { size: '41' } })],
    says: /shoes/,
    ends: { update: 10, undo: 10, 'import update': held },
  },
  'unchanged meanwhile': {
    read: [2, (record) => Object.assign(record, { county: 'Kent' })],
    says: /[Ss]omebody changed/,
    ends: { update: 6, undo: 6, 'import update': held },
  },
})

const person = (agencyRef: string, forename: string, surname: string, NINumber?: string) => ({
  generalSetting: { agencyRef, forename, surname, city: 'Leeds', NINumber },
  bankSetting: { accountNumber: '31926819', sortCode: '601613', accountName: 'A Fake' },
  payrollSetting: { taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A', paymentModel: 'PAYEE' },
})

/** Writes in this way what the guard finds something in. */
async function write(writer: Script, { read, sets = { city: 'York' }, taken = {}, options = [] }: Finding) {
  const { env, call, intercept, received } = await startSandbox()
  const home = freshHome()
  const save = (name: string, ...lines: readonly string[]) => {
    const path = join(home, name)
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  }
  await call('POST', '/svc/candidates', person('E-1', 'Ann', 'Fake'))
  await call('POST', '/svc/candidates', person('E-2', 'Ben', 'Other', 'QQ123456C'))
  const plan = save(
    'plan.csv',
    'reference,name,field,old,new,action,row,reason',
    'E-7,,City,Leeds,York,change,1,',
  )
  const more = options.map((each) => (each === 'plan.csv' ? plan : each))
  const run = (...words: readonly string[]) => payroll([...words, '--json'], { home, env })
  const typed = Object.entries(sets).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const table = (reference: string) => {
    const columns = Object.entries({ agencyRef: reference, ...sets })
    const lines = [0, 1].map((at) => columns.map((column) => column[at]).join(','))
    return ['candidates', 'import', save('a.csv', ...lines), '--yes', '--settle', '0']
  }
  const update = ['candidates', 'update', 'E-1', ...typed, '--incomplete', '--yes']
  const words: Readonly<Record<Script, () => Promise<readonly string[]>>> = {
    update: async () => update,
    undo: async () => {
      expect((await run(...update)).code).toBe(0)
      return ['undo', '--last', '--yes']
    },
    create: async () => ['candidates', 'create', '--incomplete', ...typed],
    'import create': async () => [
      ...table('N-1'),
      '--incomplete',
      ...(options.includes('--as-planned') ? ['--update'] : []),
    ],
    'import update': async () => [...table('E-1'), '--update'],
  }
  const line = await words[writer]()
  const reference = taken[writer]
  if (reference !== undefined) await call('POST', '/svc/candidates', person(reference, 'Cat', 'Sample'))
  let reads = 0
  intercept(async ({ method, url }, response, carryOut) => {
    if (!read || method !== 'GET' || /page=/.test(url)) return false
    const answered = await carryOut()
    const body = (await answered.json()) as any
    reads += 1
    if (reads >= read[0]) read[1](body.data.candidate)
    answerJson(response, answered.status, body)
    return true
  })
  const before = received.length
  const ended = await run(...line, ...more)
  const sent = received.slice(before).some(({ method }) => method !== 'GET')
  return { ended, sent }
}

/** Asked about at a terminal, or of work: test/commands/create, test/prompts; overlapping-days, timesheet-sheet and held-off in test/import. */
const elsewhere = [
  'same reference: create',
  'same reference: import create',
  'whose work: update',
  'whose work: import update',
  'whose work: create',
  'whose work: import create',
  'other name: import create',
  'overlaps: update',
  'overlaps: create',
  'overlaps: import create',
]

/** Each value of a file is doubted as it is read. */
const isAsRead = (name: string, writer: string) => name === 'doubts' && writer === 'import create'

test('each guard is shown at work for everybody who asks it, and says why nobody else does', () => {
  const all = Object.values(guards).flatMap((ofStage) => Object.entries<Asked>(ofStage))
  const asked = all.flatMap(([name, { for: writers }]) => writers.map((writer) => `${name}: ${writer}`))
  const ofOneKind = ['update,undo,import update', 'create,form,import create']
  expect(all.filter(([, each]) => !each.why && !ofOneKind.includes(each.for.join()))).toEqual([])
  const shown = found.flatMap(([name, { ends }]) =>
    Object.keys(ends).flatMap((writer) =>
      isAsRead(name, writer) ? [] : `${name.replace(' by its reference', '')}: ${writer}`,
    ),
  )
  const expected = [...new Set([...shown, ...elsewhere])].sort()
  expect(asked.filter((each) => !each.endsWith(': form')).sort()).toEqual(expected)
})

test.each(
  found.flatMap(([name, finding]) =>
    Object.entries(finding.ends).map(([writer, code]) => [name, writer as Script, code, finding] as const),
  ),
)('%s, asked by %s: exit %s', async (_, writer, code, finding) => {
  const { ended, sent } = await write(writer, finding)
  expect([ended.code, sent, ended.err + ended.out]).toEqual([
    code,
    code === 0,
    expect.stringMatching(finding.says),
  ])
})
