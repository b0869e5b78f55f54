import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ruleIds } from '../../src/check/rules.ts'
import { asTyped, atTerminal, freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** A person without a fault, as a list answers one. */
function person(number: number, more: Record<string, unknown> = {}, sections: Record<string, object> = {}) {
  const digits = String(number).padStart(4, '0')
  return {
    id: `id-${digits}`,
    agencyRef: `UK-${digits}`,
    forename: 'Ann',
    surname: `Sample${number}`,
    DOB: '1990-01-01',
    dateOfJoining: '2026-01-01',
    dateLeft: null,
    status: 'ACTIVE',
    payMethod: 'BACS',
    payFrequency: 'ANNUAL',
    rateHour: 20,
    annualSalary: null,
    hours: 37.5,
    NINumber: `QQ12${digits}A`,
    nationality: 'British',
    documentExpiryDate: null,
    pensionSetting: { postponementEndDate: null },
    bank: { sortCode: '601613', accountNumber: `3192${digits}`, IBANReference: null, SWIFTNo: null },
    setting: { paymentModel: 'PAYEE', taxCode: '1257L', niCategory: 'A', ...sections.setting },
    ...more,
  }
}

interface Shape {
  readonly people: readonly object[]
  /** What a record shows besides its list item. */
  readonly whole?: object
  readonly timesheets?: readonly object[]
  readonly short?: string
}

/** A service with these people in the UK, and nobody in Ireland. */
async function serve({ people, whole, timesheets = [], short }: Shape) {
  const lists: Record<string, readonly object[]> = {
    '/svc/candidates': people,
    '/svc/candidates/ireland': [],
    '/svc/time-sheets': timesheets,
    '/svc/payment-rate': [],
    '/svc/v2/payslips': [{ id: 'slip', subcontractorName: 'Somebody' }],
  }
  return service(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const items = lists[pathname]
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

describe('check', () => {
  test('of people without a fault prints an empty list and ends with 0', async () => {
    const { env } = await serve({ people: [person(1), person(2)] })
    const run = await payroll(['check', '--json'], { env })
    expect({ code: run.code, rows: run.json() }).toEqual({ code: 0, rows: [] })
    expect(run.err).toBe('Nothing was found.\n')
  })

  test('with --quiet in cron is silent when all is well, and one line and exit 9 when it is not', async () => {
    const fine = await serve({ people: [person(1)] })
    const wrong = await serve({
      people: [person(1, { bank: { sortCode: null, accountNumber: null, IBANReference: null } })],
    })
    const argv = ['check', '--quiet', '--errors', 'json']
    const [well, ill] = await Promise.all([fine, wrong].map(({ env }) => payroll(argv, { env })))
    expect(well).toMatchObject({ code: 0, out: '', err: '' })
    expect(ill).toMatchObject({ code: 9, out: '' })
    expect(ill?.err.trimEnd().split('\n')).toHaveLength(1)
    expect(ill?.error()).toMatchObject({ exitCode: 9, message: '1 finding: 1 stops pay.' })
  })

  test('as JSON has rule, severity, person, what was seen, the real values and the command that mends it', async () => {
    const short = { sortCode: '601613', accountNumber: '3192681', IBANReference: null }
    const { env } = await serve({ people: [person(1, { bank: short })] })
    const run = await payroll(['check', '--json'], { env })
    expect(run.code).toBe(9)
    expect(run.json()).toEqual([
      {
        severity: 'likely-wrong',
        rule: 'bank-number',
        country: 'uk',
        reference: 'UK-0001',
        name: 'Ann Sample1',
        seen: 'account number: one digit is missing: there are 7, and an account number has 8',
        command: 'payroll candidates update UK-0001 --set accountNumber=…',
        id: 'id-0001',
        values: { sortCode: '601613', accountNumber: '3192681' },
      },
    ])
  })

  test('names by the id whom to mend where two people have one reference', async () => {
    const bank = { sortCode: '601613', accountNumber: '3192681', IBANReference: null }
    const { env } = await serve({ people: [person(1, { bank }), person(2, { agencyRef: 'uk-0001' })] })
    const run = await payroll(['check', '--only', 'bank-number', '--json'], { env })
    expect(run.json()).toMatchObject([
      { reference: 'UK-0001', command: 'payroll candidates update id-0001 --id --set accountNumber=…' },
    ])
  })

  test('at a terminal shows what stops pay first, and masks what is sensitive', async () => {
    const none = { sortCode: null, accountNumber: null, IBANReference: null }
    const people = [person(1, { NINumber: 'QQ129999A' }), person(2, { NINumber: 'QQ129999A', bank: none })]
    const { env } = await serve({ people })
    const home = freshHome()
    const run = await atTerminal(['check', '--no-pager'], { home, env, columns: 80 }).ended
    expect(run.code).toBe(9)
    expect(run.out.indexOf('Stops pay (1)')).toBeLessThan(run.out.indexOf('Likely wrong (1)'))
    expect(run.out).toContain(
      [
        'no-bank: Paid into a bank, and no account is known.',
        '  UK-0002 Ann Sample2 (UK): paid by BACS, and no sort code, account number or',
        '  IBAN',
        '    payroll candidates update UK-0002 --set sortCode=… --set accountNumber=…',
      ].join('\n'),
    )
    const table = await atTerminal(
      ['check', '--only', 'same-number', '--columns', 'reference,values.NINumber'],
      { home, env },
    ).ended
    expect(run.out + table.out).not.toContain('129999')
    expect(table.out).toContain('UK-0002')
  })

  test('at a terminal says once what is the same of several people, with the command that mends it', async () => {
    const { env } = await serve({ people: [person(1), person(2)] })
    const argv = ['check', '--only', 'no-timesheet', '--week-ending', '2026-05-10']
    const run = await atTerminal(argv, { home: freshHome(), env, columns: 80 }).ended
    expect(run.out).toContain(
      [
        '  no timesheet from 2026-05-04 to 2026-05-10:',
        '    UK-0001 Ann Sample1 (UK)',
        '    UK-0002 Ann Sample2 (UK)',
        '    payroll timesheets create',
      ].join('\n'),
    )
  })

  test('shows findings that fill the screen in the pager: their number below would move them off it', async () => {
    const { env } = await serve({ people: [person(1, { rateHour: null }), person(2, { rateHour: null })] })
    const shownOn = async (rows: number) => {
      const pager = { PAYROLL_PAGER: "sed 's/^/PAGED /'" }
      const run = await atTerminal(['check', '--only', 'no-rate'], {
        home: freshHome(),
        env: { ...env, ...pager },
        columns: 80,
        rows,
      }).ended
      const lines = run.out.trimEnd().split('\n').length
      return { lines, isPaged: run.out.includes('PAGED') }
    }
    const { lines } = await shownOn(50)
    // The error has three lines, and the last line of a screen is for what is typed next.
    expect(await shownOn(lines + 4)).toEqual({ lines, isPaged: false })
    expect(await shownOn(lines + 3)).toEqual({ lines, isPaged: true })
    expect(await shownOn(lines)).toEqual({ lines, isPaged: true })
  })

  test('writes a whole workbook before it ends with 9', async () => {
    const { env } = await serve({ people: [person(1, { rateHour: null })] })
    const home = freshHome()
    const file = join(home, 'check.xlsx')
    const run = await payroll(['check', '--out', file], { home, env })
    expect(run.code).toBe(9)
    expect(run.err).toContain(`Wrote ${file}.`)
    expect(statSync(file).size).toBeGreaterThan(1000)
  })

  test.each(['/svc/candidates', '/svc/candidates/ireland', '/svc/time-sheets', '/svc/v2/payslips'])(
    'reports nothing and ends with 10 where the list %s is short',
    async (short) => {
      const { env } = await serve({ people: [person(1, { rateHour: null })], short })
      const run = await payroll(['check'], { env })
      expect(run).toMatchObject({ code: 10, out: '' })
    },
  )

  test('reads each list once, and people one by one only where a record shows what the list does not', async () => {
    const people = Array.from({ length: 250 }, (_, at) => person(at + 1))
    const whole = await serve({ people })
    expect((await payroll(['check'], { env: whole.env })).code).toBe(0)
    // Three pages of people, and the first again to see that the list has not changed.
    expect(whole.received).toHaveLength(4 + 1 + 1 + 1 + 1)
    const bare = people.map(({ setting, ...rest }) => rest)
    const sparse = await serve({
      people: bare,
      whole: { setting: { paymentModel: 'PAYEE', taxCode: '1257L', niCategory: null } },
    })
    const run = await payroll(asTyped`check --only no-tax-basis --json`, {
      env: sparse.env,
    })
    expect(run.json()).toHaveLength(250)
    expect(sparse.received).toHaveLength(4 + 1 + 1 + 250)
  })

  test('says once what the service does not return, and does not count it as fine', async () => {
    const people = [1, 2, 3].map((number) => {
      const { setting, ...rest } = person(number)
      return rest
    })
    const { env, received } = await serve({ people })
    const run = await payroll(['check', '--only', 'no-tax-basis', '--quiet'], { env })
    expect(run.err).toContain(
      'the service does not return Tax code (no-tax-basis) and NI category letter (no-tax-basis)',
    )
    // One record was asked for, and shows no more than the list.
    expect(received.filter(({ url }) => url.includes('/id-'))).toHaveLength(1)
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
    const { env } = await serve({ people: [person(1), person(2)], timesheets })
    const run = await payroll(['check', '--week-ending', '10/05/2026', '--json'], { env })
    expect(run.json().map(({ rule, reference }: Record<string, string>) => `${rule} ${reference}`)).toEqual([
      'too-many-hours UK-0001',
      'no-timesheet UK-0002',
    ])
  })

  test.each([
    [
      'several rules at one --only',
      ['--only', 'no-bank,no-rate'],
      'Name one rule at a time: --only no-bank --only no-rate',
    ],
    ['an unknown rule', ['--only', 'no-bnak'], 'There is no rule no-bnak. Did you mean no-bank?'],
    ['a rule of a week without one', ['--only', 'no-timesheet'], 'no-timesheet is about one week'],
    [
      'a day that does not exist',
      ['--week-ending', '2026-02-30'],
      '--week-ending 2026-02-30: there is no such date',
    ],
    ['two countries', ['--uk', '--ireland'], '--uk and --ireland cannot be combined'],
  ])('refuses %s: exit 2, and nothing is asked', async (_, options, says) => {
    const { env, received } = await serve({ people: [] })
    const run = await payroll(['check', ...options], { env })
    expect(run.code).toBe(2)
    expect(run.err).toContain(says)
    expect(received).toEqual([])
  })

  test('in the sandbox finds what is wrong with its people', async () => {
    const { env } = await startSandbox({ seeded: true })
    const run = await payroll(['check', '--uk', '--json'], { env })
    expect(run.code).toBe(9)
    expect(run.json()[0]).toMatchObject({ rule: 'below-minimum', reference: 'SANDBOX-UK-16', country: 'uk' })
  })
})

test('sandbox seed --problems adds people for each rule of check to find, with the command that it names, and none again', async () => {
  const home = freshHome()
  const env = { PAYROLL_PROFILE: 'sandbox' }
  const run = await payroll(['sandbox', 'seed', '--problems'], { home, env })
  const [, command = ''] = /^To see what is wrong: payroll (check .*)$/m.exec(run.err) ?? []
  const again = await payroll(['sandbox', 'seed', '--problems'], { home, env })
  expect(Object.values(again.json()).every((count) => count === 0)).toBe(true)
  const found = await payroll([...command.split(' '), '--json'], { home })
  const rules = new Set(found.json().map(({ rule }: { rule: string }) => rule))
  expect([...rules].sort()).toEqual([...ruleIds].sort())
})

describe('check accept', () => {
  const noRate = [person(1, { rateHour: null }), person(2, { rateHour: null })]
  const references = async (home: string, env: Record<string, string>) =>
    (await payroll(['check', '--json'], { home, env }))
      .json()
      .map(({ reference }: { reference: string }) => reference)

  test('keeps a finding of one person quiet, in a file for its owner alone, until it is asked for again', async () => {
    const { env } = await serve({ people: noRate })
    const home = freshHome()
    const run = await payroll(['check', 'accept', 'no-rate', '--person', 'uk-0001', '--json'], { home, env })
    expect(run.json()).toEqual({ rule: 'no-rate', reference: 'UK-0001', until: null, accepted: true })
    expect(statSync(join(home, 'accepted.json')).mode & 0o777).toBe(0o600)
    expect(await references(home, env)).toEqual(['UK-0002'])
    expect((await payroll(['check', 'accepted', '--json'], { home, env })).json()).toMatchObject([
      { rule: 'no-rate', reference: 'UK-0001' },
    ])
    const shown = await payroll(['check', 'accepted', '-o', 'table'], { home, env })
    expect(shown.out).toMatch(/^no-rate +UK-0001 +\d+ [A-Z][a-z]+ \d{4} \d\d:\d\d UTC$/m)
    await payroll(['check', 'accept', 'no-rate', '--person', 'UK-0001', '--again'], { home, env })
    expect(await references(home, env)).toEqual(['UK-0001', 'UK-0002'])
  })

  test('is of one service: another is told all the same', async () => {
    const [one, other] = [await serve({ people: noRate }), await serve({ people: noRate })]
    const home = freshHome()
    await payroll(['check', 'accept', 'no-rate', '--person', 'UK-0001'], { home, env: one.env })
    expect(await references(home, other.env)).toEqual(['UK-0001', 'UK-0002'])
  })

  test('of somebody for whom the rule finds nothing is exit 5, and nothing is kept', async () => {
    const { env } = await serve({ people: noRate })
    const home = freshHome()
    const run = await payroll(['check', 'accept', 'no-rate', '--person', 'UK-0003'], { home, env })
    expect(run).toMatchObject({ code: 5 })
    expect((await payroll(['check', 'accepted', '--json'], { home, env })).json()).toEqual([])
  })

  test('until a day that is over is exit 2', async () => {
    const { env, received } = await serve({ people: noRate })
    const argv = ['check', 'accept', 'no-rate', '--person', 'UK-0001', '--until', '2020-01-01']
    expect((await payroll(argv, { env })).code).toBe(2)
    expect(received).toEqual([])
  })
})

test('check rules explains each rule with its source', async () => {
  const run = await payroll(['check', 'rules', '--json'])
  expect(run.code).toBe(0)
  for (const rule of run.json())
    expect(rule).toMatchObject({ sentence: expect.any(String), source: expect.any(String) })
})
