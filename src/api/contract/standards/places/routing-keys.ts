/** The numbers that follow each letter in the 139 routing keys of Eircode. */
const numbers = {
  A: '41 42 45 63 67 75 81 82 83 84 85 86 91 92 94 96 98',
  C: '15',
  D: '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 20 22 24 6W',
  E: '21 25 32 34 41 45 53 91',
  F: '12 23 26 28 31 35 42 45 52 56 91 92 93 94',
  H: '12 14 16 18 23 53 54 62 65 71 91',
  K: '32 34 36 45 56 67 78',
  N: '37 39 41 91',
  P: '12 14 17 24 25 31 32 36 43 47 51 56 61 67 72 75 81 85',
  R: '14 21 32 35 42 45 51 56 93 95',
  T: '12 23 34 45 56',
  V: '14 15 23 31 35 42 92 93 94 95',
  W: '12 23 34 91',
  X: '35 42 91',
  Y: '14 21 25 34 35',
}

/** The first three characters of every Eircode. */
export const routingKeys: ReadonlySet<string> = new Set(
  Object.entries(numbers).flatMap(([letter, those]) => those.split(' ').map((number) => letter + number)),
)
