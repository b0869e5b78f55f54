import { describe, expect, test } from 'vitest'
import { expectations } from './fault-expectations.ts'
import { faulty } from './faulty-sandbox.ts'
import { addRecords } from './questions.ts'

const rates = (page: number, size: number) => ({
  method: 'GET',
  path: `/svc/payment-rate?page=${page}&size=${size}`,
})

async function furnished(...specs: string[]) {
  const served = await faulty(...specs)
  addRecords(served.database)
  const read = async (page: number, size: number) => JSON.parse((await served.send(rates(page, size))).text)
  return { ...served, read }
}

/** The whole list, a page at a time, as a client reads it that believes in the total of the first page. */
async function everyCode(read: (page: number, size: number) => Promise<any>): Promise<string[]> {
  const first = await read(1, 10)
  const codes = first.data.map(({ code }: any) => code)
  for (let page = 2; page <= Math.ceil(first.totalDocs / 10); page++) {
    codes.push(...(await read(page, 10)).data.map(({ code }: any) => code))
  }
  return codes
}

describe('a fault of lists', () => {
  test.each(['total-shrinking', 'total-growing', 'empty-page', 'repeated-page', 'duplicate-ids'])(
    '%s leaves the first page alone',
    async (name) => {
      const { read } = await furnished(name)
      const first = await read(1, 10)
      expect([first.totalDocs, first.data.length, first.data[0].code]).toEqual([45, 10, 'RATE-1'])
      const second = await (await furnished()).read(2, 10)
      expect(await read(2, 10)).not.toEqual(second)
    },
  )

  test.each([
    ['total-shrinking', [45, 44, 43]],
    ['total-growing', [45, 46, 47]],
  ])('%s goes on from page to page', async (name, totals) => {
    const { read } = await furnished(name)
    expect(await Promise.all([1, 2, 3].map(async (page) => (await read(page, 10)).totalDocs))).toEqual(totals)
  })

  test('duplicate-ids repeats an item in place of another, at the head of every page but the first', async () => {
    const { read } = await furnished('duplicate-ids')
    const codes = await everyCode(read)
    expect(codes).toHaveLength(45)
    expect(new Set(codes).size).toBe(41)
    expect(codes.slice(9, 12)).toEqual(['RATE-10', 'RATE-10', 'RATE-12'])
  })

  test('size-ignored and size-exceeded answer 20 and 100 at most, whatever is asked for', async () => {
    const ignored = await furnished('size-ignored')
    const exceeded = await furnished('size-exceeded')
    const lengths = async (read: typeof ignored.read) => [
      (await read(1, 5)).data.length,
      (await read(1, 44)).data.length,
    ]
    expect(await lengths(ignored.read)).toEqual([20, 20])
    expect(await lengths(exceeded.read)).toEqual([45, 45])
  })

  test('happens to the legacy page in its own shape', async () => {
    const page = async (name: string) => {
      const { send, database } = await faulty(name)
      for (const taxPeriod of ['1', '2', '3']) database.tables.payslips.insert('', { taxPeriod }, 0)
      const { text } = await send({ method: 'GET', path: '/svc/v1/payslips?page=2&size=1' })
      return JSON.parse(text)
    }
    expect((await page('total-string')).meta).toEqual({ totalDocs: '3' })
    expect((await page('total-missing')).meta).toEqual({})
    expect(await page('empty-page')).toEqual({ items: [], meta: { totalDocs: 3 } })
    expect((await page('duplicate-ids')).items).toMatchObject([{ period: '1' }])
    expect((await page('unknown-field')).items).toMatchObject([{ period: '2', addedLater: 'unknown' }])
    expect((await page('missing-field')).items[0]).not.toHaveProperty('id')
  })

  test('leaves a page that is refused as it is', async () => {
    for (const name of Object.keys(expectations).filter((each) => /^total-|page$|^dup.*ids$/.test(each))) {
      const { send } = await furnished(name)
      const { status, text } = await send({ method: 'GET', path: '/svc/payment-rate?page=2&size=1000' })
      expect([name, status, JSON.parse(text).success]).toEqual([name, 400, false])
    }
  })
})
