import type { Issue } from '../../../../errors.ts'
import type { JsonObject } from '../../../../json/path.ts'
import { type Parts, textOf } from '../../standards/cross-checks/parts.ts'
import { ageOn } from '../../standards/plausible.ts'

/** Checks that an Irish candidate's PRSI class suits the person, and that the USC bands rise. */
export function irelandChecks({ generalSetting, payrollSetting }: Parts, today: string): Issue[] {
  return [
    ...prsi(payrollSetting, ageOn(textOf(generalSetting, 'DOB'), today)),
    ...bands(payrollSetting, 'frequency'),
    ...bands(payrollSetting, 'annual'),
  ]
}

function prsi(payroll: JsonObject, age = NaN): Issue[] {
  const path = 'payrollSetting.prsiEeClasses'
  const letter = textOf(payroll, 'prsiEeClasses').charAt(0).toUpperCase()
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
  const exemption = textOf(payroll, 'prsiExemption')
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
    .map((band) => `${period}_${band}`)
    .filter((name) => /^-?\d+(\.\d+)?$/.test(textOf(payroll, name)))
    .map((name) => ({ name, amount: Number(textOf(payroll, name)) }))
  if (ends.every(({ amount }) => amount === 0)) return []
  return ends.flatMap(({ name, amount }, index) => {
    const before = ends[index - 1]
    return before && amount <= before.amount
      ? [{ path: `payrollSetting.${name}`, message: `not above ${before.name}: the USC bands rise` }]
      : []
  })
}
