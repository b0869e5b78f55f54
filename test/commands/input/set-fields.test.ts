import { describe, expect, test } from 'vitest'
import { parsePath, valueAt, withValueAt } from '../../../src/files/json/path.ts'
import { payroll } from '../../payroll.ts'
import { loopback } from '../targets.ts'

/** What `candidates create` would send for these words. Nothing listens there: a dry run sends nothing. */
async function dryRun(words: readonly string[], input = '') {
  const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
  const argv = ['candidates', 'create', '--incomplete', ...words, '--dry-run', '--json']
  const { code, json, error } = await payroll(argv, { env, input })
  return code === 0 ? { code, error: undefined, ...json() } : { code, error: error() }
}

const set = (...sets: readonly string[]) => dryRun(sets.flatMap((each) => ['--set', each]))
const only = (path: string, value: unknown) => withValueAt({}, parsePath(path) ?? [], value)

describe('--set', () => {
  test('does not send the [clear] of an import as a value, and names --unset; --set-raw does', async () => {
    const { code, error } = await set('city= [Clear]')
    expect([code, error.issues]).toEqual([
      3,
      [
        {
          path: 'generalSetting.city',
          message: '[clear] is for the cells of an import; to empty the field: --unset city',
        },
      ],
    ])
    expect((await dryRun([], '{"city":"[clear]"}')).code).toBe(3)
    const { body } = await dryRun(['--set-raw', 'city=[clear]'])
    expect(body).toEqual(only('generalSetting.city', '[clear]'))
  })

  const midnight = '2026-04-06T00:00:00.000Z'
  test.each<[kind: string, path: string, typed: string, value: unknown]>([
    ['text', 'generalSetting.forename', 'Síle Ní Shampla', 'Síle Ní Shampla'],
    ['text of digits', 'bankSetting.accountNumber', '00012345', '00012345'],
    ['text that could be a number', 'payrollSetting.taxCode', '1E5', '1E5'],
    ['text that could be a flag', 'generalSetting.title', 'true', 'true'],
    ['text with an equals sign', 'generalSetting.title', 'a=b', 'a=b'],
    ['text that was kept from a spreadsheet', 'generalSetting.agencyRef', '="00123"', '00123'],
    ['text with an apostrophe in front', 'bankSetting.accountNumber', "'00012345", '00012345'],
    ['text of wide digits', 'bankSetting.accountNumber', '０００１２３４５', '00012345'],
    ['a name with an apostrophe in front', 'generalSetting.surname', "'t Hooft", "'t Hooft"],
    ['words with an apostrophe in front', 'generalSetting.jobDescription', "'90s teacher", "'90s teacher"],
    ['a number', 'generalSetting.rateHour', '21.50', 21.5],
    ['a number below zero', 'payrollSetting.margin', '-3', -3],
    ['a whole number', 'generalSetting.workingPatternId', '7', 7],
    ['a flag', 'payrollSetting.isApprentice', 'false', false],
    ['a date', 'generalSetting.DOB', '1991-11-04', '1991-11-04'],
    ['a timestamp', 'payrollSetting.NIDirectorStartDate', midnight, midnight],
    ['a country', 'generalSetting.country', 'GB', 'GB'],
    ['null', 'generalSetting.department', 'null', null],
    ['the word null, where a field is never null', 'generalSetting.surname', 'null', 'null'],
    ['one line', 'generalSetting.address', '1 High St', ['1 High St']],
    ['lines', 'generalSetting.address', '["Flat 2","1 High St"]', ['Flat 2', '1 High St']],
    ['an object', 'generalSetting.pensionSetting', '{"optState":"ignition"}', { optState: 'ignition' }],
    ['a field of an object', 'payrollSetting.openingBalance.eeNI', '1.01', 1.01],
  ])('reads %s by the type of its field: %s=%s', async (_, path, typed, value) => {
    expect((await set(`${path}=${typed}`)).body).toEqual(only(path, value))
  })

  test.each<[kind: string, path: string, typed: string, value: unknown]>([
    ['a decimal as text', 'taxCreditAnnual', '4000.00', '4000.00'],
    ['a list', 'taxRateCutOffPoints', '[]', []],
    ['a value of no shown type', 'cutOffPoints', '{"type":"EXEMPT"}', { type: 'EXEMPT' }],
    ['a field inside one', 'cutOffPoints.type', 'EXEMPT', 'EXEMPT'],
    ['a field inside an element of a list', 'taxRateCutOffPoints[0].index', '7', 7],
  ])('reads %s of an Irish candidate: %s=%s', async (_, name, typed, value) => {
    const path = `payrollSetting.${name}`
    const { body } = await dryRun(['--ireland', '--set', `${path}=${typed}`])
    expect(body).toEqual(only(path, value))
  })

  const calculation = 'generalSetting.pensionSetting.pensionCalculationType'
  test.each<[how: string, set: string, path: string, value: unknown]>([
    ['the last part of its path', 'taxCode=1257L', 'payrollSetting.taxCode', '1257L'],
    ['its path in an answer', 'bank.sortCode=012345', 'bankSetting.sortCode', '012345'],
    ['its label', 'National Insurance number=x', 'generalSetting.NINumber', 'x'],
    ['what it was called before', 'Paid as=PAYEE', 'payrollSetting.paymentModel', 'PAYEE'],
    ['its label in small letters', 'hourly rate=21.5', 'generalSetting.rateHour', 21.5],
    ['its name in other capitals', 'dob=1991-11-04', 'generalSetting.DOB', '1991-11-04'],
    ['an element of a list', 'address[0]=1 High St', 'generalSetting.address', ['1 High St']],
    ['a word of HMRC', 'marital status=civil partner', 'generalSetting.maritalStatus', 'CIVIL_PARTNER'],
    ['a word of Revenue', 'pensionCalculationType=Relief at source', calculation, 'RELIEF_AT_SOURCE'],
  ])('knows a field, and its value, by %s: %s', async (_, typed, path, value) => {
    expect((await set(typed)).body).toEqual(only(path, value))
  })

  test('fills a list element by element', async () => {
    const { body } = await set('generalSetting.address[0]=Flat 2', 'generalSetting.address.1=1 High St')
    expect(body).toEqual(only('generalSetting.address', ['Flat 2', '1 High St']))
  })

  test('says where a date could have been meant otherwise, without a birthday', async () => {
    const { warnings } = await set('DOB=3/2/91', 'start date=3/11/26', 'document expires=1/2/37')
    const inOrder = 'the year of two digits is read as 1991; the date is read with the day first'
    expect(warnings).toEqual(
      [
        ['generalSetting.DOB', inOrder],
        ['generalSetting.dateOfJoining', '3/11/26 is read as 3 November 2026, with the day first'],
        ['generalSetting.documentExpiryDate', '1/2/37 is read as 1 February 2037, with the day first'],
      ].map(([path, message]) => ({ path, message })),
    )
  })

  test.each([
    ...['a.__proto__.b=1', '__proto__=1', 'generalSetting.constructor.name=1', 'generalSetting.prototype=1'],
    ...[
      'generalSetting..city=Leeds',
      '.city=Leeds',
      'generalSetting.=Leeds',
      '=Leeds',
      'generalSetting.city',
      '',
    ],
    ...['generalSetting.address[1001]=x', 'generalSetting.address[4294967294]=x'],
    ...['a.b.c.d.e.f.g.h.i.j.k=1', 'general setting.city=Leeds'],
  ])('refuses what is no path and value: %j', async (typed) => {
    const { code, error } = await set(typed)
    expect([code, error]).toMatchObject([2, { code: 'usage', outcome: 'not-sent' }])
    expect(({} as Record<string, unknown>).b).toBeUndefined()
  })
})

test.each(['--set generalSetting.city=', '--unset generalSetting.city', '--unset city', '--unset City'])(
  '%s clears a field of a new record: it is not sent',
  async (words) => {
    const record = { generalSetting: { forename: 'Ann', city: 'Leeds' } }
    const { body } = await dryRun([...words.split(' '), '--file', '-'], JSON.stringify(record))
    expect(body).toEqual({ generalSetting: { forename: 'Ann' } })
  },
)

test.each([
  ['--unset generalSetting.cty', 3, '"generalSetting.cty" cannot be set.'],
  ['--unset bankSetting', 2, 'bankSetting is a whole section: name the fields that you want to clear.'],
  ['--unset address[0]', 2, 'address[0] is one element of a list: set the whole list instead.'],
  ['--unset city --set city=Leeds', 2, 'city is named twice.'],
  ['--set surname=A --set generalSetting.surname=B', 2, 'generalSetting.surname is named twice.'],
  ['--set address[0]=a --set address.0=b', 2, 'address.0 is named twice.'],
  ['--unset city --unset City', 2, 'City is named twice.'],
  ['--set a..b=1', 2, '--set takes the path of a field, as in --set payrollSetting.taxCode=1257L.'],
  [
    '--set-raw a..b=1',
    2,
    '--set-raw takes the path of a field, as in --set-raw payrollSetting.taxCode=1257L.',
  ],
  ['--unset a..b', 2, '--unset takes the path of a field, as in --unset payrollSetting.taxCode.'],
  ['--set-raw city', 2, '--set-raw takes path=value, as in --set-raw payrollSetting.taxCode=1257L.'],
  ['--set title=Dr --set title=Mr --unset city', 2, 'title is named twice.'],
  ['--set title=Dr --set-raw title=Dame', 2, 'title is named twice.'],
])('%s is exit %i, and nothing is sent', async (words, exit, says) => {
  const { code, error } = await dryRun(words.split(' '))
  expect([code, error.outcome, error.message]).toEqual([exit, 'not-sent', `${says} Nothing was sent.`])
})

test.each([
  ['pay rate=15', 'a UK candidate. Did you mean generalSetting.rateHour or generalSetting.annualSalary?'],
  ['favourite colour=red', 'a UK candidate'],
  ['PPSN=1234567FA', 'a UK candidate, only of an Irish candidate (--ireland)'],
])('--set %s, a name of several words or of the other country, is no field: exit 3', async (typed, of) => {
  const { code, error } = await set(typed)
  const [path = ''] = typed.split('=')
  expect([code, error.issues]).toEqual([3, [{ path, message: `not a field of ${of}` }]])
})

test('--set reference is exit 3: a sheet’s Reference is the person’s, and the pension scheme has one too', async () => {
  const { code, error } = await set('reference=A-1')
  const message =
    'can mean generalSetting.agencyRef or generalSetting.pensionSetting.reference: write the one that you mean'
  expect([code, error.issues]).toEqual([3, [{ path: 'reference', message }]])
  const words = 'candidates create --profile sandbox --dry-run --json --file -'.split(' ')
  const given = await payroll(words, { input: JSON.stringify({ reference: 'A-1', surname: 'Sample' }) })
  expect([given.code, given.error().issues]).toEqual([3, [{ path: 'reference', message }]])
})

test.each([
  ['pensionSetting.scheme', 'generalSetting.pensionSetting.scheme'],
  ['setting.holidayPayOpeningBalance', 'payrollSetting.holidayPayOpeningBalance'],
  ['bank.buildingSocietyNumber', 'bankSetting.buildingSocietyNumber'],
])('--set %s is a field under its path in an answer, although none returns it', async (name, path) => {
  const { code, body } = await dryRun(['--ireland', '--set', `${name}=7`])
  expect([code, String(valueAt(body, path.split('.')))]).toEqual([0, '7'])
})

test('a field of a timesheet under another name is not said to be the service’s alone', async () => {
  const words = 'timesheets create --profile sandbox --dry-run --json --set candidateId=SANDBOX-UK-01'
  const [issue] = (await payroll(words.split(' '))).error().issues ?? []
  const message = 'not a field of a timesheet that payroll knows. Did you mean subcontractorRef?'
  expect(issue).toEqual({ path: 'candidateId', message })
})

test('a field that does not exist says how to list the fields', async () => {
  const { error } = await dryRun(['--set', 'fooo=1'])
  const next = 'payroll explain candidates.uk'
  expect([error.hint, error.next]).toEqual([`To list the fields: ${next}`, [next]])
})

describe('the errors of fields', () => {
  const notOne = 'not a field of a UK candidate'
  const object = 'expected an object in { }'
  const pension = 'generalSetting.pensionSetting'
  const gap = 'this item is missing, and a list cannot have gaps'
  const leavers = 'For somebody who leaves: payroll help leavers.'
  test.each<[words: string, issues: Record<string, string>]>([
    [
      '--set generalSetting.forenam=Ann --set payrollSetting.taxCodes=1257L --set generalSetting.zodiac=Leo --set generalSetting.address.street=x',
      {
        'generalSetting.forenam': `${notOne}; did you mean generalSetting.forename?`,
        'payrollSetting.taxCodes': `${notOne}; did you mean payrollSetting.taxCode?`,
        'generalSetting.zodiac': notOne,
        'generalSetting.address.street': notOne,
      },
    ],
    ['--set status=ACTIVE', { status: `only the service sets this field. ${leavers}` }],
    ['--set leaver=ACTIVE', { leaver: `only the service sets this field. ${leavers}` }],
    ['--set address[2]=x', { 'generalSetting.address[0]': gap, 'generalSetting.address[1]': gap }],
    ['--set rateHour=0,505', { 'generalSetting.rateHour': 'expected a number, such as 37.5' }],
    ['--set rateHour=1e3', { 'generalSetting.rateHour': 'expected a number, such as 37.5' }],
    ['--set annualSalary=null', { 'generalSetting.annualSalary': 'expected a number, such as 37.5' }],
    ['--set workingPatternId=1.5', { 'generalSetting.workingPatternId': 'expected a whole number' }],
    ['--set isApprentice=ja', { 'payrollSetting.isApprentice': 'expected yes or no' }],
    ['--set country=Atlantis', { 'generalSetting.country': 'expected a country, such as Ireland or IE' }],
    ['--set address=[1]', { 'generalSetting.address[0]': 'expected text in quotes' }],
    ['--set pensionSetting=x', { [pension]: object }],
    ['--set bank=12345678', { bankSetting: object }],
    // As in a command that check or a message names.
    [
      '--set payFrequency=… --set accountNumber=...',
      {
        'generalSetting.payFrequency': '… stands for a value: put the value there',
        'bankSetting.accountNumber': '... stands for a value: put the value there',
      },
    ],
    [
      '--set-raw rateHour=17.30',
      { 'generalSetting.rateHour': 'expected a number, and --set-raw sends text: use --set' },
    ],
  ])('%s is exit 3, with what each field takes', async (words, issues) => {
    const { code, error } = await dryRun(words.split(' '))
    const expected = Object.entries(issues).map(([path, message]) => ({ path, message }))
    expect([code, error.issues]).toEqual([3, expected])
  })
})

test('--set-raw sends a text as it stands, which --set would read', async () => {
  const raw = ['payFrequency=weekly', 'NINumber=ab 12 34 56 c', 'title=']
  const { body } = await dryRun(raw.flatMap((each) => ['--set-raw', each]))
  expect(body).toEqual({ generalSetting: { payFrequency: 'weekly', NINumber: 'ab 12 34 56 c', title: '' } })
})

describe('a code that differs from its standard form only in spaces, dashes and case', () => {
  const codes = [
    ['generalSetting.NINumber', 'ab 12 34 56 c', 'AB123456C'],
    ['generalSetting.postCode', 'ls1-1aa', 'LS1 1AA'],
    ['bankSetting.sortCode', '60-16-13', '601613'],
    ['bankSetting.accountNumber', '0192 6819', '01926819'],
    ['bankSetting.IBANReference', 'gb29 NWBK 6016 1331 9268 19', 'GB29NWBK60161331926819'],
    ['bankSetting.SWIFTNo', 'nwbk gb 2l', 'NWBKGB2L'],
    ['payrollSetting.taxCode', '1257l', '1257L'],
  ] as const
  /** The body with each code as it is typed, or in its standard form. */
  const record = (column: 1 | 2) =>
    codes.reduce<unknown>((body, code) => withValueAt(body, code[0].split('.'), code[column]), {})

  test('is sent in that form when --set gives it, without a warning', async () => {
    const { body, warnings } = await set(...codes.map(([path, typed]) => `${path}=${typed}`))
    expect([body, JSON.stringify(warnings)]).toEqual([record(2), expect.not.stringContaining('usually')])
  })

  test('is sent as it is given in JSON, with a warning for each', async () => {
    const { run, writes } = await loopback()
    const made = await run(['candidates', 'create', '--incomplete'], { input: JSON.stringify(record(1)) })
    expect([made.code, JSON.parse(writes()[0]?.body ?? '')]).toEqual([0, record(1)])
    for (const [path, typed] of codes) {
      expect(made.err).toMatch(new RegExp(`^${path}: usually in capitals with`, 'm'))
      if (/sort|account|IBAN|NINumber/i.test(path)) expect(made.err).not.toContain(typed)
    }
  })

  test('is sent in that form by an update too', async () => {
    const { run, call, writes } = await loopback()
    await call('POST', '/svc/candidates/ireland', {
      generalSetting: { agencyRef: 'IE-1', forename: 'Aoife' },
    })
    const codes = ['--set', 'eircode=h91ax25', '--set', 'ppsNumber=1234567 fa']
    expect((await run(['candidates', 'update', 'IE-1', '--ireland', '--yes', ...codes])).code).toBe(0)
    expect(JSON.parse(writes()[0]?.body ?? '')).toMatchObject({
      generalSetting: { eircode: 'H91 AX25' },
      payrollSetting: { ppsNumber: '1234567FA' },
    })
  })

  test('is split where week 1/month 1 stands behind a tax code, and a basis that says otherwise is refused', async () => {
    const { body, warnings } = await set('taxCode=1257L M1')
    expect(body).toEqual({ payrollSetting: { taxCode: '1257L', taxBasis: 'W1M1' } })
    expect(warnings.map(({ path }: any) => path)).toEqual(['payrollSetting.taxBasis'])
    expect((await set('taxCode=1257L NONCUM', 'taxBasis=W1M1')).body).toEqual(body)
    expect((await set('taxBasis=CUMULATIVE', 'taxCode=1257L X')).code).toBe(3)
  })

  test('is left as it is where it is not a valid code, and keeps its warning', async () => {
    const { body, warnings } = await set('sortCode=6-16-13', 'taxCode=1257 w1', 'NINumber=ab 12 34 56')
    expect(body).toEqual({
      bankSetting: { sortCode: '6-16-13' },
      payrollSetting: { taxCode: '1257 w1' },
      generalSetting: { NINumber: 'ab 12 34 56' },
    })
    const says = Object.fromEntries(warnings.map(({ path, message }: any) => [path, message]))
    expect(says).toMatchObject({
      'bankSetting.sortCode': expect.stringContaining('a sort code has six digits'),
      'payrollSetting.taxCode': expect.stringContaining('not a tax code'),
      'generalSetting.NINumber': expect.stringContaining('two letters, six digits'),
    })
  })
})
