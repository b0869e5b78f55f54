import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { hostile, person } from './hostile.ts'

const formula = '=HYPERLINK("http://127.0.0.1/","pay")'
const noBank = { sortCode: null, accountNumber: null, IBANReference: null }
const marked = `"'=HYPERLINK(""http://127.0.0.1/"",""pay"")`

describe('what a spreadsheet would take for a formula is text in a file of', () => {
  test('check', async () => {
    const { run } = await hostile({ uk: [person(1, { forename: formula, surname: '+1' }, noBank)] })
    expect((await run('check --only no-bank -o csv')).out).toContain(marked)
  })

  test('changes', async () => {
    const { run, shown } = await hostile({ uk: [person(1)] })
    await run('changes --mark m1')
    shown.uk = [person(1), person(2, { forename: formula, agencyRef: '@SUM(1)' })]
    const { out } = await run('changes --since m1 -o csv')
    expect(out).toContain(marked)
    expect(out).toContain("'@SUM(1)")
  })

  test('payslips compare', async () => {
    const slip = (taxPeriod: number) => ({
      id: `${taxPeriod}`,
      taxYear: '2026/27',
      taxPeriod,
      subcontractorName: formula,
      gross: 1,
    })
    const { run } = await hostile({ payslips: [slip(2), slip(3)] })
    expect((await run('payslips compare --period 3 --with 2 -o csv')).out).toContain(marked)
  })

  test('timesheets missing', async () => {
    const { run } = await hostile({ uk: [person(1, { mobile: formula })] })
    expect((await run('timesheets missing --week-ending 2026-11-22 -o csv')).out).toContain(marked)
  })
})

test.each<[string, number, string, (response: ServerResponse) => void]>([
  ['is redirected', 9, 'scan.pdf', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  [
    'is cut short on its way',
    7,
    'before the whole answer arrived',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"data":{"id":"d1","content":"ZmFrZSBz')
      setImmediate(() => response.destroy())
    },
  ],
  [
    'is a page instead of JSON',
    9,
    'scan.pdf',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  ],
])('a document that %s is not written, and nothing else is asked for it: exit %i', async (...of) => {
  const [, code, says, answer] = of
  const { env, received } = await service(({ url }, response) => {
    if (/documents\/d1$/.test(url)) return answer(response)
    const documents = [{ id: 'd1', name: 'scan.pdf' }]
    const data = url.includes('/documents') ? documents : url.includes('ireland') ? [] : [person(1)]
    answerJson(response, 200, { data, totalDocs: data.length })
  })
  const out = join(freshHome(), 'docs')
  const run = await payroll(['documents', 'export', '--out', out], { env })
  expect(run).toMatchObject(endedWith(code, says))
  expect(existsSync(join(out, 'UK-1 Ann Sample1', 'scan.pdf'))).toBe(false)
  expect(received.filter(({ url }) => url.includes('elsewhere'))).toEqual([])
})
