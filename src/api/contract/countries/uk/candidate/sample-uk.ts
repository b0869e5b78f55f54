import { midnight, type Samples, sharedSamples } from '../../../candidate/samples.ts'

/** The sample person in the UK. The bank details are all of one account, the IBAN registry's sample. */
export const ukSamples: Samples = {
  standard: {
    ...sharedSamples.standard,
    nino: 'QQ654321C',
    postcode: 'SW1A 1AA',
    'sort-code': '202015',
    'account-number': '55555555',
    iban: 'GB33BUKB20201555555555',
    bic: 'BUKBGB22',
    'tax-code': '1257L',
    'ni-category': 'A',
    utr: '9987654321',
    'vat-number': 'GB123456782',
    'company-number': '01234567',
    'cis-verification': 'V0987654321',
  },
  named: {
    ...sharedSamples.named,
    nationality: 'British',
    city: 'London',
    emergencyCity: 'London',
    verificationDate: '2026-04-06',
    matchDate: '2026-04-06',
    // Only one undergraduate loan is deducted at a time.
    studentLoanPlan1StartDate: midnight('2018-04-06'),
    studentLoanPlan1EndDate: midnight('2020-04-06'),
    studentLoanPlan2StartDate: midnight('2020-04-06'),
    studentLoanPlan2EndDate: midnight('2022-04-06'),
    studentLoanPlan4StartDate: midnight('2022-04-06'),
    studentLoanPlan4EndDate: midnight('2024-04-06'),
    studentLoanPlan5StartDate: midnight('2024-04-06'),
    studentLoanPlan5EndDate: midnight('2026-04-06'),
    studentLoanPostGraEndDate: midnight('2030-04-06'),
  },
}
