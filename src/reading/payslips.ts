import type { Client } from '../api/client.ts'
import { readSteadily } from '../api/pages.ts'
import type { JsonObject } from '../files/json/path.ts'
import type { CountryId } from '../model/countries/countries.ts'
import { numberIn } from '../model/fields/amounts.ts'
import { keyOf, nameKey, withoutTitle } from '../model/natural-key.ts'
import { deadStateOf } from '../model/records/dead-state.ts'
import type { Operation } from '../model/records/operation.ts'
import { operations } from '../model/resources/operations.ts'
import { onceForText } from '../once.ts'
import { addTo } from '../text/group-by.ts'
import { eachItem } from './lists.ts'
import { countryOfYear, firstNumberIn, type PayslipOf, payslipOf } from './payslip.ts'
import { nameWithReference } from './people.ts'
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
    const { name, reference } = slip
    const whose = nameWithReference({ name: name || undefined, reference: reference || undefined })
    use({ ...slip, whose, isDead: deadStateOf(item) !== undefined }, item)
  })

/** The payslips, by what they say of their person. */
export interface ReadSlips {
  /** By reference, as `keyOf` writes it. */
  readonly ofReference: ReadonlyMap<string, readonly ReadSlip[]>
  /** Those without a reference by name, as `nameKey` writes it, without a title. */
  readonly ofName: ReadonlyMap<string, readonly ReadSlip[]>
  /** The countries of their tax years. */
  readonly countries: ReadonlySet<CountryId>
  /** Whether there are payslips, and none says whose it is. */
  readonly areNameless: boolean
}

/** What is kept of a payslip that counts. */
export interface ReadSlip {
  readonly whose: string
  /** The name, as `nameKey` writes it, without a title; empty where there is none. */
  readonly named: string
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

export const noSlips: ReadSlips = {
  ofReference: new Map(),
  ofName: new Map(),
  countries: new Set(),
  areNameless: false,
}

/** For how many names and references the folded text is remembered. */
const mostTexts = 100_000

/** Reads the payslips that count, and keeps of each what a check needs. Throws as a list does. */
export function readPayslips(client: Client): Promise<ReadSlips> {
  return readSteadily(async () => {
    // A person has many payslips, with the same name.
    const referenceKey = onceForText(keyOf, mostTexts)
    const personKey = onceForText((name) => nameKey(withoutTitle(name)), mostTexts)
    const [ofReference, ofName] = [new Map<string, ReadSlip[]>(), new Map<string, ReadSlip[]>()]
    const countries = new Set<CountryId>()
    let count = 0
    await eachPayslip(client, operations.payslips.list, (slip, item) => {
      if (slip.isDead) return
      count += 1
      const { whose, name, reference, taxYear, period, unit } = slip
      if (name === '' && reference === '') return
      const country = taxYear === '' ? undefined : countryOfYear(taxYear)?.id
      if (country) countries.add(country)
      const named = name === '' ? '' : personKey(name)
      const read = {
        ...{ whose, named, taxYear, year: firstNumberIn(taxYear), country, period, unit },
        agency: textIn(item.agencyName),
        gross: numberIn(item.gross),
        net: numberIn(item.net ?? item.netPay),
      }
      if (reference === '') addTo(ofName, named, read)
      else addTo(ofReference, referenceKey(reference), read)
    })
    return { ofReference, ofName, countries, areNameless: count > 0 && ofReference.size + ofName.size === 0 }
  })
}
