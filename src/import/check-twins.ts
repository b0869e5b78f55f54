import {
  likenessOf,
  namesakeOf,
  ownKeys,
  type Person,
  personReader,
  sharedText,
} from '../model/person-likeness.ts'
import { hashOf, personIn } from './check-people.ts'
import { type FileCheck, keyOfRow } from './checks.ts'
import { isReady } from './entry.ts'
import type { RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'

/** So many rows of one birthday and initials are compared with a row. */
const mostAlike = 50

/** Finds rows under two references that may be one person. One number under two references is another question. */
export function checkTwins(job: ImportJob): FileCheck {
  const { service, strict } = job
  const { kind, create } = service
  const reader = personReader(kind, create.requestRecord)
  const isAboutPeople = kind.identityFields.length > 0
  /** The first row of each text, of which a number is kept that names nobody, and the rows that share one. */
  const firstRows = new Map<number, number>()
  const sharing = new Set<number>()
  const people: { readonly row: number; readonly key: string; readonly person: Person }[] = []
  return {
    onRow(each) {
      if (!isAboutPeople) return
      const { row } = each
      for (const key of ownKeys(personIn(reader, each)).map(hashOf)) {
        const first = firstRows.get(key)
        if (first === undefined) firstRows.set(key, row)
        else sharing.add(first).add(row)
      }
    },
    asksAgain: () => (sharing.size === 0 ? undefined : ({ row }) => sharing.has(row)),
    onRowAgain(row) {
      people.push({ row: row.row, key: keyOfRow(job, row), person: reader.sent(row.record) })
    },
    findings({ entries }) {
      const byKey = new Map<string, typeof people>()
      return people.flatMap((mine): RowFinding[] => {
        const keys = ownKeys(mine.person)
        const others = new Set(keys.flatMap((key) => byKey.get(key) ?? []))
        for (const key of keys) {
          const known = byKey.get(key) ?? []
          if (known.length < mostAlike) byKey.set(key, [...known, mine])
        }
        const entry = entries.get(mine.key)
        if (entry?.row !== mine.row || !isReady(entry) || entry.attempt > 1) return []
        for (const { row, key, person } of others) {
          // What is alike by name is rare, and soon said: only then the references and numbers are compared.
          if (key === mine.key || !namesakeOf(mine.person, person)) continue
          const likeness = likenessOf(mine.person, person)
          if (likeness?.by !== 'name') continue
          const shared = sharedText(likeness.shared ?? [])
          return [
            {
              row: mine.row,
              path: kind.key.request.join(', '),
              severity: strict ? 'wrong' : 'doubt',
              message: `${mine.person.reference} has ${shared} of ${person.reference} in row ${row}: would one person be created twice?`,
              cause: `another row of the file has ${shared} of this person`,
            },
          ]
        }
        return []
      })
    },
  }
}
