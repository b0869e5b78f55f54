import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

/** More rates than are held in memory, one of them larger than any line of an import may be. */
const rates = Array.from({ length: 2100 }, (_, at) => ({
  id: `r${at}`,
  code: `R${at}`,
  name: at === 1000 ? 'x'.repeat(1024 * 1024 + 1) : `Rate ${at}`,
}))

const codesIn = (csv: string) =>
  (parse(csv, { columns: true }) as { readonly code: string }[]).map(({ code }) => code)

test('a long list has every record in it, however long one of them is: listed and exported', async () => {
  const { env } = await service(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://127.0.0.1')
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    const data = rates.slice((page - 1) * size, page * size)
    answerJson(response, 200, { data, totalDocs: rates.length })
  })
  const home = freshHome()
  const codes = rates.map(({ code }) => code)
  const listed = await payroll(['payment-rates', 'list', '-o', 'csv'], { home, env })
  expect([listed.code, codesIn(listed.out)]).toEqual([0, codes])
  const file = join(home, 'rates.csv')
  const exported = await payroll(['payment-rates', 'export', '-o', 'csv', '--out', file], { home, env })
  expect([exported.code, codesIn(readFileSync(file, 'utf8'))]).toEqual([0, codes])
})
