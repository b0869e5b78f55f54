import { describe, expect, test } from 'vitest'
import { candidateIrelandAnswer } from '../../../src/api/contract/countries/ireland/candidate/candidate-ireland.ts'
import { card } from '../../../src/render/table/card.ts'
import { styleFor } from '../../../src/render/text/style.ts'
import { allHostile, isHarmless } from '../hostile.ts'

const { fields } = candidateIrelandAnswer
const plain = styleFor(false)

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
    expect(card(record, { fields }, plain)).toBe(
      [
        'Person',
        '  ID                     c-1',
        '  Forename               Síle',
        "  Surname                O'Sampléir",
        '  Address                Flat 2, 1 Example Street',
        '',
        'RPN: tax, USC and PRSI',
        '  ASC deducted, to date  0.00',
        '',
        'Bank',
        '  IBAN                   ******678',
        '  International account  no',
        '',
        'Opening balance',
        '  Gross                  12.12',
        '',
      ].join('\n'),
    )
  })

  test('shows a field that nobody declared under its own name, last, or in the part of what it lies in', () => {
    const record = {
      shoeSize: 44,
      nested: { deep: { er: 'x' } },
      forename: 'Síle',
      pensionSetting: { provider: 'P' },
    }
    expect(card(record, { fields }, plain)).toBe(
      [
        'Person',
        '  Forename                 Síle',
        '',
        'Pension',
        '  pensionSetting.provider  P',
        '',
        '  shoeSize                 44',
        '  nested.deep.er           x',
        '',
      ].join('\n'),
    )
  })

  test('shows a midnight as the date it begins, and any other time to the minute', () => {
    const times = { a: { type: 'timestamp', label: 'A' }, b: { type: 'timestamp', label: 'B' } } as const
    const record = { a: '2026-04-06T00:00:00.000Z', b: '2026-04-06T10:30:00.000Z' }
    expect(card(record, { fields: times }, plain)).toBe('  A  6 April 2026\n  B  6 April 2026 10:30 UTC\n')
  })

  test('is nothing when there is nothing', () => {
    expect(card({}, { fields }, plain)).toBe('')
    expect(card({ forename: null }, { fields }, plain)).toBe('')
  })

  test('is bold and dim in colour', () => {
    expect(card({ forename: 'Síle' }, { fields }, styleFor(true))).toBe(
      '\u001B[1mPerson\u001B[22m\n  \u001B[2mForename\u001B[22m  Síle\n',
    )
  })

  test.each([
    ['a value', { forename: allHostile }],
    ['a name', { [allHostile]: 'x' }],
    ['a name inside', { bank: { [allHostile]: { [allHostile]: allHostile } } }],
    ['a list', { address: [allHostile] }],
    ['a name like a part of the language', JSON.parse('{"toString":"x","__proto__":"y"}')],
  ])('is harmless with hostile text as %s', (_, record) => {
    const text = card(record, { fields }, plain)
    expect(isHarmless(text)).toBe(true)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  })

  test('lines up its values behind names of any script', () => {
    expect(card({ 名前: '山田', name: 'Síle' }, { fields: {} }, plain)).toBe('  名前  山田\n  name  Síle\n')
  })
})
