import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { answer, importFixture, office, person } from './import-fixture.ts'

describe('import --update --bank', () => {
  test.each([
    ['forename', 'E-2,Eve,Fake2,31926820'],
    ['surname', 'E-2,Ann,Other,31926820'],
  ])(
    'holds a row back that changes the account and the %s of a person: exit 9, and sends the others',
    async (_, row) => {
      const at = await office(2)
      const was = await at.record('E-2')
      at.save('Agency reference,Forename,Surname,Account number', 'E-1,Ann,Fake1,31926820', row)
      const run = await at.run('--bank')
      expect([run.code, run.json()]).toMatchObject([9, { updated: 1, held: 1 }])
      const [issue] = run.error().issues
      expect(issue.path).toBe('row 3, E-2')
      expect(issue.message).toMatch(
        /it is Ann Fake2 on the service, and the row says .*: is the reference right\?/,
      )
      expect(await at.record('E-2')).toEqual(was)
    },
  )

  test('changes a name without the bank details, and both one after the other', async () => {
    const at = await office(1)
    at.save('Agency reference,Forename,Surname', 'E-1,Ann,Married')
    expect((await at.run('--bank')).code).toBe(0)
    at.save('Agency reference,Forename,Surname,Account number', 'E-1,Ann,Married,31926820')
    expect((await at.run('--bank')).json()).toMatchObject({ updated: 1, held: 0 })
  })
})

describe('a reference that is nearly that of somebody of the same name', () => {
  const mistyped = [
    'Agency reference,Forename,Surname,City',
    'E-11,Ann,Fake1,York',
    'N-1,Tom,Newly,Hull',
  ] as const

  test.each([['--update'], []])(
    'is held back in a script, also with %s: exit 9, and the others are sent',
    async (...options) => {
      const at = await office(1)
      at.save(...mistyped)
      const run = await at.importFile(at.csv, ...options)
      expect([run.code, run.json()]).toMatchObject([9, { created: 1, held: 1, rejects: at.rejects }])
      expect(run.error().issues).toEqual([
        {
          path: 'row 2, E-11',
          message:
            'nobody on the service has E-11, and E-1 (Ann Fake1) has nearly the same reference: is it mistyped?',
        },
      ])
      expect(run.error().next.join(' ')).toContain('--same-person')
      expect(await at.there()).toEqual(['E-1', 'N-1'])
      expect((await at.importFile(at.csv, ...options, '--same-person')).json()).toMatchObject({
        created: 1,
        held: 0,
      })
    },
  )

  test('is asked about at a terminal', async () => {
    const at = await office(1)
    at.save(...mistyped)
    const terminal = atTerminal(['candidates', 'import', at.csv, '--update', '--settle', '0'], {
      ...at,
      columns: 100,
    })
    await terminal.type('Create 2 candidates, 1 of them doubtful', 'y\r')
    expect((await terminal.ended).code).toBe(0)
    expect(await at.there()).toEqual(['E-1', 'E-11', 'N-1'])
  })

  test('is sent where a National Insurance number tells the two apart', async () => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates', person('E-1', { surname: 'Fake', NINumber: 'ZY300001A' }))
    const run = await at.importRows([person('E-11', { surname: 'Fake', NINumber: 'ZY300002A' })], '--update')
    expect([run.code, run.json()]).toMatchObject([0, { created: 1 }])
  })
})

describe('one National Insurance number under several references of a file', () => {
  const twin = (ref: string, more: object = {}) =>
    person(ref, { forename: 'Ann', surname: 'Fake', DOB: '1990-01-02', NINumber: 'ZY300001A', ...more })

  test('is one person, who is not created twice: exit 3, both rows are named, and --same-person sends them', async () => {
    const at = await importFixture()
    const rows = [twin('A-1'), person('B-1'), twin('A-2', { forename: 'Annie' })]
    const run = await at.importRows(rows)
    expect([run.code, at.posted()]).toEqual([3, []])
    expect(run.error().issues.map(({ path }: any) => path)).toEqual([
      'row 1, generalSetting.NINumber',
      'row 3, generalSetting.NINumber',
    ])
    expect(run.error().issues[0].message).toContain('as A-2 in row 3: one person would be created twice')
    expect(run.error().next.join(' ')).toContain('--same-person')
    expect((await at.import('--ready-only')).json()).toMatchObject({ created: 1, invalid: 2 })
    expect((await at.import('--same-person')).json()).toMatchObject({ created: 2, createdEarlier: 1 })
  })

  test('is a number that was mistyped where neither name nor birthday is the same: a doubt', async () => {
    const at = await importFixture()
    const run = await at.importRows([twin('A-1'), twin('A-2', { forename: 'Tom', DOB: '1980-02-03' })])
    expect([run.code, run.json()]).toMatchObject([0, { created: 2 }])
    expect(run.err).toContain('is in rows 1 and 2')
  })
})

describe('the record that is changed', () => {
  test('is held back for the first reason alone: what follows may rest on it', async () => {
    const at = await office(2)
    const plan = join(at.home, 'plan.csv')
    at.save('Agency reference,City', 'E-1,York')
    expect((await at.run('--dry-run', '--plan', plan)).code).toBe(0)
    at.save('Agency reference,Forename,Account number', 'E-1,Eve,31926820')
    const run = await at.run('--bank', '--as-planned', plan)
    expect([run.code, run.error().issues]).toEqual([
      9,
      [{ path: 'row 2, E-1', message: expect.stringContaining('is the reference right?') }],
    ])
  })

  test('is not the one that has another reference by now', async () => {
    const at = await office(2)
    const [{ id }, other] = [await at.record('E-1'), await at.record('E-2')]
    await at.on('GET', 'E-1', (response) => answerJson(response, 200, { ...other, id }))
    at.save('Agency reference,City', 'E-1,York')
    const run = await at.run()
    expect([run.code, at.puts()]).toEqual([9, []])
    expect(run.error().issues[0].message).toContain('but the record that the service returned for')
  })

  test('is not one that has another reference when it is read right before, and the column is named once', async () => {
    const at = await office(2)
    const [{ id }, other] = [await at.record('E-1'), await at.record('E-2')]
    let reads = 0
    await at.on('GET', 'E-1', (response) => {
      reads += 1
      if (reads === 1) return false
      answerJson(response, 200, { ...other, id })
      return true
    })
    at.save('Agency reference,City', 'E-1,York')
    const run = await at.run()
    expect([run.code, at.puts()]).toEqual([9, []])
    expect(run.error().issues[0].message).toMatch(/^column A \(Agency reference\): in the list E-1 is/)
  })

  test('is named by its ETag, so that nobody who changes it at the same time is written over', async () => {
    const at = await office(1)
    await at.on('GET', 'E-1', async (response, carryOut) => {
      const answered = await carryOut()
      response.writeHead(200, { 'content-type': 'application/json', etag: '"v7"' })
      response.end(await answered.text())
    })
    at.save('Agency reference,City', 'E-1,York')
    await at.run()
    expect(at.puts().map(({ headers }) => headers['if-match'])).toEqual(['"v7"'])
  })

  test('is left as it is, and its row held back, where that ETag is no longer its own', async () => {
    const at = await office(2)
    await at.on('PUT', 'E-1', answer(412, {}))
    at.save('Agency reference,City', 'E-1,York', 'E-2,York')
    const run = await at.run()
    expect([run.code, run.json()]).toMatchObject([9, { updated: 1, held: 1, refused: 0 }])
    expect(run.error().issues[0].message).toContain('somebody changed the record while it was sent')
  })

  test('keeps how it is paid, unless --bank says otherwise', async () => {
    const at = await office(1)
    at.save('Agency reference,Pay method', 'E-1,CHAPS')
    const run = await at.run()
    expect([run.code, run.json(), at.puts()]).toMatchObject([9, { held: 1 }, []])
  })

  test.each([
    ['loses lines that are emptied', '1,2,3', '[clear],[clear],Old Town', ['Old Town']],
    ['loses all that are emptied', '1,2,3', '[clear],[clear],[clear]', []],
    ['keeps a line without a column', '2', 'Flat 3', ['1 High Road', 'Flat 3', 'Old Town']],
    ['keeps a line whose cell is empty', '3,1', ',9 Low Road', ['9 Low Road', 'Flat 2', 'Old Town']],
    ['keeps a line between two', '1,3', '9 Low Road,Leeds', ['9 Low Road', 'Flat 2', 'Leeds']],
    ['gets a further line', '5', 'Leeds', ['1 High Road', 'Flat 2', 'Old Town', 'Leeds']],
    ['is that of a row with a longer one', '1,2,4', '9 Low Road,,Leeds', ['9 Low Road', 'Leeds']],
    ['is whole in one cell with several lines', 'Address', '"9 Low Road\nLeeds"', ['9 Low Road', 'Leeds']],
    ['has its first line in one cell', 'Address', '9 Low Road', ['9 Low Road', 'Flat 2', 'Old Town']],
  ])('an address %s', async (_, lines, cells, address) => {
    const at = await office(1)
    await at.edit('E-1', { address: ['1 High Road', 'Flat 2', 'Old Town'] })
    at.save(`Agency reference,${lines.replaceAll(/\d/g, 'Address $&')}`, `E-1,${cells}`)
    expect((await at.run()).code).toBe(0)
    expect((await at.record('E-1')).address).toEqual(address)
    expect((await at.run()).json()).toMatchObject({ updated: 0, unchanged: 1 })
  })

  test('no row empties one line of an address alone, which it would do again each time', async () => {
    const at = await office(1)
    await at.edit('E-1', { address: ['1 High Road', 'Flat 2', 'Old Town'] })
    at.save('Agency reference,Address 1,Address 2', 'E-1,[clear],[clear]')
    const run = await at.run()
    expect(run).toMatchObject(
      endedWith(3, 'column B (Address 1): the record has 3 lines, and the row does not say all of them'),
    )
    expect(at.puts()).toEqual([])
  })
})

test('import --ready-only asks at a terminal before it sends', async () => {
  const at = await importFixture()
  at.write([person('A-1'), { generalSetting: { forename: 'Ann' } }])
  const words = ['candidates', 'import', at.file, '--settle', '0', '--ready-only']
  const terminal = atTerminal(words, at)
  await terminal.type('Create 1 candidate', 'n\r')
  expect((await terminal.ended).code).toBe(2)
  expect(at.posted()).toEqual([])
  expect((await payroll([...words, '--json'], at)).json()).toMatchObject({ created: 1, invalid: 1 })
})

test('a dry run says as many rows are ready as the run then sends, also when a row is wrong', async () => {
  const at = await importFixture()
  await at.call('POST', '/svc/candidates', person('A-1'))
  at.write([person('A-1'), person('A-2'), { generalSetting: { forename: 'Ann' } }])
  const dry = await at.import('--dry-run')
  expect([dry.code, dry.json()]).toMatchObject([3, { ready: 1 }])
  expect((await at.import('--ready-only')).json()).toMatchObject({ created: 1, existing: 1, invalid: 1 })
})

test('a dry run of a file that is wrong says that it was not compared where the list cannot be read', async () => {
  const at = await importFixture()
  at.intercept(({ method }, response) => {
    if (method === 'GET') answerJson(response, 404, {})
    return method === 'GET'
  })
  at.write([person('A-1'), { generalSetting: { forename: 'Ann' } }])
  const dry = await at.import('--dry-run')
  expect(dry).toMatchObject({ code: 3 })
  expect(dry.err).toContain('The rows were not compared with the service.')
})
