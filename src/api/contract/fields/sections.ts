/** The parts of a candidate in the order an admin thinks of them: who, where, job, bank, tax, the rest. */
export const sections = {
  person: 'Person',
  contact: 'Address and contact',
  job: 'Job and pay',
  bank: 'Bank',
  tax: 'Tax',
  social: 'USC, PRSI and LPT',
  starter: 'Starter and P45',
  loans: 'Student loans',
  pension: 'Pension',
  emergency: 'Emergency contact',
  work: 'Right to work',
  holiday: 'Holiday pay and expenses',
  margin: 'Margin and timesheets',
  contractor: 'CIS and company',
  account: 'Portal and agency',
  opening: 'Opening balance',
} as const

export type Section = keyof typeof sections
