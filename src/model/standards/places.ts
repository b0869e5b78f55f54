import { asDigits, type TextRule } from './standard-rule.ts'

/** Royal Mail's rules for the letters at each position (BS 7666), without the space. */
const ukShape =
  /^(GIR0AA|[A-PR-UWYZ](\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY])\d[ABD-HJLNP-UW-Z]{2})$/

/** The letters before the first digit of a postcode, with those of the Crown dependencies, Gibraltar and the forces (BF). */
const areas: ReadonlySet<string> = new Set(
  (
    'AB AL B BA BB BD BF BH BL BN BR BS BT BX CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX ' +
    'FK FY G GL GU GX GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG ' +
    'NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW ' +
    'UB W WA WC WD WF WN WR WS WV YO ZE'
  ).split(' '),
)

/** Whether a postcode has the right shape and an area that exists. A district 0 is a second one of two letters, as CR0; none begins with 0. */
function isUkPostcode(code: string): boolean {
  if (!ukShape.test(code)) return false
  const [, area = '', district = ''] = /^([A-Z]{1,2})(\d\w*)$/.exec(code.slice(0, -3)) ?? []
  return (
    code === 'GIR0AA' ||
    (areas.has(area) && (!district.startsWith('0') || (area.length > 1 && district === '0')))
  )
}

/** Eircode: a routing key of three characters and four more, from an alphabet of fifteen letters and ten digits. */
const irishShape = /^(D6W|[ACDEFHKNPRTVWXY]\d\d)[0-9ACDEFHKNPRTVWXY]{4}$/

/** A UK postcode. HMRC accepts it only with the space in the right place. */
export const postcode: TextRule = {
  sentence: 'Outward and inward part with one space between, as SW1A 1AA (Royal Mail).',
  fits: isUkPostcode,
  form: (code) => `${code.slice(0, -3)} ${code.slice(-3)}`,
  meant: rereadUk,
  faults: [
    [irishShape, 'looks like an Eircode, not a UK postcode'],
    [ukShape, 'no UK postcode begins with these letters and digits'],
  ],
  otherwise: 'not a UK postcode, such as SW1A 1AA',
}

/** An Eircode. Only a licensed database knows whether the address exists. */
export const eircode: TextRule = {
  sentence: 'A routing key and four characters, as D02 X285 (Eircode).',
  notes: [
    [
      (code) => irishShape.test(code) && !routingKeys.has(code.slice(0, 3)),
      'the first three characters are not a routing key of any Irish post town',
    ],
  ],
  fits: (code) => irishShape.test(code),
  form: (code) => `${code.slice(0, 3)} ${code.slice(3)}`,
  // No Eircode contains an O, an I or an L.
  meant: (code) => [asDigits(code)],
  faults: [[ukShape, 'looks like a UK postcode, not an Eircode']],
  otherwise: 'not an Eircode, such as D02 X285',
}

/** The postcodes that were probably meant: changes as few confused letters and digits as possible. */
function rereadUk(code: string): string[] {
  const outward = code.slice(0, -3)
  const inward = asDigits(code.slice(-3, -2)) + code.slice(-2)
  return [
    outward,
    outward.replace(/^0/, 'O'),
    outward.replace(/^([A-Z])0/, '$1O'),
    outward.replace(/^([A-Z]+)0(?=\d)/, '$1'),
    outward.slice(0, 2) + asDigits(outward.slice(2)),
    outward.slice(0, 1) + asDigits(outward.slice(1)),
  ].map((other) => other + inward)
}

/** A line of an address. */
export const addressLine: TextRule = {
  sentence: 'A house and a street, and no date, email or other number.',
  blanksCount: true,
  fits: (line) => !/^[\d\s/.+-]{6,}$|@|^[A-Z]{2}(?: ?\d){6} ?[A-D]$|^\d{7}[A-Z]{1,2}$/i.test(line),
  otherwise: 'a date, a number or an email, and no line of an address',
}

/** A town or a county; some have a district behind it, such as Dublin 24. */
export const place: TextRule = {
  sentence: 'The name alone, without a postcode or another number.',
  blanksCount: true,
  fits: (name) => !/^\d|\d{3}|\d[A-Z]{2}$/i.test(name),
  otherwise: 'it has a number or a postcode in it',
}

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

const routingKeys: ReadonlySet<string> = new Set(
  Object.entries(numbers).flatMap(([letter, those]) => those.split(' ').map((number) => letter + number)),
)
