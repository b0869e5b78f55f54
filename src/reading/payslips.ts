import type { Client } from '../api/client.ts'
import { readSteadily } from '../api/pages.ts'
import type { JsonObject } from '../files/json/path.ts'
import type { CountryId } from '../model/countries/countries.ts'
import { numberIn } from '../model/fields/amounts.ts'
import { deadStateOf } from '../model/records/dead-state.ts'
import type { Operation } from '../model/records/operation.ts'
import { operations } from '../model/resources/operations.ts'
import { collectSaid, type ItemPerson, nameWithReference, type ReadItems } from '../model/whose.ts'
import { eachItem } from './lists.ts'
import { countryOfYear, firstNumberIn, type PayslipOf, payslipOf } from './payslip.ts'
import { textIn } from './values.ts'

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

/** The payslips that count. */
export interface ReadSlips extends ReadItems<ReadSlip> {
  /** Whether there are payslips, and none says whose it is. */
  readonly areNameless: boolean
}

/** What is kept of a payslip that counts. */
export interface ReadSlip extends ItemPerson {
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

export const noSlips: ReadSlips = { items: [], said: [], areNameless: false }

/** Reads the payslips that count, and keeps of each what a check needs. Throws as a list does. */
export function readPayslips(client: Client): Promise<ReadSlips> {
  return readSteadily(async () => {
    const [items, said] = [[] as ReadSlip[], collectSaid()]
    let count = 0
    await eachPayslip(client, operations.payslips.list, (slip, item) => {
      if (slip.isDead) return
      count += 1
      const { name, reference, isNumber, taxYear, period, unit } = slip
      if (name === '' && reference === '') return
      said.add(slip)
      items.push({
        ...{ name, reference, isNumber, taxYear, year: firstNumberIn(taxYear), period, unit },
        country: taxYear === '' ? undefined : countryOfYear(taxYear)?.id,
        agency: textIn(item.agencyName),
        gross: numberIn(item.gross),
        net: numberIn(item.net ?? item.netPay),
      })
    })
    return { items, said: said.all(), areNameless: count > 0 && items.length === 0 }
  })
}
