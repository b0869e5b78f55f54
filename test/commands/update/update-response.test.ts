import { describe, expect, test } from 'vitest'
import { updateOne } from './one-record.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night', hoursPerUnit: '7.5' }
const nights = ['payment-rates', 'update', 'r1', '--set', 'description=Nights']
const both = [...nights, '--set', 'code=N2']
const after = { ...rate, description: 'Nights' }

const person = {
  id: 'c1',
  surname: 'Lee',
  NINumber: null,
  DOB: null,
  bank: { accountNumber: '31926819', sortCode: '601613', IBANReference: null },
  setting: { taxCode: '1257L', ppsNumber: null },
}
const smith = ['candidates', 'update', 'c1', '--set', 'generalSetting.surname=Smith']

describe('updates answered with success', () => {
  test.each<[string, unknown, unknown[]]>([
    ['the old record, and still has it', rate, [rate]],
    ['the new record, as what was asked', { ...rate, description: 'Other' }, [rate]],
    ['nothing, and the record is the old one', undefined, [rate]],
    ['no record, and the record is the old one', { message: 'queued' }, [rate]],
    ['the old record, and cannot be read again', rate, [rate, rate, undefined]],
  ])('an update answered with %s is exit 8', async (_, answer, reads) => {
    const { run } = await updateOne([...nights, '--json'], { reads, answer: () => answer })
    expect([run.code, run.out]).toEqual([8, ''])
    expect(run.err).not.toContain('Updated')
    expect(run.error()).toMatchObject({
      code: 'unknown',
      outcome: 'unknown',
      status: answer === undefined ? 204 : 200,
      message: expect.stringMatching(
        /^The service answered 20[04], but the record still has the old values\. The update may take effect later\.$/,
      ),
      issues: [{ path: 'description', message: 'asked for, and found: Nights → Night' }],
      hint: expect.stringContaining('payroll payment-rates get r1'),
    })
  })

  test('an update that holds one change of two is exit 8, and names the other', async () => {
    const { run } = await updateOne([...both, '--json'], { reads: [rate, rate, after], answer: () => after })
    expect(run.code).toBe(8)
    expect(run.error().message).toContain('still has the old value of 1 of 2 fields')
    expect(run.error().issues).toEqual([{ path: 'code', message: 'asked for, and found: N2 → NIGHT' }])
  })

  test('an update answered with the old record is done where the service has the new one', async () => {
    const { run } = await updateOne(nights, { reads: [rate, rate, after], answer: () => rate })
    expect([run.code, run.json()]).toEqual([0, expect.objectContaining(after)])
    expect(run.err).toContain('Updated a payment rate')
  })

  test('an update is not read again where its answer shows all of it', async () => {
    const { run, gets } = await updateOne(nights, { reads: [rate], answer: () => after })
    expect([run.code, gets]).toEqual([0, 2])
  })

  test('an update that holds another value than was asked says so', async () => {
    const held = { ...rate, description: 'NIGHTS' }
    const { run } = await updateOne([...nights, '--quiet'], { reads: [rate, rate, held], answer: () => held })
    expect([run.code, run.json()]).toEqual([0, expect.objectContaining(held)])
    expect(run.err).toContain('the service stored these fields differently from what was sent:')
    expect(run.err).toContain('description: Nights → NIGHTS')
    expect(run.err).not.toMatch(/although you did not ask|cannot be compared/)
  })

  test('an update that changed what nobody asked for says so, and masks it', async () => {
    const held = { ...person, surname: 'Smith', bank: { sortCode: '601613' } }
    const { run } = await updateOne([...smith, '--quiet'], {
      reads: [person, person, held],
      answer: () => held,
    })
    expect(run.code).toBe(0)
    expect(run.err).toContain('the service changed these fields although you did not ask for it:')
    expect(run.err).toContain('bankSetting.accountNumber: ******819 → (not set)')
    expect(run.err).not.toContain('stored these fields differently')
    const shown = await updateOne([...smith, '--reveal'], {
      reads: [person, person, held],
      answer: () => held,
    })
    expect(shown.run.err).toContain('bankSetting.accountNumber: 31926819 → (not set)')
  })

  test('an update that leaves the old account number is exit 8, and masks both unless --reveal is given', async () => {
    const set = ['candidates', 'update', 'c1', '--set', 'bankSetting.accountNumber=55779911']
    const masked = await updateOne(set, { reads: [person], answer: () => person })
    expect(masked.run.code).toBe(8)
    expect(masked.run.err).toContain('asked for, and found: ******911 → ******819')
    expect(masked.run.out + masked.run.err).not.toMatch(/31926819|55779911/)
    const shown = await updateOne([...set, '--reveal'], { reads: [person], answer: () => person })
    expect(shown.run.err).toContain('asked for, and found: 55779911 → 31926819')
  })

  test('an update answered with success in its head only is exit 8 where the record is the old one', async () => {
    const { run, puts } = await updateOne([...nights, '--json'], { reads: [rate], isLost: 'body' })
    expect([run.code, puts.length]).toEqual([8, 1])
    expect(run.error()).toMatchObject({ outcome: 'unknown', status: 200 })
    expect(run.error().message).toContain('The connection was lost before the whole answer arrived (200)')
  })

  test.each<[string, object, object | undefined, readonly string[]]>([
    ['nothing', rate, undefined, nights],
    ['the change alone', rate, { id: 'r1', description: 'Nights' }, nights],
    ['one change of two', rate, { id: 'r1', description: 'Nights' }, both],
    ['nothing of a new value', { id: 'r1', code: 'NIGHT' }, { id: 'r1', code: 'NIGHT' }, nights],
  ])(
    'an update answered with %s that cannot be read again is done as far as it is shown',
    async (_, before, answer, words) => {
      const { run } = await updateOne(words, { reads: [before, before, undefined], answer: () => answer })
      expect([run.code, run.json()]).toEqual([0, answer ?? { updated: true, id: 'r1' }])
      expect(run.err).toContain('the record was updated, but could not be read again afterwards (500).')
      expect(run.err).not.toMatch(/differently|although you did not ask/)
    },
  )

  test('an update that comes back in a form that cannot be compared says so', async () => {
    const odd = { ...person, surname: 'Smith', bankSetting: { accountNumber: '00000000' } }
    const { run } = await updateOne(smith, { reads: [person, person, odd], answer: () => person })
    expect([run.code, run.json()]).toEqual([0, odd])
    expect(run.err).toContain('came back in a form that cannot be compared with what was sent')
  })

  test.each<[string, string, object, object]>([
    [
      'a date for a timestamp',
      'generalSetting.pensionSetting.optInDate=2026-07-08T09:30:00.000Z',
      {},
      { pensionSetting: { optInDate: '2026-07-08' } },
    ],
    [
      'a decimal with other zeros',
      'payrollSetting.totalLPTToBeDeducted=90.50',
      {},
      { setting: { taxCode: '1257L', totalLPTToBeDeducted: '90.5' } },
    ],
    [
      'a decimal of more digits than a double keeps, with other zeros',
      'payrollSetting.totalLPTToBeDeducted=9007199254740993.50',
      {},
      { setting: { taxCode: '1257L', totalLPTToBeDeducted: '9007199254740993.5' } },
    ],
    ['nothing for what was emptied', 'generalSetting.county=', { county: 'Cork' }, { county: null }],
  ])('an update is compared by what it means: %s', async (_, set, before, held) => {
    const record = { ...person, pensionSetting: {}, ...before }
    const { run, gets } = await updateOne(['candidates', 'update', 'c1', '--ireland', '--set', set], {
      reads: [record],
      answer: () => ({ ...record, ...held }),
    })
    expect([run.code, gets]).toEqual([0, 2])
  })

  test('an update is exit 8 where the old number differs in its last digit only, however long it is', async () => {
    const [old, asked] = ['9007199254740992', '9007199254740993']
    const record = { ...person, pensionSetting: {}, setting: { totalLPTToBeDeducted: old, ppsNumber: null } }
    const set = `payrollSetting.totalLPTToBeDeducted=${asked}`
    const words = ['candidates', 'update', 'c1', '--ireland', '--json', '--set', set]
    const { run, puts } = await updateOne(words, { reads: [record], answer: () => record })
    expect([run.code, run.out, puts.length]).toEqual([8, '', 1])
    expect(run.error().issues).toEqual([
      { path: 'payrollSetting.totalLPTToBeDeducted', message: `asked for, and found: ${asked} → ${old}` },
    ])
  })

  test('an update is exit 8 where a timestamp that is answered as a date is still that of another day', async () => {
    const record = { ...person, pensionSetting: { optInDate: '2026-07-01' } }
    const set = 'generalSetting.pensionSetting.optInDate=2026-07-08T09:30:00.000Z'
    const words = ['candidates', 'update', 'c1', '--ireland', '--json', '--set', set]
    const { run, puts } = await updateOne(words, { reads: [record], answer: () => record })
    expect([run.code, run.out, puts.length]).toEqual([8, '', 1])
    expect(run.error().issues).toMatchObject([{ path: 'generalSetting.pensionSetting.optInDate' }])
  })

  test('an update names what was set and cannot be compared, and only that', async () => {
    const scheme = ['--ireland', '--set', 'generalSetting.pensionSetting.scheme=Example']
    const record = { ...person, pensionSetting: { optState: 'ignition' } }
    const words = [...smith, ...scheme, '--set', 'payrollSetting.payrollApproveNeeded=Required']
    const { run } = await updateOne(words, {
      reads: [record],
      answer: () => ({
        ...record,
        surname: 'Smith',
        setting: { ...record.setting, payrollApproveNeeded: true },
      }),
    })
    expect(run.code).toBe(0)
    expect(run.err).toContain(
      'cannot be compared: generalSetting.pensionSetting.scheme, payrollSetting.payrollApproveNeeded.\n',
    )
  })
})

describe('updates without a clear answer', () => {
  test('an update whose answer was lost is done when the record holds every change', async () => {
    const { run } = await updateOne(both, { reads: [rate, rate, { ...after, code: 'N2' }], isLost: true })
    expect([run.code, run.json().code]).toEqual([0, 'N2'])
    expect(run.err).toContain('the response was lost; the record was read again and has the change.')
  })

  test('an update whose answer did not say that it is done is done when the record holds the change', async () => {
    const { run, puts } = await updateOne(nights, {
      reads: [rate, rate, after],
      answer: () => ({}),
      status: 500,
    })
    expect([run.code, run.json(), puts.length]).toEqual([0, expect.objectContaining(after), 1])
    expect(run.err).toContain(
      'the response did not say whether the update was applied; the record was read again and has the change.',
    )
  })

  test('an update that was refused is not looked for', async () => {
    const { run, gets } = await updateOne([...nights, '--json'], {
      reads: [rate, rate, after],
      answer: () => ({}),
      status: 422,
    })
    expect([run.code, run.error().outcome, gets]).toEqual([6, 'refused', 2])
  })

  test('an update whose answer was lost is exit 8 when the record cannot be read again', async () => {
    const { run } = await updateOne([...nights, '--json'], { reads: [rate, rate, undefined], isLost: true })
    expect([run.code, run.out]).toEqual([8, ''])
    expect(run.error()).toMatchObject({ outcome: 'unknown', hint: expect.stringContaining('get r1') })
    expect(run.error().message).toMatch(
      /^The connection was lost .* r1 could not be read again afterwards \(500\)\.$/,
    )
  })

  test('an update whose answer was lost is exit 8 when part of the record has no certain place, although the rest holds the change', async () => {
    const odd = { ...person, surname: 'Smith', bankSetting: { accountNumber: '00000000' } }
    const { run } = await updateOne([...smith, '--json'], { reads: [person, person, odd], isLost: true })
    expect([run.code, run.out]).toEqual([8, ''])
    expect(run.error().message).toMatch(
      /was read again, but in a form that cannot be compared with what was sent\.$/,
    )
  })

  test.each<[string, readonly string[], object, string, readonly object[]]>([
    [
      'only one change of two',
      both,
      after,
      '1 of 2 fields do not have what was asked for',
      [{ path: 'code', message: 'asked for, and found: N2 → NIGHT' }],
    ],
    [
      'none',
      both,
      rate,
      'it still has the old values',
      [
        { path: 'code', message: 'asked for, and found: N2 → NIGHT' },
        { path: 'description', message: `asked for, and found: Nights → ${rate.description}` },
      ],
    ],
    [
      'another value than was asked',
      nights,
      { ...rate, description: 'NIGHTS' },
      '1 of 1 fields do not have what was asked for',
      [{ path: 'description', message: 'stored differently: Nights → NIGHTS' }],
    ],
  ])(
    'an update whose answer was lost is exit 8 when the record holds %s, and says so',
    async (_, words, held, says, issues) => {
      const { run, puts } = await updateOne([...words, '--json'], { reads: [rate, rate, held], isLost: true })
      expect([run.code, run.out, puts.length]).toEqual([8, '', 1])
      expect(run.error()).toMatchObject({
        outcome: 'unknown',
        hint: expect.stringContaining('checked the record: payroll payment-rates get r1'),
      })
      expect(run.error().message).toContain(`r1 was read again: ${says}.`)
      expect(run.error().issues).toHaveLength(issues.length)
      expect(run.error().issues).toEqual(expect.arrayContaining([...issues]))
    },
  )

  test('an update whose answer was lost is exit 8 when the service does not return what was changed', async () => {
    const words = 'candidates update c1 --ireland --json --set generalSetting.department=X'.split(' ')
    const { run } = await updateOne(words, { reads: [{ ...person, pensionSetting: {} }], isLost: true })
    expect(run.code).toBe(8)
    expect(run.error().issues).toEqual([
      { path: 'generalSetting.department', message: expect.stringMatching(/^asked for, and /) },
    ])
  })
})

describe('timesheets and documents', () => {
  test.each([
    [['timesheets', 'update', 'x1', '--set', 'taxYear=2027'], { id: 'x1', taxYear: 2026, rates: [] }],
    [
      ['documents', 'update', 'x1', '--employee', 'e1', '--set', 'name=b.txt'],
      { id: 'x1', name: 'a.txt', content: 'QQ==', size: 1 },
    ],
  ])('%j is exit 8 when the record stays as it was', async (words, record) => {
    const { run } = await updateOne(words, { reads: [record], answer: () => record })
    expect(run.code).toBe(8)
  })

  test.each([
    [['timesheets', 'update', 'x1', '--json', '--set', 'taxYear=2027'], { timesheet: { taxYear: 2026 } }],
    [['payment-rates', 'update', 'x1', '--json', '--set', 'code=A'], { rate: { code: 'B' } }],
  ])('%j sends nothing of a record in a wrapper', async (words, record) => {
    const { run, puts } = await updateOne(words, { reads: [{ id: 'x1', ...record }] })
    expect([run.code, puts]).toEqual([10, []])
  })
})
