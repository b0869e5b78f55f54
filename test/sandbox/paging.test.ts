import { describe, expect, test } from 'vitest'
import { freshSandbox } from './fresh-sandbox.ts'

/** A sandbox with as many payment rates, their codes counting from 1. */
async function withRates(count: number) {
  const sandbox = await freshSandbox()
  sandbox.database.transaction(() => {
    for (let n = 1; n <= count; n++) {
      sandbox.database.tables.paymentRates.insert('', { code: String(n) }, sandbox.now())
    }
  })
  const list = async (query: string) => {
    const { status, json } = await sandbox.call('GET', `/svc/payment-rate${query}`)
    return { status, json, codes: json.data?.map(({ code }: { code: string }) => Number(code)) }
  }
  return { list, table: sandbox.database.tables.paymentRates, now: sandbox.now }
}

describe('paging', () => {
  test('answers every record once over all pages, the last page short', async () => {
    const { list } = await withRates(45)
    const pages = [await list('?page=1'), await list('?page=2'), await list('?page=3')]
    expect(pages.map((page) => page.codes.length)).toEqual([20, 20, 5])
    expect(pages.flatMap((page) => page.codes)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1))
  })

  test('answers the pages of a list that changes between them as it is then', async () => {
    const { list, table, now } = await withRates(45)
    expect((await list('?page=1')).codes.at(-1)).toBe(20)
    const [first] = table.page('', { page: 1, size: 1 }).records
    table.remove(first?.id ?? '')
    table.insert('', { code: '46' }, now())
    const { codes, json } = await list('?page=2')
    expect([codes[0], json.totalDocs]).toEqual([22, 45])
    expect((await list('?page=3')).codes).toEqual([42, 43, 44, 45, 46])
  })

  test.each([
    ...['size=101', 'size=0', 'size=-1', 'size=2.5', 'size=ten', 'size=', 'size=1e1', 'size=%2B5'],
    ...['page=0', 'page=-1', 'page=1.0', 'page=next', 'page=', 'page=99999999999999999999'],
  ])('refuses ?%s with 400 and says which parameter', async (query) => {
    const { list } = await withRates(1)
    const { status, json } = await list(`?${query}`)
    const [path] = query.split('=')
    const message = path === 'size' ? 'must be a whole number from 1 to 100' : expect.any(String)
    expect([status, json.error.details]).toEqual([400, [{ path, message }]])
  })
})
