import { variablesByGroup } from '../../environment.ts'
import type { Content } from './layout.ts'

/** `help environment`. */
export const environment: Content = () => [
  'Environment variables. An option wins over a variable; an empty variable counts as unset.',
  ...variablesByGroup().flatMap(({ title, rows }) => [title, rows]),
  'A profile is chosen in this order: --profile, PAYROLL_PROFILE, PAYROLL_BASE_URL, the default profile. To see which one is in use, and where each value comes from: payroll doctor',
]
