import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'

/** What `candidates create` would send for these words. Nothing listens there: a dry run sends nothing. */
async function sent(...words: string[]) {
  const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
  const argv = ['candidates', 'create', '--incomplete', ...words, '--dry-run', '--json']
  const tried = await payroll(argv, { env })
  return { code: tried.code, body: tried.code === 0 ? tried.json().body : undefined, run: tried }
}

describe('--set', () => {
  test.each([
    ['text', 'generalSetting.forename=Síle Ní Shampla', { generalSetting: { forename: 'Síle Ní Shampla' } }],
    ['text of digits', 'bankSetting.accountNumber=00012345', { bankSetting: { accountNumber: '00012345' } }],
    ['text that could be a number', 'payrollSetting.taxCode=1E5', { payrollSetting: { taxCode: '1E5' } }],
    ['text that could be a flag', 'generalSetting.title=true', { generalSetting: { title: 'true' } }],
    ['text with an equals sign', 'generalSetting.title=a=b', { generalSetting: { title: 'a=b' } }],
    ['a number', 'generalSetting.rateHour=21.50', { generalSetting: { rateHour: 21.5 } }],
    ['a number below zero', 'payrollSetting.margin=-3', { payrollSetting: { margin: -3 } }],
    ['a whole number', 'generalSetting.workingPatternId=7', { generalSetting: { workingPatternId: 7 } }],
    ['a flag', 'payrollSetting.isApprentice=false', { payrollSetting: { isApprentice: false } }],
    ['a date', 'generalSetting.DOB=1991-11-04', { generalSetting: { DOB: '1991-11-04' } }],
    [
      'a timestamp',
      'payrollSetting.NIDirectorStartDate=2026-04-06T00:00:00.000Z',
      { payrollSetting: { NIDirectorStartDate: '2026-04-06T00:00:00.000Z' } },
    ],
    ['a country', 'generalSetting.country=GB', { generalSetting: { country: 'GB' } }],
    ['null', 'generalSetting.department=null', { generalSetting: { department: null } }],
    [
      'the word null, where a field is never null',
      'generalSetting.surname=null',
      { generalSetting: { surname: 'null' } },
    ],
    ['one line', 'generalSetting.address=1 High St', { generalSetting: { address: ['1 High St'] } }],
    ['lines', 'generalSetting.address=["Flat 2","1 High St"]', twoLines()],
    [
      'an object',
      'generalSetting.pensionSetting={"optState":"ignition"}',
      { generalSetting: { pensionSetting: { optState: 'ignition' } } },
    ],
    [
      'a field of an object',
      'payrollSetting.openingBalance.eeNI=1.01',
      { payrollSetting: { openingBalance: { eeNI: 1.01 } } },
    ],
  ])('reads %s by the type of its field', async (_, set, body) => {
    expect((await sent('--set', set)).body).toEqual(body)
  })

  test.each([
    ['a decimal as text', 'payrollSetting.taxCreditAnnual=4000.00', { taxCreditAnnual: '4000.00' }],
    ['a list', 'payrollSetting.taxRateCutOffPoints=[]', { taxRateCutOffPoints: [] }],
    [
      'a value of no shown type',
      'payrollSetting.cutOffPoints={"type":"EXEMPT"}',
      { cutOffPoints: { type: 'EXEMPT' } },
    ],
    ['a field inside one', 'payrollSetting.cutOffPoints.type=EXEMPT', { cutOffPoints: { type: 'EXEMPT' } }],
    [
      'a field inside an element of a list',
      'payrollSetting.taxRateCutOffPoints[0].index=7',
      { taxRateCutOffPoints: [{ index: 7 }] },
    ],
  ])('reads %s of an Irish candidate', async (_, set, payrollSetting) => {
    expect((await sent('--ireland', '--set', set)).body).toEqual({ payrollSetting })
  })

  test('fills a list element by element', async () => {
    const words = ['--set', 'generalSetting.address[0]=Flat 2', '--set', 'generalSetting.address.1=1 High St']
    expect((await sent(...words)).body).toEqual(twoLines())
  })

  test('writes the last element of a list only after the ones before it', async () => {
    const { code, run } = await sent('--set', 'generalSetting.address[2]=1 High St')
    expect(code).toBe(3)
    expect(run.error().issues.map(({ path }: { path: string }) => path)).toEqual([
      'generalSetting.address[0]',
      'generalSetting.address[1]',
    ])
  })

  test.each([
    'a.__proto__.b=1',
    '__proto__=1',
    'generalSetting.constructor.name=1',
    'generalSetting.prototype=1',
    'generalSetting..city=Leeds',
    '.city=Leeds',
    'generalSetting.=Leeds',
    '=Leeds',
    'generalSetting.city',
    '',
    'generalSetting.address[1001]=x',
    'generalSetting.address[4294967294]=x',
    'a.b.c.d.e.f.g.h.i.j.k=1',
    'general setting.city=Leeds',
  ])('refuses what is no path and value: %j', async (set) => {
    const { code, run } = await sent('--set', set)
    expect(code).toBe(2)
    expect(run.error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
    expect(({} as Record<string, unknown>).b).toBeUndefined()
  })

  test.each([
    ['--set', 'generalSetting.city='],
    ['--unset', 'generalSetting.city'],
    ['--unset', 'city'],
    ['--unset', 'City'],
  ])('clears a field of a new record with %s %s: it is not sent', async (...words) => {
    const path = join(freshHome(), 'record.json')
    writeFileSync(path, JSON.stringify({ generalSetting: { forename: 'Ann', city: 'Leeds' } }))
    expect((await sent(...words, '--file', path)).body).toEqual({ generalSetting: { forename: 'Ann' } })
  })

  test.each([
    [['--unset', 'generalSetting.cty'], 3],
    [['--unset', 'generalSetting'], 2],
    [['--unset', 'generalSetting.address[0]'], 2],
    [['--unset', 'generalSetting.city', '--set', 'generalSetting.city=Leeds'], 2],
  ])('sends nothing for %j', async (words, exit) => {
    const { code, run } = await sent(...words)
    expect(code).toBe(exit)
    expect(run.error().outcome).toBe('not-sent')
  })

  test('refuses one field given twice, however it is written', async () => {
    const { code, run } = await sent(
      ...['--set', 'generalSetting.address[0]=a'],
      ...['--set', 'generalSetting.address.0=b'],
    )
    expect(code).toBe(2)
    expect(run.error().message).toBe(
      '--set and --unset name generalSetting.address.0 twice. Nothing was sent.',
    )
  })

  test('names every field that does not exist, and what was probably meant', async () => {
    const { code, run } = await sent(
      ...['--set', 'generalSetting.forenam=Ann'],
      ...['--set', 'payrollSetting.taxCodes=1257L'],
      ...['--set', 'generalSetting.zodiac=Leo'],
      ...['--set', 'generalSetting.address.street=x'],
    )
    expect(code).toBe(3)
    expect(run.error().issues).toEqual([
      {
        path: 'generalSetting.forenam',
        message: 'not a field of a UK candidate; did you mean generalSetting.forename?',
      },
      {
        path: 'payrollSetting.taxCodes',
        message: 'not a field of a UK candidate; did you mean payrollSetting.taxCode?',
      },
      { path: 'generalSetting.zodiac', message: 'not a field of a UK candidate' },
      { path: 'generalSetting.address.street', message: 'not a field of a UK candidate' },
    ])
  })

  test.each([
    ['the last part of its path', 'taxCode=1257L', { payrollSetting: { taxCode: '1257L' } }],
    ['its path in an answer', 'bank.sortCode=012345', { bankSetting: { sortCode: '012345' } }],
    ['its label', 'National Insurance number=x', { generalSetting: { NINumber: 'x' } }],
    ['its label in small letters', 'hourly rate=21.5', { generalSetting: { rateHour: 21.5 } }],
    ['its name in other capitals', 'dob=1991-11-04', { generalSetting: { DOB: '1991-11-04' } }],
    ['an element of a list', 'address[0]=1 High St', { generalSetting: { address: ['1 High St'] } }],
  ])('knows a field by %s', async (_, set, body) => {
    expect((await sent('--set', set)).body).toEqual(body)
  })

  test('refuses a field that only the service sets: exit 3', async () => {
    const { code, run } = await sent('--set', 'status=ACTIVE')
    expect(code).toBe(3)
    expect(run.error().issues).toEqual([{ path: 'status', message: 'only the service sets this field' }])
  })

  test('refuses one field given twice under two names', async () => {
    const { code } = await sent('--set', 'surname=A', '--set', 'generalSetting.surname=B')
    expect(code).toBe(2)
  })

  test.each([
    ['generalSetting.rateHour=21,50', 'generalSetting.rateHour', 'it has a comma instead of a decimal point'],
    ['generalSetting.rateHour=1e3', 'generalSetting.rateHour', 'expected a number, as 37.5'],
    ['generalSetting.workingPatternId=1.5', 'generalSetting.workingPatternId', 'expected a whole number'],
    ['payrollSetting.isApprentice=ja', 'payrollSetting.isApprentice', 'expected yes or no'],
    [
      'generalSetting.country=Atlantis',
      'generalSetting.country',
      'expected a country, such as Ireland or IE',
    ],
    ['generalSetting.address=[1]', 'generalSetting.address[0]', 'expected text in quotes'],
    [
      'generalSetting.pensionSetting=x',
      'generalSetting.pensionSetting',
      'expected an object in { }, or name one field of it, as generalSetting.pensionSetting.optState',
    ],
    [
      'bank=12345678',
      'bankSetting',
      'expected an object in { }, or name one field of it, as bankSetting.bankName',
    ],
    ['generalSetting.annualSalary=null', 'generalSetting.annualSalary', 'expected a number, as 37.5'],
  ])('says what the field of %s takes', async (set, path, message) => {
    const { code, run } = await sent('--set', set)
    expect(code).toBe(3)
    expect(run.error().issues).toEqual([{ path, message }])
  })
})

function twoLines() {
  return { generalSetting: { address: ['Flat 2', '1 High St'] } }
}
