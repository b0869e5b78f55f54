import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldAt, leafFields } from '../../src/model/fields/field-tree.ts'
import { neverReturned, requestPath } from '../../src/model/mapping/field-mapping.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../src/model/resources/payment-rate.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { everyFieldFile } from '../every-field.ts'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'

/** A sheet whose column of extra hours nobody knows, and an import of it. */
async function sheet() {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  const lines = [
    'Staff no,Week ending,Hours,Rate code,Rate,Sleepover hours,Remarks',
    'SANDBOX-UK-01,31/05/2026,37.5,STD,17.30,4,ok',
    'SANDBOX-UK-02,31/05/2026,20,STD,14.20,8,',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const map = join(at.home, 'map.json')
  writeFileSync(map, JSON.stringify({ 'Sleepover hours': null, Remarks: null }))
  return { ...at, argv: ['timesheets', 'import', file], map }
}

test('a script is refused a sheet of which a column of hours would not be imported, until it names the column', async () => {
  const at = await sheet()
  const run = await payroll([...at.argv, '--yes', '--map', at.map], at)
  expect(run).toMatchObject(endedWith(3, 'column F, Sleepover hours: 12 hours in 2 rows are not imported'))
  expect(run.err).toContain('--ignore-column "Sleepover hours"')
  const ignored = ['--ignore-column', 'sleepover hours', '--ignore-column', 'Remarks']
  expect(await payroll([...at.argv, '--yes', ...ignored], at)).toMatchObject({ code: 0 })
})

test('minutes beside hours are named where they are left out', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  writeFileSync(file, 'Ref,W/E,Hours,Minutes,Rate\nSANDBOX-UK-01,31/05/2026,37,30,14.20\n')
  const terminal = atTerminal(['timesheets', 'import', file], at)
  await terminal.type('Column D (Minutes)', '\r')
  await terminal.type(/Minutes: 30 in 1 row are not imported.*Go on without this column\? \(y\/N\)/s, '\r')
  expect((await terminal.ended).code).toBe(2)
})

test('a person is told what a column of hours comes to that is not imported, and Enter sends nothing', async () => {
  const at = await sheet()
  const terminal = atTerminal([...at.argv, '--map', at.map], at)
  await terminal.type(
    /Sleepover hours: 12 hours in 2 rows are not imported.*Go on without this column\? \(y\/N\)/s,
    '\r',
  )
  expect((await terminal.ended).code).toBe(2)
})

test('the preview shows what each column fills, with its first value, at a terminal and in a dry run', async () => {
  const at = await sheet()
  const dry = await payroll(
    [...at.argv, '--dry-run', '-o', 'table', '--ignore-column', 'Sleepover hours', '--map', at.map],
    at,
  )
  expect(dry.out).toContain('A Staff no        → Person (SANDBOX-UK-01)')
  expect(dry.out).toContain('F Sleepover hours → not imported: 12 hours in 2 rows (4)')
  expect(dry.out).toContain('G Remarks         → not imported (ok)')
  const json = await payroll(
    [...at.argv, '--dry-run', '--ignore-column', 'Sleepover hours', '--map', at.map],
    at,
  )
  expect(json.json().columns[2]).toEqual({
    column: 'C',
    heading: 'Hours',
    path: 'rates[0].units',
    first: '37.5',
    sum: 57.5,
  })
})

test('what was answered about columns is asked again next week where nobody went on with it', async () => {
  const at = await sheet()
  const first = atTerminal(at.argv, at)
  await first.type('Column F (Sleepover hours): hours at which rate?', '\r')
  await first.type('Column G (Remarks): what is it?', '\r')
  await first.type('Go on without this column?', '\r')
  expect((await first.ended).code).toBe(2)
  const second = atTerminal(at.argv, at)
  await second.type('Column F (Sleepover hours): hours at which rate?', '\u0003')
  expect((await second.ended).code).toBe(130)
})

test('the sum of a column that is masked is not shown: of one row it is the value', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'one.csv')
  writeFileSync(
    file,
    'Agency reference,Forename,Surname,Account number,Shoe size\nN-1,Tom,Newly,31926819,43\n',
  )
  const argv = ['candidates', 'import', file, '--dry-run', '--json', '--ignore-column', 'Shoe size']
  const run = await payroll(argv, at)
  expect(run.code).toBe(0)
  expect(run.json().columns).toMatchObject([{}, {}, {}, { heading: 'Account number' }, { sum: 43 }])
  expect(run.out + run.err).not.toContain('31926819')
  expect((await payroll([...argv, '--reveal'], at)).json().columns[3]).toMatchObject({ sum: 31926819 })
})

test('a dry run at a terminal says among the doubts which rates and hours are not imported', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  writeFileSync(
    file,
    'Ref,W/E,Mon,Tue,Wed,Thu,Fri,Sat,Rate,Rate Sat\nSANDBOX-UK-01,31/05/2026,8,8,8,8,8,4,14.20,21.30\n',
  )
  const map = join(at.home, 'map.json')
  writeFileSync(map, '{"Rate Sat": null}')
  const argv = ['timesheets', 'import', file, '--map', map]
  const { out } = await atTerminal([...argv, '--dry-run'], at).ended
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /Doubtful: .*column J, Rate Sat: rates in 1 row are not imported.* Columns: /,
  )
  expect(await payroll([...argv, '--yes'], at)).toMatchObject(endedWith(3, 'rates in 1 row are not imported'))
})

test('dates of both orders stop an import before its columns are asked about', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  const lines = [
    'Ref,W/E,Hours,Rate,Remarks',
    'SANDBOX-UK-01,31/05/2026,8,14.20,ok',
    'SANDBOX-UK-02,05/31/2026,8,14.20,ok',
  ]
  writeFileSync(file, lines.join('\n'))
  expect(await atTerminal(['timesheets', 'import', file], at).ended).toMatchObject(
    endedWith(3, 'have the day first, and others the month'),
  )
})

test('the rejects of a sheet with its week above the headings are read as the sheet was, with --map remembered', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  const lines = [
    'Week ending,31/05/2026,,',
    'Ref,Hours,Rate,Total pay',
    'SANDBOX-UK-01,8,21.40,171.20',
    'NOBODY,8,14.20,113.60',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const map = join(at.home, 'map.json')
  writeFileSync(map, '{"Total pay": null}')
  const argv = ['timesheets', 'import', file, '--ready-only', '--yes', '--pay-date', '5/6/2026']
  const first = await payroll([...argv, '--map', map, '--ignore-column', 'Total pay'], at)
  expect(first.code).toBe(9)
  const rejects = join(at.home, 'week.rejects.csv')
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('NOBODY', 'SANDBOX-UK-02'))
  const words = ['--yes', '--pay-date', '5/6/2026', '--map', 'remembered', '--ignore-column', 'Total pay']
  expect(await payroll(['timesheets', 'import', rejects, ...words], at)).toMatchObject({ code: 0 })
})

test('a list of timesheets that was saved as CSV is imported again without a map: what the service gives each record is left out', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'listed.csv')
  const list = await payroll(['timesheets', 'list', '-o', 'csv', '--limit', '3', '--out', file], at)
  expect(list.code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain(',id,createdAt,updatedAt\n')
  const run = await payroll(['timesheets', 'import', file, '--dry-run'], at)
  expect(run).toMatchObject({ code: 0 })
  expect(JSON.parse(run.out)).toMatchObject({ rows: 3, ready: 0, invalid: [] })
})

test('a list that was saved as CSV before somebody changed a record does not write over it, as JSON does not', async () => {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'listed.csv')
  await payroll(['timesheets', 'list', '-o', 'csv', '--limit', '1', '--out', file], at)
  const [{ id }] = (await payroll(['timesheets', 'list', '--limit', '1'], at)).json()
  const change = ['timesheets', 'update', id, '--set', 'rates[0].units=12', '--yes']
  expect(await payroll(change, at)).toMatchObject({ code: 0 })
  const again = ['timesheets', 'import', file, '--update', '--yes']
  expect(await payroll(again, at)).toMatchObject(
    endedWith(9, 'somebody changed it after the record in the file was read'),
  )
  const hours = async () => (await payroll(['timesheets', 'get', id], at)).json().rates[0].units
  expect(await hours()).toBe('12')
  expect(await payroll([...again, '--ignore-column', 'updatedAt'], at)).toMatchObject({ code: 0 })
  expect(await hours()).not.toBe('12')
})

/** A list of these that was saved as a table. */
async function savedList([noun = '', ...flags]: readonly string[]) {
  const at = await startSandbox({ seeded: true })
  at.intercept(async (_, response, carryOut) => {
    const answer = await carryOut()
    const text = (await answer.text()).replaceAll('"dateLeft":null', '"dateLeft":"2026-10-31"')
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    return true
  })
  const save = async (format: string) => {
    const file = join(at.home, `listed.${format}`)
    const list = [noun, 'list', ...flags, '--limit', '4', '-o', format, '--out', file]
    expect(await payroll(list, at)).toMatchObject({ code: 0 })
    return file
  }
  const run = (file: string, ...words: readonly string[]) =>
    payroll([noun, 'import', file, ...flags, '--yes', '--json', ...words], at)
  const puts = () => at.received.filter(({ method }) => method === 'PUT')
  return { save, run, puts }
}

test.each([['candidates', '--uk'], ['candidates', '--ireland'], ['payment-rates']])(
  'a list of %j that was saved as a table is imported again without a map, and changes nothing',
  async (...words) => {
    const { save, run, puts } = await savedList(words)
    for (const format of ['csv', 'xlsx'])
      expect((await run(await save(format), '--update')).json()).toMatchObject({ unchanged: 4, updated: 0 })
    const file = await save('csv')
    // As Excel writes it.
    const text = readFileSync(file, 'utf8').replaceAll('2026-10-31', '31/10/2026').replaceAll('true', 'TRUE')
    writeFileSync(file, text.replaceAll('\n', '\r\n'))
    expect((await run(file, '--update')).json()).toMatchObject({ unchanged: 4, updated: 0 })
    expect(puts()).toEqual([])
  },
)

test.each([
  ['candidates --uk', candidate, []],
  // Sent in one object, and answered in two columns.
  ['candidates --ireland', candidateIreland, ['payrollSetting.cutOffPoints']],
  ['payment-rates', paymentRate, []],
] as const)(
  'each heading in a workbook of a list of %s means the field of its column, for every field',
  async (what, type, otherwise) => {
    const at = await startSandbox({ seeded: true })
    const [noun = '', ...flags] = what.split(' ')
    const run = async (...words: readonly string[]) => {
      const ended = await payroll([noun, ...words, ...flags], at)
      expect(ended).toMatchObject({ code: 0 })
      return ended
    }
    for (const country of ['uk', 'ireland'] as const)
      if (flags.includes(`--${country}`)) await run('create', '--file', everyFieldFile(country), '--yes')
    const [csv, xlsx] = [join(at.home, 'listed.csv'), join(at.home, 'listed.xlsx')]
    for (const file of [csv, xlsx]) await run('list', '--out', file)
    const plan = (await run('import', xlsx, '--update', '--dry-run', '--json')).json()
    expect(plan.unchanged).toBe(plan.rows)

    // A CSV of the same list has the paths of its columns.
    const paths = readFileSync(csv, 'utf8').split('\n')[0]?.split(',') ?? []
    const meant: (string | null)[] = plan.columns.map(({ path }: { path: string | null }) => path)
    const sent = (path: string) => requestPath(type, path === 'defaultVATCode.id' ? 'defaultVATCode' : path)
    const holdsValue = (path: string) => fieldAt(type.fields, path)?.fields === undefined
    expect(meant).toEqual(
      paths.map(sent).map((path) => (fieldAt(type.fields, path) && holdsValue(path) ? path : null)),
    )
    const wholePaths = meant.map((path) => path?.replace(/\[\d+\]$/, ''))
    const notThere = leafFields(type.fields)
      .map(({ path }) => path)
      .filter((path) => !wholePaths.includes(path) && !neverReturned(type).includes(path))
    expect(notThere).toEqual(otherwise)
  },
)

test.each([
  ['status', ['candidates', '--uk'], /ACTIVE/, 'SANDBOX-UK-01 has ACTIVE'],
  ['dateLeft', ['candidates', '--uk'], /2026-10-31/, 'SANDBOX-UK-01 has 2026-10-31'],
  ['defaultVATCode.VATRate', ['payment-rates'], /20%/, 'has 20%'],
] as const)(
  '%s in a list that was saved is refused where the service has something else, and the way out is named',
  async (path, words, what, has) => {
    const { save, run, puts } = await savedList(words)
    const file = await save('csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace(what, '2026-09-30'))
    const again = await run(file, '--update')
    expect(again).toMatchObject({ code: 3, out: '' })
    const [{ path: place, message }, ...others] = again.error().issues
    expect([place, others]).toEqual([`row 2, ${path}`, []])
    expect(message).toContain('only the service sets this field: the file has 2026-09-30, and ')
    expect(message).toContain(`${has} on the service`)
    expect(message).toContain(`--ignore-column=${path}`)
    expect((await run(file, '--update', `--ignore-column=${path}`)).json()).toMatchObject({ unchanged: 4 })
    expect(puts()).toEqual([])
  },
)

test('another VAT code in a list that was saved is sent by its id', async () => {
  const { save, run, puts } = await savedList(['payment-rates'])
  const file = await save('csv')
  const [other] = /00000000-0000-4000-8000-000000000001/.exec(readFileSync(file, 'utf8')) ?? []
  const id = other?.replace(/1$/, '2') ?? ''
  writeFileSync(file, readFileSync(file, 'utf8').replace(other ?? '', id))
  expect((await run(file, '--update')).json()).toMatchObject({ updated: 1, unchanged: 3 })
  expect(JSON.parse(puts()[0]?.body ?? '')).toMatchObject({ defaultVATCode: id })
})

test('a list that was saved says of new people what only the service sets, and who has left', async () => {
  const { save } = await savedList(['candidates', '--uk'])
  const file = await save('csv')
  const at = await startSandbox()
  const run = (...words: readonly string[]) =>
    payroll(['candidates', 'import', file, '--uk', '--yes', ...words], at)
  const strict = await run('--strict')
  expect(strict).toMatchObject(endedWith(3, 'the person left on 2026-10-31'))
  const held = await run('--json')
  expect(held).toMatchObject(endedWith(9, 'status is not sent, because only the service sets it'))
  expect(held.json()).toMatchObject({ created: 0, held: 4 })
  expect(held.err).toContain('--ignore-column=dateLeft creates it all the same')
  expect((await run('--ignore-column', 'dateLeft', '--json')).json()).toMatchObject({ created: 4 })
})

test.each([
  ['ACTIVE,,', 0],
  ['ACTIVE,2026-11-20,', 9],
  ['LEFT,,', 9],
  ['INACTIVE,2026-11-20,', 9],
])(
  'a new person of a list that was saved with the status, day and reason %j ends with %i',
  async (left, code) => {
    const at = await startSandbox()
    const table = join(at.home, 'listed.csv')
    writeFileSync(
      table,
      `id,agencyRef,forename,surname,status,dateLeft,reason\nx1,N-1,New,Fake,${left}\nx2,N-2,Tom,Newly,ACTIVE,,\n`,
    )
    const run = await payroll(['candidates', 'import', table, '--uk', '--yes', '--json'], at)
    expect([run.code, run.json()]).toMatchObject([code, { created: code === 0 ? 2 : 1 }])
  },
)

test('a status in a sheet of somebody else is asked about', async () => {
  const at = await startSandbox()
  const file = join(at.home, 'staff.csv')
  writeFileSync(file, 'ID,Agency reference,Forename,Surname,Status,Shirt size\n7,NEW-1,Ann,Fake,Starter,M\n')
  const run = await payroll(['candidates', 'import', file, '--yes'], at)
  expect(run).toMatchObject(endedWith(3, 'column E (Status): no field has this heading'))
})
