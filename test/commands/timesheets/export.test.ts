import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'
import { answerJson } from '../../service.ts'
import { startSandbox } from '../../start-sandbox.ts'
import { readRows } from '../../workbook.ts'

const pay = ['--yes', '--pay-date', '2026-06-05']
const heading = 'Person,Week ending,Payment rate,Pay rate,Hours'

/** A sandbox with a week of two rates, and a way to export what it has of one person. */
async function weekThere() {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  writeFileSync(
    file,
    `${heading}\nSANDBOX-UK-02,31/05/2026,STD,14.20,30\nSANDBOX-UK-02,31/05/2026,OT150,21.30,4\n`,
  )
  expect(await payroll(['timesheets', 'import', file, ...pay], at)).toMatchObject({ code: 0 })
  return {
    ...at,
    file,
    /** The heading, and the rows of the week. */
    async rowsIn(name: string) {
      const out = join(at.home, name)
      const run = await payroll(['timesheets', 'export', '--out', out], at)
      expect(run, run.err).toMatchObject({ code: 0 })
      if (name.endsWith('.xlsx')) {
        const [header = [], ...rows] = (await readRows(readFileSync(out))).map(({ cells }) => cells)
        return [header, ...rows.filter((row) => row.includes('2026-05-31'))]
      }
      const [header = '', ...lines] = readFileSync(out, 'utf8').trimEnd().split(/\r?\n/)
      return [header, ...lines.filter((line) => line.includes(',2026-05-31,'))].map((line) => line.split(','))
    },
  }
}

test('timesheets list and export take a person, as payslips do', async () => {
  const at = await weekThere()
  const run = (...words: string[]) => payroll(['timesheets', ...words], at)
  for (const person of ['sandbox-uk-02', 'Bronagh O’Example']) {
    const rows: { subcontractorRef: string }[] = (await run('list', person)).json()
    expect(new Set(rows.map(({ subcontractorRef }) => subcontractorRef))).toEqual(new Set(['SANDBOX-UK-02']))
    const [, ...lines] = (await run('export', person)).out.trim().split('\n')
    expect(lines.filter((line) => !line.includes(',SANDBOX-UK-02,'))).toEqual([])
    expect(lines.length).toBeGreaterThan(0)
  }
})

test.each([
  ['all.csv', ['id', 'subcontractorRef', 'rates[0].rateId', 'rates[0].units']],
  ['all.xlsx', ['id', 'Person', 'Payment rate', 'Hours']],
])(
  'an export of timesheets to %s has a row for each rate, with the codes that people use',
  async (name, headings) => {
    const at = await weekThere()
    const [header = [], ...rows] = await at.rowsIn(name)
    const places = headings.map((each) => header.indexOf(each))
    expect(rows.map((row) => places.slice(1).map((place) => row[place]))).toEqual([
      ['SANDBOX-UK-02', 'STD', '30'],
      ['SANDBOX-UK-02', 'OT150', '4'],
    ])
    expect(new Set(rows.map((row) => row[places[0] ?? -1])).size).toBe(1)
  },
)

test('a sheet of exported timesheets is imported again: as it is it changes nothing, and an hour that was put right changes that line', async () => {
  const at = await weekThere()
  const rows = await at.rowsIn('all.csv')
  const importRows = (text: string) => {
    writeFileSync(at.file, text)
    return payroll(['timesheets', 'import', at.file, '--update', ...pay], at)
  }
  const text = `${rows.map((row) => row.join(',')).join('\n')}\n`
  const same = await importRows(text)
  expect(same, same.err).toMatchObject({ code: 0 })
  expect(same.json()).toMatchObject({ unchanged: 2, updated: 0, created: 0 })
  const changed = await importRows(text.replace(',30,', ',35,'))
  expect(changed, changed.err).toMatchObject({ code: 0 })
  const week = ['timesheets', 'list', '--where', 'endDate=2026-05-31', '-o', 'json']
  const [sheet] = (await payroll(week, at)).json()
  expect(sheet.rates.map(({ units }: { units: string }) => units)).toEqual(['35', '4'])
})

test('a list of timesheets as a workbook says that an export is what can be imported again', async () => {
  const at = await weekThere()
  const list = join(at.home, 'list.xlsx')
  expect(await payroll(['timesheets', 'list', '--out', list], at)).toMatchObject({ code: 0 })
  expect(await payroll(['timesheets', 'import', list, '--update', ...pay], at)).toMatchObject(
    endedWith(3, /column E \(Rates\) has the lines of each record in words.*payroll timesheets export/s),
  )
})

test('a rate keeps its id where two have its code, or none can be read', async () => {
  const at = await weekThere()
  const rates = (await payroll(['payment-rates', 'list'], at)).json()
  const idOf = (code: string) => rates.find((rate: { code: string }) => rate.code === code).id
  for (const shown of [[...rates, { ...rates[0], id: 'another', code: 'STD' }], undefined]) {
    at.intercept(async ({ url }, response) => {
      if (!url.startsWith('/svc/payment-rate')) return false
      answerJson(response, shown ? 200 : 403, { data: shown, totalDocs: shown?.length })
      return true
    })
    const [header = [], ...rows] = await at.rowsIn('all.csv')
    const place = header.indexOf('rates[0].rateId')
    expect(rows.map((row) => row[place])).toEqual([idOf('STD'), shown ? 'OT150' : idOf('OT150')])
  }
})
