import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'

describe('routes list', () => {
  test('has the 27 operations, each with its method, its path and how well it is known', async () => {
    const listed = await payroll(['routes', 'list'])
    expect([listed.code, listed.err]).toEqual([0, ''])
    const rows: any[] = listed.json()
    expect(rows).toHaveLength(27)
    expect(new Set(rows.map(({ operation }) => operation)).size).toBe(27)
    const known = (how: string) => rows.filter((row) => row.known === how)
    expect(known('documented').map(({ operation, method, path }) => [operation, method, path])).toEqual([
      ['candidates.create', 'POST', '/svc/candidates'],
      ['candidates.createIreland', 'POST', '/svc/candidates/ireland'],
      ['paymentRates.create', 'POST', '/svc/payment-rate'],
    ])
    expect(known('method')).toHaveLength(7)
    expect(known('name')).toHaveLength(17)
  })

  test('says of everything that is not documented what is assumed of it', async () => {
    const rows: any[] = (await payroll(['routes', 'list'])).json()
    for (const { known, assumes, method, path } of rows) {
      expect(assumes.length > 0).toBe(known !== 'documented')
      expect(method).toMatch(/^(GET|POST|PUT|DELETE)$/)
      expect(path).toMatch(/^\/svc(\/[\w-]+|\/\{\w+\})+$/)
      if (known === 'name') expect(assumes).toEqual(expect.arrayContaining(['method', 'path']))
    }
  })

  test('is a table of 27 lines and a head for a person', async () => {
    const { out } = await payroll(['routes', 'list', '-o', 'table'])
    const [head, ...rows] = out.trimEnd().split('\n')
    expect(head).toMatch(/^operation +method +path +known/)
    expect(rows).toHaveLength(27)
  })
})
