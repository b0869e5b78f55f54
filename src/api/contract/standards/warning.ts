/** What a public standard says about one value. It informs; nothing is refused because of it. */
export interface Warning {
  /** One line for a payroll admin, without a full stop. It never shows a sensitive value. */
  readonly message: string
  /** The value that was probably meant, written as the standard writes it. It earns no remark of its own. */
  readonly suggestion?: string
}

/** Without the spaces and in capitals: both are matters of handwriting, not of content. */
export function normalize(written: string): string {
  return written.replaceAll(' ', '').toUpperCase()
}

/** A value that passes once the letters and digits that look alike are told apart. */
export function lookAlike(suggestion: string): Warning {
  return { message: 'a letter and a digit look confused, such as O and 0', suggestion }
}

/** Letters read as the digits they are mistaken for: O for 0, I and L for 1. Expects capitals. */
export function asDigits(written: string): string {
  return written.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}
