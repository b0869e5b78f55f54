// @module-tag tables

import { describe, expect, test } from 'vitest'
import { everyField } from '../../every-field.ts'
import { type Mixture, mixSections } from '../../model/mixtures.ts'
import { atTerminal } from '../../payroll.ts'
import { answerForm, enterBut } from '../../prompts/form-driver.ts'
import { answering } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { candidateTargets } from '../targets.ts'
import { updateOne } from './one-record.ts'

const own = {
  ...{ id: 'c1', status: 'ACTIVE', dateLeft: null, reason: null },
  createdAt: '2026-04-06T00:00:00.000Z',
}
const flat = { id: 'c1', agencyRef: 'TEST-1', surname: 'Example', DOB: '1990-02-28', NINumber: null }
const bank = { sortCode: '601613', accountNumber: '31926819' }
const setting = { taxCode: '1257L' }
const full = { ...flat, bank, setting }
const smith = 'candidates update c1 --set generalSetting.surname=Smith'
const leeds = 'candidates update c1 --set city=Leeds'

/** An update of this record, to whose answer it gives these values. */
const change = (words: string, record: object, changed: object = {}) =>
  updateOne(words, { reads: [record], answer: () => ({ ...record, ...changed }) })

/** The same mixture after the surname was changed. */
const renamed = ({ answer }: Mixture) => ({
  ...answer,
  ...(answer.surname !== undefined && { surname: 'Smith' }),
  ...(answer.generalSetting?.surname !== undefined && {
    generalSetting: { ...answer.generalSetting, surname: 'Smith' },
  }),
})

describe.each(candidateTargets)('an update of a $adjective candidate', ({ country, flags }) => {
  const request = everyField(country)
  const expected = { ...request, generalSetting: { ...request.generalSetting, surname: 'Smith' } }

  test.each(mixSections(request))('sends all of a record that is answered with $names', async (mixture) => {
    const { run, puts } = await updateOne([...smith.split(' '), ...flags], {
      reads: [{ ...own, ...mixture.answer }],
      answer: () => ({ ...own, ...renamed(mixture) }),
    })
    expect([run.code, puts]).toEqual([0, [expected]])
    expect(run.err).not.toContain('returned no')
  })
})

describe('an update', () => {
  const clash = { ...full, bankSetting: { ...bank, accountNumber: '55779911' } }
  const unfit = 'cannot send back without losing part of it. Nothing was sent.'
  test.each<[what: string, record: object, path: string, says?: string]>([
    ['in a wrapper nobody knows', { employee: full }, 'employee', 'nothing else shows which record it is'],
    ['with its bank details under a third name', { ...flat, bankDetails: bank, setting }, 'bankDetails'],
    ['with two different account numbers', clash, 'bankSetting.accountNumber'],
    ['with none of its fields', { id: 'c1', name: 'Zoe Example', bankSetting: {}, payrollSetting: {} }, ''],
  ])('sends nothing of a record %s: exit 10', async (_, record, path, says = unfit) => {
    for (const more of ['', ' --yes', ' --dry-run']) {
      const { run, puts } = await updateOne(`${smith} --json${more}`, { reads: [record] })
      expect([run.code, run.out, puts]).toEqual([10, '', []])
      expect(run.error()).toMatchObject({
        outcome: 'not-sent',
        message: expect.stringContaining(says),
        hint: expect.stringContaining('payroll candidates get c1 --json'),
      })
      expect(run.error().issues).toContainEqual({ path, message: expect.any(String) })
    }
  })

  const { id: _id, ...general } = flat
  test.each<[missing: string, record: object, others: object]>([
    ['bank details', { ...flat, setting }, { payrollSetting: setting }],
    ['payroll details', { ...flat, bankSetting: bank }, { bankSetting: bank }],
    ['bank details and payroll details', flat, {}],
  ])('of a record without %s goes on only with --allow-missing, not with --yes', async (...row) => {
    const [missing, record, others] = row
    const refused = await updateOne(`${smith} --json --yes`, { reads: [record] })
    expect([refused.run.code, refused.puts]).toEqual([10, []])
    expect(refused.run.error()).toMatchObject({
      outcome: 'not-sent',
      message: `The service returned this record without ${missing}. Nothing was sent.`,
      hint: expect.stringMatching(/add( --allow-missing (bank|payroll))+$/),
    })
    const [, allowing] = refused.run.error().hint.split('add ')
    const { run, puts } = await change(`${smith} ${allowing} --quiet`, record, { surname: 'Smith' })
    expect([run.code, puts]).toEqual([0, [{ generalSetting: { ...general, surname: 'Smith' }, ...others }]])
    expect(run.err).toMatch(/and may clear those not given: .*Setting/)
  })

  test('names the bank details that it does not send before the many fields that an Irish record never shows', async () => {
    const { run } = await updateOne(`${smith} --ireland --allow-missing bank --dry-run`, {
      reads: [{ ...flat, setting }],
    })
    expect(run.err).toMatch(/may clear those not given: bankSetting, department, /)
  })

  test.each([null, { sortCode: null, accountNumber: null }, { sortCode: '', accountNumber: '' }])(
    'asks nothing of a record whose bank details are %j',
    async (empty) => {
      const { run } = await change(smith, { ...full, bank: empty }, { surname: 'Smith' })
      expect(run.code).toBe(0)
    },
  )

  test('sends null back as it came, also inside a list, and nothing that the service alone sets', async () => {
    const line = { rateId: 'R1', vatID: null, rate: '16.00' }
    const own = { id: 't1', createdAt: 'x', deletedAt: null }
    const sheet = { ...own, taxYear: null, unseen: null, assignmentRef: 'A', rates: [line] }
    const changed = { assignmentRef: 'B', rates: [{ ...line, rate: '17.00' }] }
    const words = 'timesheets update t1 --set assignmentRef=B --set rates[0].rate=17.00'
    const { run, puts } = await change(words, sheet, changed)
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('null')])
    expect(puts).toEqual([{ ...changed, taxYear: null }])
  })

  test('sends null and an empty text back as they came, under the names of the request, and shows so before', async () => {
    const kept = { county: null, mobile: '', pensionSetting: { optOutDate: null, memberId: '' } }
    const record = { ...flat, ...kept, bank: null, setting: { taxCode: null } }
    const { puts } = await change(`${smith} --json`, record, { surname: 'Smith' })
    const generalSetting = { ...general, surname: 'Smith', ...kept }
    expect(puts).toEqual([{ generalSetting, bankSetting: null, payrollSetting: { taxCode: null } }])
    const { run } = await updateOne(`${smith} --json --dry-run`, { reads: [record] })
    expect(run.json().body).toMatchObject(puts[0])
  })

  test('refuses a null that is set where the service has a value and the document knows none', async () => {
    const reads = [{ ...full, surname: null }]
    const input = JSON.stringify({ surname: null, DOB: null })
    const { run, puts } = await updateOne('candidates update c1 --file - --json', { reads, input })
    expect([run.code, puts]).toEqual([3, []])
  })

  test('sends null where it was set, and says that nothing changes where it was null already', async () => {
    const words = 'candidates update c1 --set generalSetting.document=null'
    const sent = await change(words, { ...full, document: 'a.pdf' }, { document: null })
    expect([sent.run.code, sent.puts[0].generalSetting.document]).toEqual([0, null])
    const same = await change(words, { ...full, document: null })
    expect(same.puts).toEqual([])
    expect(same.run.err).toContain('Nothing to change: the service already has these values.')
  })

  test.each([
    ['8', 8],
    ['7.5', 7.5],
    ['-1.5', -1.5],
    [' 7.5 ', 7.5],
    [10, 10],
    // Never as another number, or as none at all.
    ['7,5', '7,5'],
    ['about 8', 'about 8'],
  ])('sends hours that are answered as %j as %j', async (hoursPerUnit, sent) => {
    const rate = { id: 'r1', code: 'NIGHT', description: 'Night', hoursPerUnit }
    const { puts } = await change('payment-rates update r1 --id --set description=Nights', rate)
    expect(puts.map((put) => put.hoursPerUnit)).toEqual([sent])
  })
})

describe('a value that the service shows only masked', () => {
  const masked = {
    ...{ ...flat, NINumber: 'XXXXX567C', bank: { ...bank, accountNumber: '****2345' } },
    setting: { history: [{ sortCode: '••••13' }] },
  }
  const paths = ['generalSetting.NINumber', 'bankSetting.accountNumber', 'payrollSetting.history[0].sortCode']

  test.each(['', ' --yes', ' --dry-run'])('is not sent back%s: nothing is', async (more) => {
    const { run, puts } = await updateOne(`${smith} --json${more}`, { reads: [masked] })
    expect([run.code, puts, run.error().issues]).toMatchObject([10, [], paths.map((path) => ({ path }))])
    expect(run.error().hint).toMatch(
      /^To send the update, give the real value: payroll candidates update .* --set bankSetting\.accountNumber=…/,
    )
    expect(run.error().message).toContain('in generalSetting.NINumber, bankSetting.accountNumber, payroll')
  })

  test('is named before the form opens, and not sent back from there', async () => {
    const { env, received } = await answering(200, { data: wholeFor(['candidates'], masked).record })
    const terminal = atTerminal(['candidates', 'update', 'c1', '--id'], { env })
    const replies = { 'What next?': ['Edit', 'Send'], 'Which part?': 'Person', Surname: 'Smith' }
    await answerForm(terminal, enterBut(replies))
    const { code, err } = await terminal.ended
    expect(err).toMatch(/you enter them again:\ngeneralSetting\.NINumber,.*What next\?/s)
    expect([code, received.map(({ method }) => method)]).toEqual([10, ['GET']])
  })

  test('is sent when it is set in this run', async () => {
    const words = 'candidates update c1 --set NINumber=QQ123456A --set accountNumber=31926819'
    const { run, puts } = await change(words, { ...masked, setting }, { NINumber: 'QQ123456A', bank })
    expect([run.code, puts[0].bankSetting]).toEqual([0, bank])
  })

  const numbers = ['HIDDEN', 'hidden', '[REDACTED]', '######11', '00000000', '****', 'xxxx1234', 'x2345678']
  const others = ['••••1234', '…678', '2345', 0, true, { masked: true }, ['****', '6819']]
  test.each<[path: string, values: readonly unknown[]]>([
    ['bankSetting.accountNumber', [...numbers, ...others]],
    ['bankSetting.sortCode', ['**-**-13', '00-00-00', 'XX-XX-13', '13', '__-__-13']],
    ['bankSetting.IBANReference', ['GB29…', 'GB29 **** 6819', '<hidden>']],
    ['generalSetting.NINumber', ['AB12…', 'HIDDEN', 'QQ****56A', '56A', '••• ••• C']],
    ['generalSetting.DOB', ['****-**-28', '1990', '0001-01-01', '0000-00-00', '[hidden]']],
    ['generalSetting.email', ['a***@example.com', '[REDACTED]', 'hidden']],
    ['generalSetting.mobile', ['*******321', 'HIDDEN', '07700 ●●●●●●']],
    ['generalSetting.surname', ['[REDACTED]', '****', '<hidden>', 'N**', 'Sa****e', 'M** N****', 'A. •••']],
  ])('is known as a mask in %s, and never sent back: %j', async (path, values) => {
    const [section, name = ''] = path.split('.')
    for (const value of values) {
      const record = section === 'bankSetting' ? { bank: { ...bank, [name]: value } } : { [name]: value }
      const { run, puts } = await updateOne(`${leeds} --json --yes`, { reads: [{ ...full, ...record }] })
      expect([value, run.code, puts]).toEqual([value, 10, []])
      expect(run.error().issues).toMatchObject([{ path }])
    }
  })

  test('is sent as it is where --set gives the same', async () => {
    const { run, puts } = await change(
      `${leeds} --set NINumber=TBC`,
      { ...full, NINumber: 'TBC' },
      { city: 'Leeds' },
    )
    expect([run.code, puts[0].generalSetting.NINumber]).toEqual([0, 'TBC'])
  })

  test.each([
    ['surname', 'Hidden'],
    ['jobDescription', 'xxx'],
    ['jobDescription', '** foreman **'],
    ['email', 'a.b_c@example.com'],
    ['NINumber', 'QQ 12 34 56 C'],
    ['NINumber', 'XX123456A'],
    ['DOB', '5 Nov 1992'],
    ['NINumber', null],
    ['NINumber', ''],
  ])('is not seen in %s where the value is %j', async (name, value) => {
    const { run } = await change(leeds, { ...full, [name]: value }, { city: 'Leeds' })
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('mask')])
  })
})

test.each(['hours', 'units', 'Hours worked'])(
  'timesheets update --set of what each line has names the path of a line, and sends nothing: %s',
  async (field) => {
    const line = { rateId: 'r1', rate: '21.40', units: '30.0' }
    const sheet = { id: 't1', subcontractorRef: 'A-1', startDate: '2026-04-06', rates: [line] }
    const words = ['timesheets', 'update', 't1', '--id', '--set', `${field}=38`]
    const { run, puts } = await updateOne(words, {
      reads: [sheet],
      answer: (body) => ({ ...sheet, ...body }),
    })
    expect([run.code, puts]).toEqual([3, []])
    expect(run.err).toContain('each line has its own: name that of the line, such as rates[0].units')
  },
)

test.each([
  ['endDate=2026-08-23', true],
  ['endDate=2026-08-23 --set taxPeriodConfig=Week_20', false],
  ['endDate=2026-08-14', false],
  ['endDate=2026-08-15', false, '2026-08-08T23:00:00.000Z'],
])(
  'timesheets update --set %s says that the tax period stays: %s',
  async (set, isSaid, endDate = '2026-08-09') => {
    const sheet = {
      ...{
        id: 't1',
        subcontractorRef: 'A-1',
        startDate: '2026-08-03',
        endDate,
        taxYear: '2026/27',
      },
      ...{ taxPeriodConfig: 'Week 18', rates: [{ rateId: 'r1', rate: '21.40', units: '30.0' }] },
    }
    const words = `timesheets update t1 --id --set ${set}`
    const { run } = await updateOne(words, { reads: [sheet], answer: (body) => ({ ...sheet, ...body }) })
    expect(run.code).toBe(0)
    const [says] = /stays Week.*/.exec(run.err) ?? []
    const moves = 'stays Week 18, and the last day moves from 9 August 2026 to 23 August 2026'
    expect(says).toBe(isSaid ? moves : undefined)
  },
)

test.each([
  ['2026-27', '2026/27', false],
  ['2026/2027', '2026/27', false],
  ['2026', '2026/27', false],
  ['year-8', '2026/27', false],
  ['2025-26', '2026/27', true],
])('a tax year of %s that becomes %s is said to be another one: %s', async (taxYear, next, isOther) => {
  const sheet = {
    id: 't1',
    subcontractorRef: 'A-1',
    startDate: '2026-08-03',
    endDate: '2026-08-09',
    taxYear,
    rates: [{ rateId: 'r1', rate: '21.40', units: '30.0' }],
  }
  const words = `timesheets update t1 --id --set taxYear=${next}`
  const { run } = await updateOne(words, { reads: [sheet], answer: (body) => ({ ...sheet, ...body }) })
  expect([run.code, run.err.includes(`moves from ${taxYear} to ${next}`)]).toEqual([0, isOther])
})
