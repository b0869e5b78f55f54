import { expect, test } from 'vitest'
import { type ModulusRow, passesModulus } from '../../../src/model/standards/modulus.ts'

/** Made-up rows: the weights are none of a bank. */
const row = (
  from: string,
  method: ModulusRow['method'],
  account: string,
  exception?: number,
): ModulusRow => ({
  from,
  to: from,
  method,
  weights: [0, 0, 0, 0, 0, 0, ...[...account].map(Number)],
  exception,
})
const rows: readonly ModulusRow[] = [
  row('100000', 'MOD10', '11111111'),
  row('100001', 'MOD11', '12345678'),
  row('100002', 'DBLAL', '21212121'),
  row('100003', 'DBLAL', '21212121', 1),
  row('100004', 'MOD10', '11111111'),
  row('100004', 'MOD11', '12345678', 3),
  row('100005', 'MOD11', '12345600', 4),
  row('100006', 'MOD11', '12345600', 5),
  row('100006', 'DBLAL', '21212120', 5),
  row('100007', 'MOD10', '11111111', 6),
  row('100008', 'MOD10', '11111111', 7),
  row('100010', 'MOD11', '12345678', 10),
  row('100010', 'MOD10', '11111111', 11),
  row('100014', 'MOD11', '12345678', 14),
  row('100012', 'MOD11', '12345678', 12),
  row('100012', 'MOD10', '11111111', 13),
  { ...row('100018', 'MOD10', '00000001', 8), weights: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1] },
  row('000008', 'MOD11', '11111111', 2),
  { ...row('000008', 'MOD11', '00000001', 9), weights: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
]

test.each([
  ['999999', '12345678', undefined, 'has no row'],
  ['100000', '12340000', true, '1+2+3+4 = 10'],
  ['100000', '12340001', false, '11'],
  ['100001', '00000000', true, 'nothing'],
  ['100001', '10000030', true, '1×1 + 3×7 = 22'],
  ['100001', '10000040', false, '1×1 + 4×7 = 29'],
  ['100002', '90000010', false, '9×2 = 18 is 1+8, and 1×2: 11'],
  ['100002', '90000001', true, '9 + 1 = 10'],
  ['100003', '30000000', false, '27 + 6 = 33'],
  ['100003', '10000001', true, '27 + 2 + 1 = 30'],
  ['100004', '91600000', false, 'the first does not pass'],
  ['100004', '91000000', true, 'both pass'],
  ['100004', '90100000', false, 'the first passes, and the second does not'],
  ['100004', '30601000', true, 'a 6 in the third place: the first is enough'],
  ['100005', '10000001', true, 'the rest is 1, and so are the last two digits'],
  ['100005', '10000002', false, 'the rest is 1'],
  ['100006', '50000060', false, 'the seventh digit is 11 - 5 = 6, and the last is not 10 - 1 - 6'],
  ['100007', '41234599', undefined, 'another currency'],
  ['100008', '12000091', true, '9 in the seventh place: the first two do not count, 9+1'],
  ['100010', '09000093', false, 'neither'],
  ['100010', '09100090', true, 'the second passes: 9+1+9 = 19 is not, but the first is 3 + 63 = 66 of 11'],
  ['100014', '00000000', true, 'nothing'],
  ['100012', '10000030', true, 'the first is enough: 1×1 + 3×7 = 22'],
  ['100012', '00000091', true, 'the second is enough: 9 + 1 = 10'],
  ['100012', '00000092', false, 'neither: 63 + 16 = 79, and 11'],
  ['100018', '00000002', true, 'as 090126: 9+1+2+6 + 2 = 20'],
  ['100018', '00000000', false, 'its own sort code would be 1+1+8 = 10'],
  ['000008', '00000092', true, 'a first digit of 0: the weights of the row, 9+2 = 11'],
  ['000008', '10000003', true, 'another first digit: 8×3 + 1×6 + 3×1 = 33'],
  ['000008', '10000001', false, '31; by the weights of the row too'],
  ['000008', '10000096', true, 'and a 9 in the seventh place: 9×3 + 6×1 = 33'],
  ['000008', '10000095', false, '32'],
  ['000008', '00000008', true, 'the first fails, and the second is that of 309634: 3×1 + 8×1 = 11'],
  ['000008', '00000007', false, 'neither: 7, and 3 + 7 = 10'],
] as const)('account %s %s: %s, %s', (sortCode, account, passes, _) => {
  expect(passesModulus(sortCode, account, rows)).toBe(passes)
})

test('exception 5 checks a sort code as the one that stands for it', () => {
  const weighted = { from: '100006', to: '100006', weights: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0] }
  const table = { rows: [{ ...weighted, method: 'MOD11' as const, exception: 5 }] }
  // 1 + 6 = 7: the seventh digit is 4. As 200000 it is 2: 9.
  expect(passesModulus('100006', '00000040', table.rows)).toBe(true)
  expect(passesModulus('100006', '00000040', table.rows, { '100006': '200000' })).toBe(false)
  expect(passesModulus('100006', '00000090', table.rows, { '100006': '200000' })).toBe(true)
})
