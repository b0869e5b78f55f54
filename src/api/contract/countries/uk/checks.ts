import type { Issue } from '../../../../errors.ts'
import { ageOn } from '../../standards/plausible.ts'
import { normalize, type Parts, textIn } from '../../standards/warning.ts'

/** Checks that the NI category and the tax code suit the person. */
export function ukChecks(parts: Parts, today: string): Issue[] {
  return [...nationalInsuranceChecks(parts, today), ...starterChecks(parts)]
}

const path = 'payrollSetting.niCategory'

/** The lowest State Pension age. It rises to 67 by 2028. */
const statePensionAge = 66

/** Checks that the NI category letter suits the person (HMRC, NIM01540 and the category letters of GOV.UK). */
function nationalInsuranceChecks({ generalSetting, payrollSetting }: Parts, today: string): Issue[] {
  const letter = textIn(payrollSetting, 'niCategory').toUpperCase()
  if (letter.length !== 1) return []
  return [
    ...workplace(letter, textIn(payrollSetting, 'workplacePostcode')),
    ...marriedWoman(letter, textIn(generalSetting, 'gender').toUpperCase()),
    ...apprentice(letter, payrollSetting.isApprentice),
    ...age(letter, ageOn(textIn(generalSetting, 'DOB'), today)),
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

/**
 * Checks that the tax code is the usual one for the starter declaration.
 * assumed: A has the standard code, B the same on week 1/month 1, C basic rate; a P45 comes before the
 * declaration; and any allowance code stands for the standard one, which changes with the budget.
 */
function starterChecks({ payrollSetting }: Parts): Issue[] {
  const code = normalize(textIn(payrollSetting, 'taxCode'))
  if (!code || payrollSetting.p45GrossToDate || payrollSetting.p45TaxToDate) return []
  const hasAllowance = /^[SC]?[1-9]\d{0,5}[LMNPTY]$/.test(code)
  const isFlatRate = /^[SC]?(?:BR|D[0-8])$/.test(code)
  const basis = textIn(payrollSetting, 'taxBasis').toUpperCase()
  switch (textIn(payrollSetting, 'starterDeclaration').toUpperCase()) {
    case 'A':
      if (isFlatRate) return [onTaxCode('declaration A, a first job, usually has 1257L and not a flat rate')]
      return basis === 'W1M1' ? [onBasis('declaration A usually goes with the cumulative basis')] : []
    case 'B':
      if (isFlatRate)
        return [onTaxCode('declaration B, now the only job, usually has 1257L and not a flat rate')]
      return hasAllowance && basis.startsWith('CUMUL')
        ? [onBasis('declaration B usually goes with week 1/month 1')]
        : []
    case 'C':
      return hasAllowance
        ? [
            onTaxCode(
              'declaration C, another job or pension, usually has BR: the allowance is used up in the other',
            ),
          ]
        : []
    default:
      return []
  }
}

const onTaxCode = (message: string): Issue => ({ path: 'payrollSetting.taxCode', message })
const onBasis = (message: string): Issue => ({ path: 'payrollSetting.taxBasis', message })
