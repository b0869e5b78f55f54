import type { JsonObject } from '../../files/json/path.ts'
import { ageOn, weeklyPay } from './plausible.ts'
import { amountAt, type Parts, type RecordRules, textAt } from './warning.ts'

/** Checks of an Irish candidate's PRSI class, USC bands, yearly cut-off point and subcontractor number. */
export const irishRules: RecordRules = {
  'payrollSetting.prsiExemption': ({ payrollSetting }) =>
    isExempt(payrollSetting) &&
    classIn(payrollSetting) === 'A' &&
    'there is an exemption, but class A pays PRSI',
  'payrollSetting.prsiEeClasses': ({ generalSetting, payrollSetting }, { today, facts }) => {
    const letter = classIn(payrollSetting)
    const born = textAt(generalSetting, 'DOB')
    const age = ageOn(born, today)
    const ages = facts.on('contribution-ages', 'ireland', today)?.value
    if (!ages || age === undefined || (letter === 'A' && isExempt(payrollSetting))) return undefined
    const { child, pension = 0, last = 0, lastFrom = '' } = ages
    if (letter === 'M' && age >= child && age < pension && !isExempt(payrollSetting))
      return `class M is for people under ${child}, or of ${pension} and over, or with an exemption`
    if (letter === 'J' && age < pension) {
      const least = facts.on('prsi-bands', 'ireland', today)?.value.from
      if (least === undefined || (payOfWeek(generalSetting) ?? least) < least) return undefined
      return `class J is for people of ${pension} and over, for less than €${least} a week, or for subsidiary employment`
    }
    // gov.ie: people born before 1958 pay none from 66 on; others pay until 70, unless a State Pension
    // (Contributory) was awarded.
    const ends = born < lastFrom ? pension : last
    if (letter === 'J' && age < ends)
      return `class A until ${last}, unless a State Pension (Contributory) was awarded: then J`
    if (letter === 'A' && age >= ends)
      return `${ends === last ? '' : `born before ${lastFrom.slice(0, 4)}: `}from ${ends} on the class is J`
    const isOther = letter === 'S' && (age < child || age >= last)
    return isOther && `class S is for the self-employed from ${child} to ${last}`
  },
  ...bandRules('frequency'),
  ...bandRules('annual'),
  // Under a fifth of a single person's: a zero is missing, or it is for a month. A second job may have 0. Five times: a zero too many.
  'payrollSetting.yearlyRateCutOff': ({ payrollSetting }, { today, facts }) => {
    const amount = amountAt(payrollSetting, 'yearlyRateCutOff') ?? 0
    const single = amount > 0 ? facts.on('standard-cut-off', 'ireland', today)?.value.single : undefined
    if (single === undefined || (amount >= single / 5 && amount < single * 5)) return undefined
    const usual = single.toLocaleString('en-GB')
    return `unusually ${amount < single ? 'low' : 'high'} for a year: it is ${usual} for a single person in ${today.slice(0, 4)}`
  },
  // RCT: Revenue knows a subcontractor by a tax reference.
  'payrollSetting.subcontractorRefNumber': ({ payrollSetting }) =>
    textAt(payrollSetting, 'paymentModel').toUpperCase() === 'CIS' &&
    ['ppsNumber', 'subcontractorRefNumber'].every((name) => textAt(payrollSetting, name) === '') &&
    'Revenue needs it, or a PPS number, for a subcontractor',
}

/** assumed: a value such as `none`, `N/A` or `false` says that there is none; the service's values are not shown. */
const isExempt = (payroll: JsonObject) =>
  /^(?!no|n$|n\/?a\b|nil|false|[-0])./i.test(textAt(payroll, 'prsiExemption'))

const classIn = (payroll: JsonObject) => textAt(payroll, 'prsiEeClasses').charAt(0).toUpperCase()

/** Each USC band ends above the one before. With a reduced rate, the third may be empty or end there too. */
function bandRules(period: 'frequency' | 'annual'): RecordRules {
  const names = ['zeroPointFive', 'two', 'fourPointFive'].map((band) => `${period}_${band}`)
  return Object.fromEntries(
    names.map((name, index) => [
      `payrollSetting.${name}`,
      ({ payrollSetting }: Parts) => {
        const ends = names.map((each) => amountAt(payrollSetting, each))
        const before = ends.findLastIndex((end, at) => at < index && end !== undefined)
        const [end, last] = [ends[index], ends[before]]
        if (end && index > 0 && ends[index - 1] === undefined)
          return `there is no cut-off point of USC rate ${index}, below it`
        if (end === undefined || last === undefined || end > last) return undefined
        const isReduced = index === 2 && (end === 0 || end === last)
        const isFine = isReduced || ends.every((each) => each === undefined || each === 0)
        return !isFine && `not above the cut-off point of USC rate ${before + 1}: the bands rise`
      },
    ]),
  )
}

const payOfWeek = (general: JsonObject) =>
  weeklyPay(amountAt(general, 'rateHour'), amountAt(general, 'hours'), amountAt(general, 'annualSalary'))
