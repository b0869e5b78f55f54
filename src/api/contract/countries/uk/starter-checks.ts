import type { Issue } from '../../../../errors.ts'
import { type Parts, textOf } from '../../standards/cross-checks/parts.ts'
import { normalize } from '../../standards/warning.ts'

/**
 * Checks that the tax code is the usual one for the starter declaration.
 * assumed: A has the standard code, B the same on week 1/month 1, C basic rate; a P45 comes before the
 * declaration; and any allowance code stands for the standard one, which changes with the budget.
 */
export function starterChecks({ payrollSetting }: Parts): Issue[] {
  const code = normalize(textOf(payrollSetting, 'taxCode'))
  if (!code || payrollSetting.p45GrossToDate || payrollSetting.p45TaxToDate) return []
  const hasAllowance = /^[SC]?[1-9]\d{0,5}[LMNPTY]$/.test(code)
  const isFlatRate = /^[SC]?(?:BR|D[0-8])$/.test(code)
  const basis = textOf(payrollSetting, 'taxBasis').toUpperCase()
  switch (textOf(payrollSetting, 'starterDeclaration').toUpperCase()) {
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
