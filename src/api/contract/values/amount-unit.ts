import type { Standard } from '../fields/field.ts'

interface Unit {
  /** What people write behind the number that says no more than the field itself. */
  readonly behind: RegExp
  /** What to write where something else stands behind it. */
  readonly advice: string
}

const units: Partial<Readonly<Record<Standard, Unit>>> = {
  'hourly-rate': {
    behind: /(?:(?:per|an|\/) ?h(?:(?:ou)?r)?|p ?\/? ?h(?:r)?|hourly)\.?$/i,
    advice: 'write only what one hour is paid, as 12.50',
  },
  salary: {
    behind: /(?:(?:per|an?|\/) ?(?:year|yr|annum)|p ?\/? ?a|p\.a|annually|yearly)\.?$/i,
    advice: 'write only what one year is paid, as 31200',
  },
  'weekly-hours': {
    behind: /(?:h|hrs?|hours?)(?: ?(?:per|a|\/) ?w(?:ee)?k| ?p ?\/? ?w|weekly)?\.?$/i,
    advice: 'write only the hours of one week, as 37.5',
  },
}

/** An amount with something behind it, in one spacing. */
const withWords = /^[£€$]? ?-?\d[\d.,]* ?(?:£|€|GBP|EUR)? ?[a-z/][a-z/. ]*$/i
const longest = 60

/** An amount without a unit that its field has anyway: £12.50 for "£12.50 per hour" at an hourly rate. */
export function withoutUnit(standard: Standard | undefined, text: string): string {
  const unit = standard && units[standard]
  if (!unit || !mayHaveUnit(text)) return text
  const spaced = text.replace(/\s+/g, ' ')
  return withWords.test(spaced) ? spaced.replace(unit.behind, '').trim() : text
}

/** What to write at a field instead of an amount with another unit, such as "£100 per day". */
export function unitAdvice(standard: Standard | undefined, text: string): string | undefined {
  const unit = standard && units[standard]
  return unit && mayHaveUnit(text) && withWords.test(text.replace(/\s+/g, ' ')) ? unit.advice : undefined
}

/** Most amounts are digits alone. */
const mayHaveUnit = (text: string) => text.length <= longest && /[a-z]/i.test(text)
