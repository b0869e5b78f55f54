import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { importFixture, interceptedFixture, listing, onPost, people, person, refs } from './import-fixture.ts'

describe('an import', () => {
  test('creates every row of the file, once', async () => {
    const at = await importFixture()
    const run = await at.importRows(people(30))
    expect(run).toMatchObject({ code: 0, signal: undefined })
    expect(run.json()).toEqual({
      ...{ rows: 30, created: 30, createdEarlier: 0, updated: 0, updatedEarlier: 0, unchanged: 0 },
      ...{ existing: 0, refused: 0, unresolved: 0, pending: 0, invalid: 0, held: 0, left: 0, rejects: null },
    })
    expect(await at.there()).toEqual(refs(30))
  })

  test('sends the record of a line of NDJSON, without what is not of the record', async () => {
    const at = await importFixture()
    const written = (ref: string, more = '') =>
      `{ "generalSetting": {"agencyRef": "${ref}", "surname": "Ex\\u00e4mple", "annualSalary": 31200.750}${more}}`
    writeFileSync(
      at.file,
      `\ufeff${written('A-001')}\r\n${written('A-002')}\r\n${written('A-003', ', "id": "c-3"')}\n`,
    )
    expect(await at.import('--incomplete')).toMatchObject({ code: 0 })
    expect(at.sent()).toHaveLength(3)
    expect(at.sent()).toEqual(
      expect.arrayContaining(
        refs(3).map((agencyRef) => ({
          generalSetting: { agencyRef, surname: 'Exämple', annualSalary: 31200.75 },
        })),
      ),
    )
  })

  test('leaves those alone who are there already, however the service writes their key', async () => {
    const at = await importFixture()
    for (const ref of [' a-002 ', 'STRASSE\u0301-1']) await at.call('POST', '/svc/candidates', person(ref))
    const sharp = ['stra\u00DFe\u0301-1', 'stra\u00DF\u00E9-2']
    const run = await at.importRows([...people(3), ...sharp.map((ref) => person(ref))])
    expect(run.json()).toMatchObject({ rows: 5, created: 3, existing: 2 })
    expect(run.err).toContain('row 2, generalSetting.agencyRef: A-002 is already on the service')
    expect(at.posted()).toHaveLength(3)
  })

  test('of a link to a file goes on with the import of that file', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    const link = join(at.home, 'link.ndjson')
    symlinkSync(at.file, link)
    expect((await at.importFile(link)).json()).toMatchObject({ created: 0, createdEarlier: 3, existing: 0 })
  })

  test('says on standard error what it is going to do, and with --quiet nothing but what --query asks for', async () => {
    const at = await importFixture()
    expect((await at.importRows(people(2))).err).toContain('2 rows: 2 to create.\n')
    at.write(people(4))
    const quiet = ['candidates', 'import', at.file, '--quiet']
    expect(await payroll(quiet, at)).toMatchObject({
      code: 0,
      out: expect.stringContaining('"created": 2'),
      err: '',
    })
    expect(await at.there()).toEqual(refs(4))
    const asked = await payroll([...quiet, '--query', 'createdEarlier'], at)
    expect(asked).toMatchObject({ code: 0, out: '4\n', err: '' })
    at.write(people(6))
    expect(await atTerminal(quiet, at).ended).toMatchObject({
      code: 0,
      out: '6 rows: 2 created, 4 created by an earlier run.\n',
      err: '',
    })
  })

  test('ends with one line for a person', async () => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates', person('A-001'))
    at.write(people(3))
    const run = await payroll(['candidates', 'import', at.file, '-o', 'table'], at)
    expect(run.out).toBe('3 rows: 2 created, 1 already on the service.\n')
  })

  test('keeps a journal that names the keys and nobody', async () => {
    const at = await importFixture()
    await at.importRows([
      person('A-1', { NINumber: 'QQ123456A', email: 'ann@example.com', DOB: '1990-01-01' }),
    ])
    const text = readFileSync(at.journalPath(), 'utf8')
    for (const personal of ['Ann', 'Sample', 'QQ123456A', 'example.com', '1990-'])
      expect(text).not.toContain(personal)
    expect(at.journal().map(({ key, state, run }) => [key, state ?? run])).toEqual([
      [undefined, undefined],
      [undefined, 'begin'],
      ['A-1', 'intent'],
      ['A-1', 'created'],
      [undefined, 'shown'],
      [undefined, 'found'],
      [undefined, 'end'],
    ])
    expect(statSync(at.journalPath()).mode & 0o777).toBe(0o600)
  })

  test('knows timesheets by their person, assignment and days', async () => {
    const at = await importFixture('timesheets')
    const week = (subcontractorRef: string, startDate: string) => ({
      ...{ subcontractorRef, assignmentRef: 'S-1', startDate, endDate: '2026-04-12' },
      rates: [{ rate: '15.00', units: '8' }],
    })
    const weeks = [week('A-1', '2026-04-06'), week('A-1', '2026-04-07'), week('A-2', '2026-04-06')]
    const first = await at.importRows(weeks, '--overlapping')
    expect(first.json()).toMatchObject({ rows: 3, created: 3 })
    expect((await at.import()).json()).toMatchObject({ rows: 3, created: 0, createdEarlier: 3 })
    expect(at.posted()).toHaveLength(3)
    const twice = await at.importRows([week('A-1', '2026-04-06'), week('a-1', '2026-04-06')])
    const message = 'the same person, week, rate and hours are in row 1 already'
    expect([twice.code, twice.error().issues[0]]).toEqual([3, { path: 'row 2, rates[0].units', message }])
  })

  test('keeps the countries apart', async () => {
    const at = await importFixture()
    await at.importRows(people(2), '--ireland')
    expect(at.posted().every(({ url }) => url === '/svc/candidates/ireland')).toBe(true)
    expect((await at.import()).json()).toMatchObject({ created: 2, existing: 0 })
  })
})

describe('before anything is sent', () => {
  const nameless = { generalSetting: { agencyRef: 'A-2', forename: ' ' } }

  test('--dry-run says what would happen, and leaves no trace', async () => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates', person('A-002'))
    const rows = [person('A-001', { NINumber: 'QQ123456A' }), person('A-002')]
    const run = await at.importRows(rows, '--dry-run')
    expect(run).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') })
    expect(run.json()).toEqual({
      ...{ rows: 2, ready: 1, invalid: [], invalidCount: 0, warningCount: 3 },
      warnings: [
        { row: 1, path: 'generalSetting.NINumber', message: expect.stringContaining('example') },
        { row: 2, path: 'generalSetting.agencyRef', message: expect.stringContaining('already') },
        { row: 0, path: '', message: expect.stringContaining('the list shows no National Insurance number') },
      ],
    })
    expect(at.posted()).toEqual([])
    expect(existsSync(`${at.home}/imports`)).toBe(false)
  })

  test('one row that cannot be sent holds back all of them: exit 3, with the rows a person sees', async () => {
    const at = await importFixture()
    const [misspelt, keyless] = [{ agencyRef: 'A-002', forname: 'Ann' }, { forename: 'Ann' }]
    const wrong = [{ generalSetting: misspelt }, 'not JSON', { generalSetting: keyless }, person('a-001')]
    const run = await at.importRows([person('A-001'), '', ...wrong])
    expect(run).toMatchObject({ code: 3, out: '' })
    expect(run.error()).toMatchObject({
      outcome: 'not-sent',
      message: '5 rows cannot be sent as they are. Nothing was sent.',
    })
    expect(run.error().issues.map(({ path }: any) => path)).toEqual([
      'row 3, generalSetting.forname',
      'row 4',
      'row 5, generalSetting.agencyRef',
      'row 6, generalSetting.agencyRef',
      'row 1, generalSetting.agencyRef',
    ])
    expect(at.posted()).toEqual([])
    const dry = await at.import('--dry-run')
    expect(dry.code).toBe(3)
    expect(dry.json().invalid.map(({ row }: any) => row)).toEqual([3, 4, 5, 6, 1])
  })

  test('a protected profile needs --yes without a terminal: zero requests', async () => {
    const at = await importFixture()
    at.write(people(1))
    const production = await at.asProfile('production')
    const argv = ['candidates', 'import', at.file, '--profile', 'production', '--json']
    expect(await payroll(argv, production)).toMatchObject({ code: 2, out: '' })
    expect(at.received).toEqual([])
    expect(await payroll([...argv, '--yes'], production)).toMatchObject({ code: 0 })
  })

  test('a list that does not show the key is exit 2: a lost row could not be found again', async () => {
    const at = await interceptedFixture(listing([{ id: '1', forename: 'Ann' }]))
    const run = await at.importRows(people(2))
    expect(run.code).toBe(2)
    expect(run.error().message).toBe(
      'payroll cannot import into this service safely: its list (/svc/candidates) does not show agencyRef. Nothing was sent.',
    )
    expect(at.posted()).toEqual([])
  })

  test('an empty service is sent one row, and looked at, before the others', async () => {
    const at = await interceptedFixture(listing([]))
    const run = await at.importRows(people(9))
    expect(run).toMatchObject({ code: 10 })
    expect(run.json()).toMatchObject({ created: 1, pending: 8 })
    expect(at.posted()).toHaveLength(1)
  })

  const one = { id: '1', agencyRef: 'A-1' }
  test.each([
    ['that ends too soon', [one], 7],
    ['that has one record twice, and so lacks another', [one, one], 2],
  ])('a list %s stops everything: nothing is sent', async (_, data, totalDocs) => {
    const at = await interceptedFixture(listing(data, totalDocs))
    expect(await at.importRows(people(2))).toMatchObject({ code: 10, out: '' })
    expect(at.posted()).toEqual([])
  })

  test('a file that another profile imported is not imported by this one', async () => {
    const at = await importFixture()
    await at.importRows(people(1))
    const other = await at.asProfile('development')
    const run = await payroll(['candidates', 'import', at.file, '--profile', 'development', '--json'], other)
    expect([run.code, run.error().message]).toEqual([2, expect.stringContaining('was imported into')])
  })

  test('a file that is not there is exit 2, and it is said where it was looked for', async () => {
    const run = await payroll(['candidates', 'import', 'none.ndjson', '--json'], await importFixture())
    expect([run.code, run.error()]).toMatchObject([
      2,
      {
        message: `There is no file none.ndjson in ${process.cwd()}. Nothing was sent.`,
        hint: 'Check its name, or give its whole path.',
      },
    ])
  })

  test('one person without a name holds back all, with the row and the fields, unless --incomplete is given, and no more once that was created', async () => {
    const at = await importFixture()
    const run = await at.importRows([person('A-1'), nameless])
    const says = ['a UK candidate needs it', '--incomplete would create the record without it']
    expect([run.code, run.error().issues]).toEqual([
      3,
      ['forename', 'surname'].map((name, which) => ({
        path: `row 2, generalSetting.${name}`,
        message: expect.stringContaining(says[which] ?? ''),
      })),
    ])
    expect(at.posted()).toEqual([])
    expect((await at.import('--incomplete')).json()).toMatchObject({ created: 2 })
    const again = await at.import()
    expect([again.code, again.json()]).toMatchObject([0, { created: 0, createdEarlier: 2, pending: 0 }])
    expect(at.posted()).toHaveLength(2)
  })

  test('a person without a name holds back all where an earlier run was told no of that row, and it would be sent again', async () => {
    const at = await interceptedFixture(onPost((response) => response.writeHead(422).end('{}')))
    await at.importRows([nameless], '--incomplete')
    expect((await at.import()).code).toBe(3)
    expect(at.posted()).toHaveLength(1)
  })
})

test('a row whose reference is of another person on the service is named, and the import ends with exit 9', async () => {
  const at = await importFixture()
  await at.call('POST', '/svc/candidates', person('A-001', { forename: 'Testina', surname: 'Other' }))
  await at.call('POST', '/svc/candidates', person('A-002'))
  at.write(people(3))
  const says = 'A-001 is on the service as Testina Other, not Ann Sample A-001: this row is not created'
  expect((await at.import('--dry-run')).json().warnings[0]).toMatchObject({ row: 1, message: says })
  const terminal = atTerminal(['candidates', 'import', at.file, '--settle', '0'], at)
  await terminal.type('Create 1 candidate', 'y\r')
  expect((await terminal.ended).code).toBe(9)
  expect(terminal.screen().replace(/\s+/g, ' ')).toMatch(
    /1 already on the service 1 held back Held back: A-001 is on the service as Testina Other/,
  )
  expect(at.posted()).toHaveLength(1)
  const again = await at.import()
  expect(again).toMatchObject(endedWith(9, says))
  expect(again.err).toContain('Not every row is done: 1 held back.')
  expect(again.json()).toMatchObject({ created: 0, createdEarlier: 1, existing: 1, held: 1 })
})

test('a row of a person who has another surname on the service, born on the same day, is named: exit 0', async () => {
  const at = await importFixture()
  const DOB = '1980-02-14'
  await at.call('POST', '/svc/candidates', person('A-001', { surname: 'Other', DOB }))
  const run = await at.importRows([person('A-001', { DOB })])
  expect([run.code, at.posted().length]).toEqual([0, 0])
  expect(run.err).toContain('A-001 is on the service as Ann Other, not Ann Sample A-001')
})
