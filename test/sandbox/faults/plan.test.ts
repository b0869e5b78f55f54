import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allOperations, operations } from '../../../src/model/resources/operations.ts'
import { usualFaults } from '../../../src/sandbox/faults/usual-faults.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { faulty } from './faulty-sandbox.ts'
import { planAnyFaults } from './further-faults.ts'

const faultNames = usualFaults.map(({ name }) => name)
const { list, create } = operations.candidates
const planned = (...specs: string[]) => planAnyFaults(specs, () => 0)

/** The numbers of the requests that are struck, of so many, and by what. */
function struck(specs: readonly string[], requests: number, operation = list): string[] {
  const plan = planned(...specs)
  return Array.from({ length: requests }, () => plan.next({ operation })?.name ?? '-')
}

const at = (names: readonly string[], name: string) =>
  names.flatMap((each, index) => (each === name ? [index + 1] : []))

describe('the rate of a fault', () => {
  test('is always, unless told', () => {
    expect(struck(['html'], 5)).toEqual(Array(5).fill('html'))
  })

  test('can be the first few', () => {
    expect(struck(['html=first:2'], 5)).toEqual(['html', 'html', '-', '-', '-'])
    expect(struck(['html=first:10'], 11).lastIndexOf('html')).toBe(9)
  })

  test('stands behind a name that has an equals sign of its own', () => {
    expect(struck(['status=503=first:1'], 2)).toEqual(['status=503', '-'])
    expect(struck(['status=503'], 2)).toEqual(['status=503', 'status=503'])
    expect(struck(['redirect=307=first:1@reads'], 2)).toEqual(['redirect=307', '-'])
  })

  test('can be each of so many, whichever other faults there are', () => {
    expect(at(struck(['html=every:3'], 10), 'html')).toEqual([3, 6, 9])
    const both = struck(['status=503=every:2', 'html=every:3'], 10)
    // Where both have their turn, the first strikes.
    expect([at(both, 'status=503'), at(both, 'html')]).toEqual([
      [2, 4, 6, 8, 10],
      [3, 9],
    ])
  })

  test('of the first few goes on where another fault was first', () => {
    const expected = ['status=503', 'status=503', 'status=429', 'status=429', '-']
    expect(struck(['status=503=first:2', 'status=429=first:2'], 5)).toEqual(expected)
  })
})

describe('the scope of a fault', () => {
  const meets = (spec: string) =>
    allOperations.filter((operation) => planned(spec).next({ operation })).map(({ id }) => id)

  test('is every operation, unless told', () => {
    expect(meets('html')).toEqual(allOperations.map(({ id }) => id))
  })

  test('can be all writes or all reads', () => {
    const writes = allOperations.filter(({ method }) => method !== 'GET').map(({ id }) => id)
    expect(meets('html@writes')).toEqual(writes)
    expect(writes).toContain('candidates.createIreland')
    const reads = allOperations.map(({ id }) => id).filter((id) => !writes.includes(id))
    expect(meets('html@reads')).toEqual(reads)
  })

  test.each(allOperations.map(({ id }) => id))('can be %s alone', (id) => {
    expect(meets(`html@${id}`)).toEqual([id])
  })

  test('counts its own requests alone', () => {
    const plan = planned('html=first:1@candidates.create')
    expect(plan.next({ operation: list })).toBeUndefined()
    expect(plan.next({ operation: create })?.name).toBe('html')
    expect(plan.next({ operation: create })).toBeUndefined()
  })

  test('is known of a request by its method and its path', async () => {
    const { send } = await faulty('status=503@candidates.getIreland')
    const status = async (method: string, path: string) => (await send({ method, path })).status
    expect(await status('GET', '/svc/candidates/ireland/x')).toBe(503)
    expect(await status('GET', '/svc/candidates/ireland')).toBe(200)
    expect(await status('GET', '/svc/candidates/x')).toBe(404)
    expect(await status('PUT', '/svc/candidates/ireland/x')).toBe(415)
    expect(await status('GET', '/svc/nowhere')).toBe(404)
  })
})

describe('a fault that cannot be', () => {
  const serve = (spec: string) => payroll(['sandbox', 'serve', '--port', '0', '--fault', spec, '--json'])

  test.each([
    ...[
      'solw',
      '=first:1',
      'SLOW',
      'status',
      'status=999',
      'status=200',
      'stall-before-commit=5%',
      'stall-before-commit=2',
    ],
    ...['stall-before-commit=first:0', 'stall-before-commit=every:0'],
  ])('%j ends serve with 2, and the names of those there are', async (spec) => {
    const { code, out, error } = await serve(spec)
    expect([code, out]).toEqual([2, ''])
    const { message, hint } = error()
    expect(message).toBe(`There is no fault ${spec}.`)
    for (const name of faultNames) expect(hint).toContain(name)
  })

  test.each([
    ['stall-before-commit@nowhere', 'There is no operation nowhere.'],
    ['stall-before-commit@', 'An @ needs an operation after it.'],
    ['stall-before-commit=every:5@candidates', 'There is no operation candidates.'],
    ['stall-before-commit@writes@reads', 'There is no operation writes@reads.'],
  ])('%s ends serve with 2: %s', async (spec, says) => {
    const { code, out, error } = await serve(spec)
    expect([code, out]).toEqual([2, ''])
    const hint = expect.stringContaining('payroll routes list')
    expect(error()).toMatchObject({ message: says, hint })
  })

  test('is told before anything is opened', async () => {
    const home = freshHome()
    const database = join(home, 'never.db')
    const { code } = await payroll(['sandbox', 'serve', '--fault', 'solw', '--database', database], { home })
    expect([code, existsSync(database)]).toEqual([2, false])
  })
})

describe('the help of the faults', () => {
  test('serve --help says how a fault is written, and lists every one with what it does', async () => {
    const { code, out } = await payroll(['sandbox', 'serve', '--help'])
    expect(code).toBe(0)
    const words = ['<name>[=<times>][@<operation>]', 'first:2', 'every:20', 'candidates.create']
    for (const word of [...words, 'status=503-after-commit', ...faultNames]) expect(out).toContain(word)
    const said = out.replaceAll(/\s+/g, ' ')
    for (const { summary } of usualFaults) expect(said).toContain(summary)
  })
})
