import { type Held, irishPerson, timesheet, ukPerson, withoutNulls } from './records.ts'
import type { Kind } from './store.ts'

/** A file to import: what each row becomes, and the reference by which it is known. */
export interface Starters {
  readonly command: string
  readonly kind: Kind
  readonly rows: readonly Held[]
  readonly refOf: (record: Held) => string
}

const numbers = [1, 2, 3, 4, 5]
const personOf = ({ generalSetting }: Held) => generalSetting.agencyRef

/** The fields that only the service has a word for are not in a file, and neither is what there is none of. */
const known = (person: Held): Held => {
  delete person.generalSetting.costCentre
  return withoutNulls(person)
}

export const imports: readonly Starters[] = [
  {
    command: 'candidates import --uk',
    kind: 'uk',
    rows: numbers.map((at) => known(ukPerson(`STARTER-${at}`, at))),
    refOf: personOf,
  },
  {
    command: 'candidates import --ireland',
    kind: 'ireland',
    rows: numbers.map((at) => known(irishPerson(`STARTER-${at}`, at))),
    refOf: personOf,
  },
  {
    command: 'timesheets import',
    kind: 'timesheets',
    rows: numbers.map((at) => timesheet(`STARTER-${at}`, at)),
    refOf: ({ subcontractorRef }) => subcontractorRef,
  },
]
