import { describe, expect, test } from 'vitest'
import { ExactNumber } from '../../src/files/json/numbers.ts'
import { isServiceOwned, mapRecord, withNulls } from '../../src/model/mapping/map-record.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { document } from '../../src/model/resources/document.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../src/model/resources/payment-rate.ts'
import { timesheet } from '../../src/model/resources/timesheet.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { everyField } from '../every-field.ts'
import { mixSections } from './mixtures.ts'

const whole = { uk: everyField('uk'), ireland: everyField('ireland') }
const types: [string, RecordType, any][] = [
  ['UK', candidate, whole.uk],
  ['Irish', candidateIreland, whole.ireland],
]

describe.each(types)('a %s candidate with every field', (_, type, request) => {
  test.each(mixSections(request))('answered with $names is mapped whole', ({ answer }) => {
    const own = { id: 'c-1', status: 'ACTIVE', dateLeft: null, reason: null, updatedAt: '2026-04-06' }
    const untouched = structuredClone({ ...own, ...answer })
    const mapped = mapRecord(type, untouched)
    expect(mapped).toMatchObject({ misfits: [], sectionsNotReturned: [] })
    expect(mapped.body).toEqual(request)
    expect(untouched).toEqual({ ...own, ...answer })
  })

  test.each(mixSections(request))(
    'answered with $names says which section is not there',
    ({ answer, at }) => {
      for (const [section, path] of Object.entries(at)) {
        if (path.length === 0) continue
        const parent = structuredClone(answer)
        const holder = path.slice(0, -1).reduce((here: any, name) => here[name], parent)
        delete holder[path.at(-1) ?? '']
        expect(mapRecord(type, parent).sectionsNotReturned).toContain(section)
      }
    },
  )
})

describe('a section that is answered twice', () => {
  const bankSetting = { sortCode: '601613' }
  const both = (bank: object) => mapRecord(candidate, { surname: 'Example', bank, bankSetting, setting: {} })

  test('with the same content, or once as null, is taken once', () => {
    const { body: sent, misfits } = both({ ...bankSetting, bankName: 'Example' })
    expect(misfits).toEqual([])
    expect(sent.bankSetting).toEqual({ ...bankSetting, bankName: 'Example' })
    expect(both({ sortCode: null }).misfits).toEqual([])
  })

  test('with another content cannot be sent', () => {
    const message = expect.stringContaining('differently')
    expect(both({ sortCode: '202959' }).misfits).toEqual([{ path: 'bankSetting.sortCode', message }])
  })
})

describe('what has no place in a candidate', () => {
  const nested = { generalSetting: { city: 'York', bank: { x: 1 } } }

  test.each<[string, object, string[]]>([
    ['a wrapper', { employee: { surname: 'Example', bank: {} } }, ['employee', '']],
    ['a section under a third name', { surname: 'Example', bankDetails: { sortCode: '1' } }, ['bankDetails']],
    ['a section inside another', nested, ['generalSetting.bank']],
    ['a section that is text', { surname: 'Example', bank: 'GB29' }, ['bank']],
    ['a summary without one of its fields', { id: '1', name: 'Zoe Example' }, ['']],
    ['nothing', {}, ['']],
  ])('is named: %s', (_, answer, paths) => {
    expect(mapRecord(candidate, answer as any).misfits.map(({ path }) => path)).toEqual(paths)
  })

  test.each<[string, object, object]>([
    [
      'a field at the top, where the general ones are not there',
      { generalSetting: { surname: 'Example' }, version: 3 },
      { generalSetting: { surname: 'Example' }, version: 3 },
    ],
    [
      'a list of objects',
      { surname: 'Example', contacts: [{ name: 'Kim' }] },
      { generalSetting: { surname: 'Example', contacts: [{ name: 'Kim' }] } },
    ],
    [
      'a name with a dot',
      { surname: 'Example', 'bank.sortCode': 'x' },
      { generalSetting: { surname: 'Example', 'bank.sortCode': 'x' } },
    ],
  ])('is not, but keeps its place: %s', (_, answer, sent) => {
    const mapped = mapRecord(candidate, answer as any)
    expect(mapped).toMatchObject({ misfits: [] })
    expect(mapped.body).toEqual(sent)
  })
})

describe('what the service alone sets', () => {
  test.each([candidate, candidateIreland, paymentRate].map((type) => [type.displayName, type] as const))(
    'of %s is all that the document answers and does not ask',
    (_, type) => {
      const given = Object.fromEntries(
        Object.keys(type.answer?.type.fields ?? {}).map((name) => [name, null]),
      )
      const { body: sent, nulls } = mapRecord(type, { ...given, known: 'x' })
      expect(Object.keys(sent).every((name) => name in type.fields || name === 'known')).toBe(true)
      const unasked = [...nulls].filter(
        (path) => !(path in type.fields) && !path.startsWith('generalSetting.'),
      )
      expect(unasked).toEqual([])
    },
  )

  test('is left out of a timesheet and of a document too', () => {
    const own = { id: 't1', incrementId: 4, createdAt: 'x', updatedAt: 'x', deletedAt: null, success: true }
    const sent = { taxYear: 2026, more: { id: 1 } }
    expect(mapRecord(timesheet, { ...own, ...sent }).body).toEqual(sent)
    expect(mapRecord(document, { ...own, name: 'a.pdf', size: 3 }).body).toEqual({ name: 'a.pdf' })
  })

  test('is not a field of the same name that a request has', () => {
    const answered = { surname: 'E', author: 'u1', bank: { author: 'payroll', id: 7 } }
    const sent = { generalSetting: { surname: 'E' }, bankSetting: { author: 'payroll' } }
    expect(mapRecord(candidate, answered).body).toEqual(sent)
    expect(mapRecord(paymentRate, { status: 'ACTIVE', author: 'u1' }).body).toEqual({ status: 'ACTIVE' })
    expect(isServiceOwned(candidate, ['bankSetting', 'status'])).toBe(false)
  })
})

describe('values', () => {
  test('keep all of their digits', () => {
    const long = new ExactNumber('9007199254740993')
    const { body: sent } = mapRecord(candidate, { annualSalary: long, bank: { big: long } })
    expect(sent).toEqual({ generalSetting: { annualSalary: long }, bankSetting: { big: long } })
    const hours = (hoursPerUnit: string) => mapRecord(paymentRate, { hoursPerUnit }).body.hoursPerUnit
    expect(hours('7.12345678901234567')).toEqual(new ExactNumber('7.12345678901234567'))
    expect(hours('0.000000123456789012')).toBe(1.23456789012e-7)
  })

  test('of an identifier that is a number stay an identifier', () => {
    const id = new ExactNumber('12345678901234567890')
    expect(mapRecord(paymentRate, { code: 'A', defaultVATCode: { id } }).body.defaultVATCode).toBe(String(id))
  })

  test('of an object without an identifier cannot be sent', () => {
    expect(mapRecord(paymentRate, { code: 'A', defaultVATCode: { VATCode: 'T1' } }).misfits).toEqual([
      { path: 'defaultVATCode', message: 'it has no id' },
    ])
  })

  test('that are null are not in the body, however deep, and come back with withNulls', () => {
    const rates = [{ rateId: '1', vatID: null }, null]
    const mapped = mapRecord(timesheet, { taxYear: null, unseen: null, rates })
    expect(mapped.body).toEqual({ rates: [{ rateId: '1' }, null] })
    expect(withNulls(mapped.body, mapped)).toEqual({ taxYear: null, rates })
    const other = { taxYear: '2026/27', rates: [{ rateId: '2' }] }
    expect(withNulls(other, mapped)).toEqual(other)
  })
})
