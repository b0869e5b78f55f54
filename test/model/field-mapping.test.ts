import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/files/json/path.ts'
import { candidateIreland } from '../../src/model/countries/ireland/candidate.ts'
import { candidate } from '../../src/model/countries/uk/candidate.ts'
import { fieldAt, leafFields } from '../../src/model/fields/field-tree.ts'
import { answerPath, requestPath, valueInResponse } from '../../src/model/mapping/field-mapping.ts'
import { mapRecord } from '../../src/model/mapping/map-record.ts'
import { paymentRate } from '../../src/model/records/payment-rate.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { timesheet } from '../../src/model/records/timesheet.ts'

const [uk, ireland, rate] = [candidate, candidateIreland, paymentRate]
const all: [string, RecordType][] = [
  ['a UK candidate', uk],
  ['an Irish candidate', ireland],
  ['a payment rate', rate],
]

describe('the names of a record, sent and answered', () => {
  test.each([
    [uk, 'generalSetting.city', 'city'],
    [uk, 'generalSetting.address[1]', 'address[1]'],
    [uk, 'generalSetting.pensionSetting', 'pensionSetting'],
    [uk, 'generalSetting.pensionSetting.optState', 'pensionSetting.optState'],
    [uk, 'bankSetting', 'bank'],
    [uk, 'bankSetting.sortCode', 'bank.sortCode'],
    [uk, 'payrollSetting.openingBalance.tax', 'setting.openingBalance.tax'],
    [ireland, 'bankSetting.country', 'bank.country'],
    [ireland, 'payrollSetting.ppsNumber', 'setting.ppsNumber'],
    [rate, 'includeInPayeCalculation', 'includeInPayeUmbrellaCalculation'],
    [rate, 'hoursPerUnit', 'hoursPerUnit'],
  ])('%#: are read in both directions', (type, request, answer) => {
    expect(answerPath(type, request)).toBe(answer)
    expect(requestPath(type, answer)).toBe(request)
  })

  test.each(all)('the names of every field of %s lead there and back', (_, type) => {
    for (const { path } of leafFields(type.fields)) {
      expect(requestPath(type, answerPath(type, path))).toBe(path)
    }
    const answers = leafFields(type.fields).map(({ path }) => answerPath(type, path))
    expect(new Set(answers).size).toBe(answers.length)
  })

  test.each(all)(
    'the name of every answered field of %s leads to one that is sent, or it is the service’s own',
    (_, type) => {
      const own = leafFields(type.answer?.type.fields ?? {})
        .map(({ path }) => path)
        .filter((path) => !fieldAt(type.fields, requestPath(type, path)))
      expect(own.filter((path) => !path.includes('.')).sort()).toEqual(
        type === rate
          ? ['author', 'createdAt', 'id', 'incrementId', 'isStatutory', 'updatedAt']
          : ['dateLeft', 'id', 'reason', 'status'],
      )
    },
  )

  test('are not taken for one another by their beginning', () => {
    expect(requestPath(uk, 'bankrupt')).toBe('generalSetting.bankrupt')
    expect(requestPath(uk, 'settings.x')).toBe('generalSetting.settings.x')
    expect(answerPath(rate, 'includeInPayeCalculationToo')).toBe('includeInPayeCalculationToo')
  })

  test('are the same of a record whose answer nobody describes', () => {
    expect(answerPath(timesheet, 'rates')).toBe('rates')
    expect(requestPath(timesheet, 'rates')).toBe('rates')
  })
})

test.each<[string, JsonObject, unknown]>([
  ['under the name of the answer', { bank: { sortCode: '1' } }, '1'],
  ['under that of the request', { bankSetting: { sortCode: '2' } }, '2'],
  [
    'under both: that of the answer is meant',
    { bank: { sortCode: '1' }, bankSetting: { sortCode: '2' } },
    '1',
  ],
  ['under both, and empty in the answer', { bank: { sortCode: '' }, bankSetting: { sortCode: '2' } }, '2'],
  ['as null under the name of the answer', { bank: { sortCode: null } }, null],
  ['nowhere', { bank: {} }, undefined],
])('the value of a field is read from an answer that has it %s', (_, record, value) => {
  expect(valueInResponse(record, { request: 'bankSetting.sortCode', item: 'bank.sortCode' })).toBe(value)
})

describe('a request from an answer', () => {
  const ejhDate = '2026-04-08T00:00:00.000Z'
  const pensionSetting = { optInDate: '2026-07-08', ejhDate, optOutDate: null }
  const flags = { payrollApproveNeeded: false, includeInTimesheetRate: false }
  const vat = { defaultVATCode: { id: 'v-1', VATRate: '20%' }, includeInPayeUmbrellaCalculation: true }
  const points = { taxRateCutOffPoints: [{ index: 1, taxRatePercent: '20' }] }
  const cutOffs = { cutOffPoints: { type: 'EXEMPT', values: [] } }
  const bank = { byYear: { 2026: { 4: 'x' } } }

  test.each<[string, RecordType, JsonObject, JsonObject]>([
    [
      'makes timestamps of the pension’s dates',
      ireland,
      { pensionSetting },
      { generalSetting: { pensionSetting: { optInDate: '2026-07-08T00:00:00.000Z', ejhDate } } },
    ],
    ['leaves other dates', ireland, { DOB: '1991-03-14' }, { generalSetting: { DOB: '1991-03-14' } }],
    [
      'makes text of a flag that is sent as text',
      ireland,
      { setting: flags },
      { payrollSetting: { ...flags, payrollApproveNeeded: 'false' } },
    ],
    [
      'makes numbers of numeric text',
      rate,
      { hoursPerUnit: '7.50', code: '007' },
      { hoursPerUnit: 7.5, code: '007' },
    ],
    ['leaves a number that is one already', rate, { hoursPerUnit: 8 }, { hoursPerUnit: 8 }],
    [
      'leaves text that is no number, and makes no null of it',
      rate,
      { hoursPerUnit: 'n/a' },
      { hoursPerUnit: 'n/a' },
    ],
    ['leaves empty text', rate, { hoursPerUnit: '' }, { hoursPerUnit: '' }],
    [
      'takes the identifier of an object',
      rate,
      vat,
      { defaultVATCode: 'v-1', includeInPayeCalculation: true },
    ],
    ['leaves an identifier that is one already', rate, { defaultVATCode: 'v-1' }, { defaultVATCode: 'v-1' }],
    [
      'leaves out what is null, which was never given, and what is the service’s own',
      ireland,
      {
        id: 'x',
        status: 'ACTIVE',
        reason: 'r',
        city: null,
        bank: { bankName: null },
        setting: { holidayPayRate: null },
      },
      {},
    ],
    [
      'keeps lists and their objects whole',
      ireland,
      { address: ['a', 'b'], setting: points },
      { generalSetting: { address: ['a', 'b'] }, payrollSetting: points },
    ],
    ['keeps a value of no shown type whole', ireland, { setting: cutOffs }, { payrollSetting: cutOffs }],
    [
      'keeps in their place the fields that nobody declared, however they are named inside',
      uk,
      { city: 'York', nickname: 'Zed', bank, pensionSetting: { more: { 'c.d': 1, e: null } } },
      {
        generalSetting: { city: 'York', nickname: 'Zed', pensionSetting: { more: { 'c.d': 1 } } },
        bankSetting: bank,
      },
    ],
    ['is empty of an empty answer', uk, {}, {}],
  ])('%s', (_, type, answer, request) => {
    const untouched = structuredClone(answer)
    expect(mapRecord(type, answer).body).toEqual(request)
    expect(answer).toEqual(untouched)
  })
})
