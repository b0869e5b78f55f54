import { describe, expect, test } from 'vitest'
import type { Standard } from '../../../src/model/fields/field.ts'
import { standardForm } from '../../../src/model/standards/standards.ts'

const typed: readonly (readonly [Standard, string, string])[] = [
  ['nino', 'ab 12-34 56 c', 'AB123456C'],
  ['nino', 'qq 12 34 56 c', 'QQ123456C'],
  ['ppsn', '1234567 fa', '1234567FA'],
  ['sort-code', '60-16-13', '601613'],
  ['sort-code', ' 08\u00A099\u201399 ', '089999'],
  ['account-number', '0000 0190', '00000190'],
  ['iban', 'ie29 AIBK 9311-5212 3456 78', 'IE29AIBK93115212345678'],
  ['bic', 'bofi ie2d', 'BOFIIE2D'],
  ['postcode', 'ls11aa', 'LS1 1AA'],
  ['postcode', 'sw1a-1aa', 'SW1A 1AA'],
  ['eircode', 'h91ax25', 'H91 AX25'],
  ['eircode', 'A65F4E2', 'A65 F4E2'],
  ['tax-code', '1257l', '1257L'],
  ['tax-code', 'k 475', 'K475'],
  ['tax-code', 's1257L', 'S1257L'],
  ['ni-category', 'a', 'A'],
  ['prsi-class', 'a 1', 'A1'],
  ['starter-declaration', 'b', 'B'],
]

describe('the standard form', () => {
  test.each(typed)('of the %s %j is %j', (standard, text, form) => {
    expect(standardForm(standard, text)).toBe(form)
    expect(standardForm(standard, form)).toBe(form)
  })

  test.each<readonly [Standard, string]>([
    ['nino', 'AB12345OC'],
    ['nino', 'AB123456'],
    ['ppsn', '1234567B'],
    ['sort-code', '89999'],
    ['sort-code', '-601613'],
    ['sort-code', '60/16/13'],
    ['account-number', '1234567'],
    ['account-number', '12345678-'],
    ['iban', 'IE29 AIBK 9311 5212 3456 79'],
    ['postcode', 'SW1A IAA'],
    ['eircode', 'DO2 X285'],
    ['tax-code', '1257L W1'],
    ['tax-code', '1257L M1'],
    ['tax-code', '1257L X'],
    ['tax-code', 'OT'],
    ['tax-code', '１２５７L'],
    ['ni-category', 'aa'],
    ['nino', ''],
    ['nino', ' - '],
  ])('is not for the %s %j, which differs in more than spaces, dashes and case', (standard, text) => {
    expect(standardForm(standard, text)).toBeUndefined()
  })

  test.each(['name', 'reference', 'phone', 'utr', 'vat-number', undefined] as const)(
    'is nothing that %s has',
    (standard) => {
      expect(standardForm(standard, 'a b-c 1')).toBeUndefined()
    },
  )
})
