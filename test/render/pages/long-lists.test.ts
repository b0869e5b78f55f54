import { readdirSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'

/** More than is held in memory: what is printed has waited in a file. */
const count = 3000
const filler = 'x'.repeat(200)

/** A list whose items `itemAt` says; from `cutAt` on there is nothing but the total. */
async function listOf(itemAt: (at: number) => object, cutAt = count) {
  return service(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://127.0.0.1')
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    const all = Array.from({ length: cutAt }, (_, at) => ({ id: `p${at}`, filler, ...itemAt(at) }))
    answerJson(response, 200, { data: all.slice((page - 1) * size, page * size), totalDocs: count })
  })
}

const listed = (env: any, ...words: string[]) => payroll(['payslips', 'list', ...words], { env })

describe('a list longer than memory should hold', () => {
  test('is one JSON array with an item on each line, without a raw bidi character', async () => {
    const { env } = await listOf((at) => ({ gross: at / 4, nested: { lines: ['a', `Zoë ${at}`, '\u202e'] } }))
    const { code, out } = await listed(env, '--json')
    const items = JSON.parse(out)
    expect([code, items.length, items.at(-1).id]).toEqual([0, count, `p${count - 1}`])
    const whole = `[\n${items.map((item: unknown) => JSON.stringify(item)).join(',\n')}\n]\n`
    expect(out === whole.replaceAll('\u202e', '\\u202e')).toBe(true)
  })

  test('writes nothing when it breaks off, as JSON and as CSV, and leaves no file behind', async () => {
    const { env } = await listOf(() => ({}), count - 1)
    for (const format of ['json', 'csv']) {
      const home = freshHome()
      const { code, out } = await payroll(['payslips', 'list', '-o', format], { home, env })
      expect([format, code, out]).toEqual([format, 10, ''])
      const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
      expect(files.filter((name) => name.includes('spool'))).toEqual([])
    }
  })

  test.each([[[]], [['--excel']]])(
    'has a cell in every row for a column that appears at its end: %j',
    async (options) => {
      const late = (at: number) => ({
        ...(at % 3 === 0 && { note: `line one\nline "two", ${at}` }),
        ...(at > 2500 && { late: `L${at}`, more: { deep: at } }),
      })
      const { env } = await listOf(late)
      const { code, out } = await listed(env, '-o', 'csv', ...options)
      const rows = parse(out, { columns: true, bom: true }) as any[]
      const columns = ['id', 'filler', 'note', 'late', 'more.deep']
      expect([code, rows.length, Object.keys(rows[0])]).toEqual([0, count, columns])
      const isWhole = (row: any, at: number) =>
        row.id === `p${at}` && row.late === (at > 2500 ? `L${at}` : '')
      expect(rows.every(isWhole)).toBe(true)
      expect(rows[2499 - 1].note).toBe(rows[2499 - 1].note && `line one\nline "two", ${2498}`)
      expect(out.endsWith(options.length > 0 ? '\r\n' : '\n')).toBe(true)
    },
  )

  test('has the columns that were asked for, each as often as it was', async () => {
    const { env } = await listOf((at) => ({ a: { b: at } }))
    const { out } = await listed(env, '-o', 'csv', '--columns', 'a.b,id,a.b')
    expect(out.split('\n').slice(0, 2)).toEqual(['a.b,id,a.b', '0,p0,0'])
  })
})

test('an empty list is an empty array', async () => {
  const { env } = await answering(200, { data: [], totalDocs: 0 })
  expect((await listed(env, '--json')).out).toBe('[]\n')
})
