import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { readRows } from '../../workbook.ts'

const rateId = '7c1d0000-0000-4000-8000-0000000000aa'

const sheet = {
  id: '51d00000-0000-4000-8000-000000000001',
  subcontractorRef: 'UK-1',
  rates: [
    { rateId, rate: '20.00', units: '30', vatID: '7' },
    { rateId: 'GONE-1', rate: '25.00', units: '2' },
  ],
}

/** A verb of timesheets on a service that lists its payment rates, or refuses to. */
async function ofSheet(verb: string, words: string, isClosed = false, refusal = 403) {
  const { env, received } = await service(({ url }, response) => {
    if (url.startsWith('/svc/time-sheets?')) return answerJson(response, 200, { data: [sheet], totalDocs: 1 })
    if (url.startsWith('/svc/time-sheets')) return answerJson(response, 200, { data: sheet, success: true })
    if (url.startsWith('/svc/vat-code'))
      return answerJson(response, 200, { data: [{ id: '7', VATCode: 'S' }], totalDocs: 1 })
    if (isClosed) return answerJson(response, refusal, { message: 'no' })
    answerJson(response, 200, { data: [{ id: rateId, code: 'NIGHT' }], totalDocs: 1 })
  })
  const run = await payroll(`timesheets ${verb} ${words}`.split(' '), { env })
  return { ...run, received }
}

const getSheet = (words: string, isClosed?: boolean) => ofSheet(`get ${sheet.id}`, words, isClosed)

test('timesheets get shows a person the codes of payment rates and of VAT in place of their ids', async () => {
  const { code, out } = await getSheet('-o table')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Payment rate NIGHT') })
  expect(out).not.toContain(rateId)
  expect(out).toContain('Hours 30, VAT code S')
  expect(out).toContain('Payment rate GONE-1, Pay rate 25.00, Hours 2')
})

test('the JSON of timesheets get has the id, and no list is read for it', async () => {
  const { json, received } = await getSheet('--json')
  expect(json()).toMatchObject({ rates: [{ rateId }, { rateId: 'GONE-1' }] })
  expect(received).toHaveLength(1)
})

test('timesheets get shows the id where the key may not read payment rates', async () => {
  const { code, out, err } = await getSheet('-o table', true)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(rateId)
})

test.each([
  ['-o table', false, '30 × NIGHT at 20.00', 2],
  ['-o table', true, `30 × ${rateId.slice(0, 8)} at 20.00`, 2],
  ['-o csv', false, rateId, 1],
])('timesheets list %s (rates closed: %s) shows %j', async (words, isClosed, shown, requests) => {
  const { code, out, received } = await ofSheet('list', words, isClosed)
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(shown) })
  expect(received).toHaveLength(requests)
})

test('timesheets list asks once for the rates, which only read better', async () => {
  const { code, err, received } = await ofSheet('list', '-o table', true, 500)
  expect([code, err, received.length]).toEqual([0, '1 timesheet\n', 2])
})

test('timesheets list shows the code of a rate that a line has whole', async () => {
  const { env } = await service(({ url }, response) => {
    const rates = [{ rateId: { id: rateId, code: 'NIGHT' }, units: '3' }]
    const data = url.startsWith('/svc/time-sheets') ? [{ ...sheet, rates }] : [{ id: rateId, name: 'Night' }]
    answerJson(response, 200, { data, totalDocs: 1 })
  })
  expect((await payroll('timesheets list -o table'.split(' '), { env })).out).toContain('3 × NIGHT')
})

const listed = { ...sheet, endDate: '2026-11-22', rates: [{ rateId: 'STD', rate: '20.00', units: '30' }] }

async function listSheets(words: string, home = freshHome()) {
  const { env } = await answering(200, { data: [listed], totalDocs: 1 })
  return payroll(`timesheets list -q ${words}`.split(' '), { env, home })
}

test.each([
  ['table', /^Person +Hours\nUK-1 +30\n$/],
  ['csv', /^subcontractorRef,rates\[0\]\.units\nUK-1,30\n$/],
])('a column of one field of a line has its value as %s', async (format, expected) => {
  const { code, out } = await listSheets(`-o ${format} --columns subcontractorRef,rates[0].units`)
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(expected) })
})

test('a column of one field of a line has its value in a workbook', async () => {
  const home = freshHome()
  const file = join(home, 'hours.xlsx')
  expect((await listSheets(`--columns rates[0].units --out ${file}`, home)).code).toBe(0)
  expect(JSON.stringify(await readRows(readFileSync(file)))).toContain('30')
})

test('a terminal of 80 columns shows what a line comes to whole, and of several lines no half of an amount', async () => {
  const lines = [
    { rate: '14.00', units: '78' },
    { rate: '21.75', units: '12.25' },
  ]
  const sheets = (rates: readonly object[]) => [
    { ...sheet, taxYear: '2026/27', startDate: '2026-11-16', endDate: '2026-11-22', rates },
  ]
  for (const [rates, shown] of [
    [lines.slice(0, 1), / 78 at 14\.00 = 1092\.00 /],
    [lines, / 78 at 14\.00 = (1092\.00)?[^\d]*… /],
  ] as const) {
    const { env } = await answering(200, { data: sheets(rates), totalDocs: 1 })
    const { out } = await atTerminal(['timesheets', 'list'], { env, columns: 80, rows: 24 }).ended
    expect(out).toMatch(shown)
  }
})

test('timesheets list shows a line whole where the service calls its fields otherwise', async () => {
  const rates = [{ quantity: '3', price: '20.00' }]
  const { env } = await answering(200, { data: [{ ...sheet, rates }], totalDocs: 1 })
  expect((await payroll('timesheets list -o table'.split(' '), { env })).out).toContain('"quantity":"3"')
})
