import { describe, expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { calls } from './http-cases.ts'

const item = (number: number) => ({ id: `v${number}` })
const items = (count: number, from = 0) => Array.from({ length: count }, (_, at) => item(from + at))

/** Lists against a service that answers page and size by `answer`: a status, a text, or what is sent as JSON. */
async function listed(answer: (page: number, size: number) => unknown, ...options: string[]) {
  const { env, received } = await service(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://service.example')
    const answered = answer(Number(searchParams.get('page')), Number(searchParams.get('size')))
    if (typeof answered === 'number') response.writeHead(answered).end()
    else if (typeof answered === 'string') response.writeHead(200).end(answered)
    else answerJson(response, 200, answered)
  })
  const run = await payroll(['--json', ...calls.list.argv, ...options], { env })
  return { run, urls: received.map(({ url }) => url) }
}

const pageOf = (all: readonly unknown[], page: number, size: number) =>
  all.slice((page - 1) * size, page * size)

describe('a list', () => {
  test.each<[number, readonly number[]]>([
    [0, [1]],
    [1, [1]],
    [99, [1]],
    // A full page may not be the last, whatever the total says.
    [100, [1, 2]],
    // The first of several pages is asked for again: it shows whether the list changed.
    [101, [1, 2, 1]],
    [200, [1, 2, 3, 1]],
    [250, [1, 2, 3, 1]],
  ])('a list of %i items is read by its pages %j', async (count, pages) => {
    const all = items(count)
    const { run, urls } = await listed((page, size) => ({ data: pageOf(all, page, size), totalDocs: count }))
    expect(run.json()).toEqual(all)
    expect(run.code).toBe(0)
    expect(run.err).not.toContain('changed')
    expect(urls).toEqual(pages.map((page) => `/svc/vat-code?page=${page}&size=100`))
  })

  test.each<[string, (page: number) => unknown]>([
    ['the last one again', () => ({ data: items(100), totalDocs: 100 })],
    [
      'empty, with a total of 0',
      (page) => ({ data: page === 1 ? items(100) : [], totalDocs: page === 1 ? 100 : 0 }),
    ],
    ...[400, 404, 416, 422].map((status): [string, (page: number) => unknown] => [
      `refused with ${status}`,
      (page) => (page === 1 ? { data: items(100), totalDocs: 100 } : status),
    ]),
  ])('a list of one full page is whole where the page behind it is %s', async (_, answer) => {
    const { run, urls } = await listed(answer)
    expect([run.code, run.json()]).toEqual([0, items(100)])
    expect(urls).toHaveLength(2)
  })

  test('a list with a total of its page alone is not taken for whole', async () => {
    const { run } = await listed((page, size) => {
      const data = pageOf(items(250), page, size)
      return { data, totalDocs: data.length }
    })
    expect([run.code, run.out]).toEqual([10, ''])
    expect(run.error().message).toBe('The list is longer than its total: the service returned 200 of 100.')
  })

  test.each<[string, (data: unknown[], total: number) => unknown]>([
    ['data and totalDocs', (data, totalDocs) => ({ data, totalDocs })],
    ['data, totalDocs and success', (data, totalDocs) => ({ data, totalDocs, success: true })],
    ['items and totalDocs', (data, totalDocs) => ({ items: data, totalDocs })],
    ['data and meta.totalDocs', (data, totalDocs) => ({ data, meta: { totalDocs, page: 1 } })],
    ['items and meta.totalDocs', (data, totalDocs) => ({ items: data, meta: { totalDocs } })],
  ])('is understood as %s', async (_, form) => {
    const { run } = await listed((page, size) => form(pageOf(items(150), page, size), 150))
    expect(run.json()).toEqual(items(150))
  })

  test('goes on by the items that came when the service gives fewer than were asked for', async () => {
    const { run, urls } = await listed((page) => ({ data: pageOf(items(50), page, 20), totalDocs: 50 }))
    expect(run.json()).toEqual(items(50))
    expect(urls.map((url) => url.at(-10))).toEqual([...'1231'])
  })

  test('may come whole at once, however many were asked for', async () => {
    const { run, urls } = await listed(() => ({ data: items(500), totalDocs: 500 }))
    expect(run.json()).toHaveLength(500)
    expect(urls).toHaveLength(1)
  })

  test.each<[string, (page: number, size: number) => unknown, string]>([
    [
      'shorter than its total',
      (page, size) => ({ data: pageOf(items(140), page, size), totalDocs: 312 }),
      '140 of 312',
    ],
    ['empty before its total', () => ({ data: [], totalDocs: 3 }), '0 of 3'],
    ['longer than its total', () => ({ data: items(100), totalDocs: 99 }), '100 of 99'],
    [
      'too long on its last page',
      (page, size) => ({ data: items(size, page * size), totalDocs: 150 }),
      '200 of 150',
    ],
    ['the same page again', () => ({ data: items(100), totalDocs: 200 }), 'page 2 repeats page 1'],
  ])('a list that is %s is not shown at all, and exits 10', async (_, answer, message) => {
    const { run } = await listed(answer)
    expect([run.code, run.out]).toEqual([10, ''])
    expect(run.error()).toMatchObject({ retryable: false, method: 'GET', path: '/svc/vat-code' })
    expect(run.error().message).toContain(message)
  })

  test.each([
    [{ data: items(2) }],
    [{ data: items(2), totalDocs: null }],
    [{ data: items(2), totalDocs: '2' }],
    [{ data: items(2), totalDocs: -1 }],
    [{ data: items(2), totalDocs: 2.5 }],
    [{ data: items(2), totalDocs: 1e308 }],
    [{ data: items(2), totalDocs: '2', meta: { totalDocs: 2 } }],
    [{ data: items(2), total: 2 }],
    [{ data: { 0: item(0) }, totalDocs: 1 }],
    [{ data: 'v1', totalDocs: 1 }],
    [{ totalDocs: 0 }],
    [items(2)],
    [{}],
    [null],
  ])('is not understood as %j', async (body) => {
    for (const options of [[], ['--page', '1']]) {
      const { run, urls } = await listed(() => body, ...options)
      expect([run.code, run.out]).toEqual([10, ''])
      expect(run.error()).toMatchObject({ status: 200, method: 'GET', path: '/svc/vat-code' })
      expect(urls).toHaveLength(1)
    }
  })

  test.each<[string, string, string]>([
    ['its total twice', '{"totalDocs":2,"data":[{"id":"v0"}],"totalDocs":1}', 'totalDocs'],
    [
      'its total twice, spelt in two ways',
      '{"totalDocs":2,"data":[{"id":"v0"}],"total\\u0044ocs":1}',
      'totalDocs',
    ],
    [
      'its total twice in meta',
      '{"items":[{"id":"v0"}],"meta":{"totalDocs":2,"totalDocs":1}}',
      'meta.totalDocs',
    ],
    ['its items twice', '{"data":[{"id":"v1"}],"data":[{"id":"v0"}],"totalDocs":1}', 'data'],
  ])('a list that has %s in one answer is not understood', async (_, body, name) => {
    const { run } = await listed(() => body)
    expect([run.code, run.out]).toEqual([10, ''])
    expect(run.error().message).toBe(`The answer contains ${name} more than once.`)
  })

  test('may have the names of its envelope in its items too', async () => {
    const item = '{"id":"v0","totalDocs":1,"data":"data","é":"\\u0041"}'
    const { run } = await listed(() => `{"totalDocs":1,"data":[${item}]}`)
    expect([run.code, run.json()]).toEqual([0, [JSON.parse(item)]])
  })

  test('may say in one page how many there are on all', async () => {
    const { run, urls } = await listed(
      (page, size) => ({ data: pageOf(items(45), page, size), totalDocs: 45 }),
      '--page',
      '2',
    )
    expect(run.json()).toEqual(items(20, 20))
    expect(urls).toEqual(['/svc/vat-code?page=2&size=20'])
  })

  test('is read no further than its limit', async () => {
    const answer = (page: number, size: number) => ({ data: pageOf(items(900), page, size), totalDocs: 900 })
    const { run, urls } = await listed(answer, '--limit', '150')
    expect(run.json()).toEqual(items(150))
    expect(urls.map((url) => url.at(-10))).toEqual([...'121'])
  })

  test('a list that fails on a later page shows nothing of the earlier ones', async () => {
    const { env } = await service(({ url }, response) => {
      if (url.includes('page=3')) response.writeHead(502).end()
      else answerJson(response, 200, { data: items(100, url.includes('page=2') ? 100 : 0), totalDocs: 300 })
    })
    const run = await payroll(calls.list.argv, { env })
    expect([run.code, run.out]).toEqual([7, ''])
  })
})
