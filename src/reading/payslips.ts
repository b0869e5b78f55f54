import type { Client } from '../api/client.ts'
import { readSteadily } from '../api/pages.ts'
import type { JsonObject } from '../files/json/path.ts'
import { type Country, type CountryId, countries } from '../model/countries/countries.ts'
import { numberIn } from '../model/fields/amounts.ts'
import { deadStateOf } from '../model/records/dead-state.ts'
import { textIn } from '../model/records/identity.ts'
import type { Operation } from '../model/records/operation.ts'
import { operations } from '../model/resources/operations.ts'
import { readTaxPeriod } from '../model/standards/tax-period.ts'
import { collectSaid, type ItemPerson, nameWithReference, personOn, type ReadItems } from '../model/whose.ts'
import { eachItem } from './lists.ts'

/** What a payslip says of its person and period. Texts are empty where it does not say. */
export interface ListedSlip extends ItemPerson {
  /** Its person, in words. */
  readonly whose: string
  /** `2026/27` */
  readonly taxYear: string
  /** `NaN` where the payslip has no number. */
  readonly period: number
  readonly unit: 'week' | 'month' | ''
  /** Whether it counts for nothing: it was cancelled, or the like. */
  readonly isDead: boolean
}

/** Passes each payslip of a list to `use`. assumed: the fields seen for this kind of service, in both forms of the list. */
export const eachPayslip = (
  client: Client,
  list: Operation,
  use: (slip: ListedSlip, item: JsonObject) => void,
): Promise<void> =>
  eachItem(client, list, (item) => {
    const person = personOn(item)
    const slip = {
      ...person,
      whose: personInWords(person),
      taxYear: textIn(item.taxYear),
      ...periodIn(textIn(item.taxPeriod) || textIn(item.period)),
      isDead: deadStateOf(item) !== undefined,
    }
    use(slip, item)
  })

/** `Ann Sample (UK-07)`: the person that an item names. */
export const personInWords = ({ name, reference }: ItemPerson): string =>
  nameWithReference({ name: name || undefined, reference: reference || undefined })

/** The payslips that count. */
interface ReadSlips extends ReadItems<ReadSlip> {
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
  readonly unit: ListedSlip['unit']
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

/** A year with one payday more has a week 56 for people who are paid every four weeks. */
const lastPeriod = 56

/** The unit of the tax periods of somebody who is paid so often. */
export const unitOfPay = (frequency: string): 'week' | 'month' =>
  /month|quarter|annual/i.test(frequency) ? 'month' : 'week'

/** Reads `34`, `Tax week 34` or `month 8`; a program may write a number as 34.0. Anything else is no period: `NaN`. */
export function periodIn(text: string): Pick<ListedSlip, 'period' | 'unit'> {
  const { unit = '', number = Number.NaN } = readTaxPeriod(text.replace(/\.0$/, '')) ?? {}
  return { period: number >= 1 && number <= lastPeriod ? number : Number.NaN, unit }
}

/** The first number in a text, such as 2026 in `2026/27`; `NaN` without one. */
export const firstNumberIn = (text: string): number => Number(/\d+/.exec(text)?.[0])

/** assumed: a tax year of the UK has two years in its name, `2026/27`, and one of Ireland has one. */
export const isBritishYear = (year: string): boolean => /\D/.test(year)

/** The country whose tax years are written so: 2026/27 begins in April, and 2026 in January. */
export const countryOfYear = (year: string): Country | undefined =>
  countries.find(({ taxYearBegins: [month] }) => (month === 1) !== isBritishYear(year))
