import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/files/json/path.ts'
import { fieldAt, leafFields } from '../../src/model/fields/field-tree.ts'
import { answeredValue, answerPath, requestPath } from '../../src/model/mapping/field-mapping.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../src/model/resources/payment-rate.ts'
import { timesheet } from '../../src/model/resources/timesheet.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'

const [uk, ireland, rate] = [candidate, candidateIreland, paymentRate]
const all: [string, RecordType][] = [
  ['a UK candidate', uk],
  ['an Irish candidate', ireland],
  ['a payment rate', rate],
]

describe('the names of a record, sent and answered', () => {
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
  expect(answeredValue(candidateIreland, record, 'bankSetting.sortCode')).toBe(value)
})
