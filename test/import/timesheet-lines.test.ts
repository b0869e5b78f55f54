import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { hostile, person, sheet } from '../reading/hostile.ts'
import { startSandbox } from '../start-sandbox.ts'
import { readRows } from '../workbook.ts'

const heading = 'Staff no,Week ending,Hours,Rate code,Rate'
const standard = 'SANDBOX-UK-02,31/05/2026,30,STD,14.20'
const overtime = 'SANDBOX-UK-02,31/05/2026,4,OT150,21.30'

/** A sandbox in which a week of 30 hours, and 4 of overtime, was imported. */
async function weekThere() {
  const at = await startSandbox({ seeded: true })
  let count = 0
  const save = (...lines: readonly string[]) => {
    const file = join(at.home, `sheet-${++count}.csv`)
    writeFileSync(file, `${[heading, ...lines].join('\n')}\n`)
    return ['timesheets', 'import', file]
  }
  const send = (lines: readonly string[], ...options: string[]) =>
    payroll([...save(...lines), '--yes', ...options], at)
  expect(await send([standard, overtime])).toMatchObject({ code: 0 })
  const codes = (await payroll(['payment-rates', 'list'], at)).json()
  const codeOf = (id: string) => codes.find((rate: any) => rate.id === id)?.code
  return {
    ...at,
    save,
    send,
    /** What the service has of the week: hours, code and rate. */
    async hours() {
      const run = await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31', '-o', 'json'], at)
      return run
        .json()
        .map(({ rates }: any) => rates.map((r: any) => `${r.units} ${codeOf(r.rateId)} ${r.rate}`))
    },
  }
}

test('a correction without a pay date keeps the tax period of a timesheet, and one with it changes it', async () => {
  const at = await weekThere()
  const periods = async () => {
    const argv = ['timesheets', 'list', '--where', 'endDate=2026-05-31', '--json']
    return (await payroll(argv, at)).json().map(({ taxPeriodConfig: period }: any) => period)
  }
  const paid = ['--update', '--pay-date', '2026-06-05']
  expect(await at.send([standard, overtime], ...paid)).toMatchObject({ code: 0 })
  expect(await periods()).toEqual(['Week 9'])
  const corrected = await at.send([standard.replace('30', '31'), overtime], '--update')
  expect(corrected).toMatchObject(endedWith(0, 'A timesheet that is on the service keeps its own'))
  expect(await at.hours()).toEqual([['31 STD 14.20', '4 OT150 21.30']])
  expect(await periods()).toEqual(['Week 9'])
  expect(await at.send([standard.replace('30', '31'), overtime], '--update')).toMatchObject({ code: 0 })
  expect(await periods()).toEqual(['Week 9'])
})

test('a sheet with the overtime alone takes no hours of the week away: it is held back, with the hours that are there', async () => {
  const at = await weekThere()
  const run = await at.send(['SANDBOX-UK-02,31/05/2026,6,OT150,21.30'], '--update')
  expect(run.code).toBe(9)
  expect(run.err).toContain('changed: 4 → 6 hours, OT150 at 21.30. Not in the sheet: 30 hours, STD at 14.20')
  expect(await at.hours()).toEqual([['30 STD 14.20', '4 OT150 21.30']])
  const kept = await at.send(
    ['SANDBOX-UK-02,31/05/2026,6,OT150,21.30'],
    '--update',
    '--missing-lines',
    'keep',
  )
  expect(kept.code).toBe(0)
  expect(await at.hours()).toEqual([['30 STD 14.20', '6 OT150 21.30']])
  const removed = await at.send(
    ['SANDBOX-UK-02,31/05/2026,6,OT150,21.30'],
    '--update',
    '--missing-lines',
    'remove',
  )
  expect(removed.code).toBe(0)
  expect(await at.hours()).toEqual([['6 OT150 21.30']])
})

test('the same sheet again is held back where hours were added since, until somebody says what becomes of them: so often as there are others', async () => {
  const at = await weekThere()
  const argv = [...at.save('SANDBOX-UK-02,31/05/2026,35,STD,14.20', overtime), '--update', '--yes']
  expect((await payroll(argv, at)).json()).toMatchObject({ updated: 2 })
  const [week] = (await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31'], at)).json()
  const add = (line: object) => {
    week.rates.push(line)
    return at.call('PUT', `/svc/time-sheets/${week.id}`, week)
  }
  await add({ rateId: week.rates[0].rateId, rate: '18.00', units: '12' })
  const held = await payroll(argv, at)
  expect(held).toMatchObject(endedWith(9, 'not in the sheet: 12 hours, STD at 18.00'))
  const next = /^ *payroll (timesheets import .*)$/m.exec(held.err)?.[1] ?? ''
  expect(next).toContain('--missing-lines=keep')
  expect(await payroll(next.replaceAll("'", '').split(' '), at)).toMatchObject({ code: 0 })
  await add({ rateId: week.rates[0].rateId, rate: '19.00', units: '1' })
  expect(await payroll(argv, at)).toMatchObject(endedWith(9, '1 hour, STD at 19.00'))
})

test('the same hours in another order are no change, and of a whole week only what differs is changed', async () => {
  const at = await weekThere()
  const same = await at.send([overtime, standard], '--update')
  expect([same.code, same.json()]).toEqual([0, expect.objectContaining({ unchanged: 2, updated: 0 })])
  const plan = await at.send([overtime, standard.replace(',30,', ',35,')], '--update', '--dry-run')
  expect(plan.json().changes).toMatchObject([{ path: 'rates[0].units', from: '30', to: '35' }])
  expect((await at.send([overtime, standard.replace(',30,', ',35,')], '--update')).code).toBe(0)
  expect(await at.hours()).toEqual([['35 STD 14.20', '4 OT150 21.30']])
})

test.each([
  ['hours that were corrected', [standard.replace(',30,', ',35,'), overtime], '30 → 35 hours, STD at 14.20'],
  ['hours of a second agency', ['SANDBOX-UK-02,31/05/2026,8,STD,18.00'], 'new: 8 hours, STD at 18.00'],
  ['a week without its overtime', [standard], 'not in the sheet: 4 hours, OT150 at 21.30'],
])(
  'without --update %s are held back with what the service has, and are not passed over',
  async (_, lines, says) => {
    const at = await weekThere()
    expect(await at.send(lines, '--quiet')).toMatchObject(endedWith(9, says))
    expect(await at.hours()).toEqual([['30 STD 14.20', '4 OT150 21.30']])
  },
)

test('the command that is printed for hours that were corrected changes them, and they are counted once', async () => {
  const at = await weekThere()
  const run = await at.send([standard.replace(',30,', ',35,'), overtime])
  expect([run.code, run.err]).toEqual([9, expect.not.stringContaining('already on the service')])
  const next = /^ *payroll (timesheets import .*)$/m.exec(run.err)?.[1] ?? ''
  expect(next).toContain('--update')
  const again = await payroll(next.replaceAll("'", '').split(' '), at)
  expect(again).toMatchObject({ code: 0 })
  expect(await at.hours()).toEqual([['35 STD 14.20', '4 OT150 21.30']])
})

test('at a terminal somebody says what becomes of hours that the sheet lacks, and Enter leaves them', async () => {
  const at = await weekThere()
  const argv = [...at.save('SANDBOX-UK-02,31/05/2026,6,OT150,21.30'), '--update']
  const left = atTerminal(argv, at)
  await left.type(/The service has hours that the sheet lacks.*❯ Leave what the service has as it is/s, '\r')
  expect((await left.ended).code).toBe(9)
  expect(await at.hours()).toEqual([['30 STD 14.20', '4 OT150 21.30']])
  const kept = atTerminal(argv, at)
  await kept.type('The service has hours that the sheet lacks', 'keep')
  await kept.type('❯ Keep them, and add', '\r')
  await kept.type('Change 1 timesheet', 'y\r')
  expect((await kept.ended).code).toBe(0)
  expect(kept.screen()).toContain('changed: 4 → 6 hours, OT150 at 21.30')
  expect(await at.hours()).toEqual([['30 STD 14.20', '6 OT150 21.30']])
})

test('a list for a person has the lines of hours as text, and JSON has them as they are', async () => {
  const at = await weekThere()
  const argv = ['timesheets', 'list', '--where', 'endDate=2026-05-31', '--columns', 'subcontractorRef,rates']
  const listed = (await payroll([...argv, '-o', 'table'], at)).out
  const lines = /SANDBOX-UK-02 .*30 × STD at 14\.20 = 426\.00, 4 × OT150 at 21\.30 = 85\.20/
  expect(listed).toMatch(lines)
  expect((await payroll(['timesheets', 'list', '-o', 'table'], at)).out).toMatch(lines)
  expect(listed).not.toContain('{')
  const [{ rates }] = (await payroll([...argv, '-o', 'json'], at)).json()
  expect(rates).toMatchObject([{ units: '30' }, { units: '4' }])
  const out = join(at.home, 'week.xlsx')
  await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31', '--out', out], at)
  const [headings, week] = (await readRows(readFileSync(out))).map(({ cells }) => cells)
  const column = (heading: string) => week?.[headings?.indexOf(heading) ?? -1]
  expect(['Hours', 'Pay rate', 'Value'].map(column)).toEqual(['34', '', '511.2'])
  expect(column('Rates')).toMatch(/^30 × .* = 85\.20$/)
})

test('[clear] in a field of one line is refused, with the command that empties it, and that does', async () => {
  const at = await weekThere()
  const file = join(at.home, 'cleared')
  const [week] = (await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31'], at)).json()
  const { subcontractorRef, endDate, rates } = week
  const record = { subcontractorRef, endDate, rates: [{ ...rates[0], rate: '[clear]' }, rates[1]] }
  writeFileSync(`${file}.ndjson`, JSON.stringify(record))
  writeFileSync(`${file}.csv`, `${heading}\n${standard.replace('14.20', '[clear]')}\n`)
  for (const each of ['csv', 'ndjson']) {
    const run = await payroll(['timesheets', 'import', `${file}.${each}`, '--update', '--yes'], at)
    expect(run).toMatchObject(
      endedWith(3, "does not empty a field of one line: update --unset 'rates[0].rate' does"),
    )
  }
  expect(await at.hours()).toEqual([['30 STD 14.20', '4 OT150 21.30']])
  const unset = ['timesheets', 'update', week.id, '--unset', 'rates[0].rate', '--yes']
  expect(await payroll(unset, at)).toMatchObject({ code: 0 })
})

test('a plan says of a timesheet what is doubtful about any of its rows', async () => {
  const at = await weekThere()
  const plan = join(at.home, 'plan.csv')
  const rows = ['SANDBOX-UK-03,31/05/2026,30,STD,21.40', 'SANDBOX-UK-03,31/05/2026,4,STD,21.40']
  expect(await at.send(rows, '--update', '--dry-run', '--plan', plan)).toMatchObject({ code: 0 })
  expect(readFileSync(plan, 'utf8')).toContain('doubtful: column C (Hours): row 2 has hours at the same rate')
})

test('a plan has each field of new lines, of two alike as well, and is sent as it is alone', async () => {
  const at = await weekThere()
  const save = (vat: string) => {
    const argv = at.save()
    const line = (of: string) => `SANDBOX-UK-02,31/05/2026,${of}`
    const lines = ['30,STD,14.20,', '4,OT150,21.30,', `3,OT150,30,${vat}`, `2,OT150,30,${vat}`]
    writeFileSync(argv[2] ?? '', [`${heading},VAT`, ...lines.map(line)].join('\n'))
    return [...argv, '--update', '--yes']
  }
  const plan = join(at.home, 'plan.csv')
  const [argv, changed] = [save('S'), save('Z')]
  expect(await payroll([...argv, '--dry-run', '--plan', plan], at)).toMatchObject({ code: 0 })
  const rows = readFileSync(plan, 'utf8')
  expect(rows).toMatch(/Hours, OT150 at 30".*3.*VAT code, OT150 at 30".*Hours, OT150 at 30 \(2\)"/s)
  const other = await payroll([...changed, '--as-planned', plan], at)
  expect(other).toMatchObject(endedWith(9, 'has another new value for its VAT code, OT150 at 30'))
  expect(await payroll([...argv, '--as-planned', plan], at)).toMatchObject({ code: 0 })
  expect(await at.hours()).toEqual([['30 STD 14.20', '4 OT150 21.30', '3 OT150 30', '2 OT150 30']])
})

test('hours at a rate that the service shows by its code are those of the sheet: nothing is added beside them', async () => {
  const paid = { taxYear: '2026/27', taxPeriodConfig: 'Month 2' }
  const rate = {
    code: 'STD',
    description: 'Standard hours',
    type: 'HOURS',
    units: 'HOUR',
    hoursPerUnit: '1.00',
  }
  const at = await hostile({
    uk: [person(1)],
    timesheets: [sheet('UK-1', '2026-05-11', '2026-05-17', { id: 'ts-1', ...paid })],
    rates: [{ id: 'r1', ...rate }],
  })
  const file = join(at.home, 'week.csv')
  writeFileSync(file, 'Staff no,From,To,Hours,Rate code,Rate\nUK-1,2026-05-11,2026-05-17,37.5,STD,20.00\n')
  const night = () => at.run(['timesheets', 'import', file, '--update', '--yes'])
  expect((await night()).json()).toMatchObject({ unchanged: 1, updated: 0, held: 0 })
  writeFileSync(file, 'Staff no,From,To,Hours,Rate code,Rate\nUK-1,2026-05-11,2026-05-17,30,STD,20.00\n')
  const dry = await at.run(['timesheets', 'import', file, '--update', '--dry-run', '-o', 'table'])
  expect(dry.out).toContain('37.5 → 30')
  // Of two rates with one code nobody knows which is meant.
  at.shown.rates = ['r1', 'r2'].map((id) => ({ id, ...rate }))
  expect((await night()).code).toBe(3)
})

test('a tax year that the service writes otherwise is the same year: nothing moves, and a strict night goes on', async () => {
  const at = await hostile({
    uk: [person(1, { payFrequency: 'WEEKLY' })],
    timesheets: [
      sheet('UK-1', '2026-05-11', '2026-05-17', { taxYear: '2026-27', taxPeriodConfig: 'Week 7' }),
    ],
    rates: [{ id: 'STD', code: 'STD', type: 'HOURS', units: 'HOUR', hoursPerUnit: '1.00' }],
  })
  const file = join(at.home, 'week.csv')
  const row = 'UK-1,2026-05-11,2026-05-17,37.5,STD,20.00,2026/27,7'
  writeFileSync(file, `Staff no,From,To,Hours,Rate code,Rate,Tax year,Tax week\n${row}\n`)
  const night = await at.run([
    'timesheets',
    'import',
    file,
    '--update',
    '--yes',
    '--strict',
    '--pay-date',
    '2026-05-22',
  ])
  expect([night.code, night.json()], night.err).toMatchObject([0, { unchanged: 1, updated: 0 }])
})
