// @module-tag tables

import { describe, expect, test } from 'vitest'
import { type Mixture, mixSections } from '../../api/contract/mixtures.ts'
import { everyField } from '../../every-field.ts'
import { atTerminal, keys } from '../../payroll.ts'
import { answerForm, enterBut } from '../../prompts/form-driver.ts'
import { answering, answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { candidateTargets } from '../targets.ts'
import { updateOne } from './one-record.ts'

const own = {
  id: 'c1',
  status: 'ACTIVE',
  dateLeft: null,
  reason: null,
  createdAt: '2026-04-06T00:00:00.000Z',
}
const flat = { id: 'c1', agencyRef: 'TEST-1', surname: 'Example', DOB: '1990-02-28', NINumber: null }
const bank = { sortCode: '601613', accountNumber: '31926819' }
const setting = { taxCode: '1257L' }
const smith = ['candidates', 'update', 'c1', '--set', 'generalSetting.surname=Smith']

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

  test.each(mixSections(request))('sends all of a record that is answered with $names', async (mixture) => {
    const { run, puts } = await updateOne([...smith, ...flags], {
      reads: [{ ...own, ...mixture.answer }],
      answer: () => ({ ...own, ...renamed(mixture) }),
    })
    expect([run.code, puts]).toEqual([
      0,
      [{ ...request, generalSetting: { ...request.generalSetting, surname: 'Smith' } }],
    ])
    expect(run.err).not.toContain('returned no')
  })
})

describe('an update', () => {
  test.each<[string, object, string]>([
    ['in a wrapper nobody knows', { employee: { ...flat, bank, setting } }, 'employee'],
    ['with its bank details under a third name', { ...flat, bankDetails: bank, setting }, 'bankDetails'],
    [
      'with two different account numbers',
      { ...flat, bank, bankSetting: { ...bank, accountNumber: '55779911' }, setting },
      'bankSetting.accountNumber',
    ],
    ['with none of its fields', { id: 'c1', name: 'Zoe Example', bankSetting: {}, payrollSetting: {} }, ''],
  ])('sends nothing of a record %s', async (_, record, path) => {
    for (const more of [[], ['--yes'], ['--dry-run']]) {
      const { run, puts } = await updateOne([...smith, '--json', ...more], { reads: [record] })
      expect([run.code, run.out, puts]).toEqual([10, '', []])
      expect(run.error()).toMatchObject({
        outcome: 'not-sent',
        message: expect.stringContaining('cannot be sent back without losing part of it. Nothing was sent.'),
        hint: expect.stringContaining('payroll candidates get c1 --json'),
      })
      expect(run.error().issues).toContainEqual({ path, message: expect.any(String) })
    }
  })

  test.each<[string, object, string, object]>([
    ['no bank details', { ...flat, setting }, 'bank details', { payrollSetting: setting }],
    ['no payroll details', { ...flat, bankSetting: bank }, 'payroll details', { bankSetting: bank }],
    ['only a summary', flat, 'bank details and payroll details', {}],
  ])(
    'an update of a record with %s goes on only with --allow-missing, not with --yes',
    async (_, record, missing, others) => {
      const refused = await updateOne([...smith, '--json', '--yes'], { reads: [record] })
      expect([refused.run.code, refused.puts]).toEqual([10, []])
      expect(refused.run.error()).toMatchObject({
        outcome: 'not-sent',
        message: `The service returned this record without ${missing}. Nothing was sent.`,
        hint: expect.stringMatching(/add( --allow-missing (bank|payroll))+$/),
      })
      const allowing = refused.run.error().hint.split('add ')[1].split(' ')
      const sent = await updateOne([...smith, ...allowing, '--quiet'], {
        reads: [record],
        answer: () => ({ ...record, surname: 'Smith' }),
      })
      expect(sent.run.code).toBe(0)
      expect(sent.run.err).toContain('so the update sends none, and the service may clear them.')
      const { id: _id, ...general } = flat
      expect(sent.puts).toEqual([{ generalSetting: { ...general, surname: 'Smith' }, ...others }])
    },
  )

  test('says that of details it did not see it sends only what was set', async () => {
    const { run } = await updateOne(
      [...smith, '--set', 'bankSetting.sortCode=601613', '--dry-run', '--allow-missing', 'bank'],
      { reads: [{ ...flat, setting }] },
    )
    expect(run.code).toBe(0)
    expect(run.err).toContain(
      'returned no bank details for this record, so the update sends only what you set',
    )
  })

  test('asks a person before it sends a record without its bank details', async () => {
    const { env, received } = await answering(200, { data: { ...flat, setting } })
    const terminal = atTerminal([...smith, '--id'], { env })
    await terminal.type('Send it without bank details?', `n${keys.enter}`)
    expect((await terminal.ended).err).toContain('Not confirmed. Nothing was sent.')
    expect(received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('an update of a record whose bank details are there and empty asks nothing', async () => {
    for (const empty of [
      null,
      { sortCode: null, accountNumber: null },
      { sortCode: '', accountNumber: '' },
    ]) {
      const { run } = await updateOne(smith, {
        reads: [{ ...flat, bank: empty, setting }],
        answer: () => ({ ...flat, surname: 'Smith', bank: empty, setting }),
      })
      expect(run.code).toBe(0)
    }
  })

  test('sends null back as it came, also inside a list, and nothing that the service alone sets', async () => {
    const rates = [{ rateId: 'R1', vatID: null, rate: '16.00' }]
    const own = { id: 't1', createdAt: 'x', deletedAt: null }
    const sheet = { ...own, taxYear: null, unseen: null, assignmentRef: 'A', rates }
    const words = ['timesheets', 'update', 't1', '--set', 'assignmentRef=B', '--set', 'rates[0].rate=17.00']
    const { run, puts } = await updateOne(words, {
      reads: [sheet],
      answer: (sent) => ({ ...sheet, ...sent }),
    })
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('null')])
    expect(puts).toEqual([
      { assignmentRef: 'B', taxYear: null, rates: [{ rateId: 'R1', vatID: null, rate: '17.00' }] },
    ])
  })

  test('sends null and an empty text back as they came, under the names of the request, and shows so before', async () => {
    const pensionSetting = { optOutDate: null, memberId: '' }
    const record = {
      ...flat,
      county: null,
      mobile: '',
      pensionSetting,
      bank: null,
      setting: { taxCode: null },
    }
    const words = [...smith, '--json']
    const { puts } = await updateOne(words, {
      reads: [record],
      answer: () => ({ ...record, surname: 'Smith' }),
    })
    const { id: _id, ...general } = flat
    expect(puts).toEqual([
      {
        generalSetting: { ...general, surname: 'Smith', county: null, mobile: '', pensionSetting },
        bankSetting: null,
        payrollSetting: { taxCode: null },
      },
    ])
    const { run } = await updateOne([...words, '--dry-run'], { reads: [record] })
    expect(run.json().body).toMatchObject(puts[0])
  })

  test('refuses a null that is set where the service has a value and the document knows none', async () => {
    const record = { ...flat, surname: null, bank, setting }
    const { run, puts } = await updateOne(['candidates', 'update', 'c1', '--file', '-', '--json'], {
      reads: [record],
      input: JSON.stringify({ surname: null, DOB: null }),
    })
    expect([run.code, puts]).toEqual([3, []])
  })

  test('sends null where it was set, and says that nothing changes where it was null already', async () => {
    const words = ['candidates', 'update', 'c1', '--set', 'generalSetting.document=null']
    const record = { ...flat, bank, setting, document: 'a.pdf' }
    const sent = await updateOne(words, { reads: [record], answer: () => ({ ...record, document: null }) })
    expect([sent.run.code, sent.puts[0].generalSetting.document]).toEqual([0, null])
    const same = await updateOne(words, { reads: [{ ...record, document: null }] })
    expect(same.puts).toEqual([])
    expect(same.run.err).toContain('Nothing to change: the service already has these values.')
  })
})

describe('a value that the service shows only masked', () => {
  const masked = {
    ...flat,
    NINumber: 'XXXXX567C',
    bank: { ...bank, accountNumber: '****2345' },
    setting: { history: [{ sortCode: '••••13' }] },
  }

  test('is not sent back: nothing is', async () => {
    for (const more of [[], ['--yes'], ['--dry-run']]) {
      const { run, puts } = await updateOne([...smith, '--json', ...more], { reads: [masked] })
      expect([run.code, puts]).toEqual([10, []])
      expect(run.error().issues.map(({ path }: { path: string }) => path)).toEqual([
        'generalSetting.NINumber',
        'bankSetting.accountNumber',
        'payrollSetting.history[0].sortCode',
      ])
      expect(run.error().hint).toContain('--set bankSetting.accountNumber=…')
      expect(run.error().message).toContain(
        'masks generalSetting.NINumber, bankSetting.accountNumber, payroll',
      )
    }
  })

  test('is named before the form opens, and not sent back from there', async () => {
    const { env, received } = await service((_, response) =>
      answerJson(response, 200, { data: wholeFor(['candidates'], masked).record }),
    )

    const terminal = atTerminal(['candidates', 'update', 'c1', '--id'], { env })
    await answerForm(
      terminal,
      enterBut({ 'What next?': ['Edit', 'Send'], 'Which part?': 'Person', Surname: 'Smith' }),
    )
    const { code, err } = await terminal.ended
    expect(err.indexOf('you enter them again: generalSetting.NINumber,')).toBeLessThan(
      err.indexOf('What next?'),
    )
    expect([code, received.map(({ method }) => method)]).toEqual([10, ['GET']])
  })

  test('is sent when it is set in this run', async () => {
    const words = 'candidates update c1 --set NINumber=QQ123456A --set accountNumber=31926819'.split(' ')
    const record = { ...masked, setting }
    const { run, puts } = await updateOne(words, {
      reads: [record],
      answer: () => ({ ...record, NINumber: 'QQ123456A', bank }),
    })
    expect([run.code, puts[0].bankSetting]).toEqual([0, bank])
  })

  test.each([
    [
      'accountNumber',
      'HIDDEN',
      'hidden',
      '[REDACTED]',
      '######11',
      '00000000',
      '****',
      'xxxx1234',
      'x2345678',
    ],
    ['accountNumber', '••••1234', '…678', '2345', 0, true, { masked: true }, ['****', '6819']],
    ['sortCode', '**-**-13', '00-00-00', 'XX-XX-13', '13', '__-__-13'],
    ['IBANReference', 'GB29…', 'GB29 **** 6819', '<hidden>'],
  ])('is known as a mask in %s, and never sent back: %s, %s and others', async (name, ...values) => {
    for (const value of values) {
      const { run, puts } = await updateOne([...smith, '--json', '--yes'], {
        reads: [{ ...flat, bank: { ...bank, [name]: value }, setting }],
      })
      expect([value, run.code, puts]).toEqual([value, 10, []])
      expect(run.error().issues).toMatchObject([{ path: `bankSetting.${name}` }])
    }
  })

  test.each([
    ['NINumber', ['AB12…', 'HIDDEN', 'QQ****56A', '56A', '••• ••• C']],
    ['DOB', ['****-**-28', '1990', '0001-01-01', '0000-00-00', '[hidden]']],
    ['email', ['a***@example.com', '[REDACTED]', 'hidden']],
    ['mobile', ['*******321', 'HIDDEN', '07700 ●●●●●●']],
    ['surname', ['[REDACTED]', '****', '<hidden>', 'N**', 'Sa****e', 'M** N****', 'A. •••']],
  ])('is known as a mask in %s: %j', async (name, values) => {
    for (const value of values) {
      const { run, puts } = await updateOne(['candidates', 'update', 'c1', '--set', 'city=Leeds', '--json'], {
        reads: [{ ...flat, [name]: value, bank, setting }],
      })
      expect([value, run.code, puts]).toEqual([value, 10, []])
      expect(run.error().issues).toMatchObject([{ path: `generalSetting.${name}` }])
    }
  })

  test('is sent as it is where --set gives the same', async () => {
    const record = { ...flat, NINumber: 'TBC', bank, setting }
    const words = ['candidates', 'update', 'c1', '--set', 'city=Leeds', '--set', 'NINumber=TBC']
    const { run, puts } = await updateOne(words, {
      reads: [record],
      answer: () => ({ ...record, city: 'Leeds' }),
    })
    expect([run.code, puts[0].generalSetting.NINumber]).toEqual([0, 'TBC'])
  })

  test.each([
    ['surname', 'Hidden'],
    ['jobDescription', 'xxx'],
    ['email', 'a.b_c@example.com'],
    ['NINumber', 'QQ 12 34 56 C'],
    ['NINumber', 'XX123456A'],
    ['DOB', '5 Nov 1992'],
    ['NINumber', null],
    ['NINumber', ''],
  ])('is not seen in %s where the value is %j', async (name, value) => {
    const record = { ...flat, [name]: value, bank, setting }
    const { run } = await updateOne(['candidates', 'update', 'c1', '--set', 'city=Leeds'], {
      reads: [record],
      answer: () => ({ ...record, city: 'Leeds' }),
    })
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('mask')])
  })

  test('does not count where it is no sensitive field', async () => {
    const record = { ...flat, jobDescription: '** foreman **', bank, setting }
    const { run } = await updateOne(smith, {
      reads: [record],
      answer: () => ({ ...record, surname: 'Smith' }),
    })
    expect(run.code).toBe(0)
  })
})

describe('timesheets update --set hours=38', () => {
  const line = { rateId: 'r1', rate: '21.40', units: '30.0' }
  const update = (rates: readonly object[], field = 'hours') => {
    const sheet = { id: 't1', subcontractorRef: 'A-1', startDate: '2026-04-06', rates }
    const words = ['timesheets', 'update', 't1', '--id', '--set', `${field}=38`]
    return updateOne(words, { reads: [sheet], answer: (body) => ({ ...sheet, ...body }) })
  }

  test.each(['hours', 'units'])('changes the units of the only line, and says so: %s', async (field) => {
    const { run, puts } = await update([line], field)
    expect([run.code, puts]).toEqual([0, [expect.objectContaining({ rates: [{ ...line, units: '38' }] })]])
    expect(run.err).toContain(
      `rates[0].units: this is what ${field} sets, because the timesheet has one line`,
    )
  })

  test.each([
    [
      'names each line with its units',
      [line, { ...line, units: '2.0' }],
      'rates[0].units (now 30.0) or rates[1].units (now 2.0)',
    ],
    ['names the path of a line where there is none', [], 'name the line, rates[0].units'],
  ])('%s, with exit 3 and nothing sent', async (_, rates, says) => {
    const { run, puts } = await update(rates)
    expect([run.code, puts]).toEqual([3, []])
    expect(run.err).toContain(`  hours: each line has its own: name the line, `)
    expect(run.err).toContain(says)
  })
})
