import type { Warning } from './warning.ts'

/** Age in full years on a day; negative before the birth. Undefined unless both are YYYY-MM-DD. */
export function ageOn(birthDate: string, today: string): number | undefined {
  if (![birthDate, today].every((date) => /^\d{4}-\d\d-\d\d$/.test(date))) return undefined
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return birthDate.slice(5) > today.slice(5) ? years - 1 : years
}

/** A worker's date of birth. */
export function birthDate(value: string, today: string): Warning | undefined {
  const age = ageOn(value, today)
  if (age === undefined) return undefined
  if (age < 0) return { message: 'a date of birth in the future' }
  if (age < 16) return { message: 'younger than 16' }
  return age > 100 ? { message: 'older than 100' } : undefined
}

/** Hours a week. */
export function weeklyHours(value: number): Warning | undefined {
  if (value > 168) return { message: 'a week has 168 hours' }
  return value < 0 ? { message: 'negative hours' } : undefined
}

/** A salary or a rate of pay. */
export function pay(value: number): Warning | undefined {
  return value < 0 ? { message: 'negative pay' } : undefined
}
