import type { Client } from '../api/client.ts'
import { readSteadily } from '../api/pages.ts'
import type { JsonObject } from '../files/json/path.ts'
import type { CountryId } from '../model/countries/countries.ts'
import { numberIn } from '../model/fields/amounts.ts'
import { deadStateOf } from '../model/records/dead-state.ts'
import type { Operation } from '../model/records/operation.ts'
import { operations } from '../model/resources/operations.ts'
import { addTo } from '../text/group-by.ts'
import { eachItem } from './lists.ts'
import { countryOfYear, firstNumberIn, type PayslipOf, payslipOf } from './payslip.ts'
import { nameWithReference, type Person } from './people.ts'
import { textIn } from './values.ts'
import { type ItemPerson, type Whose, whoseIs } from './whose.ts'

/** A payslip as the list has it, and whose it is, in words. */
export interface ListedSlip extends PayslipOf {
  readonly whose: string
  /** Whether it counts for nothing: it was cancelled, or the like. */
  readonly isDead: boolean
}

/** Passes each payslip of the list to `use`. Throws as a list does. */
export const eachPayslip = (
  client: Client,
  list: Operation,
  use: (slip: ListedSlip, item: JsonObject) => void,
): Promise<void> =>
  eachItem(client, list, (item) => {
    const slip = payslipOf(item)
    use({ ...slip, whose: personInWords(slip), isDead: deadStateOf(item) !== undefined }, item)
  })

/** `Ann Sample (UK-07)`: the person that an item names. */
export const personInWords = ({ name, reference }: ItemPerson): string =>
  nameWithReference({ name: name || undefined, reference: reference || undefined })

/** The payslips that count, and what they say of their people. */
export interface ReadSlips {
  readonly slips: readonly ReadSlip[]
  readonly said: readonly ItemPerson[]
  /** Whether there are payslips, and none says whose it is. */
  readonly areNameless: boolean
}

/** What is kept of a payslip that counts. */
export interface ReadSlip {
  readonly of: ItemPerson
  /** `2026/27` */
  readonly taxYear: string
  readonly year: number
  /** The country of its tax year; undefined where it has none. */
  readonly country: CountryId | undefined
  readonly period: number
  readonly unit: PayslipOf['unit']
  readonly agency: string
  readonly gross: number | undefined
  /** assumed: the name of this field. "Fields of … payslip …: not shown." */
  readonly net: number | undefined
}

export const noSlips: ReadSlips = { slips: [], said: [], areNameless: false }

/** Reads the payslips that count, and keeps of each what a check needs. Throws as a list does. */
export function readPayslips(client: Client): Promise<ReadSlips> {
  return readSteadily(async () => {
    const slips: ReadSlip[] = []
    // A person has many payslips, which say the same.
    const said = new Map<string, ItemPerson>()
    let count = 0
    await eachPayslip(client, operations.payslips.list, (slip, item) => {
      if (slip.isDead) return
      count += 1
      const { name, reference, isNumber, taxYear, period, unit } = slip
      if (name === '' && reference === '') return
      const key = `${isNumber} ${reference}\n${name}`
      const of = said.get(key) ?? { reference, isNumber, name }
      said.set(key, of)
      slips.push({
        ...{ of, taxYear, year: firstNumberIn(taxYear), period, unit },
        country: taxYear === '' ? undefined : countryOfYear(taxYear)?.id,
        agency: textIn(item.agencyName),
        gross: numberIn(item.gross),
        net: numberIn(item.net ?? item.netPay),
      })
    })
    return { slips, said: [...said.values()], areNameless: count > 0 && slips.length === 0 }
  })
}

/** The payslips of each person, of several where it is not certain whose they are. */
export interface SlipsOfPeople extends ReadSlips {
  readonly whose: (slip: ReadSlip) => Whose<Person>
  readonly ofPerson: (person: Person) => readonly ReadSlip[]
}

/** Finds the payslips of people. `people`: those of all countries. */
export function slipsOfPeople(read: ReadSlips, people: readonly Person[]): SlipsOfPeople {
  const { whose } = whoseIs(people, read.said)
  const byPerson = new Map<Person, ReadSlip[]>()
  for (const slip of read.slips) for (const person of whose(slip.of).people) addTo(byPerson, person, slip)
  return { ...read, whose: ({ of }) => whose(of), ofPerson: (person) => byPerson.get(person) ?? [] }
}
