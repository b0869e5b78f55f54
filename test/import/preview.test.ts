import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeXlsx } from '../../src/files/formats/xlsx/write-xlsx.ts'
import { atTerminal, payroll } from '../payroll.ts'
import { importFixture, people, person } from './import-fixture.ts'

const header = ['Agency reference', 'Forename', 'Surname', 'Sort code', 'Hourly rate']
const sound = (at: number) => [`A-${at}`, 'Alex', `Example ${at}`, '089999', '12.5']

/** A CSV of sound people, some of whom have another cell. */
function csv(count: number, cells: Readonly<Record<number, readonly [number, string]>> = {}): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const row = sound(at + 2)
    const [column, value] = cells[at + 2] ?? []
    if (column !== undefined) row[column] = value ?? ''
    return row
  })
  return [header, ...rows].map((row) => `${row.join()}\n`).join('')
}

/** A file with this content, a sandbox, and a dry run of its import at a terminal. */
async function filed(content: string | Uint8Array, name = 'starters.csv') {
  const at = await importFixture()
  const file = join(at.home, name)
  writeFileSync(file, content)
  const argv = ['candidates', 'import', file, '--settle', '0']
  const dryRun = (...more: string[]) => atTerminal([...argv, '--dry-run', ...more], at).ended
  return { ...at, file, argv, dryRun }
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ')

describe('a dry run at a terminal', () => {
  test('counts the rows, and says once what is wrong with which cells', async () => {
    const at = await filed(csv(60, { 6: [4, '$12'], 19: [4, '$9'], 34: [3, '7090'] }))
    const run = await at.dryRun()
    expect(run.code).toBe(3)
    expect(run.out).toContain('60 rows:\n  57  to create\n   3  to put right\n')
    expect(inOneLine(run.out)).toContain(
      'column E (Hourly rate): expected a number, such as 37.5: row 6 "$12", row 19 "$9"',
    )
    expect(at.posted()).toEqual([])
    expect(run.err).toContain(`payroll candidates import ${at.file} --settle 0 --ready-only\n`)
    // The error has no list of its own.
    expect(run.err).not.toContain('Hourly rate')
  })

  test('masks a value that is sensitive, unless --reveal is given', async () => {
    const at = await filed('Agency reference,Forename,Surname,Account number\nA-1,Alex,Example,70901\n')
    const run = await at.dryRun()
    expect(run.out).toContain('row 2 ******')
    expect(run.out + run.err).not.toContain('70901')
    expect((await at.dryRun('--reveal')).out).toContain('row 2 "70901"')
  })

  test('names a field that no column has as a heading would, and not by its path', async () => {
    const row = 'A-1,Alex,Example,1257L W1,A\n'
    const at = await filed(`Agency reference,Forename,Surname,Tax code,Starter statement\n${row}`)
    const { out } = await at.dryRun()
    expect(inOneLine(out)).toContain('Tax basis: declaration A usually goes with the cumulative basis')
    expect(out).not.toContain('payrollSetting')
  })

  test('is harmless, whatever the columns are called', async () => {
    const at = await filed('Agency reference,Surname,\u001B[31mRate\nA-1,Example,\u001B[2Jtba\n')
    const map = at.save('map.json', JSON.stringify({ '\u001B[31mRate': 'generalSetting.rateHour' }))
    const { out } = await at.dryRun('--map', map)
    expect(out).toContain('column C ([31mRate): expected a number, such as 37.5: row 2 "[2Jtba"')
  })

  test('names the cells of a workbook as the spreadsheet does', async () => {
    const rows = [sound(2), [...sound(3).slice(0, 4), 'tba'], ['A-2', 'Sam', 'Example', '089999', '11']]
    const at = await filed(await writeXlsx(header, rows), 'starters.xlsx')
    const { out } = await at.dryRun()
    expect(out).toContain('E3 "tba"')
    for (const cell of ['A2', 'A4']) expect(out).toContain(`${cell} "A-2"`)
  })

  test('names every cause, however much is wrong, and each row', async () => {
    const at = await importFixture()
    const wrong = Array.from({ length: 90 }, (_, of) =>
      Array.from({ length: 5 }, (_, at) => person(`A-${of}-${at}`, { [`unknown${of}`]: 'x' })),
    )
    at.write(wrong.flat())
    const argv = ['candidates', 'import', at.file, '--dry-run']
    const { out, err } = await atTerminal(argv, { ...at, columns: 80 }).ended
    expect(err).toContain('Error: 450 rows cannot be sent')
    const text = inOneLine(out)
    for (let of = 0; of < 90; of++)
      expect(text).toContain(
        `generalSetting.unknown${of}: not a field of a UK candidate: ${[1, 2, 3, 4, 5].map((at) => `row ${5 * of + at} "x"`).join(', ')}`,
      )
  })

  test('shows what is wrong once beside what is wrong everywhere, the rarest first, and no heading alone', async () => {
    const names = [...header, 'NI number', 'Mobile', 'Country', 'Start date', 'Tax code']
    const rows = Array.from({ length: 60 }, (_, at) => [
      ...[`A-${at}`, 'Alex', `Sample ${at}`, '4000', '12,50', `QQ12345${at % 10}B`, '07700 900123', 'Irland'],
      ...['asap', '1257Ł'],
    ])
    rows[40]?.splice(4, 2, 'TBC', 'AB12345C')
    const at = await filed([names, ...rows].map((row) => `"${row.join('","')}"\n`).join(''))
    const { out } = await at.dryRun()
    const text = inOneLine(out)
    expect(text).toMatch(
      /To put right: column E \(Hourly rate\): expected a number, such as 37\.5: row 42 "TBC"/,
    )
    expect(text).toMatch(
      /Doubtful: column F \(NI number\): a National Insurance number is two letters.* column/,
    )
    for (const column of ['D (Sort code)', 'E (Hourly rate)', 'H (Country)', 'I (Start date)'])
      expect(text).toContain(`column ${column}`)
    expect(out).not.toMatch(/:\n {2}… and/)
  })

  test('says once how years of two digits are read, and names the rows of a doubt in their order', async () => {
    const names = [...header, 'Date of birth', 'Start date', 'Mobile']
    const rows = [71, 82, 93].map((year, at) => [
      ...sound(at + 2),
      `14/2/${year}`,
      `${at + 13}/4/26`,
      '07700 90012',
    ])
    rows[1]?.splice(4, 1, 'TBC')
    const at = await filed([names, ...rows].map((row) => `${row.join()}\n`).join(''))
    const { out } = await at.dryRun()
    const text = inOneLine(out)
    expect(text).toContain(
      'column F (Date of birth): a year of two digits is that of somebody between 16 and 100: rows 2, 3 and 4',
    )
    expect(text).toContain(
      'column G (Start date): a year of two digits is the nearest to today: rows 2, 3 and 4',
    )
    expect(text).toMatch(/eleven digits: row 2 "07700 90012", row 3 "07700 90012", row 4 "07700 90012"/)
    expect(text).not.toMatch(/is read as|column [FG][^:]*: the year/)
  })

  test('is JSON with --json, at most a hundred of each kind and how many there are', async () => {
    const at = await filed(csv(400).replace(/12\.5/g, 'tba'))
    const run = await at.dryRun('--json')
    expect(run.code).toBe(3)
    const { invalid, ...counts } = run.json()
    expect(invalid).toHaveLength(100)
    const message = 'column E (Hourly rate): expected a number, such as 37.5'
    expect(invalid[0]).toEqual({ row: 2, path: 'generalSetting.rateHour', message })
    expect(counts).toMatchObject({ rows: 400, ready: 0, invalidCount: 400, warningCount: 0 })
    expect(run.error()).toMatchObject({ issueCount: 400 })
    expect(run.error().issues).toHaveLength(100)
  })
})

describe('an import without a terminal', () => {
  test('one error in 400 rows is one line, with its count', async () => {
    const at = await filed(csv(400).replace(/12\.5/g, 'tba'))
    const { err, code } = await payroll(at.argv, at)
    expect(code).toBe(3)
    expect(err.split('\n').slice(0, 3)).toEqual([
      'Error: 400 rows cannot be sent as they are. Nothing was sent.',
      '  column E (Hourly rate): expected a number, such as 37.5:',
      '    row 2; row 3; row 4 … and 397 more',
    ])
  })

  test('one doubt in 400 rows is one line too, before the rows are sent', async () => {
    const at = await importFixture()
    for (const person of people(30)) await at.call('POST', '/svc/candidates', person)
    const { err } = await at.importRows(people(30))
    expect(err).toContain('already on the service; not changed:\n')
    expect(err).toContain('row 3, generalSetting.agencyRef … and 27 more\n')
  })
})

describe('an import at a terminal', () => {
  test('shows the same, and stops with exit 3', async () => {
    const at = await filed(csv(4, { 3: [4, 'tba'] }))
    const run = await atTerminal(at.argv, at).ended
    expect(run).toMatchObject({ code: 3, out: '' })
    for (const shown of ['  3  to create\n  1  to put right\n', 'row 3 "tba"'])
      expect(run.err).toContain(shown)
    expect(at.received.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.each([12, 24])(
    'is shown in the pager where a screen of %i lines has no room for it and for what follows',
    async (rows) => {
      const wrong = Object.fromEntries(
        Array.from({ length: 6 }, (_, at) => [at + 2, [at % 2 ? 4 : 3, 'x'.repeat(30)] as const]),
      )
      const at = await filed(csv(40, wrong))
      const env = { ...at.env, PAYROLL_PAGER: "sed 's/^/PAGED /'" }
      const argv = ['candidates', 'import', at.file]
      const { out, err } = await atTerminal(argv, { ...at, env, columns: 80, rows }).ended
      expect(out).toMatch(/PAGED .+starters.csv, 40 rows:\n[\s\S]*PAGED To put right:\n/)
      expect(err).toContain('Error: 3 rows cannot be sent')
    },
  )

  test('shows what the columns fill beside what is doubtful, in the pager where the screen is full', async () => {
    const more = [
      'Town',
      'County',
      'Postcode',
      'Email',
      'Hours',
      'Job title',
      'Department',
      'Nationality',
      'Title',
    ]
    const rows = [
      [...header, ...more],
      [...sound(2), 'York', '', 'YO1 1AA', '', '37.5', 'Nurse', '', 'British', 'Ms'],
      ['A-3', 'Ben', 'Sam_ple', '60-16-1x', '12.5', ...more.map(() => '')],
    ]
    const at = await filed(rows.map((row) => `${row.join()}\n`).join(''))
    const env = { ...at.env, PAYROLL_PAGER: "sed 's/^/PAGED /'" }
    const terminal = atTerminal(['candidates', 'import', at.file], { ...at, env, columns: 80, rows: 24 })
    await terminal.type('Create 2 candidates', 'n\r')
    const { out } = await terminal.ended
    expect(out).toContain('PAGED   N Title            → Title (Ms)')
  })

  test('asks before it sends doubtful rows: no is no request', async () => {
    const at = await filed(csv(3, { 3: [3, '60-16-1x'] }))
    const terminal = atTerminal(at.argv, at)
    await terminal.type('Create 3 candidates, 1 of them doubtful,', 'n\r')
    expect(await terminal.ended).toMatchObject({ code: 2, out: '' })
    expect(terminal.screen()).toContain('  1  doubtful: it is ready, but look at it first\n')
    expect(at.posted()).toEqual([])
    const yes = atTerminal([...at.argv, '--yes'], at)
    expect(await yes.ended).toMatchObject({ code: 0, out: '3 rows: 3 created.\n' })
  })

  test('run again says that nothing was created now', async () => {
    const at = await filed(csv(3))
    const argv = [...at.argv, '-o', 'table']
    await payroll(argv, at)
    expect((await payroll(argv, at)).out).toBe('3 rows: 3 created by an earlier run.\n')
    writeFileSync(at.file, csv(4))
    expect((await payroll(argv, at)).out).toBe('4 rows: 1 created, 3 created by an earlier run.\n')
  })
})

describe('import --ready-only', () => {
  test('creates what is sound, and puts the rest into the rejects: exit 9', async () => {
    const at = await filed(csv(6, { 3: [4, 'tba'], 5: [4, '$1'] }))
    const run = await at.importFile(at.file, '--ready-only')
    const rejects = join(at.home, 'starters.rejects.csv')
    const counts = { rows: 6, created: 4, invalid: 2, pending: 0, rejects }
    expect([run.code, run.json()]).toMatchObject([9, counts])
    expect(run.error()).toMatchObject({
      code: 'partial',
      message: 'Not every row is done: 2 to put right.',
      hint: expect.stringMatching(
        /^Look at .*starters\.rejects\.csv and put right what is wrong, then: payroll /,
      ),
      issues: [
        {
          path: 'row 3, generalSetting.rateHour',
          message: expect.stringMatching(/^column E \(Hourly rate\): /),
        },
        { path: 'row 5, generalSetting.rateHour' },
      ],
    })
    expect(await at.there()).toEqual(['A-2', 'A-4', 'A-6', 'A-7'])
  })

  test.each([
    ['--ready-only', 9],
    ['--ready-only --dry-run', 0],
    ['--dry-run', 3],
  ] as const)('writes its answer into the file of --out with %s too: exit %i', async (options, code) => {
    const at = await filed(csv(3, { 3: [4, 'tba'] }))
    const out = join(at.home, 'answer.json')
    const run = await at.importFile(at.file, ...options.split(' '), '--out', out)
    expect([run.code, run.out, run.err]).toEqual([code, '', expect.stringContaining(`Wrote ${out}.`)])
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ rows: 3 })
  })

  test('sends neither of two rows with one reference: which is right is not known', async () => {
    const at = await filed(csv(4, { 4: [0, 'A-2'] }))
    expect((await at.importFile(at.file, '--ready-only')).json()).toMatchObject({ created: 2, invalid: 2 })
    expect(await at.there()).toEqual(['A-3', 'A-5'])
  })

  test('sends nothing when no row is sound: exit 3, and no rejects', async () => {
    const at = await filed(csv(2).replace(/12\.5/g, 'tba'))
    expect(await at.importFile(at.file, '--ready-only')).toMatchObject({ code: 3, out: '' })
    expect(at.received).toEqual([])
    expect(readdirSync(at.home)).not.toContain('starters.rejects.csv')
  })

  test('holds back a person without a name, unless --incomplete is given', async () => {
    const at = await importFixture()
    const nameless = { generalSetting: { agencyRef: 'A-003', surname: 'Example' } }
    const run = await at.importRows([...people(2), nameless], '--ready-only')
    expect(run.json()).toMatchObject({ created: 2, invalid: 1 })
    expect((await at.import('--incomplete')).json()).toMatchObject({ created: 1, createdEarlier: 2 })
  })

  test('leaves out no row in silence: a line that is no JSON is in the rejects as it was', async () => {
    const at = await importFixture()
    const run = await at.importRows([...people(2), 'not JSON at all'], '--ready-only')
    expect(run.json()).toMatchObject({ rows: 3, created: 2, invalid: 1 })
    const again = await at.importFile(run.json().rejects)
    expect([again.code, again.error().issues[0].path]).toEqual([3, expect.stringContaining('line')])
  })
})
