/** A row of Vocalink's table: how the numbers of these sort codes are checked. */
export interface ModulusRow {
  readonly from: string
  readonly to: string
  readonly method: 'MOD10' | 'MOD11' | 'DBLAL'
  /** A weight for each of the six digits of the sort code and the eight of the account number. */
  readonly weights: readonly number[]
  readonly exception?: number | undefined
}

/** Pay.UK's modulus check of six and eight digits; undefined where the table has no row. `substitutes`: of exception 5. */
export function passesModulus(
  sortCode: string,
  account: string,
  rows: readonly ModulusRow[],
  substitutes: Readonly<Record<string, string>> = {},
): boolean | undefined {
  const [first, second] = rows.filter(({ from, to }) => from <= sortCode && sortCode <= to)
  if (!first) return undefined
  const code = first.exception === 5 ? (substitutes[sortCode] ?? sortCode) : sortCode
  const [a, c, g, h] = [account.charAt(0), account.charAt(2), account.charAt(6), account.charAt(7)]
  // An account in another currency.
  if (first.exception === 6 && '45678'.includes(a) && g === h) return undefined
  const isFirst = passesRow(first, code, account)
  if (!second) return isFirst
  const { exception } = second
  if (exception === 3 && '69'.includes(c)) return isFirst
  if (exception === 9) return isFirst || passesRow(second, '309634', account)
  const isSecond = passesRow(second, code, account)
  return exception === 11 || exception === 13 ? isFirst || isSecond : isFirst && isSecond
}

/** The weights of exception 2 for accounts that do not begin with 0; `shorter`: if digit 7 is 9. */
const longer = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1]
const shorter = [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1]

function passesRow(row: ModulusRow, sortCode: string, account: string): boolean {
  const { method, exception } = row
  const g = account.charAt(6)
  const digits = [...(exception === 8 ? '090126' : sortCode), ...account].map(Number)
  const isShort = g === '9' && (exception === 7 || (exception === 10 && /^[09]9/.test(account)))
  const weights =
    exception === 2 && !account.startsWith('0')
      ? g === '9'
        ? shorter
        : longer
      : row.weights.map((weight, at) => (isShort && at < 8 ? 0 : weight))
  const products = digits.map((digit, at) => digit * (weights[at] ?? 0))
  const total = products.reduce(
    (sum, product) => sum + (method === 'DBLAL' ? Math.floor(product / 10) + (product % 10) : product),
    exception === 1 ? 27 : 0,
  )
  const modulus = method === 'MOD11' ? 11 : 10
  const rest = total % modulus
  if (exception === 4) return rest === Number(account.slice(6))
  if (exception === 5)
    return (modulus - rest) % modulus === Number(method === 'MOD11' ? g : account.charAt(7))
  if (rest === 0) return true
  // Exception 14: the last digit may be one of another kind of account, and the others have moved.
  if (exception !== 14 || !/[019]$/.test(account)) return false
  return passesRow({ ...row, exception: undefined }, sortCode, `0${account.slice(0, 7)}`)
}
