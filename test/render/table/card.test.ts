import { describe, expect, test } from 'vitest'
import { candidateIrelandAnswer } from '../../../src/model/resources/ireland-candidate.ts'
import { paymentRateAnswer } from '../../../src/model/resources/payment-rate.ts'
import { formatCard } from '../../../src/render/table-output.ts'
import { styleFor } from '../../../src/render/text/style.ts'

const { fields } = candidateIrelandAnswer
const plain = styleFor(false)

const shown = (record: object, width?: number) => formatCard(record as never, { fields }, plain, width)

describe('a card', () => {
  test('shows the values under the headings of the form, and leaves out what is empty', () => {
    const record = {
      id: 'c-1',
      forename: 'Síle',
      surname: "O'Sampléir",
      title: '',
      dateLeft: null,
      address: ['Flat 2', '1 Example Street'],
      emergencyAddress: [],
      bank: { IBANReference: '******678', isInternationalAccount: false },
      setting: { totalASC: 0, openingBalance: { gross: 12.12 } },
      pensionSetting: {},
    }
    expect(shown(record)).toBe(`Person
  ID                     c-1
  Forename               Síle
  Surname                O'Sampléir
  Address                Flat 2, 1 Example Street

RPN: tax, USC and PRSI
  ASC deducted, to date  0.00

Bank
  IBAN                   ******678
  International account  no

Opening balance
  Gross                  12.12
`)
  })

  test('shows a field that nobody declared under its own name, last, or in the part of what it lies in', () => {
    const nested = { deep: { er: 'x' } }
    const record = { shoeSize: 44, nested, forename: 'Síle', pensionSetting: { provider: 'P' } }
    expect(shown(record)).toBe(`Person
  Forename                 Síle

Pension
  pensionSetting.provider  P

  shoeSize                 44
  nested.deep.er           x
`)
  })

  test('shows a midnight as the date it begins, and any other time to the minute', () => {
    const times = { a: { type: 'timestamp', label: 'A' }, b: { type: 'timestamp', label: 'B' } } as const
    const record = { a: '2026-04-06T00:00:00.000Z', b: '2026-04-06T10:30:00.000Z' }
    expect(formatCard(record, { fields: times }, plain)).toBe(
      '  A  6 April 2026\n  B  6 April 2026 10:30 UTC\n',
    )
  })

  test('is nothing when there is nothing', () => {
    expect(shown({})).toBe('')
    expect(shown({ forename: null })).toBe('')
  })

  test('fits a narrow screen: between words, and beneath its label where that is too little room', () => {
    const record = {
      id: '6af23b67-7b09-475c-844e-8b617fad678d',
      forename: 'Síle Marie Thérèse Brigid Example',
      address: ['Flat 2, the Old Example Mill', '1 Example Street'],
    }
    const lines = shown(record, 40).split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40)
    expect(lines.slice(1, 7)).toEqual([
      '  ID',
      '      6af23b67-7b09-475c-844e-8b617fad67',
      '      8d',
      '  Forename  Síle Marie Thérèse Brigid',
      '            Example',
      '  Address   Flat 2, the Old Example',
    ])
  })

  test('says codes and countries in the words of the form, and a band on each line', () => {
    const band = { index: 1, uscRatePercent: 0.5, yearlyUSCRateCutOff: '12012.00' }
    const cutOffPoints = { type: 'ORDINARY', values: [band, { index: 2, uscRatePercent: 8 }] }
    const setting = { paymentModel: 'PAYEE', cutOffPoints }
    const record = { payFrequency: 'FOUR_WEEKLY', country: 'IE', setting }
    const text = formatCard(record, { fields, currency: '€' }, plain)
    for (const line of [
      /Country +IE \(Ireland\)\n/,
      /Pay frequency +Every four weeks\n/,
      /Payment model +Employee \(PAYE\)\n/,
      /USC type +ORDINARY\n {2}USC bands +1: [^\n]*€12,012\.00\n +2: [^\n]* 8\n/,
    ])
      expect(text).toMatch(line)
  })

  test('names the record that a value belongs to, where it is one inside another', () => {
    const record = { id: 'r-1', defaultVATCode: { id: 'v-1', VATCode: 'S' } }
    expect(formatCard(record, paymentRateAnswer, plain)).toBe(`  ID                          r-1
  Default VAT code: ID        v-1
  Default VAT code: VAT code  S
`)
  })

  test('is bold and dim in colour', () => {
    expect(formatCard({ forename: 'Síle' }, { fields }, styleFor(true))).toBe(
      '\u001B[1mPerson\u001B[22m\n  \u001B[2mForename\u001B[22m  Síle\n',
    )
  })

  test('lines up its values behind names of any script', () => {
    expect(formatCard({ 名前: '山田', name: 'Síle' }, { fields: {} }, plain)).toBe(
      '  名前  山田\n  name  Síle\n',
    )
  })
})
