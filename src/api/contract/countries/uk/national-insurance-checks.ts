import type { Issue } from '../../../../errors.ts'
import { type Parts, textOf } from '../../standards/cross-checks/parts.ts'
import { ageOn } from '../../standards/plausible.ts'

const path = 'payrollSetting.niCategory'

/** The lowest State Pension age. It rises to 67 by 2028. */
const statePensionAge = 66

/** Checks that the NI category letter suits the person (HMRC, NIM01540 and the category letters of GOV.UK). */
export function nationalInsuranceChecks({ generalSetting, payrollSetting }: Parts, today: string): Issue[] {
  const letter = textOf(payrollSetting, 'niCategory').toUpperCase()
  if (letter.length !== 1) return []
  return [
    ...workplace(letter, textOf(payrollSetting, 'workplacePostcode')),
    ...marriedWoman(letter, textOf(generalSetting, 'gender').toUpperCase()),
    ...apprentice(letter, payrollSetting.isApprentice),
    ...age(letter, ageOn(textOf(generalSetting, 'DOB'), today)),
  ]
}

function workplace(letter: string, postcode: string): Issue[] {
  if (!'FISLNEKD'.includes(letter) || postcode) return []
  const message = `NI category ${letter} needs it: HMRC refuses the whole submission without it`
  return [{ path: 'payrollSetting.workplacePostcode', message }]
}

function marriedWoman(letter: string, gender: string): Issue[] {
  if (!'BIE'.includes(letter) || !gender || gender.startsWith('F')) return []
  return [{ path, message: `${letter} is the reduced rate for married women, but the gender is different` }]
}

function apprentice(letter: string, isApprentice: unknown): Issue[] {
  if (letter !== 'H' || isApprentice === true) return []
  return [{ path, message: 'H is for apprentices under 25, but the apprentice field is not set' }]
}

function age(letter: string, years: number | undefined): Issue[] {
  if (years === undefined || years < 0) return []
  if (letter === 'H' && years >= 25) return [{ path, message: 'H is for apprentices under 25' }]
  if ('MZ'.includes(letter) && years >= 21) return [{ path, message: `${letter} is for employees under 21` }]
  if ('CKS'.includes(letter) && years < statePensionAge) {
    return [{ path, message: `${letter} is for employees over State Pension age` }]
  }
  return []
}
