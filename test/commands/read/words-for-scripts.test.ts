import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const slips = [
  { id: 'p-1', subcontractorName: 'Ann Sample', taxPeriod: 1, gross: 500 },
  { id: 'p-2', subcontractorName: 'Ben Sample', taxPeriod: 1, gross: 600 },
]

/** A service with these payslips, which calls the members of a page as it is told. */
async function listing(total = 'totalDocs') {
  const asked: URLSearchParams[] = []
  const { env } = await service(({ url }, response) => {
    asked.push(new URL(url, 'http://127.0.0.1').searchParams)
    answerJson(response, 200, { data: slips, [total]: slips.length })
  })
  return { env, asked }
}

test('payslips get finds the one in the list, and is exit 5 where it has none of that id', async () => {
  const { env } = await listing()
  expect((await payroll(['payslips', 'get', 'p-2'], { env })).json()).toEqual(slips[1])
  const { code, error } = await payroll(['payslips', 'get', 'p-3', '--errors', 'json'], { env })
  expect([code, error().message]).toEqual([5, 'The service has no payslip with the id p-3.'])
  expect(error().hint).toContain('Those of a person: payroll payslips list <person>')
})

test.each([
  ['slip-0001', 0],
  ['slip-0002', 0],
  ['SLIP-0002-', 0],
  ['slip-0002-…', 0],
  ['id:slip-0001', 0],
  ['slip-000', 6],
  ['slip-000…', 6],
  ['slip-', 5],
  ['id:slip-0002', 5],
])('payslips get %s takes the beginning of an id, whole ids first: exit %i', async (typed, exit) => {
  const listed = ['slip-0001', 'slip-0001-a', 'slip-0002-b'].map((id) => ({
    ...{ id, subcontractorName: 'Ann Sample', taxYear: '2026/27', taxPeriod: 3 },
  }))
  const { env } = await service((_, response) =>
    answerJson(response, 200, { data: listed, totalDocs: listed.length }),
  )
  const run = await payroll(['payslips', 'get', typed, '--json'], { env })
  expect(run.code).toBe(exit)
  if (exit === 0) return expect(run.json()).toEqual(listed[typed.includes('1') ? 0 : 2])
  const { issues, hint } = run.error()
  expect(hint).not.toContain('slip-')
  if (exit === 6) {
    expect(issues.map(({ path }: any) => path)).toEqual(listed.map(({ id }) => id))
    expect(issues[0].message).toBe('Ann Sample, 2026/27, 3')
    expect(hint).toBe('To say which: id:<id>')
  }
})

test('-o jsonl is ndjson, for the answer and for an error', async () => {
  const { env } = await listing()
  const { out } = await payroll(['payslips', 'list', '-o', 'jsonl', '--columns', 'id'], { env })
  expect(out).toBe('{"id":"p-1"}\n{"id":"p-2"}\n')
  const failed = await payroll(['payslips', 'get', 'p-3', '-o', 'jsonl'], { env })
  expect(failed.error().exitCode).toBe(5)
})

test('--query with a bare text between backticks, as the aws tool takes it, is exit 2 and says how to write it', async () => {
  const { env } = await listing()
  const query = (expression: string) => payroll(['payslips', 'list', '--query', expression, '-r'], { env })
  const { code, err } = await query('[?subcontractorName==`Ben Sample`].id')
  expect([code, err]).toEqual([2, expect.stringContaining('in single quotes: --query')])
  expect((await query("[?subcontractorName=='Ben Sample'].id | [0]")).out).toBe('p-2\n')
})

test('page, size and totalDocs have the names that the routes of a service give them', async () => {
  const { env, asked } = await listing('total')
  const routes = join(freshHome(), 'routes.json')
  const names = { page: 'pageNumber', size: 'pageSize', totalDocs: 'total' }
  writeFileSync(
    routes,
    JSON.stringify({
      prefix: 'svc',
      routes: { 'payslips.list': { method: 'GET', path: '/svc/v2/payslips', names } },
    }),
  )
  const run = await payroll(['payslips', 'list'], { env: { ...env, PAYROLL_ROUTES: routes } })
  expect([run.code, run.err]).toEqual([0, ''])
  expect(run.json()).toEqual(slips)
  expect([...(asked[0] ?? [])]).toEqual([
    ['pageNumber', '1'],
    ['pageSize', '100'],
  ])
})
