import { body } from '../commands/targets.ts'

/** The key that no stream may show, with characters that every encoding has to do something about. */
export const key = 'CANARY/key+"0000'

/** What is sensitive of the two people below: each value is nowhere else in this repository. */
export const personal = {
  born: '1907-08-09',
  nationalInsurance: 'QQ919293A',
  sortCode: '909192',
  accountNumber: '93949596',
  ppsNumber: '9192939FA',
  iban: 'GB00TEST90919293949596',
} as const

const uk = body('examples/candidate-uk.json')
const irish = body('examples/candidate-ireland.json')
const bankSetting = {
  sortCode: personal.sortCode,
  accountNumber: personal.accountNumber,
  IBANReference: personal.iban,
}

/** Bodies of two people who do not exist. */
export const people = {
  uk: {
    ...uk,
    generalSetting: { ...uk.generalSetting, DOB: personal.born, NINumber: personal.nationalInsurance },
    bankSetting: { ...uk.bankSetting, ...bankSetting },
  },
  ireland: {
    ...irish,
    generalSetting: { ...irish.generalSetting, DOB: personal.born },
    payrollSetting: { ...irish.payrollSetting, ppsNumber: personal.ppsNumber },
    bankSetting: { ...irish.bankSetting, ...bankSetting },
  },
}

/** The text of a value in the four forms in which it gets into a log. In base64, from wherever it begins. */
export function fourForms(value: string): string[] {
  const base64 = (before: string) => Buffer.from(before + value).toString('base64')
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    // Without the characters that what stands before and after has a part in.
    base64('').slice(0, 12),
    base64('u').slice(2, 14),
    base64('us').slice(3, 15),
  ]
}

/** The names of the canaries that a text shows. */
export function shown(text: string, canaries: Readonly<Record<string, string>>): string[] {
  return Object.entries(canaries)
    .filter(([, value]) => fourForms(value).some((form) => text.includes(form)))
    .map(([name]) => name)
}
