/**
 * The check letter that PPS numbers and Irish VAT numbers share: the sum of the seven digits times 8 to 2, and
 * of the second letter times 9, modulo 23. 0 is W, 1 is A, … 22 is V.
 */
export function checkLetter(sevenDigits: string, secondLetter = ''): string {
  const digits = [...sevenDigits].reduce((sum, digit, index) => sum + Number(digit) * (8 - index), 0)
  return 'WABCDEFGHIJKLMNOPQRSTUV'.charAt((digits + 9 * weight(secondLetter)) % 23)
}

/** A counts 1 … I counts 9. No letter, and the old letters T, W and X, count 0. */
function weight(secondLetter: string): number {
  return secondLetter === '' ? 0 : 'ABCDEFGHI'.indexOf(secondLetter) + 1
}
