import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'

/** A list of payslips, with these amounts as gross. */
async function payslips(amounts: readonly number[], ...words: string[]) {
  const items = amounts.map((gross, at) => ({ id: `${at}`, gross, taxPeriod: 1 }))
  const { env } = await answering(200, { data: items, totalDocs: items.length })
  return payroll(['payslips', 'list', ...words], { env })
}

test.each([
  [[0.1, 0.2], '0.3'],
  [[1234.56, 700.01, 0.07, -0.03], '1934.61'],
  [[99999999.99, 0.01], '100000000'],
  [[], '0'],
  // More than two decimals: no amounts of money, and added as before.
  [[0.001, 0.1, 0.2], '0.30100000000000005'],
  [[1e308, 0.5], '1e+308'],
])('sum() of --query of %j is %s', async (amounts, sum) => {
  expect((await payslips(amounts, '--query', 'sum([].gross)')).out).toBe(`${sum}\n`)
})

describe('a name in --query', () => {
  test.each([
    ['[].grosss', 'grosss', 'Did you mean gross?'],
    ['sum([?taxPeriod==`1`].netPay)', 'netPay', ''],
    ['[?taxPeriodd==`1`].{a: gross}', 'taxPeriodd', 'Did you mean taxPeriod?'],
  ])(
    'a name in --query that nothing in the list has is said on standard error: %s',
    async (query, name, meant) => {
      const { code, out, err } = await payslips([1], '--query', query)
      expect(code).toBe(0)
      expect(out).not.toBe('')
      expect(err).toContain(`--query names ${name}, which nothing in the result has.`)
      expect(err).toContain(meant)
    },
  )

  test.each([
    '[].gross',
    '[].margin',
    '[].{mine: gross} | [].mine',
    'from_items([].[id, gross]).none',
    'sort_by(@, &gross)[-1].id',
  ])(
    'a name in --query that the list has, that a payslip can have, or that the expression makes is not: %s',
    async (query) => {
      expect((await payslips([1, 2], '--query', query)).err).toBe('')
    },
  )

  test('is not judged by an empty list', async () => {
    expect((await payslips([], '--query', '[].grosss')).err).toBe('')
  })
})

test.each<[string, NodeJS.Platform, string]>([
  ['taxPeriod==1', 'linux', 'Type --where taxPeriod=1'],
  ['taxPeriod!==1', 'linux', "Type --where 'taxPeriod!=1'"],
  // cmd.exe has no single quotes.
  ['taxPeriod!==1', 'win32', 'Type --where "taxPeriod!=1"'],
  ['taxPeriod', 'win32', 'and a value, in quotes: --where "startDate>=2026-04-20"'],
])('--where %s on %s is exit 2 and says what to type there', async (condition, platform, hint) => {
  const argv = ['payslips', 'list', '--profile', 'sandbox', '--where', condition]
  const { code, err } = await payroll(argv, { platform })
  expect([code, err]).toEqual([2, expect.stringContaining(hint)])
})
