import { keyOf } from '../../model/natural-key.ts'
import {
  type ComparedPerson,
  earlierAlike,
  likenessOf,
  rareKeys,
} from '../../model/values/person-likeness.ts'
import { onceFor } from '../../once.ts'
import type { Person } from '../../reading/people.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Payroll } from './rule.ts'

/** Each person who may be the same as an earlier one, by reference, with that other person. */
export const alikeIn = onceFor((payroll: Payroll) => [...eachAlike(payroll)])

function* eachAlike({ people }: Payroll) {
  // Only people of one country are compared, because a person may be paid in both.
  const keysOf = (person: Person) => rareKeys(person).map((key) => `${person.country.id} ${key}`)
  const sharing = [...groupBy(people, keysOf).values()].filter(({ length }) => length > 1).flat()
  // Only people who share a key are put in order, and they are few.
  const sorted = [...new Set(sharing)].sort((one, other) =>
    (one.reference ?? one.id ?? '').localeCompare(other.reference ?? other.id ?? ''),
  )
  const alikeBefore = earlierAlike(keysOf)
  for (const person of sorted) {
    for (const other of alikeBefore(person)) {
      const isOne = person.reference && keyOf(person.reference) === keyOf(other.reference ?? '')
      const likeness = isOne ? undefined : likenessOf(withoutIds(person), withoutIds(other))
      if (!likeness) continue
      yield { person, other, likeness }
      break
    }
  }
}

/** A person without reference and id: an import compares references that look alike. */
const withoutIds = onceFor(
  (person: Person): ComparedPerson => ({ ...person, reference: undefined, id: undefined }),
)
