import type { Issue } from '../../../../errors.ts'
import type { JsonObject } from '../../../../json/path.ts'
import { ageOn } from '../../standards/plausible.ts'
import { type Parts, textIn } from '../../standards/warning.ts'

/** Checks that an Irish candidate's PRSI class suits the person, that the USC bands rise, and that a yearly amount is one. */
export function irelandChecks({ generalSetting, payrollSetting }: Parts, today: string): Issue[] {
  return [
    ...prsi(payrollSetting, ageOn(textIn(generalSetting, 'DOB'), today)),
    ...bands(payrollSetting, 'frequency'),
    ...bands(payrollSetting, 'annual'),
    ...cutOff(textIn(payrollSetting, 'yearlyRateCutOff')),
  ]
}

/** A fifth of the standard rate cut-off point of a single person in 2026 (€44,000): a zero is missing, or it is for a month. */
const lowCutOff = 44_000 / 5

/** A cut-off point of nothing is that of a second job. */
function cutOff(yearly: string): Issue[] {
  const amount = Number(yearly)
  if (!(amount > 0 && amount < lowCutOff)) return []
  const message = 'unusually low for a year: it is 44,000 for a single person in 2026'
  return [{ path: 'payrollSetting.yearlyRateCutOff', message }]
}

function prsi(payroll: JsonObject, age = NaN): Issue[] {
  const path = 'payrollSetting.prsiEeClasses'
  const letter = textIn(payroll, 'prsiEeClasses').charAt(0).toUpperCase()
  const issues: Issue[] = []
  if (letter === 'M' && age >= 16 && age < 66) {
    issues.push({ path, message: 'class M is for people under 16, or of 66 and over' })
  }
  if (letter === 'J' && age < 66) {
    issues.push({
      path,
      message: 'class J is for people of 66 and over, or who earn less than 38 euro a week',
    })
  }
  if (letter === 'S' && (age < 16 || age >= 70)) {
    issues.push({ path, message: 'class S is for the self-employed from 16 to 70' })
  }
  const exemption = textIn(payroll, 'prsiExemption')
  // assumed: a value that begins with "no" says that there is none; the service's values are not shown.
  if (letter === 'A' && exemption && !/^no/i.test(exemption)) {
    issues.push({
      path: 'payrollSetting.prsiExemption',
      message: 'there is an exemption, but class A pays PRSI',
    })
  }
  return issues
}

/** Each USC band must end above the one before. All zeros, as for an exempt person, are fine. */
function bands(payroll: JsonObject, period: 'frequency' | 'annual'): Issue[] {
  const ends = ['zeroPointFive', 'two', 'fourPointFive']
    .map((band, index) => ({ name: `${period}_${band}`, rate: index + 1 }))
    .filter(({ name }) => /^-?\d+(\.\d+)?$/.test(textIn(payroll, name)))
    .map((band) => ({ ...band, amount: Number(textIn(payroll, band.name)) }))
  if (ends.every(({ amount }) => amount === 0)) return []
  return ends.flatMap(({ name, amount }, index) => {
    const before = ends[index - 1]
    if (!before || amount > before.amount) return []
    const message = `not above the cut-off point of USC rate ${before.rate}: the bands rise`
    return [{ path: `payrollSetting.${name}`, message }]
  })
}
