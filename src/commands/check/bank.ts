import { type JsonObject, lastName } from '../../files/json/path.ts'
import { bankAccountOf } from '../../model/standards/bank.ts'
import { type Person, textOf } from '../../reading/people.ts'
import { compactNumber } from '../../text/words.ts'

/** The fields of a bank account. */
export const bank = {
  sortCode: 'bankSetting.sortCode',
  accountNumber: 'bankSetting.accountNumber',
  iban: 'bankSetting.IBANReference',
  bic: 'bankSetting.SWIFTNo',
} as const

/** The number of a member of a building society. */
export const rollNumberField = 'bankSetting.buildingSocietyNumber'

/** What tells an account from others. A building society has one for all, and tells them apart by the roll number. */
export function accountOfPerson(person: Person): string | undefined {
  const account = bankAccountOf({
    sortCode: bankText(person, bank.sortCode),
    accountNumber: bankText(person, bank.accountNumber),
    iban: bankText(person, bank.iban),
  })
  return account && [account, compactNumber(bankText(person, rollNumberField) ?? '')].join(' ').trim()
}

/** The bank numbers of a person that are shown, by the names of their fields. */
export function bankValues(person: Person): JsonObject {
  return Object.fromEntries(
    Object.values(bank).flatMap((path) => {
      const value = bankText(person, path)
      return value === undefined ? [] : [[lastName(path), compactNumber(value)]]
    }),
  )
}

/** The text of a bank number; undefined where there is none, or a mask in its place. */
const bankText = (person: Person, path: string): string | undefined =>
  (!person.unseen.has(path) && textOf(person, path)) || undefined
