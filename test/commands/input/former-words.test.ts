import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'

/** What a field was called before, what it is called now, where it stands, and a value. */
const words = [
  ['uk', 'Starter statement', 'Starter declaration', 'payrollSetting.starterDeclaration', 'B'],
  ['uk', 'Paid as', 'Payment model', 'payrollSetting.paymentModel', 'PAYEE'],
  ['ireland', 'Paid as', 'Payment model', 'payrollSetting.paymentModel', 'PAYEE'],
  ['ireland', 'CIS status', 'RCT deduction rate', 'payrollSetting.cisStatus', 'GROSS'],
  ['uk', 'CIS status', 'CIS status', 'payrollSetting.cisStatus', 'GROSS'],
  ['uk', 'Enrolment state', 'Auto-enrolment status', 'generalSetting.pensionSetting.optState', 'ignition'],
  [
    'ireland',
    'Enrolment state',
    'Auto-enrolment status',
    'generalSetting.pensionSetting.optState',
    'ignition',
  ],
  [
    'uk',
    'Classified on',
    'Worker category assessed on',
    'generalSetting.pensionSetting.dateOnClassifiedOn',
    '2026-05-01',
  ],
  [
    'uk',
    'Calculation type',
    'Tax relief method',
    'generalSetting.pensionSetting.pensionCalculationType',
    'NET_PAY_ARRANGEMENT',
  ],
  ['uk', 'Director for NI', 'Company director', 'payrollSetting.isNIDirector', 'yes'],
  ['uk', 'Director since', 'Directorship start date', 'payrollSetting.NIDirectorStartDate', '2026-05-01'],
  [
    'uk',
    'Send self-bill invoices by email',
    'Self-billing invoices by email',
    'payrollSetting.isSendEmailSelfBill',
    'yes',
  ],
  ['uk', 'Gross for tax', 'Taxable pay to date', 'payrollSetting.openingBalance.grossForTax', '100'],
  ['uk', 'Gross for NI', 'NICable pay to date', 'payrollSetting.openingBalance.grossForNI', '100'],
  [
    'uk',
    'Earnings to the lower earnings limit',
    'Earnings at the LEL',
    'payrollSetting.openingBalance.grossToLel',
    '100',
  ],
  [
    'uk',
    'Earnings from there to the primary threshold',
    'Earnings above LEL up to PT',
    'payrollSetting.openingBalance.grossLelToPt',
    '100',
  ],
  [
    'uk',
    'Earnings from there to the upper earnings limit',
    'Earnings above PT up to UEL',
    'payrollSetting.openingBalance.grossPtToUEL',
    '100',
  ],
  [
    'ireland',
    'USC rate 4 a pay period',
    'USC amount above rate 3 a pay period',
    'payrollSetting.frequency_eight',
    '100.00',
  ],
] as const

test.each(words)(
  '%s: %s and %s are one field, in --set and as a heading',
  async (country, before, now, path, value) => {
    const home = freshHome()
    const flags = [`--${country}`, '--profile', 'sandbox', '--json']
    const at = (body: any) => path.split('.').reduce((value, name) => value?.[name], body)
    const found = new Set<string>()
    for (const word of [before, now, before.toLowerCase()]) {
      const names = ['--set', 'forename=Ann', '--set', 'surname=Sample']
      // The amounts of an opening balance are called as others are.
      const heading = path.includes('openingBalance') ? `Opening balance: ${word}` : word
      const set = await payroll(
        ['candidates', 'create', ...flags, ...names, '--set', `${heading}=${value}`, '--dry-run'],
        { home },
      )
      found.add(JSON.stringify(at(set.json().body) ?? set.err))
      const file = join(home, 'starters.csv')
      writeFileSync(file, `Forename,Surname,Agency reference,${heading}\nAnn,Sample,A-1,${value}\n`)
      const { columns = [] } = (
        await payroll(['candidates', 'import', file, ...flags, '--dry-run'], { home })
      ).json()
      expect([word, columns.at(-1)]).toMatchObject([word, { path }])
    }
    expect(found.size).toBe(1)
    const explained = (await payroll(['explain', `candidates.${country}.${path}`, '--json'], { home })).json()
    expect(explained.label).toBe(now)
  },
)
