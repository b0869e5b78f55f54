import { prsiBand as band } from '../facts/facts.ts'

/**
 * The known words of each field, for the form, `explain`, the schema, `--set` and the import.
 * assumed: all that are not in interface.md: of HMRC or Revenue, else our guess (`originOf`).
 */
export const codeLists = {
  title: { Mr: 'Mr', Mrs: 'Mrs', Miss: 'Miss', Ms: 'Ms', Mx: 'Mx', Dr: 'Dr' },
  // Revenue asks for no more than these.
  'marital-status': {
    SINGLE: 'Single',
    MARRIED: 'Married',
    CIVIL_PARTNER: 'Civil partner',
    SEPARATED: 'Separated',
    DIVORCED: 'Divorced',
    WIDOWED: 'Widowed',
    SURVIVING_CIVIL_PARTNER: 'Surviving civil partner',
  },
  // The frequencies of HMRC's Full Payment Submission: W1, W2, W4, M1, M3, M6, MA, IO and IR.
  'pay-frequency': {
    WEEKLY: 'Weekly',
    FORTNIGHTLY: 'Every two weeks',
    FOUR_WEEKLY: 'Every four weeks',
    MONTHLY: 'Monthly',
    QUARTERLY: 'Every three months',
    BI_ANNUAL: 'Twice a year',
    ANNUAL: 'Once a year',
    ONE_OFF: 'Once only',
    IRREGULAR: 'At irregular times',
  },
  // Revenue's payroll schema, word for word.
  'irish-pay-frequency': {
    WEEKLY: 'Weekly',
    FORTNIGHTLY: 'Every two weeks',
    FOUR_WEEKLY: 'Every four weeks',
    MONTHLY: 'Monthly',
    TWICE_MONTHLY: 'Twice a month',
    WK_BASED_MONTHLY: 'Monthly, in months of four or five weeks',
    QUARTERLY: 'Every three months',
    BI_ANNUAL: 'Twice a year',
    ANNUAL: 'Once a year',
    OTHER: 'At other times',
  },
  'pay-method': {
    BACS: 'Bank transfer (BACS)',
    FASTER_PAYMENT: 'Faster Payment',
    CHAPS: 'CHAPS, on the same day',
    CHEQUE: 'Cheque',
    CASH: 'Cash',
  },
  'irish-pay-method': {
    BACS: 'Bank transfer (BACS)',
    SEPA_CREDIT_TRANSFER: 'SEPA credit transfer',
    CHEQUE: 'Cheque',
    CASH: 'Cash',
  },
  'paid-as': { PAYEE: 'Employee (PAYE)', CIS: 'Subcontractor (CIS)' },
  'irish-paid-as': { PAYEE: 'Employee (PAYE)', CIS: 'Subcontractor (RCT)' },
  // HMRC's starter checklist, "Employee statement".
  'starter-declaration': {
    A: "First job since 6 April, and no Jobseeker's Allowance, ESA, Incapacity Benefit or pension since",
    B: 'Now the only job; another one, or one of these benefits, since 6 April',
    C: 'Has another job, or a State, workplace or private pension',
  },
  // What HMRC asks of a new employee.
  'starter-type': {
    P45: 'Has a P45 of this tax year',
    STARTER_CHECKLIST: 'Has no P45: filled in a starter checklist',
  },
  'tax-basis': { W1M1: 'Week 1 / Month 1 (W1/M1)', CUMULATIVE: 'Cumulative' },
  // Revenue's "IncomeTaxCalculationBasis".
  'irish-tax-basis': {
    CUMULATIVE: 'Cumulative',
    WEEK_1: 'Week 1 / Month 1',
    EMERGENCY: 'Emergency: there is no RPN',
  },
  // Revenue's "USCStatus".
  'usc-status': { ORDINARY: 'Ordinary', EXEMPT: 'Exempt' },
  // HMRC, NIM01540 and the category letters on GOV.UK. Those of mariners are for no agency worker.
  'ni-category': {
    A: 'Most employees',
    B: 'Married women and widows who pay the reduced rate',
    C: 'Over State Pension age',
    H: 'Apprentices under 25',
    J: 'Can defer NI, because another job pays it already (CA2700)',
    M: 'Under 21',
    V: 'Veterans in their first civilian job',
    X: 'No NI is due, such as for a child under 16',
    Z: 'Under 21, can defer NI',
    F: 'Freeport, most employees',
    I: 'Freeport, married women at the reduced rate',
    L: 'Freeport, can defer NI',
    S: 'Freeport, over State Pension age',
    N: 'Investment Zone, most employees',
    E: 'Investment Zone, married women at the reduced rate',
    D: 'Investment Zone, can defer NI',
    K: 'Investment Zone, over State Pension age',
  },
  // The Department of Social Protection's classes; the bands of class A are by the week.
  'prsi-class': {
    A1: `Most employees${band('AL', 'over')}`,
    A0: `Class A${band('A0', 'to')}`,
    AX: `Class A${band('AX', 'to')}`,
    AL: `Class A${band('AL', 'to')}`,
    A4: 'Class A, in few cases',
    A6: 'Class A, in few cases',
    A7: 'Class A, in few cases',
    A8: `Community Employment${band('A0', 'to')}`,
    A9: `Community Employment${band('A0', 'over')}`,
    B0: 'Civil servants from before April 1995, lowest band',
    BX: 'Civil servants from before April 1995, middle band',
    B1: 'Civil servants from before April 1995, highest band',
    C0: 'Officers of the Defence Forces, lowest band',
    CX: 'Officers of the Defence Forces, middle band',
    C1: 'Officers of the Defence Forces, highest band',
    D0: 'Other public servants from before April 1995, lowest band',
    DX: 'Other public servants from before April 1995, middle band',
    D1: 'Other public servants from before April 1995, highest band',
    E: 'Ministers of the Church of Ireland',
    H0: 'Other ranks of the Defence Forces, lowest band',
    HX: 'Other ranks of the Defence Forces, middle band',
    H1: 'Other ranks of the Defence Forces, highest band',
    J0: `Too little pay for class A${band('from', 'under')}; or of pension age, lower band`,
    J1: 'Of pension age, upper band: born before 1958, with a State Pension (Contributory), or from 70 on',
    J9: 'Wage subsidy of 2020',
    K1: 'Holders of public office',
    M: 'No contribution, such as under 16',
    P: 'Share fishermen',
    S0: 'Self-employed, lower band',
    S1: 'Self-employed, upper band',
  },
  // Revenue's "PrsiExemptionReason".
  'prsi-exemption': {
    NONE: 'No exemption',
    A_1_PORTABLE_DOCUMENT: 'Insured in another country: A1 portable document',
    CERTIFICATE_OF_COVERAGE: 'Insured in another country: certificate of coverage',
    POSTED_WORKER_OTHER_NOTIFICATION: 'Posted worker, by another notification',
    FAMILY_MEMBER: 'Works for a member of the family',
    UNDER_16: 'Under 16',
    SOCIAL_WELFARE_SCHEME: 'On a social welfare scheme',
    OTHER: 'For another reason',
  },
  // How Revenue tells jobs apart. The second word was seen at the service with its end cut off.
  'employment-status': {
    FIRST_EMPLOYMENT: 'First job in Ireland',
    AN_ADDITIONAL_EMPLOYMENT_OR_RECOMMENCEMENT: 'Another job, or back at an earlier employer',
  },
  // Revenue's words for a director.
  director: { PROPRIETARY: 'Proprietary director', NON_PROPRIETARY: 'Non-proprietary director' },
  // Public Service Pay and Pensions Act 2017, section 35.
  asc: {
    STANDARD_ACCRUAL: 'Standard accrual',
    FAST_ACCRUAL: 'Fast accrual',
    SINGLE_SCHEME: 'Single Public Service Pension Scheme',
  },
  // HMRC, CISR51010.
  'cis-status': {
    GROSS: 'Gross payment status',
    'VERIFIED_20%': 'Registered (standard rate): 20%',
    'UNVERIFIED_30%': 'Unregistered or unverified (higher rate): 30%',
  },
  // Relevant Contracts Tax, whose rates are 0, 20 and 35%.
  rct: {
    GROSS: 'Zero rate: 0%',
    'VERIFIED_20%': 'Standard rate: 20%',
    'UNVERIFIED_35%': 'Not known to Revenue: 35%',
  },
  // The kinds of subcontractor that HMRC verifies.
  'business-type': {
    SOLE_TRADER: 'Sole trader',
    PARTNERSHIP: 'Partnership',
    COMPANY: 'Limited company',
    TRUST: 'Trust',
  },
  'tax-relief': {
    NET_PAY_ARRANGEMENT: 'Net pay arrangement',
    RELIEF_AT_SOURCE: 'Relief at source',
    SALARY_SACRIFICE: 'Salary sacrifice',
  },
  'holiday-pay': {
    ROLLED_UP: 'Rolled up: paid with each hour',
    ACCRUED: 'Accrued: paid when the holiday is taken',
    NO_HOLIDAY_PAY: 'No holiday pay',
  },
  'working-time': {
    OPT_IN: 'Opted in: 48 hours a week at most',
    OPT_OUT: 'Opted out: may work longer',
  },
  'conduct-regulations': {
    OPT_IN: 'Opted in: the regulations apply',
    OPT_OUT: 'Opted out: they do not apply',
  },
  'rate-units': { DAILY: 'Daily', HOURLY: 'Hourly', WEEKLY: 'Weekly', MONTHLY: 'Monthly' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** The name of such a list. */
export type CodeList = keyof typeof codeLists
