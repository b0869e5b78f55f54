import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allOperations, operations } from '../../../src/model/resources/operations.ts'
import { usualFaults } from '../../../src/sandbox/faults/faults.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { faulty } from './faulty-sandbox.ts'
import { planAnyFaults } from './further-faults.ts'

const faultNames = usualFaults.map(({ name }) => name)
const { list, create } = operations.candidates
const planned = (...specs: string[]) => planAnyFaults(specs)

/** The numbers of the requests that are struck, of so many, and by what. */
function struck(specs: readonly string[], requests: number, operation = list): string[] {
  const plan = planned(...specs)
  return Array.from({ length: requests }, () => plan(operation)?.name ?? '-')
}

describe('the rate of a fault', () => {
  test.each<[string, string[], string]>([
    ['is always, unless told', ['html'], 'html html html'],
    ['can be the first few', ['html=first:2'], 'html html - - -'],
    ['can be more than nine', ['html=first:10'], `${'html '.repeat(10)}-`],
    ['stands behind an equals sign of the name', ['status=503=first:1'], 'status=503 -'],
    ['is not what is behind an equals sign of the name', ['status=503'], 'status=503 status=503'],
    ['stands before the scope', ['redirect=307=first:1@reads'], 'redirect=307 -'],
    ['can be each of so many', ['html=every:3'], '- - html - - html -'],
    // Where both have their turn, the first strikes.
    [
      'is one of its own',
      ['status=503=every:2', 'html=every:3'],
      '- status=503 html status=503 - status=503 - status=503 html status=503',
    ],
    [
      'goes on where another fault was first',
      ['status=503=first:2', 'status=429=first:2'],
      'status=503 status=503 status=429 status=429 -',
    ],
  ])('%s: %j', (_, specs, expected) => {
    expect(struck(specs, expected.split(' ').length).join(' ')).toBe(expected)
  })
})

describe('the scope of a fault', () => {
  const meets = (spec: string) =>
    allOperations.filter((operation) => planned(spec)(operation)).map(({ id }) => id)

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
    expect(plan(list)).toBeUndefined()
    expect(plan(create)?.name).toBe('html')
    expect(plan(create)).toBeUndefined()
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
    ['stall-before-commit@nowhere', 'There is no operation "nowhere".'],
    ['stall-before-commit@', 'There is no operation "".'],
    ['stall-before-commit=every:5@candidates', 'There is no operation "candidates".'],
    ['stall-before-commit@writes@reads', 'There is no operation "writes@reads".'],
  ])('%s ends serve with 2: %s', async (spec, says) => {
    const { code, out, error } = await serve(spec)
    expect([code, out]).toEqual([2, ''])
    const hint = expect.stringContaining('payroll routes list')
    expect(error()).toMatchObject({ message: says, hint })
  })

  test('is told before anything is opened', async () => {
    const home = freshHome()
    const { code } = await payroll(['sandbox', 'serve', '--fault', 'solw'], { home })
    expect([code, existsSync(join(home, 'sandbox.db'))]).toEqual([2, false])
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
