import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/files/json/path.ts'
import { endedWith } from '../payroll.ts'
import { hostile, person, type Shown, sheet } from './hostile.ts'

const week = ['2026-11-16', '2026-11-22'] as const

const missing = async (shown: Shown, words = '') =>
  (await hostile(shown)).run(`timesheets missing --week-ending 2026-11-22 --json ${words}`.trim())

/** Ann, who has an unusual timesheet, beside Ben, who has an ordinary one. */
const withSheet = (...of: readonly object[]) => ({
  uk: [person(1), person(2)],
  timesheets: [sheet('UK-2', ...week), ...of.map((each) => ({ ...sheet('UK-1', ...week), ...each }))],
})

const paidUnder = (of: string | number, name?: string) => ({
  id: `${of} ${name}`,
  subcontractorRef: of,
  subcontractorName: name,
  gross: 100,
})

describe('timesheets missing', () => {
  test.each<[string, object, string]>([
    [
      'of no hours',
      { rates: [{ rate: '20', units: '0' }] },
      'the timesheet from 16 November 2026 to 22 November 2026 has no hours',
    ],
    ['without lines', { rates: [] }, 'the timesheet from 16 November 2026 to 22 November 2026 has no hours'],
    [
      'of less than none',
      { rates: [{ units: '-8' }] },
      'the timesheet from 16 November 2026 to 22 November 2026 has no hours',
    ],
    [
      'that was rejected',
      { status: 'REJECTED' },
      'the timesheet from 16 November 2026 to 22 November 2026 is rejected',
    ],
    [
      'that was deleted',
      { status: 'DELETED', deletedAt: '2026-11-23T10:00:00Z' },
      'the timesheet from 16 November 2026 to 22 November 2026 is deleted',
    ],
    [
      'of the next week, with one day in common',
      { startDate: '2026-11-22', endDate: '2026-11-28' },
      'no timesheet',
    ],
    [
      'of which only half of the days are in the week',
      { startDate: '2026-11-14', endDate: '2026-11-17' },
      'no timesheet',
    ],
    [
      'with days in another form',
      { id: 't1', startDate: '16/11/2026', endDate: '22/11/2026' },
      'timesheet t1, whose days cannot be read',
    ],
  ])('names whoever has a timesheet %s, and says why', async (_, more, why) => {
    const run = await missing(withSheet(more))
    expect(run.json()).toMatchObject([{ reference: 'UK-1', why }])
    const counts = why === 'no timesheet' ? '' : ' that counts'
    expect(run.err).toContain(`1 person has no timesheet${counts} from 16 November 2026`)
  })

  test.each<[string, object]>([
    ['of which most days are in the week', { startDate: '2026-11-15', endDate: '2026-11-17' }],
    ['of one day of the week', { startDate: '2026-11-18', endDate: '2026-11-18' }],
    ['of a month that has the week', { startDate: '2026-11-01', endDate: '2026-11-30' }],
    [
      'whose days are times at midnight',
      { startDate: '2026-11-16T00:00:00.000Z', endDate: '2026-11-22T00:00:00.000Z' },
    ],
    ['of days that are paid by the day', { rates: [{ rateId: 'DAY', units: '5' }] }],
  ])('does not name whoever has a timesheet %s', async (_, more) => {
    const rates = [{ id: 'r', code: 'DAY', units: 'DAILY' }]
    expect((await missing({ ...withSheet(more), rates })).json()).toEqual([])
  })

  test('does not name whoever has two timesheets that meet in the week', async () => {
    const [early, late] = [
      { id: 'early', startDate: '2026-11-01', endDate: '2026-11-18' },
      { id: 'late', startDate: '2026-11-19', endDate: '2026-11-30' },
    ]
    expect((await missing(withSheet(early, late))).json()).toEqual([])
    expect((await missing(withSheet(early))).json()).toMatchObject([{ reference: 'UK-1' }])
  })

  test('and check know people by their ids where the service names them so', async () => {
    const timesheets = [sheet('id-2', ...week), sheet('id-1', ...week)]
    const uk = [person(1), person(2)]
    expect((await missing({ uk, timesheets })).json()).toEqual([])
    const check = 'check --uk --only no-timesheet --week-ending 2026-11-22'
    expect(await (await hostile({ uk, timesheets })).run(check)).toMatchObject({ code: 0 })
  })

  test('and check take a number for no id where timesheets name people by their references', async () => {
    const uk = [1, 2].map((number) => person(number, { id: `${number + 76}` }))
    const timesheets = ['78', 'UK-1', 'UK-2'].map((of) => sheet(of, ...week))
    const check = 'check --uk --only unknown-person --json --week-ending 2026-11-22'
    expect((await (await hostile({ uk, timesheets })).run(check)).json()).toMatchObject([{ reference: '78' }])
    expect((await missing({ uk, timesheets: timesheets.slice(0, 2) })).json()).toMatchObject([
      { reference: 'UK-2' },
    ])
  })

  test.each(['id-1', 'UK-1'])(
    'and check count what is under the id and the reference of one person: %s',
    async (other) => {
      const hours = { rates: [{ rateId: 'STD', rate: '20.00', units: '60' }] }
      const timesheets = [
        sheet('UK-1', ...week, hours),
        sheet(other, ...week, { ...hours, id: 'other' }),
        ...[2, 3].map((number) => sheet(other.replace('1', `${number}`), ...week)),
      ]
      const rates = [{ id: 'STD', code: 'STD', units: 'hours', hoursPerUnit: '1' }]
      const { run } = await hostile({ uk: [1, 2, 3].map((each) => person(each)), timesheets, rates })
      const check = 'check --uk --only overlapping-sheets --only too-many-hours --week-ending 2026-11-22'
      const found = (await run(`${check} --json`)).json().map(({ rule, seen }: any) => [rule, seen])
      expect(found).toEqual([
        ['overlapping-sheets', expect.stringContaining('and another timesheet')],
        ['too-many-hours', expect.stringContaining('120 hours')],
      ])
    },
  )

  test('and check know payslips by the ids of people', async () => {
    const paid = (of: string) => ({
      id: of,
      subcontractorRef: of,
      taxYear: '2026/27',
      taxPeriod: '33',
      gross: 100,
    })
    const uk = [1, 2, 3].map((each) => person(each))
    const { run } = await hostile({ uk, payslips: [paid('id-1'), paid('UK-2'), paid('id-3')] })
    expect((await run('payslips list UK-1')).json()).toMatchObject([{ id: 'id-1' }])
    expect((await run('payslips list UK-2')).json()).toMatchObject([{ id: 'UK-2' }])
    expect(await run('check --uk --only never-paid')).toMatchObject({ code: 0 })
  })

  test('says that no list of people could be read, and not that nobody has the name, where each answers 404', async () => {
    const refuses = { '/svc/candidates': 404, '/candidates/ireland': 404 }
    const { run } = await hostile({ uk: [person(1)], payslips: [paidUnder('UK-1')], refuses })
    const list = await run('payslips list Sample1')
    expect(list).toMatchObject(endedWith(6, 'The service does not know /svc/candidates (404)'))
    expect(list.err).not.toContain('Nobody')
  })

  test('a payslip under a number is not that of whoever has the id, but under another name', async () => {
    const paid = (name: string) => ({ id: name, subcontractorRef: '77', subcontractorName: name, gross: 100 })
    const payslips = ['Gone Leaver', 'Ann Sample1', ''].map(paid)
    const { run } = await hostile({ uk: [person(1, { id: '77' }), person(2)], payslips })
    expect((await run('payslips list UK-1')).json()).toMatchObject([{ id: 'Ann Sample1' }])
  })

  test.each<[string, string, (number: number) => JsonObject, (number: number) => JsonObject]>([
    [
      'half by their references, half by their ids',
      'UK-4',
      () => ({}),
      (number) => ({ subcontractorRef: `${number % 2 ? 'UK' : 'id'}-${number}` }),
    ],
    [
      'by numbers that lost their zeros, and are ids of others',
      '0004',
      (number) => ({ agencyRef: `000${number}`, id: `${5 - number}` }),
      (number) => ({ subcontractorRef: number }),
    ],
    [
      'by ids that are references of others, with their names',
      '4',
      (number) => ({ agencyRef: `${number}`, id: `${5 - number}` }),
      (number) => ({ subcontractorRef: `${5 - number}`, subcontractorName: `Ann Sample${number}` }),
    ],
  ])(
    'and check count hours for whoever worked where people are named %s',
    async (_, reference, own, named) => {
      const uk = [1, 2, 3, 4].map((number) => person(number, own(number)))
      const timesheets = [1, 2, 3].map((number) => ({
        ...sheet('', ...week),
        id: `s${number}`,
        ...named(number),
      }))
      const { run } = await hostile({ uk, timesheets })
      expect((await run('timesheets missing --week-ending 2026-11-22 --json')).json()).toMatchObject([
        { reference },
      ])
      const found = await run(
        'check --uk --only no-timesheet --only unknown-person --week-ending 2026-11-22 --json',
      )
      expect(found.json()).toMatchObject([{ rule: 'no-timesheet', reference }])
    },
  )

  test.each<[string, readonly (readonly [id: number, reference: number])[], readonly number[], string]>([
    [
      'numbers of people who left, and are in no list, are ids of others',
      [1, 2, 4, 5, 6].map((id) => [id, id + 1]),
      [2, 3, 4, 5, 7],
      '6',
    ],
    [
      'one number is mistyped, and every other one is the reference of one and the id of another',
      [1, 2, 3, 4, 5, 6].map((id) => [id, id === 6 ? 200 : 1 + (id % 5)]),
      [1, 2, 3, 4, 6, 200],
      '5',
    ],
  ])('and check take numbers for references where %s', async (_, known, worked, reference) => {
    const uk = known.map(([id, of]) => person(id, { id: `${id}`, agencyRef: `${of}` }))
    const timesheets = worked.map((of) => sheet(`${of}`, ...week))
    const payslips = worked.map((of) => ({ ...paidUnder(`${of}`), taxYear: '2026/27', taxPeriod: 'Week 33' }))
    const { run } = await hostile({ uk, timesheets, payslips })
    const ofAll = await run('timesheets missing --week-ending 2026-11-22 --json')
    expect(ofAll.json()).toMatchObject([{ reference }])
    const found = await run('check --uk --only no-timesheet --week-ending 2026-11-22 --json')
    expect(found.json()).toMatchObject([{ reference }])
    const own = await run(['payslips', 'list', 'Ann Sample1'])
    expect(own.json()).toMatchObject([{ subcontractorRef: '2' }])
  })

  test('and check take a number for no id because of the weeks that they look at', async () => {
    const uk = [1, 2, 3].map((number) => person(number, { id: `${number + 76}` }))
    const earlier = [1, 2, 3].map((number) => sheet(`UK-${number}`, '2026-09-14', '2026-09-20'))
    const { run } = await hostile({ uk, timesheets: [...earlier, sheet('78', ...week)] })
    const why = expect.stringContaining('a timesheet for 78, which may be mistyped')
    const ofAll = (await run('timesheets missing --week-ending 2026-11-22 --json')).json()
    expect(ofAll.map(({ reference }: any) => reference)).toEqual(['UK-1', 'UK-2', 'UK-3'])
    expect(ofAll[1]).toMatchObject({ why })
    const check = 'check --uk --only unknown-person --only no-timesheet --week-ending 2026-11-22 --json'
    expect((await run(check)).json()).toContainEqual(
      expect.objectContaining({
        reference: '78',
        seen: expect.stringContaining('the id of Ann Sample2 (UK-2)'),
      }),
    )
  })

  test('payslips under ids that are references of others are those of the person whose name they have', async () => {
    const uk = [1, 2, 3, 4].map((number) => person(number, { agencyRef: `${number}`, id: `${5 - number}` }))
    const names = [1, 2, 3, 4].map((number) => `Ann Sample${number}`)
    const { run } = await hostile({
      uk,
      payslips: [...names.map((name, at) => paidUnder(`${4 - at}`, name)), paidUnder('4')],
    })
    const own = (await run(['payslips', 'list', 'Ann Sample1'])).json()
    expect(own.map(({ id }: any) => id)).toEqual(['4 Ann Sample1', '4 undefined'])
    expect(await run('payslips list 4')).toMatchObject(endedWith(6, '4 can mean 2 records.'))
  })

  test('payslips of two of one name, whose reference is the id of the other, are told apart by how the list names people', async () => {
    const uk = [
      person(1, { id: '777', surname: 'Sample' }),
      person(2, { id: '500', agencyRef: '777', surname: 'Sample' }),
      person(3),
    ]
    const payslips = [paidUnder('UK-1', 'Ann Sample'), paidUnder('777', 'Ann Sample'), paidUnder('UK-3')]
    const { run } = await hostile({ uk, payslips })
    const listed = async (name: string) =>
      (await run(`payslips list ${name}`)).json().map((item: JsonObject) => item.subcontractorRef)
    expect(await run('payslips list 777')).toMatchObject(endedWith(6, '777 can mean 2 records.'))
    expect([await listed('UK-1'), await listed('500')]).toEqual([['UK-1'], ['777']])
    // Where the list has both ways, nothing tells them apart.
    const both = await hostile({ uk, payslips: [...payslips.slice(1), paidUnder('id-3')] })
    expect(await both.run('payslips list UK-1')).toMatchObject(
      endedWith(2, 'What is listed under 777 may be of Ann Sample (777) and Ann Sample (UK-1).'),
    )
  })

  test('payslips under numbers that lost their zeros are those of the reference, and no number is taken for a mistyped one', async () => {
    const uk = [1, 2, 3].map((number) => person(number, { agencyRef: `000${number}`, id: `${number + 76}` }))
    const { run } = await hostile({ uk, payslips: [1, 2, 77].map((of) => paidUnder(of)) })
    const own = await run('payslips list 0001')
    expect(own.json()).toMatchObject([{ subcontractorRef: 1 }])
    expect(own.err).toContain('1 item under the id of Ann Sample1 (0001) not shown')
  })

  test('and check read the records for the references, where the list shows none', async () => {
    const shown = { ...withSheet({}), listLacks: ['agencyRef'] }
    expect((await missing(shown)).json()).toEqual([])
    const check = 'check --uk --only no-timesheet --week-ending 2026-11-22'
    expect(await (await hostile(shown)).run(check)).toMatchObject({ code: 0 })
    const typed = await (await hostile(shown)).run('payslips list UK-1')
    expect(typed).toMatchObject(endedWith(5, 'Nobody has the id, the reference or the name'))
  })

  test('names who came back and has no timesheet', async () => {
    const back = { dateLeft: '2026-03-20', dateOfJoining: '2026-09-07' }
    const run = await missing({ uk: [person(1, back), person(2)], timesheets: withSheet().timesheets })
    expect(run.json()).toMatchObject([{ reference: 'UK-1', why: 'no timesheet' }])
  })

  test.each([
    ['2026-11-22', [{ reference: 'UK-1', why: 'no timesheet' }]],
    ['2026-11-23', []],
  ])('of who starts on %s names %j', async (dateOfJoining, named) => {
    const run = await missing({
      uk: [person(1, { dateOfJoining }), person(2)],
      timesheets: withSheet().timesheets,
    })
    expect(run.json()).toMatchObject(named)
  })

  test('names nobody who shares a reference with somebody who has left', async () => {
    const left = person(2, { agencyRef: 'UK-1', dateLeft: '2026-10-31' })
    const run = await missing({ uk: [person(1), left], timesheets: [sheet('UK-1', ...week)] })
    expect(run.json()).toEqual([])
  })

  test('names both of two people who share a name, where timesheets say nothing else', async () => {
    const timesheets = [{ ...sheet('', ...week), subcontractorName: 'Ann Sample1' }]
    const run = await missing({ uk: [person(1), person(2, { surname: 'Sample1' })], timesheets })
    const why = 'a timesheet, which may be that of Ann Sample1 (UK-2)'
    expect(run.json()).toMatchObject([{ reference: 'UK-1', why }, { reference: 'UK-2' }])
  })

  test('names both of two people who share a reference, of one country or of two', async () => {
    const ben = person(2, { agencyRef: 'UK-1' })
    const timesheets = [sheet('UK-1', ...week)]
    for (const shown of [{ uk: [person(1), ben] }, { uk: [person(1)], ireland: [ben] }]) {
      const run = await missing({ ...shown, timesheets })
      expect(run.json()).toMatchObject([
        {
          name: 'Ann Sample1',
          why: 'a timesheet, which may be that of Ann Sample2 (UK-1)',
        },
        { name: 'Ann Sample2' },
      ])
      const check = (await hostile({ ...shown, timesheets })).run(
        'check --json --only no-timesheet --week-ending 2026-11-22',
      )
      expect((await check).json()).toMatchObject([
        {
          name: 'Ann Sample1',
          seen: expect.stringContaining('which may be that of Ann Sample2 (UK-1)'),
        },
        { name: 'Ann Sample2' },
      ])
    }
  })

  test.each(['0000-00-00', '01/12/2027', '-'])(
    'takes nobody for a leaver whose day of leaving is %s',
    async (dateLeft) => {
      const run = await missing({
        uk: [person(1, { dateLeft }), person(2)],
        timesheets: [sheet('UK-2', ...week)],
      })
      expect(run.json()).toMatchObject([{ reference: 'UK-1' }])
      expect(run.err).toContain('for Ann Sample1 (UK-1) Date left cannot be read as a date')
    },
  )

  test.each(['31/01/2020', 'soon'])(
    'takes nobody for a later starter whose first day is %s',
    async (dateOfJoining) => {
      const run = await missing({ uk: [person(1, { dateOfJoining })] })
      expect(run.json()).toMatchObject([{ reference: 'UK-1' }])
      expect(run.err).toContain('cannot be read as a date')
    },
  )

  test.each(['15,50', '£15.00', 'TBC', '********'])(
    'takes a rate of %s beside a salary for one',
    async (rateHour) => {
      const run = await missing({ uk: [person(1, { rateHour, annualSalary: 0.01 })] })
      expect(run.json()).toMatchObject([{ reference: 'UK-1' }])
    },
  )

  test.each([
    [403, 10],
    [404, 0],
  ])(
    'of a service that closes the list of a country with %i is exit %i, where no country is named',
    async (status, code) => {
      const shown = { uk: [person(1)], refuses: { '/candidates/ireland': status } }
      const run = await missing(shown)
      expect(run.code).toBe(code)
      expect(run.err).toContain('he people in Ireland were not looked at')
      expect(run.json()).toMatchObject([{ reference: 'UK-1' }])
      expect((await missing(shown, '--uk')).code).toBe(0)
    },
  )

  test('of a service that shows nobody is exit 10', async () => {
    expect(await missing({})).toMatchObject({ ...endedWith(10, 'The service shows nobody'), out: '' })
    expect(await missing({ refuses: { '/candidates': 405 } })).toMatchObject({ code: 10 })
  })
})
