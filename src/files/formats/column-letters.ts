/** The most rows of a sheet. */
export const lastRowOfSheet = 1_048_576

/** A column as spreadsheets name it: A for 0, Z for 25, AA for 26. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}
