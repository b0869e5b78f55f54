import { type JsonObject, lastName } from '../../files/json/path.ts'
import { bankAccountOf, bankFields } from '../../model/standards/bank.ts'
import { type Person, textOf } from '../../reading/people.ts'
import { compactNumber } from '../../text/words.ts'

/** What tells an account from others; undefined where none is shown. */
export function accountOfPerson(person: Person): string | undefined {
  const { number, rollNumber } = bankAccountOf((path) => bankText(person, path)) ?? {}
  return number && `${number} ${rollNumber}`
}

const { rollNumber: _, ...numbers } = bankFields
const shownNumbers = Object.values(numbers)

/** The bank numbers of a person that are shown, by the names of their fields. */
export function bankValues(person: Person): JsonObject {
  return Object.fromEntries(
    shownNumbers.flatMap((path) => {
      const value = bankText(person, path)
      return value === undefined ? [] : [[lastName(path), compactNumber(value)]]
    }),
  )
}

/** The text of a bank number; undefined where there is none, or a mask in its place. */
const bankText = (person: Person, path: string): string | undefined =>
  (!person.unseen.has(path) && textOf(person, path)) || undefined
