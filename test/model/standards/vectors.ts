import type { Standard } from '../../../src/model/fields/field.ts'

/** For one standard: what is fine, what is not and has no obvious remedy, and what was obviously meant. */
export interface Vectors {
  readonly fine: readonly unknown[]
  readonly wrong: readonly unknown[]
  /** By what was meant. */
  readonly nearly?: Readonly<Record<string, readonly string[]>>
}

const list = (...lines: string[]) => lines.flatMap((line) => line.split(', '))

/** Public test values and the examples of the standards themselves. None belongs to a person. */
export const vectors: Readonly<Record<Standard, Vectors>> = {
  reference: {
    fine: list('A1, A 1, EMP-0042, Ó-7, 0042, 契約1, test, Null'),
    wrong: ['А1', 'Α1', ' ', '\u200b', '1001.0', 'null', '[object Object]'],
    nearly: { A1: list('A1\u200b, \u2060A1, A\u202e1, Ａ１,  A1'), 'A 1': ['A\u00a01'] },
  },
  name: {
    fine: list(
      "O'Example, Ní Shampla, Example-Smith, Nulla, Nan Example, Testa, Example 2, Nan, NAN, Пример, Παράδειγμα, 例子, Nonee",
    ),
    wrong: [
      ...list('null, NULL, N/A, n/a, NaN, undefined, None, test, Ехample, Example Пример, Ex4mple'),
      ...['Example, Jo', '.', '-', 'TBC', 'unknown', 'nan'],
    ],
    nearly: { 'Ní Shampla': ['Ní\u00a0Shampla'], Example: list('Ex\u00adample, Ｅxample, Example ') },
  },
  nino: {
    fine: list('AB123456C, CS100700A, AA111111A, HH012345D, TJ012345D, AB164231A'),
    wrong: list(
      'BG123612A, AO123456C, AB123456E, UV987654B, FQ000000C, A1234567C, AB12345C',
      'QQ123456A, AB123456, 11A11111, GB123456A, NK123456A, TN123456A, ZZ123456A, AB1234567',
      'CR123456A, MW123456A, NC123456A, PP123456A, PY123456A, PZ123456A',
    ),
    nearly: {
      AB123456C: list('AB 12 34 56 C, ab-12-34-56-c, AB\u00a0123456C, ab l2 34 56 c'),
      AB123450C: ['AB12345OC'],
      OE123456A: ['0E123456A'],
    },
  },
  ppsn: {
    // H and W as the only letter are check letters like the others.
    fine: list('1234567T, 1234567FA, 1234567OB, 6433435F, 6433435OA, 6433435FT, 1000000H, 1000016W'),
    wrong: list(
      '6433435E, 6433435VH, 111222333, 1234567ABC, 1234567XX, 1234577JA, 1234567X, 7654321X',
      '1234567V, 0000000T, 3710899T, 7654321T, 9876543HH, 1234567TA, 1234567TW, 1234567WH, 6433435IH',
    ),
    nearly: { '1234567FA': ['1234567fa'], '1234567T': list('1234567 T, I234567T, 01234567T') },
  },
  postcode: {
    fine: list('M1 1AA, M60 1NW, CR2 6XH, DN55 1PT, W1A 1HQ, EC1A 1BB, SW1A 2AA, BT35 8GE, GIR 0AA'),
    wrong: list('QA1 1AA, M1 1AI, 1A1 1AA, EH1 JS, 12FSSD, SA99, D02 X285, AA1 1AA, X1 1AA, M0 1AA, BFPO 12'),
    nearly: {
      'SW1A 1AA': list('sw1a1aa, sw1a-1aa, SW1A1AA, SW1A  1AA, SW1 A1AA, SW1A IAA, SWIA 1AA'),
      'BT35 0GE': ['BT35 OGE'],
      'OX1 1AA': ['0X1 1AA'],
      'PO1 2AA': ['P01 2AA'],
      'SO14 0AA': ['S014 0AA'],
      'M1 1AA': ['M01 1AA'],
      'M60 1NW': ['M6O 1NW'],
    },
  },
  place: {
    fine: list(
      "Dublin 24, Dublin 6W, Newcastle upon Tyne, King's Lynn, London SE1, Co. Cork, Baile Átha Cliath",
    ),
    wrong: list('12 High Street, D02 X285, LS1 1UR, York YO1 7AA, 1234567T, QQ123456A, 020 7946 0000'),
  },
  'address-line': {
    fine: list('1 Main St, Flat 2, 10-12, 221B Baker Street, The Old Rectory, Unit 7 Ashe Road 100, 12345'),
    wrong: list(
      '30/4/89, 2/29/1992, 31926819, 07700 900123, ann@example.com, QQ123456A, QQ 12 34 56 A, 1234567T',
    ),
  },
  eircode: {
    fine: list('D02 X285, D6W PV38, D02 TN83, K67 KR86'),
    wrong: list('O62 O1O2, A65T F12, 75690HG, AW5 TF12, D0012AB, A12B3C4, A65 F4E2, SW1A 1AA'),
    nearly: { 'D05 FY62': ['D05FY62'], 'D02 C383': ['D02C383'], 'D02 X285': list('d02 x285, DO2 X285') },
  },
  'sort-code': {
    fine: list('123456, 089999, 931152'),
    wrong: list('1234567, 12345678, 1234, 89999, ABCDEF, 12/34/56, -123456, 12-34-56-'),
    nearly: { '123456': list('12-34-56, 12 34 56'), '089999': ['08–99–99'], '123450': ['12-34-5O'] },
  },
  'account-number': {
    fine: list('66374958, 00000190, 12345678'),
    wrong: list('123456789, 1234567890, 12345, 123456, 1234567, 12345678901, ABCDEFGH, -12345678'),
    nearly: { '66374958': ['6637 4958'], '00000190': ['0000-0190'], '12345670': ['1234567O'] },
  },
  'roll-number': {
    fine: list('CXJ-K6 897/98X, 01/ED, 012-BC0, 456-FGX, BS123456, ABC1234567XYZ, a.b&c'),
    wrong: list('A*123, 12345_678, 1234567890123456789, £123'),
  },
  iban: {
    fine: list(
      'GB29NWBK60161331926819, IE29AIBK93115212345678, DE89370400440532013000',
      'FR1420041010050500013M02606, NL91ABNA0417164300',
    ),
    wrong: list(
      'GB00HLFX11016111455365, GB2LABBY09012857201707, IE95TE8270900834048660, NL91ABNA0517164300',
      'AT93 1904 3002 3457 3201 99, UK29NWBK60161331926819, GB29NWBK6016133192681, 31926819',
    ),
    nearly: {
      GB29NWBK60161331926819: list(
        'GB29 NWBK 6016 1331 9268 19, gb29nwbk60161331926819, GB29NWBK6O161331926819, IBAN GB29NWBK60161331926819',
      ),
      IE29AIBK93115212345678: list('IE29-AIBK-9311-5212-3456-78, IE29AIBK93II5212345678'),
    },
  },
  bic: {
    fine: list('NWBKGB2L, BOFIIE2D, AIBKIE2D, BARCGB22, DABAIE2D917, ABNANL2AXXX'),
    wrong: list('ABNAXX2A, ABN4NL2A, INGDEFFXXX, SBICKENXX, MULTIPLE'),
    nearly: { NWBKGB2L: list('nwbkgb2l, NWBK GB 2L'), BOFIIE2DXXX: ['bofi ie2d xxx'] },
  },
  utr: {
    fine: list(
      '1234567895, 1955839661, 2234567890, 1097172564, 2108834503, 9624088948',
      '1234567895K, K1234567895, 12345 67895',
    ),
    wrong: list('2955839661, 1234567890, 5550000621, 12345678, inv@lid123, 0001234567890'),
    nearly: { '1097172564': ['1O97172564'], '1234567895': ['0001234567895'] },
  },
  'vat-number': {
    fine: list(
      'GB980780684, GB100190874, 101747696, GB242338087388, GB 980 7806 84, XI980780684',
      'IE6433435F, IE6433435OA, IE3206791MH, 6433435F, GB-980.780.684',
    ),
    wrong: list(
      '802311781, 001234567, 9807806842, GD600, HA201, 123456789, IE8Z49289A, 6433435E, 8?79739J',
      '001000036',
    ),
    nearly: { GB980780684: ['GB98O780684'], IE1234567T: ['IEI234567T'] },
  },
  'company-number': {
    fine: list('08407369, SC234456, 06014477, OC301540, NI012345, R0000001, sc 234456'),
    wrong: list('SC12345, 1234567, ABCDEFGH, 123456789, S1234567, QX123456, IP00001R'),
    nearly: { '08407369': ['O8407369'], SC234450: ['SC23445O'] },
  },
  'tax-code': {
    fine: list('1257L, S1257L, C1100T, BR, SBR, CBR, SD2, CD0, D1, 0T, S0T, NT, K500, SK4000'),
    wrong: list(
      'K0500, 123456H, 1234567, D, NI, SNT, 1257, S1257, 12570L, S100000L, D2, D8, CD2, SD4, 1257P, 1257Y, 1257V',
    ),
    nearly: {
      '0T': ['OT'],
      K500: ['500K'],
      '609L': ['6O9L'],
      '1257L': list('1257l, 1257 L, 1257L W1, 1257L M1, 1257L W1/M1'),
      K475: ['k 475'],
      S1257L: list('s1257l, S1257L X'),
      BR: ['BR M1'],
    },
  },
  'ni-category': {
    fine: [...'ABCHJMVXZFISLNEKD'],
    wrong: list('G, P, T, O, AA, 1'),
    nearly: { A: ['a'], M: ['M '] },
  },
  'starter-declaration': { fine: list('A, B, C'), wrong: list('D, AB, 1'), nearly: { B: ['b'] } },
  'prsi-class': {
    fine: list('A0, AX, AL, A1, A8, A9, B1, E, J0, J1, K1, M, P, S0, S1'),
    wrong: list('A, S, A2, Z1, 11'),
    nearly: { A1: list('a1, AI'), A0: ['AO'], J0: ['J 0'] },
  },
  'cis-verification': {
    fine: list('V1234567890, V1234567890A, V1234567890AB, v1234567890'),
    wrong: list('1234567890, V123456789, VV123456789, V12345678901, V1234567890ABC'),
    nearly: { V1234567890: ['V123456789O'] },
  },
  phone: {
    fine: list(
      '07123456789, 0871234567, +447123456789, +353871234567, 0719123456, (020) 8123 4567, +12025550123',
      '+44 16977 1234, +353 98 12345, 0871 234 5678, 00447123456789, +44 (0)7123 456789, 0012025550123',
    ),
    wrong: list(
      '+44 7123 45678, +353 87 123 45678, +353 98 1234',
      'ring the office, 0712345678901, 077009001, 123',
      '087 123 456, 0871 234 56789, +353 87 123 456',
    ),
    nearly: {
      '07123456789': list('7123456789, O7123456789'),
      '0871234567': ['871234567'],
      '+447123456789': list('447123456789, +44 07123 456789, +00447123456789'),
      '+353871234567': ['353871234567'],
    },
  },
  email: {
    fine: list(
      "jo@ymail.com, jo@mail.com, jo@Gmail.com, jo@hotmail.fr, jo@yahoo.ie, jo@example.com, jo.o-neill+pay@mail.example.com, o'neill@example.com, seán@example.com",
    ),
    wrong: [
      ...list('jo, jo@example, @example.com, jo@, jo@@example.com, jo..x@example.com, jo@-example.com'),
      ...['jo@127.0.0.1', `${'a'.repeat(65)}@example.com`, `jo@${'a.'.repeat(130)}com`],
    ],
    nearly: {
      'jo@gmail.com': list('jo@gmial.com, jo@gmail.co, jo@gmail.con, jo@gmal.com'),
      'jo@hotmail.co.uk': list('jo@hotmial.co.uk, jo@hotmail.co.ik'),
      'jo@example.com': list('jo@example.com;, jo@example,com, jo @example.com'),
    },
  },
  'birth-date': {
    fine: list('1990-01-31, 2010-06-15, 1926-06-15, a date in words'),
    wrong: list('2026-06-16, 2026-06-15, 2010-06-16, 1925-06-15'),
  },
  'weekly-hours': { fine: [0, 37.5, 60], wrong: [60.5, 168.5, -1] },
  'start-date': {
    fine: list('2026-06-15, 1990-01-31, 2028-06-15, a date in words'),
    wrong: list('2028-06-16, 2206-05-01'),
  },
  'hourly-rate': { fine: [0, 1, 12.21, 150], wrong: [-0.01, 0.125, 150.01, 1250] },
  salary: { fine: [0, 1000, 31_200, 1_000_000], wrong: [-1, 38, 38.5, 999.99, 3_120_000] },
}
