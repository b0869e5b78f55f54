import { describe, expect, test } from 'vitest'
import { candidateIreland, candidateIrelandAnswer } from '../../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../../src/model/resources/payment-rate.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { warnings } from '../../../src/model/standards/warnings.ts'

const today = '2026-06-15'

describe('warnings', () => {
  test('name the field and the value that was probably meant', () => {
    const generalSetting = { postCode: 'sw1a1aa', country: 'UK' }
    const body = { generalSetting, payrollSetting: { workplacePostcode: 'SW1A 1AA' } }
    expect(warnings(candidate, body, today).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'generalSetting.postCode: usually in capitals with one space; did you mean SW1A 1AA?',
      'generalSetting.country: not the code of a country (ISO 3166-1), such as GB or IE; did you mean GB?',
    ])
  })

  test('come in the order of the form, and the cross checks after them', () => {
    const body = {
      payrollSetting: { niCategory: 'N', taxCode: 'OT' },
      bankSetting: { SWIFTNo: 'MULTIPLE' },
      generalSetting: { rateHour: -1, DOB: '2030-01-01' },
    }
    expect(warnings(candidate, body, today).map(({ path }) => path)).toEqual([
      'generalSetting.DOB',
      'generalSetting.rateHour',
      'bankSetting.SWIFTNo',
      'payrollSetting.taxCode',
      'payrollSetting.workplacePostcode',
    ])
  })

  test('never show a sensitive value, nor what it may have been meant to be', () => {
    const secrets = {
      DOB: '2031-12-30',
      NINumber: 'AB12345OC',
      sortCode: '98765',
      accountNumber: '7654321',
      IBANReference: 'GB29NWBK6O161331926819',
      ppsNumber: 'I234567T',
    }
    const { DOB, NINumber, ppsNumber, ...bankSetting } = secrets
    const found = [
      ...warnings(candidate, { generalSetting: { DOB, NINumber }, bankSetting }, today),
      ...warnings(candidateIreland, { bankSetting, payrollSetting: { ppsNumber } }, today),
    ]
    expect(new Set(found.map(({ path }) => path.split('.').at(-1)))).toEqual(new Set(Object.keys(secrets)))
    for (const { message } of found) {
      expect(message).not.toMatch(/did you mean/)
      const meant = ['AB123450C', '098765', '07654321', '1234567T', 'GB29']
      for (const secret of [...Object.values(secrets), ...meant]) expect(message).not.toContain(secret)
    }
  })

  test('find a yearly cut-off point with a zero too many, and a negative tax credit', () => {
    const payrollSetting = { yearlyRateCutOff: '440000.00', taxCreditAnnual: '-4000.00' }
    expect(warnings(candidateIreland, { payrollSetting }, '2026-07-01')).toEqual([
      { path: 'payrollSetting.taxCreditAnnual', message: 'negative' },
      {
        path: 'payrollSetting.yearlyRateCutOff',
        message: 'unusually high for a year: it is 44,000 for a single person in 2026',
      },
    ])
  })

  test('find an amount with more than two decimals', () => {
    const payrollSetting = {
      taxCreditAnnual: '4000.005',
      taxCreditFrequency: '76.92',
      totalLPTToBeDeducted: '1',
    }
    expect(warnings(candidateIreland, { payrollSetting }, today)).toEqual([
      { path: 'payrollSetting.taxCreditAnnual', message: 'more than two decimals' },
    ])
  })

  test('find invisible characters in a field that no standard speaks of, and leave its line breaks alone', () => {
    const of = (nationality: string) => warnings(candidate, { generalSetting: { nationality } }, today)
    const message = 'invisible characters in it; did you mean Night porter?'
    expect(of('Night\u200B porter')).toEqual([{ path: 'generalSetting.nationality', message }])
    expect(of('Night\nporter')).toEqual([])
  })

  test('reach into lists and give the place in brackets', () => {
    const taxRateCutOffPoints = [{ yearlyRateCutOff: '1.00' }, { yearlyRateCutOff: '1.001' }]
    const body = { setting: { taxRateCutOffPoints } }
    expect(warnings(candidateIrelandAnswer, body, today).map(({ path }) => path)).toEqual([
      'setting.taxRateCutOffPoints[1].yearlyRateCutOff',
    ])
  })

  test('pass over what has another type than expected, which is an error of its own', () => {
    const body = {
      generalSetting: { postCode: 7, country: null, hours: '200', address: 'x', pensionSetting: [] },
      bankSetting: 'x',
    }
    expect(warnings(candidate, body, today)).toEqual([])
    for (const nothing of [undefined, null, 'x', []]) expect(warnings(candidate, nothing, today)).toEqual([])
  })

  test('hold no cross checks for a record that is no candidate', () => {
    const body = { code: 'A', payrollSetting: { niCategory: 'N' } }
    expect(warnings(paymentRate, body, today)).toEqual([])
  })
})
