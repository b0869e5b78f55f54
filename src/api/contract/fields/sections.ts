/**
 * The parts of a candidate in the order of the paper that an admin holds: HMRC's starter checklist, and Revenue's
 * registration and payroll notification (RPN); then the rest.
 */
export const sections = {
  person: 'Person',
  job: 'Work and pay',
  tax: 'Tax',
  loans: 'Student and postgraduate loans',
  rpn: 'RPN: tax, USC and PRSI',
  bank: 'Bank',
  contact: 'Contact',
  starter: 'P45 and starter',
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
