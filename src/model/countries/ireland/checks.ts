import type { Issue } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import type { Facts, FactValues } from '../../facts/facts.ts'
import { ageOn, weeksOfYear } from '../../standards/plausible.ts'
import { amountAt, type Parts, textIn } from '../../standards/warning.ts'

/** Checks that an Irish candidate's PRSI class suits the person, that the USC bands rise, and that a yearly amount is one. */
export function irelandChecks(
  { generalSetting, payrollSetting }: Parts,
  today: string,
  facts: Facts,
): Issue[] {
  return [
    ...prsi(payrollSetting, generalSetting, today, facts),
    ...bands(payrollSetting, 'frequency'),
    ...bands(payrollSetting, 'annual'),
    ...cutOff(textIn(payrollSetting, 'yearlyRateCutOff'), today, facts),
    ...subcontractor(payrollSetting),
  ]
}

/** A fifth of the cut-off point of a single person: a zero is missing, or it is for a month. Nothing is that of a second job. */
function cutOff(yearly: string, today: string, facts: Facts): Issue[] {
  const single = facts.on('standard-cut-off', 'ireland', today)?.value.single
  const amount = Number(yearly)
  if (single === undefined || !(amount > 0 && amount < single / 5)) return []
  const usual = single.toLocaleString('en-GB')
  const message = `unusually low for a year: it is ${usual} for a single person in ${today.slice(0, 4)}`
  return [{ path: 'payrollSetting.yearlyRateCutOff', message }]
}

function prsi(payroll: JsonObject, general: JsonObject, today: string, facts: Facts): Issue[] {
  const born = textIn(general, 'DOB')
  const exemption = textIn(payroll, 'prsiExemption')
  // assumed: a value that begins with "no" says that there is none; the service's values are not shown.
  const isExempt = exemption !== '' && !/^no/i.test(exemption)
  const letter = textIn(payroll, 'prsiEeClasses').charAt(0).toUpperCase()
  if (letter === 'A' && isExempt)
    return [{ path: 'payrollSetting.prsiExemption', message: 'there is an exemption, but class A pays PRSI' }]
  const ages = facts.on('contribution-ages', 'ireland', today)?.value
  const age = ageOn(born, today)
  if (!ages || age === undefined) return []
  const bands = facts.on('prsi-bands', 'ireland', today)?.value
  const message = classDoubt(letter, { age, born, isExempt, pay: weeklyPay(general) }, ages, bands)
  return message === undefined ? [] : [{ path: 'payrollSetting.prsiEeClasses', message }]
}

/** The pay of a week by the rate or the salary; undefined where it is not known. */
function weeklyPay(general: JsonObject): number | undefined {
  const [hourly = 0, hours = 0, yearly = 0] = ['rateHour', 'hours', 'annualSalary'].map((name) =>
    amountAt(general, name),
  )
  if (hourly > 0 && hours > 0) return hourly * hours
  return yearly > 0 ? yearly / weeksOfYear : undefined
}

/** gov.ie: who was born before 1958 pays none from 66 on; others do until 70, unless a State Pension (Contributory) was awarded. */
function classDoubt(
  letter: string,
  {
    age,
    born,
    isExempt,
    pay,
  }: {
    readonly age: number
    readonly born: string
    readonly isExempt: boolean
    readonly pay?: number | undefined
  },
  { child, pension = 0, last = 0, lastFrom = '' }: FactValues['contribution-ages'],
  bands: FactValues['prsi-bands'] | undefined,
): string | undefined {
  const isEarlier = born < lastFrom
  const ends = isEarlier ? pension : last
  if (letter === 'M' && age >= child && age < pension && !isExempt)
    return `class M is for people under ${child}, or of ${pension} and over, or with an exemption`
  if (letter === 'J' && age < pension && bands && pay !== undefined && pay < bands.from) return undefined
  if (letter === 'J' && age < pension) {
    const least = bands ? `€${bands.from}` : 'the least that PRSI is paid for'
    return `class J is for people of ${pension} and over, or who earn less than ${least} a week`
  }
  if (letter === 'J' && age < ends)
    return `class A until ${last}, unless a State Pension (Contributory) was awarded: then J`
  if (letter === 'A' && age >= ends) return `class J from ${ends} on`
  return letter === 'S' && (age < child || age >= last)
    ? `class S is for the self-employed from ${child} to ${last}`
    : undefined
}

/**
 * Each USC band ends above the one before, or where it ends. With a reduced rate the third is as far as the second, or
 * nothing; all zeros, as for an exempt person, are fine.
 */
function bands(payroll: JsonObject, period: 'frequency' | 'annual'): Issue[] {
  const ends = ['zeroPointFive', 'two', 'fourPointFive']
    .map((band, index) => ({ name: `${period}_${band}`, rate: index + 1 }))
    .filter(({ name }) => /^-?\d+(\.\d+)?$/.test(textIn(payroll, name)))
    .map((band) => ({ ...band, amount: Number(textIn(payroll, band.name)) }))
  return ends.flatMap(({ name, amount, rate }, index) => {
    const before = ends[index - 1]
    const isReduced = rate === 3 && (amount === 0 || amount === before?.amount)
    if (!before || amount > before.amount || isReduced || ends.every((each) => each.amount === 0)) return []
    const message = `not above the cut-off point of USC rate ${before.rate}: the bands rise`
    return [{ path: `payrollSetting.${name}`, message }]
  })
}

/** RCT: Revenue knows a subcontractor by a tax reference. */
function subcontractor(payroll: JsonObject): Issue[] {
  const isKnown = ['ppsNumber', 'subcontractorRefNumber'].some((name) => textIn(payroll, name) !== '')
  if (isKnown || textIn(payroll, 'paymentModel').toUpperCase() !== 'CIS') return []
  const message = 'Revenue knows a subcontractor by it, or by a PPS number'
  return [{ path: 'payrollSetting.subcontractorRefNumber', message }]
}
