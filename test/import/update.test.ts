import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { answer, importFixture, lose, office, readTable, worker } from './import-fixture.ts'

describe('import --update', () => {
  test('changes what the file has columns and values for, and nothing else of the record', async () => {
    const at = await office(3)
    const was = await at.record('E-1')
    const header = 'Agency reference,Hourly rate,City,Tax code,Address 1'
    at.save(header, 'e-1,23.50,,1100L,', 'E-2,,[clear],,9 Low Road')
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([0, { rows: 2, updated: 2, unchanged: 0, rejects: null }])
    expect(await at.record('E-1')).toEqual({
      ...was,
      rateHour: 23.5,
      setting: { ...was.setting, taxCode: '1100L' },
    })
    expect(await at.record('E-2')).toMatchObject({
      ...{ city: '', rateHour: 20, surname: 'Fake2', address: ['9 Low Road', 'Flat 2'] },
      setting: { taxCode: '1257L' },
    })
    expect((await at.record('E-3')).rateHour).toBe(20)
  })

  test('of an export says which values stay because their cells were emptied; another sheet need not have all of them', async () => {
    const at = await office(2)
    const says =
      'a cell that is empty leaves what the service has: City or town (1 person). [clear] in a cell'
    for (const [column, isSaid] of [
      ['id', true],
      ['Ref 2', false],
    ] as const) {
      at.save(`${column},Agency reference,City,Tax code`, 'x,E-1,,1257L', 'y,E-2,Leeds,1257L')
      const { code, err } = await at.run('--ignore-column', column)
      expect([code, err.replace(/\s+/g, ' ').includes(says)]).toEqual([0, isSaid])
    }
    at.save('id,Agency reference,City,Tax code', 'x,E-1,,1257L', 'y,E-2,,1257L')
    expect((await at.run()).err).toContain('leaves what the service has: City or town (2 people)')
  })

  test.each([
    ['a list that shows them', false],
    ['records that are read', true],
  ])(
    'takes values that nobody would type for no fault where the record has them: by %s',
    async (_, isHidden) => {
      const at = await office(3)
      const odd = { accountNumber: '1234567', accountName: 'N/A' }
      await at.edit('E-1', {}, odd)
      if (isHidden)
        at.intercept(async ({ method, url }, response, carryOut) => {
          if (method !== 'GET' || !url.includes('?')) return false
          const { data, ...rest } = (await (await carryOut()).json()) as any
          answerJson(response, 200, { ...rest, data: data.map(({ bank, ...each }: any) => each) })
          return true
        })
      const header = 'Agency reference,Account name,Account number,City'
      const [same, other] = ['E-1,N/A,1234567,York', 'E-2,Ann Fake2,1234567,Leeds']
      at.save(header, same)
      const run = await at.run()
      expect([run.code, run.json()]).toMatchObject([0, { rows: 1, updated: 1, invalid: 0 }])
      expect(await at.record('E-1')).toMatchObject({ city: 'York' })
      expect(JSON.parse(at.puts()[0]?.body ?? '{}').bankSetting).toMatchObject(odd)
      at.save(header, same, other)
      const refused = await at.run()
      expect(refused).toMatchObject(endedWith(3, /row 3.*7 digits instead of 8/s))
      expect(refused.err).not.toContain('row 2')
      at.save(header, 'NEW-1,N/A,31926819,York')
      expect(await at.run()).toMatchObject(endedWith(3, 'is a word for nothing: leave the cell empty'))
      expect(at.puts()).toHaveLength(1)
    },
  )

  test('of JSON takes another spelling of what the record has in the standard form for no change of it', async () => {
    const at = await office(2)
    const line = (agencyRef: string, general = {}) =>
      JSON.stringify({
        generalSetting: { agencyRef, ...general },
        bankSetting: { sortCode: '60-16-13' },
        payrollSetting: { taxCode: '1257 l' },
      })
    const file = join(at.home, 'staff.ndjson')
    writeFileSync(file, `${line('E-1')}\n${line('E-2', { city: 'York' })}\n`)
    const run = await at.importFile(file, '--update')
    expect([run.code, run.json()]).toMatchObject([0, { updated: 1, unchanged: 1, rejects: null }])
    const [put] = at.puts()
    expect([at.puts().length, JSON.parse(put?.body ?? '')]).toMatchObject([
      1,
      {
        generalSetting: { city: 'York' },
        bankSetting: { sortCode: '601613' },
        payrollSetting: { taxCode: '1257L' },
      },
    ])
  })

  test('of an export takes the spaces around a stored text for no change of it, and leaves them there', async () => {
    const at = await office(2)
    const spaced = { surname: 'Fake ', city: ' York', address: ['1 Low Road ', 'Flat 2'] }
    await at.edit('E-1', spaced)
    await at.edit('E-2', spaced)
    const file = join(at.home, 'staff.csv')
    await payroll(['candidates', 'export', '--uk', '--out', file], at)
    const [header = '', ...rows] = readFileSync(file, 'utf8').split(/\r?\n/)
    const changed = rows.map((row) => (row.includes('E-2') ? row.replace(',20,', ',21,') : row))
    writeFileSync(file, [header, ...changed].join('\r\n'))
    const run = await at.importFile(file, '--update')
    expect([run.code, run.json()]).toMatchObject([0, { updated: 1, unchanged: 1, rejects: null }])
    expect(await at.record('E-2')).toMatchObject({ ...spaced, rateHour: 21 })
    at.save('Agency reference,City', 'E-1,York')
    expect((await at.run()).json()).toMatchObject({ updated: 1 })
  })

  test('of an export leaves the words of the service that payroll would read as others', async () => {
    const at = await office(2)
    for (const who of ['E-1', 'E-2']) await at.edit(who, { payFrequency: 'W1', gender: 'M' })
    at.save('Agency reference,Pay frequency,Gender', 'E-1,W1,M', 'E-2,Weekly,M')
    expect((await at.run()).json()).toMatchObject({ updated: 1, unchanged: 1 })
    expect(await at.record('E-1')).toMatchObject({ payFrequency: 'W1', gender: 'M' })
    expect(await at.record('E-2')).toMatchObject({ payFrequency: 'WEEKLY', gender: 'M' })
  })

  test('leaves a code that the service has in other capitals', async () => {
    const at = await office(1)
    await at.edit('E-1', { payFrequency: 'Weekly' })
    at.save('Agency reference,Pay frequency', 'E-1,WEEKLY')
    expect((await at.run()).json()).toMatchObject({ unchanged: 1, updated: 0 })
    expect(await at.record('E-1')).toMatchObject({ payFrequency: 'Weekly' })
  })

  test('takes each word for a code as the service writes that code', async () => {
    const at = await office(2)
    for (const who of ['E-1', 'E-2']) await at.edit(who, { payFrequency: 'Weekly' })
    at.save('Agency reference,Pay frequency', 'E-1,weekly', 'E-2,every week')
    const { code, json } = await at.run()
    expect([code, json()]).toMatchObject([0, { updated: 0, unchanged: 2 }])
  })

  test('sends the first row in the words that the list has shown, and knows it again on the second night', async () => {
    const at = await office(1)
    await at.edit('E-1', { payFrequency: 'Weekly' })
    at.save('Agency reference,Forename,Surname,Pay frequency', 'N-1,Tom,Newly,every week')
    const first = await at.importFile(at.csv)
    expect([first.code, first.json()]).toMatchObject([0, { created: 1 }])
    expect(await at.record('N-1')).toMatchObject({ payFrequency: 'Weekly' })
    const second = await at.importFile(at.csv)
    expect([second.code, second.json()]).toMatchObject([0, { created: 0, createdEarlier: 1 }])
  })

  test('sends no row without a word that the list shows in two ways', async () => {
    const at = await office(2)
    await at.edit('E-1', { payFrequency: 'Weekly' })
    await at.edit('E-2', { payFrequency: 'WEEKLY' })
    at.save('Agency reference,Forename,Surname,Pay frequency', 'N-1,Tom,Newly,weekly')
    const says = 'it can mean Weekly or WEEKLY: write the one that you mean'
    expect(await at.importFile(at.csv)).toMatchObject(endedWith(3, says))
  })

  test('puts a record into the standard form where the file has it', async () => {
    const at = await office(1)
    await at.edit('E-1', { postCode: 'ls11aa' })
    at.save('Agency reference,Post code', 'E-1,LS1 1AA')
    expect((await at.run()).json()).toMatchObject({ updated: 1, unchanged: 0 })
    expect(await at.record('E-1')).toMatchObject({ postCode: 'LS1 1AA' })
  })

  test('takes two spellings of a number for one in a number, and for two in a text', async () => {
    const at = await office(1)
    await at.edit('E-1', { department: '3.10', rateHour: 21.5 })
    at.save('Agency reference,Department,Hourly rate', 'E-1,3.1,21.50')
    expect((await at.run()).json()).toMatchObject({ updated: 1 })
    expect(await at.record('E-1')).toMatchObject({ department: '3.1', rateHour: 21.5 })
  })

  test('empties a number, a date and a yes with [clear], as it does a text', async () => {
    const at = await office(1)
    await at.edit('E-1', { dateOfJoining: '2026-04-06', allowPortalLogin: true })
    at.save('Agency reference,Hourly rate,Start date,Allow portal login', 'E-1,[clear],[clear],[clear]')
    expect((await at.run()).json()).toMatchObject({ updated: 1, unresolved: 0 })
    const none = { rateHour: null, dateOfJoining: null, allowPortalLogin: null, city: 'Leeds' }
    expect(await at.record('E-1')).toMatchObject(none)
    // Nothing is left to do.
    expect((await at.run()).json()).toMatchObject({ updated: 0, unresolved: 0 })
  })

  test('creates the people of the file who are new, and the counts add up to the rows', async () => {
    const at = await office(2)
    at.save('Agency reference,Forename,Surname,City', 'E-1,,,York', 'N-1,Tom,Newly,Hull', 'E-2,,,Leeds')
    const run = await at.run()
    const { rows, rejects: _, ...counts } = run.json()
    expect([run.code, counts]).toMatchObject([0, { created: 1, updated: 1, unchanged: 1 }])
    expect(Object.values<number>(counts).reduce((sum, each) => sum + each, 0)).toBe(rows)
    expect(await at.record('N-1')).toMatchObject({ city: 'Hull', surname: 'Newly' })
  })

  test('of rows that say what the service has already costs the list, and sends nothing', async () => {
    const at = await office(101)
    const rows = Array.from({ length: 101 }, (_, number) => `E-${number + 1},20.00,Leeds`)
    at.save('Agency reference,Hourly rate,City', ...rows)
    at.asked()
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([0, { rows: 101, unchanged: 101, updated: 0 }])
    // Two pages, and the first one again.
    expect(at.asked()).toEqual(['GET', 'GET', 'GET'])
    // With somebody who may only have been missed: two pages, and both again.
    at.save(
      'Agency reference,Forename,Surname,City',
      ...rows.map((row) => row.replace(/,.*/, ',,,')),
      'N-1,Tom,Newly,',
    )
    expect((await at.run('--dry-run')).json()).toMatchObject({ create: 1, update: 0 })
    expect(at.asked()).toEqual(['GET', 'GET', 'GET', 'GET'])
  })

  test('run again sends nothing, and counts each row as unchanged, whichever run made it so', async () => {
    const at = await office(2)
    at.save('Agency reference,City', 'E-1,York', 'E-2,Hull')
    await at.run()
    const again = await at.run()
    expect([again.code, again.json()]).toMatchObject([0, { updated: 0, updatedEarlier: 0, unchanged: 2 }])
    expect(at.puts()).toHaveLength(2)
  })

  test('takes what the service has made of a value by itself for no change, and leaves it so beside another one', async () => {
    const at = await importFixture()
    const general = { agencyRef: 'N-1', forename: 'Ann', surname: 'Example', registrationStatus: 'ONGOING' }
    at.write([{ generalSetting: general }])
    expect((await at.importFile(at.file)).code).toBe(0)
    const again = await at.importFile(at.file, '--update')
    expect(again.json()).toMatchObject({ rows: 1, createdEarlier: 0, unchanged: 1 })
    expect(again.err).toContain(
      'Registration status: the service changed ONGOING to REGISTRATION_COMPLETE by itself, and the record keeps REGISTRATION_COMPLETE: row 1\n',
    )
    at.write([{ generalSetting: { ...general, city: 'York' } }])
    const changed = await at.importFile(at.file, '--update')
    expect(changed.json()).toMatchObject({ rows: 1, updated: 1 })
    const puts = at.received.filter(({ method }) => method === 'PUT')
    expect(puts.map(({ body }) => JSON.parse(body).generalSetting.registrationStatus)).toEqual([
      'REGISTRATION_COMPLETE',
    ])
  })

  test('asks nobody who exists for a name, and says of a reference that nobody has it', async () => {
    const at = await office(3)
    at.save('Agency reference,City', 'E-1,York')
    expect((await at.run('--dry-run')).err).not.toContain('--incomplete')
    at.save('Agency reference,City', 'E-1,York', 'E-2,York', 'E-E,York')
    const run = await at.run()
    expect([run.code, run.error().issues]).toEqual([
      3,
      [
        {
          path: 'row 4, generalSetting.agencyRef',
          message:
            'column A (Agency reference): nobody on the service has E-E. The row would create a UK candidate, and has no forename and no surname',
        },
      ],
    ])
    expect(run.err).not.toContain('--incomplete')
    expect(at.puts()).toEqual([])
  })

  test('holds a row back that would create somebody of the same name under nearly the same reference', async () => {
    const at = await office(3)
    at.save('Agency reference,Forename,Surname,City', 'E-33,Ann,Fake3,York', 'E-44,Tom,Fake3,York')
    const { create, warnings } = (await at.run('--dry-run')).json()
    const messages = warnings.map(({ row, message }: any) => `${row}: ${message}`)
    expect([create, messages.filter((each: string) => each.includes('mistyped'))]).toEqual([
      1,
      [
        '2: nobody on the service has E-33, and E-3 (Ann Fake3) has nearly the same reference: is it mistyped?',
      ],
    ])
    expect((await at.run('--strict')).code).toBe(3)
  })

  test('keeps a journal with references, and no value of a field', async () => {
    const at = await office(1)
    at.save('Agency reference,City,Tax code', 'E-1,Yorkminster,1100L')
    await at.run()
    const text = readFileSync(at.journalPath(), 'utf8')
    for (const value of ['Yorkminster', '1100L', 'Leeds', 'Fake1']) expect(text).not.toContain(value)
    expect(at.journal().flatMap(({ run, state }) => (run === 'change' ? [state] : []))).toEqual([
      'planned',
      'sending',
      'applied',
    ])
  })

  test('that stops says in its results that the changes which wait were not sent, as its summary does', async () => {
    const at = await office(3)
    at.save('Agency reference,City', 'E-1,York', 'E-2,York', 'E-3,Leeds')
    at.intercept(({ method }, response) => {
      if (method === 'PUT') response.writeHead(401).end()
      return method === 'PUT'
    })
    const run = await at.run('--concurrency', '1', '--results', join(at.home, 'results.csv'))
    expect([run.code, run.json()]).toMatchObject([4, { pending: 2, unchanged: 1, existing: 0 }])
    const rows = readFileSync(join(at.home, 'results.csv'), 'utf8')
    expect(rows.match(/not sent|unchanged|already there/g)).toEqual(['not sent', 'not sent', 'unchanged'])
  })

  test('sends what differs in form alone until it has arrived: a lost change is not taken for one', async () => {
    const at = await office(1)
    await at.edit('E-1', { rateHour: 20.26 })
    at.save('Agency reference,City,Hourly rate', 'E-1,LEEDS,20.255')
    at.intercept(({ method }, response) => {
      if (method === 'PUT') lose(response)
      return method === 'PUT'
    })
    const lost = await at.run()
    expect([lost.code, lost.json()]).toMatchObject([8, { updated: 0, unresolved: 1 }])
    at.intercept(() => false)
    expect((await at.run()).json()).toMatchObject({ updated: 1, unresolved: 0 })
    expect(await at.record('E-1')).toMatchObject({ city: 'LEEDS', rateHour: 20.255 })
  })

  test('is exit 3 where a row has another surname and another forename or birthday; a surname or a birthday alone is a correction', async () => {
    const at = await office(2)
    await at.edit('E-1', { DOB: '1980-02-01' })
    await at.edit('E-2', { DOB: '1980-02-01' })
    for (const [name, birthday] of [
      ['Tom Otherman', ''],
      ['Ann Otherman', '1991-03-02'],
    ] as const) {
      at.save('Agency reference,Forename,Surname,Date of birth', `E-1,${name.replace(' ', ',')},${birthday}`)
      const run = await at.run()
      const says = expect.stringContaining(`it is Ann Fake1 on the service, and the row says ${name}`)
      expect([run.code, run.error().issues[0].message, at.puts()]).toEqual([3, says, []])
    }
    at.save('Agency reference,Surname', 'E-1,Otherman')
    expect((await at.run()).code).toBe(0)
    at.save('Agency reference,Date of birth', 'E-2,1991-03-02')
    expect((await at.run()).code).toBe(0)
    expect([await at.record('E-1'), await at.record('E-2')]).toMatchObject([
      { surname: 'Otherman', DOB: '1980-02-01' },
      { surname: 'Fake2', DOB: '1991-03-02' },
    ])
  })

  test('is exit 3 where a row has the id of another record, as a table whose columns were sorted apart', async () => {
    const at = await office(2)
    const [one, two] = [await at.record('E-1'), await at.record('E-2')]
    at.save('id,Agency reference,City', `${two.id},E-1,York`, `${two.id},E-2,Hull`)
    const run = await at.run()
    const says = `column B (Agency reference): the id in the row is that of E-2 (Ann Fake2) on the service, not of E-1`
    expect([run.code, run.error().issues]).toEqual([
      3,
      [{ path: 'row 2, generalSetting.agencyRef', message: says }],
    ])
    at.write([{ id: two.id, agencyRef: 'E-1', city: 'York' }])
    expect((await at.importFile(at.file, '--update')).code).toBe(3)
    expect(at.puts()).toEqual([])
    // An id that nobody has here may come from another service.
    at.save('id,Agency reference,City', `${one.id},E-1,York`, 'elsewhere-7,E-2,Hull')
    expect((await at.run()).json()).toMatchObject({ updated: 2 })
  })

  test.each([[[]], [['--update']]])(
    'a row with the id of somebody under another reference is held back, unless --same-person sends it: %j',
    async (words) => {
      const at = await office(1)
      const { id } = await at.record('E-1')
      at.write([{ id, agencyRef: 'N-1', forename: 'Tom', surname: 'Newly' }])
      const run = await at.importFile(at.file, ...words)
      expect([run.code, run.error().issues[0].message]).toEqual([
        3,
        'the id in the row is that of E-1 (Ann Fake1) on the service, not of N-1',
      ])
      expect(run.error().next.at(-1)).toMatch(/ --same-person$/)
      expect((await at.importFile(at.file, '--same-person', ...words)).json()).toMatchObject({ created: 1 })
    },
  )

  test('empties no name with [clear], unless --incomplete allows it', async () => {
    const at = await office(1)
    at.save('Agency reference,Surname,City', 'E-1,[clear],York')
    const run = await at.run()
    expect([run.code, run.error().issues[0].message]).toEqual([
      3,
      'column B (Surname): a UK candidate needs it; --incomplete would empty it',
    ])
    expect(at.puts()).toEqual([])
    expect((await at.run('--incomplete')).json()).toMatchObject({ updated: 1 })
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a whole section',
      { bankSetting: '[clear]' },
      'it is a whole section: name the fields that are to be empty',
    ],
    [
      'one line of a list',
      { address: ['[clear]'] },
      '[clear] empties the whole list, and stands in its place',
    ],
  ])('refuses [clear] in the place of %s', async (_, fields, message) => {
    const at = await office(1)
    at.write([{ agencyRef: 'E-1', ...fields }])
    const run = await at.importFile(at.file, '--update', '--bank')
    expect([run.code, run.error().issues[0].message]).toEqual([3, message])
    expect(at.puts()).toEqual([])
  })

  test('sends a field that the service never returns once, and says nothing of a change that nobody made', async () => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates/ireland', {
      generalSetting: { agencyRef: 'I-1', forename: 'Ann', surname: 'Fake1', city: 'Cork' },
    })
    const csv = at.save('irish.csv', 'Agency reference,Pension scheme,City', 'I-1,NEST,Sligo')
    const words = ['--ireland', '--update']
    const first = await at.importFile(csv, ...words)
    expect(first.json()).toMatchObject({ updated: 1 })
    // Of a field with yes or no the sandbox answers no where it was never given, as interface.md shows no null there.
    expect(first.err).not.toContain('shareCodeVerified')
    const again = await at.importFile(csv, ...words, '--strict')
    expect([again.code, again.json()]).toMatchObject([0, { updated: 0, unchanged: 1 }])
    expect(again.err).not.toContain('was changed on the service since')
    expect(at.received.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('does not say of a field that the service never returns that [clear] has emptied it', async () => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates/ireland', {
      generalSetting: {
        ...{ agencyRef: 'I-1', forename: 'Ann', surname: 'Fake1' },
        pensionSetting: { scheme: 'NEST' },
      },
    })
    const csv = at.save('irish.csv', 'Agency reference,Pension scheme', 'I-1,[clear]')
    const run = await at.importFile(csv, '--ireland', '--update')
    expect([run.code, run.error().issues[0].message]).toEqual([
      3,
      'column B (Pension scheme): the service does not return Pension scheme, so an import cannot see whether it is empty: empty it with update --unset scheme',
    ])
  })

  test('refuses to write one file twice, or over a file that it reads, before anything is read', async () => {
    const at = await office(1)
    at.save('Agency reference,City', 'E-1,York')
    const both = join(at.home, 'both.csv')
    at.asked()
    for (const [one, other] of [
      ['--plan', '--results'],
      ['--plan', '--rejects'],
      ['--plan', '--out'],
      ['--results', '--rejects'],
      ['--results', '--out'],
      ['--rejects', '--out'],
      ['--as-planned', '--plan'],
      ['--map', '--results'],
    ] as const) {
      const run = await payroll(
        ['candidates', 'import', at.csv, '--update', '--yes', one, both, other, both],
        at,
      )
      expect([one, other, run.code, run.err]).toEqual([
        one,
        other,
        2,
        expect.stringMatching(/both\.csv cannot be both the [^.]*\. Nothing was sent/),
      ])
    }
    const link = join(at.home, 'link.csv')
    symlinkSync(at.csv, link)
    const isImported = 'cannot be both the file that is imported and'
    for (const [option, path, says] of [
      ['--plan', at.rejects, 'cannot be both'],
      ['--rejects', at.csv, isImported],
      ['--plan', at.csv, isImported],
      ['--plan', link, isImported],
      ['--out', at.csv, isImported],
      ['--out', link, 'link.csv is not a regular file'],
    ] as const) {
      const argv = ['candidates', 'import', at.csv, '--update', '--yes', option, path]
      expect(await payroll(argv, at)).toMatchObject(endedWith(2, says))
    }
    expect([at.asked(), existsSync(both), readFileSync(at.csv, 'utf8')]).toEqual([
      [],
      false,
      expect.stringContaining('E-1,York'),
    ])
  })

  test.each([
    ['--rejects', 'rejects.csv'],
    ['--out', 'answer.json'],
    ['--results', 'results.csv'],
    ['--plan', 'plan.csv'],
  ])('is exit 2 before anything is read where the file of %s cannot be made', async (option, name) => {
    const at = await office(1)
    at.save('Agency reference,City', 'E-1,York')
    at.asked()
    const run = await at.run(option, join(at.home, 'missing', name))
    expect([run.code, run.out, run.error(), at.puts()]).toMatchObject([
      2,
      '',
      {
        message: expect.stringContaining(`${name} could not be written: there is no folder`),
        outcome: 'not-sent',
      },
      [],
    ])
  })

  test('is exit 9 for the rows that were refused where their file cannot be written afterwards', async () => {
    const at = await office(2)
    at.save('Agency reference,City', 'E-1,York', 'E-2,Hull')
    const folder = join(at.home, 'gone')
    mkdirSync(folder)
    await at.on('PUT', 'E-1', (response) => {
      rmSync(folder, { recursive: true, force: true })
      answer(422, { message: 'no' })(response)
    })
    const run = await at.run('--rejects', join(folder, 'rejects.csv'))
    expect([run.code, run.json()]).toMatchObject([9, { updated: 1, refused: 1, rejects: null }])
    expect(run.err).toContain('rejects.csv could not be written: there is no folder')
  })
})

describe('import without --update', () => {
  test('says in a dry run too how many differ, also where another row is wrong', async () => {
    const at = await office(2)
    at.save('Agency reference,City,Hourly rate', 'E-1,York,', 'E-2,Leeds,', 'E-9,Hull,TBC')
    const words = ['candidates', 'import', at.csv, '--dry-run']
    const run = await atTerminal(words, at).ended
    expect([run.code, run.out.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining(
        'Also: 1 candidate that the service has already is not as the file says: --update changes it',
      ),
    ])
  })

  test('leaves a row that differs alone, says how many differ, and names --update', async () => {
    const at = await office(3)
    at.save('Agency reference,City', 'E-1,York', 'E-2,Leeds', 'E-3,Hull')
    const run = await at.importFile(at.csv)
    expect([run.code, run.json()]).toMatchObject([0, { existing: 3, updated: 0, unchanged: 0 }])
    expect(run.err).toContain(
      '2 candidates that the service has already are not as the file says: --update changes them',
    )
    expect(at.puts()).toEqual([])
  })

  test('counts no row among them that is held back because its record is another person', async () => {
    const at = await office(2)
    at.save('Agency reference,Forename,Surname,City', 'E-1,,,York', 'E-2,Somebody,Else,Hull')
    const run = await at.importFile(at.csv)
    expect([run.code, run.json()]).toMatchObject([9, { existing: 1, held: 1 }])
    expect(run.err).toContain('1 candidate that the service has already is not as the file says')
  })

  test.each([
    ['--bank', '--bank would have no effect without --update'],
    ['--plan=plan.csv', '--plan would have no effect without --update'],
    ['--allow-missing=bank', '--allow-missing would have no effect without --update'],
  ])('and with %s is exit 2', async (option, says) => {
    const at = await office(0)
    at.save('Agency reference,City', 'E-1,York')
    expect(await at.importFile(at.csv, option)).toMatchObject(endedWith(2, says))
  })

  test('is exit 3 where a cell says [clear]', async () => {
    const at = await office(0)
    at.save('Agency reference,Forename,Surname,City', 'N-1,Ann,Example-Test,[clear]')
    expect(await at.importFile(at.csv)).toMatchObject(endedWith(3, 'add --update'))
  })
})

describe('import --update of bank details', () => {
  const rows = ['Agency reference,City,Sort code,Account name', 'E-1,York,,', 'E-2,York,601614,Ann F']

  test('without --bank holds the whole row back, puts it into the rejects, and is exit 9', async () => {
    const at = await office(2)
    at.save(...rows)
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([9, { updated: 1, held: 1, rejects: at.rejects }])
    expect(readFileSync(at.rejects, 'utf8')).toContain('bank details change only with --bank')
    expect(run.error().issues).toEqual([
      {
        path: 'row 3, E-2',
        message: expect.stringMatching(/^columns C \(Sort code\) and D \(Account name\): bank details/),
      },
    ])
    expect(run.error().next).toEqual([
      `payroll candidates import ${at.rejects} --settle 0 --json --update --bank`,
    ])
    expect(await at.record('E-2')).toMatchObject({ city: 'Leeds', bank: { sortCode: '601613' } })
  })

  test('to an account that others have says who they are, until the record has it', async () => {
    const at = await office(4)
    await at.edit('E-3', {}, { accountNumber: '31926811' })
    await at.edit('E-4', {}, { accountNumber: '31926811' })
    at.save('Agency reference,Sort code,Account number', 'E-3,601613,31926819', 'E-4,,')
    const { warnings } = (await at.run('--bank', '--dry-run')).json()
    expect(warnings).toContainEqual({
      row: 0,
      path: 'bankSetting.accountNumber',
      message:
        'column C (Account number): one account for 3 people: row 2, and on the service E-1 Ann Fake1 and E-2 Ann Fake2',
    })
    expect((await at.run('--bank')).json()).toMatchObject({ updated: 1 })
    expect((await at.run('--bank', '--dry-run')).json()).toMatchObject({ unchanged: 2, warnings: [] })
  })

  test('names the rows in a dry run: for a program among the warnings, for a person once', async () => {
    const at = await office(2)
    at.save(...rows)
    const { code, json } = await at.run('--dry-run')
    const message = expect.stringContaining('columns C (Sort code) and D')
    expect([code, json().warnings]).toMatchObject([0, [{ row: 3, message }]])
    const argv = ['candidates', 'import', at.csv, '--update', '--dry-run']
    const { out } = await atTerminal(argv, { ...at, columns: 80, rows: 24 }).ended
    expect(out).toContain('Bank details change only with --bank: held back')
    const [above = ''] = out.split('What changes:')
    expect(above.match(/E-2/g)).toHaveLength(1)
  })

  test.each([
    [[], 'Sort code ****** → ****** (1 of 6 differs), IBAN ******819 → ******820'],
    [['--reveal'], 'Sort code 601613 → 601614, IBAN GB29NWBK60161331926819 → GB29NWBK60161331926820'],
  ])('shows the old value and the new one of each person: %s', async (words, shown) => {
    const at = await office(4)
    for (const each of [1, 2, 3]) await at.edit(`E-${each}`, {}, { IBANReference: 'GB29NWBK60161331926819' })
    at.save(
      'Agency reference,Sort code,IBAN,City,Hourly rate',
      ...[1, 2, 3].map((each) => `E-${each},601614,GB29NWBK60161331926820,,21`),
      ...['E-4,,,Leeds,tba', 'E-5,,,Leeds,21'],
    )
    const run = await atTerminal(['candidates', 'import', at.csv, '--update', '--dry-run', ...words], {
      ...at,
      columns: 80,
      rows: 18,
    }).ended
    const text = run.out.replace(/\s+/g, ' ')
    for (const each of [1, 2, 3]) expect(text).toContain(`Ann Fake${each} (E-${each}): ${shown}`)
    expect(run.out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('says once why many rows are held back, and then which', async () => {
    const at = await office(7)
    at.save('Agency reference,Sort code', ...[1, 2, 3, 4, 5, 6, 7].map((each) => `E-${each},601614`))
    const { err } = await at.run('--errors', 'text')
    expect(err).toMatch(/so the whole row is held back:\n {4}row 2, E-1; row 3, E-2/)
  })
})

const withoutBank = expect.stringContaining('bank details change only with --bank')

/** The columns of a plan that say what happens to a row. Only JSON has numbers here. */
const said = (file: string, action: string, row: number, reason?: unknown) => ({
  action,
  row: file.endsWith('.ndjson') ? row : String(row),
  ...(reason !== undefined && { reason }),
})

/** The rows of a plan, without empty cells. */
async function readPlan(path: string) {
  const isFilled = ([, value]: [string, unknown]) => value !== '' && value !== null && value !== undefined
  return (await readTable(path)).map((row) => Object.fromEntries(Object.entries(row).filter(isFilled)))
}

describe('the plan of import --update', () => {
  test('is in the dry run as JSON: how many rows are of each kind, and every field old and new', async () => {
    const at = await office(3)
    at.save('Agency reference,Forename,Surname,City', 'E-1,,,York', 'E-2,,,Leeds', 'N-1,Tom,Newly,Hull')
    const run = await at.run('--dry-run')
    expect([run.code, run.json()]).toMatchObject([0, { create: 1, update: 1, unchanged: 1, changeCount: 1 }])
    const change = { path: 'generalSetting.city', from: 'Leeds', to: 'York' }
    expect(run.json().changes).toEqual([{ row: 2, reference: 'E-1', name: 'Ann Fake1', ...change }])
    expect(at.puts()).toEqual([])
  })

  test.each(['plan.csv', 'plan.xlsx', 'plan.ndjson'])(
    'has in %s, for its owner alone, a row for each change, and who is created and who is not sent, and why',
    async (name) => {
      const at = await office(4)
      await at.call('POST', '/svc/candidates', worker('E-4', 4))
      const people = ['N-1,Tom,Newly,Hull,', 'E-1,,,York,', 'E-2,Eve,Other,Hull,', 'E-3,,,Leeds,601614']
      at.save('Agency reference,Forename,Surname,City,Sort code', ...people, 'E-4,,,York,', ',Al,Fake,,')
      const path = join(at.home, name)
      const { err } = await at.run('--dry-run', '--plan', path)
      expect(err).toContain(`Wrote ${path}.`)
      const rows = await readPlan(path)
      expect(rows).toEqual([
        ...[
          ['Forename', 'Tom'],
          ['Surname', 'Newly'],
          ['City or town', 'Hull'],
        ].map(([field, value]) => ({
          ...{ reference: 'N-1', name: 'Tom Newly', field, new: value },
          ...said(name, 'create', 2),
        })),
        {
          ...{ reference: 'E-1', name: 'Ann Fake1', field: 'City or town', old: 'Leeds', new: 'York' },
          ...said(name, 'change', 3),
        },
        {
          ...{ reference: 'E-2', name: 'Eve Other' },
          ...said(name, 'put right', 4, expect.stringContaining('it is Ann Fake2 on the service')),
        },
        {
          ...{ reference: 'E-3', name: 'Ann Fake3', field: 'Sort code', old: '601613', new: '601614' },
          ...said(name, 'held back', 5, withoutBank),
        },
        {
          ...{ reference: 'E-4' },
          ...said(name, 'held back', 6, expect.stringContaining('E-4 is on the service 2 times')),
        },
        { ...{ name: 'Al Fake' }, ...said(name, 'put right', 7, expect.stringContaining('it is empty')) },
      ])
      expect(statSync(path).mode & 0o777).toBe(0o600)
    },
  )

  test('names in its file what is doubtful about a row, and leaves out who is as the file says', async () => {
    const at = await office(2)
    at.save('Agency reference,Hourly rate', 'E-1,600', 'E-2,20')
    const path = join(at.home, 'plan.ndjson')
    await at.run('--dry-run', '--plan', path)
    expect(await readPlan(path)).toMatchObject([
      {
        reference: 'E-1',
        action: 'change',
        row: 2,
        reason: expect.stringMatching(/^doubtful: .*more than 150/),
      },
    ])
  })

  test('names one by one whom somebody changed since an earlier run, and no field of the interface', async () => {
    const at = await office(12)
    const people = Array.from({ length: 12 }, (_, each) => `E-${each + 1}`)
    at.save('Agency reference,City', ...people.map((each) => `${each},York`))
    await at.run()
    for (const each of people) await at.edit(each, { city: 'Hull' })
    const argv = ['candidates', 'import', at.csv, '--update', '--dry-run']
    const { out } = await atTerminal(argv, { ...at, columns: 80, rows: 16 }).ended
    expect(out.match(/ {2}column B \(City\): an earlier run of this import set it/g)).toHaveLength(12)
    for (const each of [2, 13]) expect(out).toContain(`row ${each} "York"`)
    expect(out).not.toContain('generalSetting')
  })

  test('is summed up at a terminal in lines that break between words', async () => {
    const at = await office(4)
    const header = 'Agency reference,Forename,Surname,City,Sort code'
    at.save(header, 'N-1,Tom,Newly,Hull,', 'E-1,,,York,', 'E-2,,,Leeds,', 'E-3,,,,601614')
    const argv = ['candidates', 'import', at.csv, '--update', '--yes', '--rejects', join(at.home, 'r.csv')]
    const { out } = await atTerminal(argv, { ...at, columns: 80, rows: 24 }).ended
    expect(out).toMatch(
      /^4 rows: 1 created, 1 changed, 1 already as the file says, 1 held back\. See\n\S+r\.csv\.\n$/,
    )
  })

  test('says in its file that bank details are held back once the question about them was answered with no', async () => {
    const at = await office(2)
    at.save('Agency reference,City,Sort code', 'E-1,York,', 'E-2,,601614')
    const path = join(at.home, 'plan.ndjson')
    const actions = async () => (await readPlan(path)).map(({ action }) => action)
    const terminal = atTerminal(['candidates', 'import', at.csv, '--update', '--plan', path], at)
    await terminal.type('Change the bank details of 1 person too?', '\r')
    await terminal.type('Change 1 candidate on', 'n\r')
    await terminal.ended
    expect(await actions()).toEqual(['change', 'held back'])
  })

  test('with another ending is exit 2 before anything is read', async () => {
    const at = await office(0)
    at.save('Agency reference,City', 'E-1,York')
    const { code, err } = await at.run('--plan', 'plan.pdf')
    expect(code).toBe(2)
    const [, endings = ''] = /A plan is written as (.+?): plan\.pdf has another ending/.exec(err) ?? []
    expect(endings).not.toBe('')
    const { out } = await payroll(['candidates', 'import', '--help'])
    expect(out.replace(/\s+/g, ' ')).toContain(`write every change to this ${endings}`)
  })

  test.each([
    ['Hourly rate', '9', 'Hourly rate falls for 6 of 6 people by more than half'],
    ['Hourly rate', '45', 'Hourly rate rises for 6 of 6 people to more than double'],
    ['County', 'Kent', 'County becomes Kent for all 6 people'],
  ])('says what is suspicious about %s %s in every row', async (heading, value, says) => {
    const at = await office(6)
    for (const [each, county] of ['Avon', 'Bute', 'Cork', 'Down', 'Fife', 'Gwent'].entries())
      await at.edit(`E-${each + 1}`, { county })
    at.save(`Agency reference,${heading}`, ...[1, 2, 3, 4, 5, 6].map((each) => `E-${each},${value}`))
    const run = await at.run('--dry-run')
    expect(run.json().warnings).toContainEqual({ row: 0, path: '', message: says })
    // No row alone is wrong, so that none could be left out and the others sent.
    for (const more of [[], ['--ready-only']])
      expect(await at.run('--strict', ...more)).toMatchObject({ code: 3 })
    const strict = await at.run('--strict', '--dry-run')
    const { ready, invalid, invalidCount, warnings, warningCount } = strict.json()
    expect([strict.code, ready, invalid[0]]).toEqual([3, 0, { row: 0, path: '', message: says }])
    expect([invalid.length, warnings.length]).toEqual([invalidCount, warningCount])
    expect(warnings.map(({ message }: any) => message)).not.toContain(says)
    expect(at.puts()).toEqual([])
  })
})

describe('a line of NDJSON in import --update', () => {
  test('is doubtful as it would be in a CSV, also where the record has a value as doubtful already', async () => {
    const at = await office(1)
    await at.edit('E-1', { rateHour: 0.4 })
    at.write([{ generalSetting: { agencyRef: 'E-1', rateHour: 0.3 } }])
    expect((await at.import('--update', '--dry-run')).json().warnings).toMatchObject([
      { row: 1, path: 'generalSetting.rateHour', message: expect.stringContaining('less than 1 an hour') },
    ])
    expect(await at.import('--update', '--strict')).toMatchObject({ code: 3 })
    expect(at.puts()).toEqual([])
  })
})

describe('a record that import --update sends', () => {
  test.each([
    ['a row says something else', ['E-1,York', 'E-2,Hull', 'E-3,York']],
    ['a row is gone', ['E-1,York', 'E-3,York']],
    ['a row is new', ['E-1,York', 'E-2,York', 'E-3,York', 'E-4,York']],
    ['two rows changed places', ['E-1,York', 'E-3,York', 'E-2,York']],
  ])(
    'after its file was edited so that %s is not sent by the old plan, and changed once by the next',
    async (_, rows) => {
      const at = await office(4)
      at.save('Agency reference,City', 'E-1,York', 'E-2,York', 'E-3,York')
      // The last record that is read for the plan.
      await at.on('GET', 'E-3', () => {
        at.save('Agency reference,City', ...rows)
        return false
      })
      const run = await at.run('--concurrency', '1')
      expect(run.code).toBe(3)
      expect(run.error().message).toContain(
        'was changed while payroll was importing it. 3 rows wait to be sent. Nothing was sent.',
      )
      at.intercept(() => false)
      const again = await at.run()
      expect([again.code, again.json()]).toMatchObject([0, { rows: rows.length, pending: 0, unresolved: 0 }])
      const isIn = (reference: string) => rows.find((row) => row.startsWith(reference))?.slice(4) ?? 'Leeds'
      for (const reference of ['E-1', 'E-2', 'E-3', 'E-4']) {
        const city = reference === 'E-1' ? 'York' : isIn(reference)
        expect((await at.record(reference)).city).toBe(city)
      }
      expect(at.puts()).toHaveLength(rows.length)
    },
  )

  /** The outcomes in the history, the newest first. */
  const outcomes = async (at: Awaited<ReturnType<typeof office>>) =>
    (await payroll(['history', '--json'], at)).json().map(({ outcome }: any) => outcome)

  test('is known to the history where only the next run could see that it was stored', async () => {
    const at = await office(2)
    at.save('Agency reference,City', 'E-1,York', 'E-2,York')
    const { id } = await at.record('E-1')
    let wasSent = false
    at.intercept(async ({ method, url }, response, carryOut) => {
      if (!url.includes(id) || !(wasSent || method === 'PUT')) return false
      if (method === 'PUT') await carryOut()
      wasSent = true
      answerJson(response, 500, {})
      return true
    })
    expect((await at.run()).json()).toMatchObject({ updated: 1, updatedEarlier: 0 })
    expect((await outcomes(at)).toSorted()).toEqual(['applied', 'unknown'])
    at.intercept(() => false)
    expect((await at.run()).json()).toMatchObject({ updatedEarlier: 1, unchanged: 1 })
    expect(await outcomes(at)).toEqual(['applied', 'applied'])
  })

  test('is sent a second time where the service put the second request off', async () => {
    const at = await office(1)
    at.save('Agency reference,City', 'E-1,York')
    let puts = 0
    await at.on('PUT', 'E-1', (response) => {
      puts += 1
      if (puts > 7) return false
      return puts === 1 ? lose(response) : answer(429)(response)
    })
    expect([(await at.run()).json(), puts]).toMatchObject([{ updated: 1, unresolved: 0 }, 8])
  })

  test('of a row that was edited after an unclear answer has two requests of its own', async () => {
    const at = await office(2)
    const { id } = await at.record('E-1')
    let [wasSent, puts] = [false, 0]
    at.intercept(({ method, url }, response) => {
      if (!url.includes(id) || !(wasSent || method === 'PUT')) return false
      wasSent = true
      answerJson(response, 500, {})
      return true
    })
    at.save('Agency reference,City', 'E-1,York', 'E-2,York')
    expect((await at.run()).json()).toMatchObject({ updated: 1 })
    await at.on('PUT', 'E-1', (response) => ++puts === 1 && lose(response))
    at.save('Agency reference,City', 'E-1,Hull', 'E-2,York')
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([0, { updated: 1, unchanged: 1 }])
    expect([puts, (await at.record('E-1')).city]).toEqual([2, 'Hull'])
  })

  test('is left to a person where it was stored in part and somebody else changed the record too', async () => {
    const at = await office(1)
    await at.on('PUT', 'E-1', async (response) => {
      await at.edit('E-1', { city: 'York', rateHour: 99 })
      answerJson(response, 500, {})
      return true
    })
    at.save('Agency reference,City,County', 'E-1,York,Yorkshire')
    const run = await at.run()
    expect([run.code, at.puts().length]).toEqual([8, 1])
    expect(run.error().issues[0].message).toContain('other values than before and than the row')
    expect((await at.record('E-1')).rateHour).toBe(99)
  })

  test('is looked up again where the last look fails, and is not left to a person', async () => {
    const at = await office(1)
    at.save('Agency reference,City', 'E-1,York')
    const { id } = await at.record('E-1')
    let [puts, looks] = [0, 0]
    at.intercept(async ({ method, url }, response) => {
      if (!url.includes(id)) return false
      if (method === 'PUT') {
        puts += 1
        answerJson(response, 500, {})
        return true
      }
      if (puts < 2) return false
      looks += 1
      // The first look is that after the request, and each look that fails is repeated by the client.
      if (looks === 1 || looks > 12) return false
      if (looks === 2) await at.edit('E-1', { city: 'York' })
      answerJson(response, 503, {})
      return true
    })
    const run = await at.run()
    expect([run.code, run.json(), puts]).toMatchObject([0, { updated: 1, unresolved: 0 }, 2])
    expect(looks).toBeGreaterThan(12)
  })

  test('that cannot be read any more stops the run, which says why and not that the service is busy', async () => {
    const at = await office(1)
    let reads = 0
    await at.on('GET', 'E-1', (response) => ++reads > 1 && lose(response))
    at.save('Agency reference,City', 'E-1,York')
    const run = await at.run('--retry-for', '0')
    expect(run).toMatchObject(endedWith(7, /connection.*1 row waits to be sent/s))
    expect(at.puts()).toEqual([])
  })

  test('that the service shows in its answer and does not store is not taken for applied', async () => {
    const at = await office(1)
    at.save('Agency reference,City', 'E-1,York')
    const changed = { ...(await at.record('E-1')), city: 'York' }
    await at.on('PUT', 'E-1', answer(200, { success: true, data: { candidate: changed } }))
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([8, { updated: 0, unresolved: 1 }])
  })

  test('that the service never stores is exit 8 after two requests, and the row is named', async () => {
    const at = await office(2)
    at.save('Agency reference,City', 'E-1,York', 'E-2,Hull')
    await at.on('PUT', 'E-1', answer(500, { message: 'broken' }))
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([8, { updated: 1, unresolved: 1 }])
    const message = expect.stringMatching(/it was sent twice: .*500/)
    expect(run.error().issues).toEqual([{ path: 'row 2, E-1', message }])
    expect(at.puts()).toHaveLength(3)
  })

  test('that the service refuses is in the rejects with the reason, and the others are changed', async () => {
    const at = await office(2)
    at.save('Agency reference,City', 'E-1,York', 'E-2,Hull')
    await at.on('PUT', 'E-1', answer(422, { message: 'No such city' }))
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([9, { updated: 1, refused: 1 }])
    expect(readFileSync(at.rejects, 'utf8')).toContain('No such city')
  })
})

test('--results says updated, unchanged and held back of the rows of an import --update', async () => {
  const at = await office(3)
  at.save('Agency reference,City,Sort code', 'E-1,York,', 'E-2,Leeds,', 'E-3,,601614')
  const path = join(at.home, 'results.json')
  await at.run('--results', path)
  expect((await readTable(path)).map(({ outcome }) => outcome)).toEqual(['updated', 'unchanged', 'held back'])
})

test('timesheets import --update plans which field of which rate changes', async () => {
  const at = await importFixture('timesheets')
  const rate = { rate: '20.00', units: '37.5' }
  const week = {
    ...{ subcontractorRef: 'A-1', assignmentRef: 'A-1', startDate: '2026-04-06', endDate: '2026-04-12' },
    ...{ rates: [rate], taxYear: '2026/27', taxPeriodConfig: 'Week 1' },
  }
  await at.call('POST', '/svc/time-sheets', week)
  at.write([{ ...week, rates: [{ ...rate, units: '30' }] }])
  const changes = [{ path: 'rates[0].units', from: '37.5', to: '30' }]
  expect((await at.import('--update', '--dry-run')).json()).toMatchObject({ update: 1, changes })
  const run = await at.import('--update')
  expect([run.code, run.json()]).toMatchObject([0, { updated: 1 }])
  expect(run.err).toMatch(/Changes: .+: 1 timesheet\./)
})

describe('import --update at a terminal', () => {
  const terminal = (at: Awaited<ReturnType<typeof office>>, rows = 50) =>
    atTerminal(['candidates', 'import', at.csv, '--update', '--settle', '0'], { ...at, columns: 80, rows })

  test('shows what is wrong and what changes in the pager where a screen of 24 lines has no room, and below it what can be done', async () => {
    const at = await office(8)
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (of) => `E-${of + 1},York,${of < 2 ? 601614 + of : 'x'},${of < 4 ? 'tba' : 21}`,
    )
    at.save('Agency reference,City,Sort code,Hourly rate', ...rows, 'N-9,York,601613,20')
    const run = await terminal(at, 24).ended
    expect(run.code).toBe(3)
    expect(run.out).toMatch(
      /9 rows:\n[\s\S]* 4 {2}to change\n[\s\S]*Bank details change[\s\S]*To put right:\n/,
    )
    expect(run.err.replaceAll(/\s+/g, ' ')).toMatch(/ Send the 4 that are ready: payroll /)
  })

  test('shows of each person every field old and new, and which of them are held back', async () => {
    const at = await office(3)
    at.save('Agency reference,City,Sort code,Hourly rate', 'E-1,York,,21.5', 'E-2,York,601614,')
    const argv = ['candidates', 'import', at.csv, '--update', '--dry-run']
    const { out } = await atTerminal(argv, { ...at, columns: 80, rows: 50 }).ended
    expect(out).toMatch(
      /What changes:\n {2}Ann Fake1 \(E-1\): City or town .* → York, Hourly rate .* → 21\.5\n {2}Ann Fake2 \(E-2\): City or town .* → York \(held back\)\n/,
    )
    expect(out).not.toContain('E-3')
  })

  test('counts the changes that are more than a hundred, and says how to have all of them; JSON has a hundred', async () => {
    const at = await office(103)
    at.save('Agency reference,City', ...Array.from({ length: 103 }, (_, of) => `E-${of + 1},York`))
    const { changes, changeCount } = (await at.run('--dry-run')).json()
    expect([changes.length, changeCount]).toEqual([100, 103])
    const argv = ['candidates', 'import', at.csv, '--update', '--dry-run']
    const { out } = await atTerminal(argv, { ...at, columns: 80, rows: 200 }).ended
    expect(out).toContain('What changes (--plan <file> writes all of it):\n')
    expect(out).toContain('(E-100): City or town')
    expect(out).toContain('\n  … and 3 more\n')
    expect(out).not.toContain('(E-101)')
  })

  test('shows what changes on one screen, bank details first, and asks about these on their own', async () => {
    const at = await office(3)
    at.save('Agency reference,City,Sort code', 'E-1,York,', 'E-2,York,601614', 'E-3,Leeds,')
    const screen = terminal(at)
    await screen.type('Change the bank details of 1 person too?', 'n\r')
    await screen.type('Change 1 candidate on', 'y\r')
    const run = await screen.ended
    expect(screen.screen()).toMatch(
      /2 {2}to change\n {2}1 {2}already as the file says\n +Changes: Bank: 1 person; City or town: 2 people/,
    )
    expect(screen.screen()).toContain('Ann Fake2 (E-2): Sort code ****** → ******')
    expect(run.code).toBe(9)
    expect(await at.record('E-1')).toMatchObject({ city: 'York' })
    expect(await at.record('E-2')).toMatchObject({ city: 'Leeds', bank: { sortCode: '601613' } })
  })

  test('changes bank details after a yes, and nothing after a no to the whole', async () => {
    const at = await office(1)
    at.save('Agency reference,Sort code', 'E-1,601614')
    for (const [all, sortCode] of [
      ['n', '601613'],
      ['y', '601614'],
    ] as const) {
      const screen = terminal(at)
      await screen.type('Change the bank details of 1 person too?', 'y\r')
      await screen.type('Change 1 candidate on', `${all}\r`)
      expect((await screen.ended).code).toBe(all === 'y' ? 0 : 2)
      expect(await at.record('E-1')).toMatchObject({ bank: { sortCode } })
    }
  })
})

describe('import - --update', () => {
  async function piped() {
    const at = await office(1)
    const words = ['candidates', 'import', '-', '--update', '--json', '--settle', '0']
    const pipe = (row: unknown, ...more: string[]) =>
      payroll([...words, ...more], { ...at, input: `${JSON.stringify(row)}\n` })
    return { at, pipe }
  }

  test('creates or changes one person from a line of a script, each time as the line says', async () => {
    const { at, pipe } = await piped()
    for (const city of ['York', 'Hull', 'York']) {
      const run = await pipe({ agencyRef: 'E-1', city })
      expect([run.code, run.json()]).toMatchObject([0, { rows: 1, updated: 1 }])
      expect((await at.record('E-1')).city).toBe(city)
    }
    expect((await pipe({ agencyRef: 'E-1', city: '[clear]', rateHour: null })).code).toBe(0)
    expect(await at.record('E-1')).toMatchObject({ city: '', rateHour: 20 })
    const created = await pipe({ agencyRef: 'N-1', forename: 'Tom', surname: 'Newly' })
    expect([created.code, created.json()]).toMatchObject([0, { created: 1 }])
    expect(readdirSync(join(at.home, 'imports'))).toEqual([])
  })

  test('of what only the service sets is refused where the record has it otherwise, and a leaver is no new person without a word', async () => {
    const { at, pipe } = await piped()
    const refused = await pipe({ agencyRef: 'E-1', dateLeft: '2026-01-31' })
    const message = expect.stringContaining('only the service sets this field')
    expect([refused.code, refused.error().issues]).toEqual([3, [{ path: 'row 1, dateLeft', message }]])
    expect(await pipe({ agencyRef: 'E-1', status: 'ACTIVE', dateLeft: null, city: 'York' })).toMatchObject({
      code: 0,
    })
    expect(at.puts()).toHaveLength(1)
    const leaver = { agencyRef: 'N-1', forename: 'Tom', surname: 'Newly', dateLeft: '2026-01-31' }
    expect(await pipe(leaver, '--strict')).toMatchObject(endedWith(3, 'the person left on 2026-01-31'))
    const created = await payroll(['candidates', 'import', '-', '--settle', '0'], {
      ...at,
      input: JSON.stringify(leaver),
    })
    expect(created).toMatchObject(endedWith(9, 'dateLeft is not sent, because only the service sets it'))
    expect(created.err).toContain('it would be one of somebody at work')
  })

  test('of nothing at all is exit 3', async () => {
    const at = await office(0)
    expect(await payroll(['candidates', 'import', '-', '--update'], { ...at, input: '' })).toMatchObject(
      endedWith(3, 'Standard input is empty'),
    )
  })
})
