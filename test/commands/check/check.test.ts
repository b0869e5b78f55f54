import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { otherCountries } from '../../../src/model/countries/countries.ts'
import { atTerminal, endedWith, freshHome, payroll } from '../../payroll.ts'
import { listedPeople } from '../../people-service.ts'
import { person as faultless } from '../../reading/hostile.ts'
import { answerJson, service } from '../../service.ts'

/** A person without a fault, whose reference and id have four digits. */
function person(number: number, more: Record<string, unknown> = {}, sections: Record<string, object> = {}) {
  const digits = String(number).padStart(4, '0')
  const names = { id: `id-${digits}`, agencyRef: `UK-${digits}`, status: 'ACTIVE' }
  return faultless(number, { ...names, ...more }, {}, { ...sections.setting })
}

const withoutSetting = ({ setting, ...rest }: ReturnType<typeof person>) => rest

interface Shape {
  readonly people: readonly object[]
  /** What a record shows besides its list item. */
  readonly whole?: object
  readonly timesheets?: readonly object[]
  readonly short?: string
}

/** A service with these people in the UK, and nobody in another country. */
async function serve({ people, whole, timesheets = [], short }: Shape) {
  const lists: Record<string, readonly object[]> = {
    '/svc/time-sheets': timesheets,
    '/svc/payment-rate': [{ id: 'rate-1', code: 'STD', units: 'HOURLY' }],
    '/svc/v2/payslips': [{ id: 'slip', subcontractorName: 'Somebody' }],
  }
  return service(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const items = listedPeople(url, (country) => (country === 'uk' ? people : [])) ?? lists[pathname]
    if (!items) {
      const one = people.find((each) => 'id' in each && pathname.endsWith(`/${each.id}`))
      answerJson(response, one ? 200 : 404, { data: { ...one, ...whole } })
      return
    }
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    const total = items.length + (short === pathname ? 1 : 0)
    answerJson(response, 200, { data: items.slice((page - 1) * size, page * size), totalDocs: total })
  })
}

const check = async (shape: Shape, ...words: string[]) => {
  const { env, received } = await serve(shape)
  return { ...(await payroll(['check', ...words], { env })), received }
}

const noBank = { bank: { sortCode: null, accountNumber: null, IBANReference: null } }
const shortNumber = { bank: { sortCode: '601613', accountNumber: '3192681', IBANReference: null } }
const noRate = [person(1, { rateHour: null })]

describe('check', () => {
  test('of people without a fault prints an empty list and ends with 0', async () => {
    const { code, err, json } = await check({ people: [person(1), person(2)] }, '--json')
    expect([code, err, json()]).toEqual([0, expect.stringMatching(/^Nothing was found, of 2 people\.$/m), []])
  })

  test('names the people of a rule in the order of their references, 9 before 10', async () => {
    const people = ['STAFF-10', 'STAFF-9', 'STAFF-100'].map((agencyRef, at) =>
      person(at + 1, { agencyRef, rateHour: null }),
    )
    const { json } = await check({ people }, '--json')
    expect(json().map(({ reference }: { reference: string }) => reference)).toEqual([
      'STAFF-9',
      'STAFF-10',
      'STAFF-100',
    ])
  })

  test('with --quiet in cron says nothing besides the answer when all is well, and one line and exit 9 when it is not', async () => {
    const words = ['--quiet', '--errors', 'json']
    const well = await check({ people: [person(1)] }, ...words)
    expect(well).toMatchObject({ code: 0, out: '[]\n', err: '' })
    const ill = await check({ people: [person(1, noBank)] }, ...words)
    expect([ill.code, ill.json().length, ill.err.trimEnd().split('\n').length]).toEqual([9, 1, 1])
    expect(ill.error()).toMatchObject({ exitCode: 9, message: '1 finding: stops pay 1.' })
  })

  test('as JSON has rule, severity, person, what was seen, the real values and the command that mends it', async () => {
    const { code, json } = await check({ people: [person(1, shortNumber)] }, '--json')
    expect(code).toBe(9)
    expect(json()).toEqual([
      {
        severity: 'likely-wrong',
        rule: 'bank-number',
        country: 'uk',
        reference: 'UK-0001',
        name: 'Ann Sample1',
        seen: 'account number: an account number has eight digits: where the paper has fewer or more, ask the person',
        command: 'payroll candidates update UK-0001 --set accountNumber=…',
        id: 'id-0001',
        values: { sortCode: '601613', accountNumber: '3192681' },
      },
    ])
  })

  test('names by the id whom to mend where two people have one reference', async () => {
    const people = [person(1, shortNumber), person(2, { agencyRef: 'uk-0001' })]
    const { json } = await check({ people }, '--only', 'bank-number', '--json')
    const command = 'payroll candidates update id-0001 --id --set accountNumber=…'
    expect(json()).toMatchObject([{ reference: 'UK-0001', command }])
  })

  test.each(['uk-0001', '-7'])(
    'names by the id whom to look at, where the other has the reference %s',
    async (agencyRef) => {
      const bank = { sortCode: '601613', accountNumber: '31926819', IBANReference: null }
      const first = agencyRef === '-7' ? { agencyRef } : {}
      const people = [
        person(1, { ...first, bank, surname: 'Sample' }),
        person(2, { agencyRef, bank, surname: 'Other' }),
      ]
      const { json } = await check(
        { people },
        '--only',
        'shared-account',
        '--only',
        'same-reference',
        '--json',
      )
      const commands = json().map(({ rule, command }: any) => [rule, command])
      expect(commands).toContainEqual([
        'shared-account',
        expect.stringMatching(/^payroll candidates get id-000\d --id --reveal$/),
      ])
      expect(commands).toContainEqual([
        'same-reference',
        agencyRef === '-7' ? 'payroll candidates find -- -7' : expect.stringMatching(/find uk-0001$/i),
      ])
    },
  )

  test('at a terminal shows what stops pay first, and masks what is sensitive', async () => {
    const NINumber = 'AB129999A'
    const { env } = await serve({
      people: [person(1, { NINumber }), person(2, { NINumber, DOB: '1991-01-01', ...noBank })],
    })
    const run = await atTerminal(['check', '--no-pager'], { env, columns: 80 }).ended
    expect(run.code).toBe(9)
    // A check that found something has worked.
    expect(run.err).toContain('2 findings: ')
    expect(run.out + run.err).not.toContain('Error:')
    expect(run.out.indexOf('Stops pay (1)')).toBeLessThan(run.out.indexOf('Likely wrong (1)'))
    expect(run.out).toContain(
      [
        'no-bank: Paid into a bank, and no account is known.',
        '  UK-0002 Ann Sample2 (UK): no sort code or account number',
        '    payroll candidates update UK-0002 --set sortCode=… --set accountNumber=…',
      ].join('\n'),
    )
    const words = ['check', '--only', 'same-number', '--columns', 'reference,values.NINumber']
    const table = await atTerminal(words, { env }).ended
    expect(run.out + table.out).not.toContain('129999')
    expect(table.out).toContain('UK-0002')
  })

  test('at a terminal shows once the command that mends what several people have', async () => {
    const { env } = await serve({ people: [person(1), person(2)] })
    const argv = ['check', '--only', 'no-timesheet', '--week-ending', '2026-05-10']
    const run = await atTerminal(argv, { env, columns: 80 }).ended
    expect(run.out).toContain(
      [
        '  UK-0001 Ann Sample1 (UK): no timesheet from 4 May 2026 to 10 May 2026',
        '  UK-0002 Ann Sample2 (UK): no timesheet from 4 May 2026 to 10 May 2026',
        '    payroll timesheets create',
      ].join('\n'),
    )
  })

  test('shows findings that fill the screen in the pager: their number below would move them off it', async () => {
    const served = await serve({ people: [...noRate, person(2, { rateHour: null })] })
    const env = { ...served.env, PAYROLL_PAGER: "sed 's/^/PAGED /'" }
    const shownOn = async (rows: number) => {
      const run = await atTerminal(['check', '--only', 'no-rate'], { env, columns: 80, rows }).ended
      const lines = run.out.trimEnd().split('\n').length
      return { lines, isPaged: run.out.includes('PAGED') }
    }
    const { lines } = await shownOn(50)
    // The error has three lines, and the last line of a screen is for what is typed next.
    expect(await shownOn(lines + 9)).toEqual({ lines, isPaged: false })
    expect(await shownOn(lines + 3)).toEqual({ lines, isPaged: true })
    expect(await shownOn(lines)).toEqual({ lines, isPaged: true })
  })

  test('writes a whole workbook before it ends with 9', async () => {
    const file = join(freshHome(), 'check.xlsx')
    expect(await check({ people: noRate }, '--out', file)).toMatchObject(endedWith(9, `Wrote ${file}.`))
    expect(statSync(file).size).toBeGreaterThan(1000)
  })

  test.each(['/svc/candidates', '/svc/candidates/ireland', '/svc/time-sheets', '/svc/v2/payslips'])(
    'reports nothing and ends with 10 where the list %s is short',
    async (short) => {
      expect(await check({ people: noRate, short })).toMatchObject({ code: 10, out: '' })
    },
  )

  test('reads each list once, and people one by one only where a record shows what the list does not', async () => {
    const people = Array.from({ length: 101 }, (_, at) => person(at + 1))
    const whole = await check({ people })
    // Two pages of people, and the first again to see that the list has not changed.
    expect([whole.code, whole.received.length]).toEqual([0, 3 + otherCountries.length + 1 + 1 + 1])
    const setting = { paymentModel: 'PAYEE', taxCode: '1257L', niCategory: null }
    const bare = { people: people.map(withoutSetting), whole: { setting } }
    const sparse = await check(bare, '--only', 'tax-details', '--json')
    expect(sparse.json()).toHaveLength(101)
    expect(sparse.received).toHaveLength(3 + otherCountries.length + 101)
  })

  test('says once what the service does not return, and does not count it as fine', async () => {
    const people = [1, 2, 3].map((number) => withoutSetting(person(number)))
    const { err, received } = await check({ people }, '--only', 'tax-details', '--quiet')
    expect(err).toContain(
      'the service does not return Tax code (tax-details) and NI category letter (tax-details)',
    )
    // Each record was asked for, and shows no more than the list.
    expect(received.filter(({ url }) => url.includes('/id-'))).toHaveLength(3)
  })

  test('of one week looks at its timesheets alone, and asks who has none', async () => {
    const sheet = (of: string, startDate: string, endDate: string, units: string) => ({
      id: `sheet-${of}-${startDate}`,
      subcontractorRef: of,
      startDate,
      endDate,
      rates: [{ rateId: 'STD', rate: '20.00', units }],
    })
    const timesheets = [
      sheet('UK-0001', '2026-05-04', '2026-05-10', '90'),
      sheet('UK-0002', '2026-04-27', '2026-05-03', '90'),
    ]
    const week = { people: [person(1), person(2)], timesheets }
    const { json } = await check(week, '--week-ending', '10/05/2026', '--json')
    expect(json()).toMatchObject([
      { rule: 'too-many-hours', reference: 'UK-0001' },
      { rule: 'no-timesheet', reference: 'UK-0002' },
    ])
  })

  test.each([
    [
      '--only no-bnak',
      'There is no rule no-bnak.\nEvery rule, with what it looks for: payroll check rules\n',
    ],
    ['--only no-timesheet', 'no-timesheet is about one week'],
    ['--week-ending 2026-02-30', '--week-ending 2026-02-30: the month has no such day'],
    ['--uk --ireland', '--uk and --ireland cannot be combined'],
  ])('refuses %s: exit 2, and nothing is asked', async (options, says) => {
    const run = await check({ people: [] }, ...options.split(' '))
    expect(run).toMatchObject({ ...endedWith(2, says), received: [] })
  })
})

describe('check accept', () => {
  /** A service where the rate of two people is missing, and whom check names. */
  async function withoutRates(home = freshHome()) {
    const { env, received } = await serve({ people: [...noRate, person(2, { rateHour: null })] })
    const run = (...words: string[]) => payroll(['--json', 'check', ...words], { home, env })
    const references = async (): Promise<string[]> =>
      (await run()).json().map(({ reference }: { reference: string }) => reference)
    const accept = (person: string, ...more: string[]) =>
      run('accept', 'no-rate', '--person', person, ...more)
    return { home, env, run, references, accept, received }
  }

  test('keeps a finding of one person quiet, in a file for its owner alone, until it is asked for again', async () => {
    const { home, env, run, references, accept } = await withoutRates()
    const accepted = { rule: 'no-rate', reference: 'UK-0001', until: null, accepted: true }
    expect((await accept('uk-0001')).json()).toEqual(accepted)
    expect(statSync(join(home, 'accepted.json')).mode & 0o777).toBe(0o600)
    expect(await references()).toEqual(['UK-0002'])
    expect((await run('accepted')).json()).toMatchObject([{ rule: 'no-rate', reference: 'UK-0001' }])
    const { out } = await payroll(['check', 'accepted', '-o', 'table'], { home, env })
    expect(out).toMatch(/^no-rate +UK-0001 +\d+ [A-Z][a-z]+ \d{4} \d\d:\d\d UTC$/m)
    // The last day of it still counts.
    await accept('UK-0001', '--until', new Date().toISOString().slice(0, 10))
    expect(await references()).toEqual(['UK-0002'])
    await accept('UK-0001', '--again')
    expect(await references()).toEqual(['UK-0001', 'UK-0002'])
  })

  test.each(['id:id-1', 'id-1', 'reference:uk-0001', 'none'])('takes %s for a person', async (name) => {
    const home = freshHome()
    const more = name === 'none' ? { agencyRef: null } : {}
    const { env } = await serve({ people: [{ ...person(1, { rateHour: null }), id: 'id-1', ...more }] })
    const run = (...words: string[]) => payroll(['--json', 'check', ...words], { home, env })
    const id = name === 'none' ? 'id-1' : name
    const { code, json } = await run('accept', 'no-rate', '--person', id)
    expect([code, json().reference]).toEqual([0, name === 'none' ? 'id-1' : 'UK-0001'])
    expect((await run('--only', 'no-rate')).json()).toEqual([])
    expect((await run('accept', 'no-rate', '--person', 'ann')).code).toBe(5)
  })

  test('says whose findings it keeps quiet where several people have the reference', async () => {
    const people = [1, 2].map((each) => ({ ...person(each, { rateHour: null }), agencyRef: 'UK-0001' }))
    const { env } = await serve({ people })
    const run = await payroll(['check', 'accept', 'no-rate', '--person', 'UK-0001'], { env })
    expect(run).toMatchObject(endedWith(0, '2 people have the reference UK-0001'))
  })

  test('says to a person until when, and what to type to have it reported again', async () => {
    const { home, env } = await withoutRates()
    const words = ['check', 'accept', 'no-rate', '--person', 'UK-0001', '-o', 'table']
    const again = 'To have it reported again: payroll check accept no-rate --person UK-0001 --again\n'
    const always = await payroll(words, { home, env })
    expect(always.out).toBe(`no-rate is kept quiet for UK-0001 as long as it finds the same.\n${again}`)
    const until = await payroll([...words, '--until', '2199-12-31'], { home, env })
    expect(until.out).toBe(`no-rate is kept quiet for UK-0001 until 31 December 2199.\n${again}`)
  })

  test('reports what else the rule finds of the person, unless it was accepted until a day', async () => {
    const home = freshHome()
    const people = [person(1, shortNumber)]
    const { env } = await serve({ people })
    const run = (...words: string[]) => payroll(['--json', 'check', ...words], { home, env })
    const accept = ['accept', 'bank-number', '--person', 'UK-0001']
    await run(...accept)
    expect(await run('--only', 'bank-number')).toMatchObject({ code: 0, out: '[]\n' })
    people[0] = person(1, { bank: { ...shortNumber.bank, sortCode: '60161' } })
    const [found, ...others] = (await run('--only', 'bank-number')).json()
    expect([found.seen, others]).toEqual([expect.stringContaining('sort code'), []])
    await run(...accept, '--until', '2199-12-31')
    people[0] = person(1, { bank: { ...shortNumber.bank, sortCode: '6016' } })
    expect((await run('--only', 'bank-number')).json()).toEqual([])
  })

  test('stays quiet of pay that is far above the usual one where only the usual one changes', async () => {
    const home = freshHome()
    const rates = (usual: number) =>
      Array.from({ length: 30 }, (_, at) => person(at + 1, { rateHour: at === 0 ? 140 : usual }))
    const people = rates(13)
    const { env } = await serve({ people })
    const run = (...words: string[]) => payroll(['--json', 'check', ...words], { home, env })
    expect((await run('--only', 'unusual-pay')).json()).toHaveLength(1)
    await run('accept', 'unusual-pay', '--person', 'UK-0001')
    people.splice(0, 30, ...rates(13.5))
    expect((await run('--only', 'unusual-pay')).json()).toEqual([])
    people.splice(0, 1, person(1, { rateHour: 149 }))
    expect((await run('--only', 'unusual-pay')).json()).toHaveLength(1)
  })

  test('is for every week of somebody who sends no timesheet, or is paid the same unusual pay', async () => {
    const home = freshHome()
    const people = [person(1, { rateHour: null }), person(2)]
    const weeks = [
      ['2026-04-27', '2026-05-03'],
      ['2026-05-04', '2026-05-10'],
    ]
    const timesheets = weeks.flatMap(([startDate, endDate]) =>
      Array.from({ length: 6 }, (_, at) => ({
        id: `sheet-${at}-${startDate}`,
        subcontractorRef: at === 0 ? 'UK-0001' : `UK-${9000 + at}`,
        ...{ startDate, endDate, rates: [{ rateId: 'STD', rate: at === 0 ? '160' : '14', units: '20' }] },
      })),
    )
    const others = Array.from({ length: 5 }, (_, at) => person(9001 + at))
    const { env } = await serve({ people: [...people, ...others], timesheets })
    const run = (...words: string[]) => payroll(['--json', 'check', ...words], { home, env })
    const only = ['--only', 'unusual-pay', '--only', 'no-timesheet']
    const [[, first = ''] = [], [, second = ''] = []] = weeks
    expect((await run('--week-ending', first, ...only)).json()).toHaveLength(2)
    for (const [rule = '', who = ''] of [
      ['unusual-pay', 'UK-0001'],
      ['no-timesheet', 'UK-0002'],
    ])
      await run('accept', rule, '--person', who, '--week-ending', first)
    expect((await run('--week-ending', second, ...only)).json()).toEqual([])
  })

  test.each([
    { rule: 'doubtful-value', one: { NINumber: 'QQ123456Z' }, other: { NINumber: 'QQ654321Z' } },
    {
      rule: 'bank-number',
      one: shortNumber,
      other: { bank: { ...shortNumber.bank, accountNumber: '3192682' } },
    },
  ])('reports $rule again where another value has the same fault', async ({ rule, one, other }) => {
    const home = freshHome()
    const people = [person(1, one)]
    const { env } = await serve({ people })
    const run = (...words: string[]) => payroll(['--json', 'check', ...words], { home, env })
    const [accepted] = (await run('--only', rule)).json()
    await run('accept', rule, '--person', 'UK-0001')
    expect((await run('--only', rule)).json()).toEqual([])
    people[0] = person(1, other)
    const [found] = (await run('--only', rule)).json()
    expect([found.seen, found.reference]).toEqual([accepted.seen, 'UK-0001'])
    // 16 characters for the words and 3 for the values: too few to tell by trials which number it was.
    const { accepted: stored } = JSON.parse(readFileSync(join(home, 'accepted.json'), 'utf8'))
    expect(stored).toMatchObject([{ seen: [expect.stringMatching(/^[\w-]{19}$/)] }])
  })

  test('is of one service: another is told all the same', async () => {
    const one = await withoutRates()
    await one.accept('UK-0001')
    const other = await withoutRates(one.home)
    expect(await other.references()).toEqual(['UK-0001', 'UK-0002'])
  })

  test('of somebody for whom the rule finds nothing is exit 5, until a day that is over or of a week --again exit 2, and nothing is kept', async () => {
    const { run, accept, received } = await withoutRates()
    expect([(await accept('UK-0001', '--until', '2020-01-01')).code, received]).toEqual([2, []])
    expect((await accept('UK-0003')).code).toBe(5)
    expect((await accept('UK-0001', '--again', '--week-ending', '2026-11-22')).code).toBe(2)
    expect((await run('accepted')).json()).toEqual([])
  })
})
