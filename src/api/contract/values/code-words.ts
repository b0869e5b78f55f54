/**
 * What people write for a code, besides the code itself in any case and punctuation: `Four weekly` needs no line here,
 * `4 weekly` does. A word counts only at a field that knows the code.
 */
export const codeWords: Readonly<Record<string, readonly string[]>> = {
  WEEKLY: ['wkly', 'week', 'w', 'every week', 'per week'],
  FORTNIGHTLY: ['2 wkly', 'fortnight', 'two weekly', '2 weekly', 'every two weeks', 'every 2 weeks'],
  FOUR_WEEKLY: ['4 weekly', '4 wkly', 'every four weeks', 'every 4 weeks', 'lunar'],
  MONTHLY: ['mthly', 'month', 'm', 'calendar monthly', 'every month', 'per month'],
  MALE: ['m'],
  FEMALE: ['f'],
  PAYEE: ['paye'],
  W1M1: ['w1', 'm1', 'week 1', 'month 1', 'week 1 month 1', 'week one month one', 'non cumulative'],
  WEEK_1: ['w1', 'week one'],
  BIOMETRIC_RESIDENCE_PERMIT: ['brp'],
  OPT_IN: ['opted in'],
  A: ['statement a'],
  B: ['statement b'],
  C: ['statement c'],
}
