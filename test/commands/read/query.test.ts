import { describe, expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'

/** A command against a service whose lists have these payslips, of which each has this as gross. */
async function run(words: readonly string[], amounts: readonly number[] = []) {
  const rates = [{ unit: 'hour' }, { unit: 'shift' }]
  const data = amounts.map((gross, at) => ({ id: `${at}`, gross, taxPeriod: 1, rate: rates[at] }))
  const { env, received } = await answering(200, { data, totalDocs: data.length, success: true })
  return { ...(await payroll(words, { env })), received }
}

const query = (expression: string, amounts: readonly number[], ...words: string[]) =>
  run(['payslips', 'list', '--query', expression, ...words], amounts)

test.each([
  [[0.1, 0.2], '0.3'],
  [[1234.56, 700.01, 0.07, -0.03], '1934.61'],
  [[99999999.99, 0.01], '100000000'],
  [[], '0'],
  [[0.001, 0.1, 0.2], '0.301'],
  [[1e308, 0.5], '1e+308'],
])('sum() of --query of %j is %s', async (amounts, sum) => {
  expect((await query('sum([].gross)', amounts)).out).toBe(`${sum}\n`)
})

test.each([
  ['[].id', '0\n1\n'],
  ['[0].id', '0\n'],
  ['[].rate', '{"unit":"hour"}\n{"unit":"shift"}\n'],
])('--query %s --raw prints strings without quotes, one to a line', async (expression, out) => {
  expect((await query(expression, [1, 2], '--raw')).out).toBe(out)
})

test.each([
  ['api GET /svc/payment-rate --query totalDocs', '0\n'],
  ['template payment-rates --query keys(@)[0] -r', 'code\n'],
  ['payment-rates create --set code=DAY --dry-run --query body.code', '"DAY"\n'],
  ['schema payment-rates --query type', '"object"\n'],
])('--query selects from the result of %s', async (words, expected) => {
  const { code, out } = await run(words.split(' '))
  expect([code, out]).toEqual([0, expected])
})

test.each([
  ...['[].', 'foo..bar', 'a b', '[?a==`1]', '[].nosuch(@)', 'sort_by(@, &nosuch(a))'],
  // JMESPath finds nothing of a text in order, and an empty list would look like an answer.
  // The nearest number that a double holds may be the id of another record.
  '[?id==`12345678901234567890`]',
  ...["[?endDate>='2026-11-16']", '[?a==`1` && `"M"`<surname].id'],
])('--query %j is exit 2 as no valid JMESPath, and sends nothing', async (expression) => {
  const { code, out, err, received } = await query(expression, [1])
  expect([code, out, err, received]).toEqual([2, '', expect.stringContaining('not valid JMESPath: '), []])
})

test('--query puts numbers in order, and takes a text that is the same', async () => {
  const { code, json } = await query("[?gross>`1` && id!='x'].gross", [1, 2])
  expect([code, json()]).toEqual([0, [2]])
})

test.each<[string, NodeJS.Platform, string]>([
  ['taxPeriod>', 'linux', 'has no value to compare with'],
  ['taxPeriod', 'win32', 'and a value, in quotes: --where "startDate>=2026-04-20"'],
])('--where %s on %s is exit 2 and says what to type there', async (condition, platform, hint) => {
  const argv = ['payslips', 'list', '--profile', 'sandbox', '--where', condition]
  expect(await payroll(argv, { platform })).toMatchObject(endedWith(2, hint))
})

/** A command against a service of two people, as a table. */
async function asTable(words: readonly string[]) {
  const people = [
    { id: 'p1', agencyRef: 'A-1', DOB: '1971-10-31', rateHour: 20, bank: { accountNumber: '31926819' } },
    { id: 'p2', agencyRef: 'A-2', DOB: '1988-02-29', rateHour: 30, bank: { accountNumber: '11926820' } },
  ]
  const { env } = await answering(200, { data: people, totalDocs: 2, success: true })
  return payroll(['candidates', 'list', '-o', 'table', ...words], { env })
}

describe('what a table hides', () => {
  test.each(["[?DOB=='1988-02-29'].agencyRef", 'sort_by(@, &DOB)[].agencyRef', '[].length(DOB)'])(
    'is not compared by --query, which would find somebody else: %s',
    async (expression) => {
      const { code, out, err } = await asTable(['--query', expression])
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain('Add --reveal, or choose another format')
      expect((await asTable(['--query', expression, '--reveal'])).code).toBe(0)
    },
  )

  test('is selected as its mask', async () => {
    const expression = "[?agencyRef=='A-1'].{of: agencyRef, born: join(' ', ['on', DOB]), bank: bank}"
    const { code, out } = await asTable(['--query', expression])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^A-1 +on \*{6} +\{"accountNumber":"\*{6}819"\}$/m),
    ])
  })

  test.each([
    ['DOB', ['******', '******']],
    ['account number', ['******820', '******819']],
  ])('is hidden as the value of --by %s too', async (by, shown) => {
    const words = ['--sum', 'rateHour', '--by', by]
    const { out } = await asTable(words)
    expect(out.match(/^\*\S+/gm)).toEqual(shown)
    expect((await asTable([...words, '--reveal'])).out).not.toContain('*')
    expect((await asTable([...words, '--query', '[].by'])).json()).toEqual(shown)
  })
})
