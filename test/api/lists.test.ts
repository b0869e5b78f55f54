// @module-tag tables

import { describe, expect, test } from 'vitest'
import { createIdSet } from '../../src/api/pages.ts'
import { ExactNumber } from '../../src/files/json/numbers.ts'
import { stringifyJson } from '../../src/files/json/stringify.ts'
import { payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { calls } from './http-cases.ts'

interface Asked {
  readonly page: number
  readonly size: number
  /** How many requests came before this one. */
  readonly before: number
}

/** Lists against a service that answers each request so: a status, a text, or what is sent as JSON. */
async function listed(answer: (asked: Asked) => unknown, ...options: string[]) {
  const pages: number[] = []
  const { env, received } = await service(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://service.example')
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    const answered = answer({ page, size, before: pages.length })
    pages.push(page)
    setTimeout(() => {
      if (typeof answered === 'number') response.writeHead(answered).end()
      else if (typeof answered === 'string') response.writeHead(200).end(answered)
      else answerJson(response, 200, answered)
    }, 5)
  })
  const format = options.includes('-o') ? [] : ['--json']
  const run = await payroll([...format, ...calls.list.argv, ...options], { env })
  return { run, pages, firstPages: pages.filter((page) => page === 1).length, received }
}

const items = (count: number, from = 0) => Array.from({ length: count }, (_, at) => ({ id: `v${from + at}` }))

/** What a service answers that holds these and keeps still. */
const pageOf = (
  all: readonly unknown[],
  { page, size }: Pick<Asked, 'page' | 'size'>,
  totalDocs: unknown = all.length,
) => ({ data: all.slice((page - 1) * size, page * size), totalDocs })

const still = (count: number, asked: Pick<Asked, 'page' | 'size'>) => pageOf(items(count), asked)

describe('a list', () => {
  test.each([[null], ['x'], [[]], [3]])(
    'with %j where a record belongs is exit 10: whoever it stands for would be missing',
    async (stray) => {
      const { run } = await listed((asked) => pageOf([...items(2), stray], asked))
      expect([run.code, run.out, run.error().message]).toEqual([
        10,
        '',
        'Item 3 of page 1 is not a record, so the list cannot be read whole.',
      ])
    },
  )

  test.each<[number, readonly number[]]>([
    [0, [1]],
    [1, [1]],
    [99, [1]],
    // A full page may not be the last, whatever the total says; nor may one of a size that services use.
    [100, [1, 2]],
    [20, [1, 2]],
    // The first of several pages is asked for again: it shows whether the list changed.
    [101, [1, 2, 1]],
    [200, [1, 2, 3, 1]],
    [250, [1, 2, 3, 1]],
  ])('of %i items is read by its pages %j', async (count, pages) => {
    const { run, received } = await listed((asked) => still(count, asked))
    expect([run.code, run.json()]).toEqual([0, items(count)])
    expect(run.err).not.toContain('changed')
    expect(received.map(({ url }) => url)).toEqual(pages.map((page) => `/svc/vat-code?page=${page}&size=100`))
  })

  const full = { data: items(100), totalDocs: 100 }
  test.each<[string, unknown]>([
    ['the last one again', full],
    ['empty, with a total of 0', { data: [], totalDocs: 0 }],
    ['null', { data: null, totalDocs: 100 }],
    ...[400, 404, 416, 422].map((status): [string, unknown] => [`refused with ${status}`, status]),
  ])('of one full page is whole where the page behind it is %s', async (_, behind) => {
    const { run, pages } = await listed(({ page }) => (page === 1 ? full : behind))
    expect([run.code, run.json(), pages.length]).toEqual([0, items(100), 2])
  })

  test('of one full page may go on where the page behind it fails: it is exit 7, and nothing is listed', async () => {
    const { run } = await listed(({ page }) => (page === 1 ? full : 503))
    expect([run.code, run.out]).toEqual([7, ''])
  })

  test.each([500, 429])(
    'that fills a page of a usual size is whole where the service answers %i behind it, which is tried twice',
    async (status) => {
      const { run, pages } = await listed((asked) => (asked.page === 1 ? still(20, asked) : status))
      expect([run.code, run.json(), pages.length]).toEqual([0, items(20), 3])
    },
  )

  test.each<[string, (data: unknown[], total: number) => unknown]>([
    ['data and totalDocs', (data, totalDocs) => ({ data, totalDocs })],
    ['data, totalDocs and success', (data, totalDocs) => ({ data, totalDocs, success: true })],
    ['items and totalDocs', (data, totalDocs) => ({ items: data, totalDocs })],
    ['data and meta.totalDocs', (data, totalDocs) => ({ data, meta: { totalDocs, page: 1 } })],
    ['items and meta.totalDocs', (data, totalDocs) => ({ items: data, meta: { totalDocs } })],
  ])('is understood as %s', async (_, form) => {
    const { run } = await listed((asked) => form(still(150, asked).data, 150))
    expect(run.json()).toEqual(items(150))
  })

  test('goes on by the items that came when the service gives fewer than were asked for', async () => {
    const { run, pages } = await listed(({ page }) => still(50, { page, size: 20 }))
    expect([run.json(), pages]).toEqual([items(50), [1, 2, 3, 1]])
  })

  test('may come whole at once, however many were asked for', async () => {
    const { run, pages } = await listed(() => ({ data: items(500), totalDocs: 500 }))
    expect([run.json().length, pages]).toEqual([500, [1]])
  })

  const short = (asked: Asked) => pageOf(items(140), asked, 312)
  const ownTotal = (asked: Asked) => {
    const { data } = still(250, asked)
    return { data, totalDocs: data.length }
  }
  test.each<[string, (asked: Asked) => unknown, string]>([
    ['shorter than its total', short, '140 of 312'],
    ['empty before its total', () => ({ data: [], totalDocs: 3 }), '0 of 3'],
    ['null before its total', () => ({ data: null, totalDocs: 3 }), '0 of 3'],
    ['longer than its total', () => ({ data: items(100), totalDocs: 99 }), '100 of 99'],
    [
      'too long on its last page',
      ({ page, size }) => ({ data: items(size, page * size), totalDocs: 150 }),
      '200 of 150',
    ],
    ['the same page again', () => ({ data: items(100), totalDocs: 200 }), 'page 2 repeats page 1'],
    [
      'with a total of each page alone',
      ownTotal,
      'The list is longer than its total: the service returned 200 of 100.',
    ],
    [
      'with a total of each page alone, on pages of its own size',
      ({ page }) => ownTotal({ page, size: 20, before: 0 }),
      'The list is longer than its total: the service returned 40 of 20.',
    ],
  ])('that is %s is not shown at all, and exits 10', async (_, answer, message) => {
    const { run } = await listed(answer)
    expect([run.code, run.out]).toEqual([10, ''])
    expect(run.error()).toMatchObject({ retryable: false, method: 'GET', path: '/svc/vat-code' })
    expect(run.error().message).toContain(message)
  })

  const two = { data: items(2) }
  test.each([
    two,
    ...[null, '2', -1, 2.5, 1e308].map((totalDocs) => ({ ...two, totalDocs })),
    { ...two, totalDocs: '2', meta: { totalDocs: 2 } },
    { ...two, total: 2 },
    { data: { 0: { id: 'v0' } }, totalDocs: 1 },
    { data: 'v1', totalDocs: 1 },
    { totalDocs: 0 },
    {},
    null,
    JSON.stringify(items(2)),
  ])('is not understood as %j', async (body) => {
    for (const options of [[], ['--page', '1']]) {
      const { run, pages } = await listed(() => body, ...options)
      expect([run.code, run.out, pages]).toEqual([10, '', [1]])
      expect(run.error()).toMatchObject({ status: 200, method: 'GET', path: '/svc/vat-code' })
    }
  })

  test('whose total is a text says so', async () => {
    const { run } = await listed(() => ({ data: [], totalDocs: '3' }))
    expect(run.error().message).toContain('an integer totalDocs.')
  })

  test.each([
    ['its total twice', '{"totalDocs":2,"data":[{"id":"v0"}],"totalDocs":1}', 'totalDocs'],
    ['its total twice, spelt in two ways', '{"totalDocs":2,"data":[],"total\\u0044ocs":1}', 'totalDocs'],
    ['its total twice in meta', '{"items":[],"meta":{"totalDocs":2,"totalDocs":1}}', 'meta.totalDocs'],
    ['its items twice', '{"data":[{"id":"v1"}],"data":[{"id":"v0"}],"totalDocs":1}', 'data'],
  ])('that has %s in one answer is not understood', async (_, body, name) => {
    const { run } = await listed(() => body)
    expect([run.code, run.out]).toEqual([10, ''])
    expect(run.error().message).toBe(`The service answered 200 with ${name} more than once.`)
  })

  test('may have the names of its envelope in its items too', async () => {
    const item = '{"id":"v0","totalDocs":1,"data":"data","é":"\\u0041"}'
    const { run } = await listed(() => `{"totalDocs":1,"data":[${item}]}`)
    expect([run.code, run.json()]).toEqual([0, [JSON.parse(item)]])
  })

  test('may say in one page how many there are on all', async () => {
    const { run, received } = await listed((asked) => still(45, asked), '--page', '2')
    expect(run.json()).toEqual(items(20, 20))
    expect(received.map(({ url }) => url)).toEqual(['/svc/vat-code?page=2&size=20'])
  })

  test('that fails on a later page shows nothing of the earlier ones', async () => {
    const { run } = await listed((asked) => (asked.page === 3 ? 502 : still(300, asked)))
    expect([run.code, run.out]).toEqual([7, ''])
  })
})

/** Records with an id, or with none. */
const named = (from: number, to: number, withId: boolean) =>
  Array.from({ length: to - from }, (_, at) => ({
    ...(withId && { id: `v${from + at}` }),
    VATCode: `C-${from + at}`,
  }))

/** What happens to a list of 250 when its first page was read. */
const changes: Readonly<Record<string, (all: readonly unknown[], fresh: unknown) => readonly unknown[]>> = {
  'by one deleted in front and one added at the end': (all, fresh) => [...all.slice(1), fresh],
  'by one added in front': (all, fresh) => [fresh, ...all],
  'by one added in front and the last one deleted': (all, fresh) => [fresh, ...all.slice(0, -1)],
  'by one deleted in front': (all) => all.slice(1),
  'by one deleted in the middle': (all) => [...all.slice(0, 150), ...all.slice(151)],
  'by one added at the end': (all, fresh) => [...all, fresh],
}

/** A service whose list changes so often, each time when its first page was read. */
function changing(change: string, times: number, withId = true) {
  let all: readonly unknown[] = named(0, 250, withId)
  let changed = 0
  return {
    now: () => all,
    answer(asked: Asked) {
      const answered = pageOf(all, asked)
      if (asked.page === 1 && changed < times) {
        const [fresh] = named(1000 + changed, 1001 + changed, withId)
        all = changes[change]?.(all, fresh) ?? []
        changed += 1
      }
      return answered
    },
  }
}

const codes = (text: string) => text.match(/C-\d+/g) ?? []
const nested = ['json', 'csv', 'yaml', 'table']

/** Each change with two of these in turn: a list is whole before it is printed, whatever it is printed as. */
const inTurns = <Option>(options: readonly Option[]) =>
  Object.keys(changes).flatMap((change, at) =>
    [at, at + 1].map((turn) => [change, options[turn % options.length] as Option] as const),
  )

describe.each([true, false])(
  'a list of records (with ids: %s) that changes once while it is read',
  (withId) => {
    test.each(inTurns(nested))(
      '%s is read again, and is printed as %s as it is then',
      async (change, format) => {
        const { answer, now } = changing(change, 1, withId)
        const { run } = await listed(answer, '-o', format)
        expect([run.code, codes(run.out)]).toEqual([0, codes(JSON.stringify(now()))])
        expect(run.err).toContain('the list changed while it was being read, so it was read again')
      },
    )

    test.each(Object.keys(changes))('%s is not begun again as NDJSON: exit 10', async (change) => {
      const { run, firstPages } = await listed(changing(change, 1, withId).answer, '-o', 'ndjson')
      expect([run.code, run.error()]).toMatchObject([10, { code: 'invalid-response', retryable: true }])
      expect(run.error().message).toContain('The list changed while it was read')
      const printed = codes(run.out)
      expect(new Set(printed).size).toBe(printed.length)
      expect(firstPages).toBeLessThanOrEqual(2)
    })
  },
)

describe('a list that changes each time when it is read', () => {
  test.each(inTurns([...nested.map((format) => ['-o', format]), ['--query', '[].VATCode']]))(
    '%s is not printed at all with %j: exit 10 after two readings',
    async (change, options) => {
      for (const withId of [true, false]) {
        const { run, firstPages } = await listed(changing(change, 9, withId).answer, ...options)
        expect([run.code, run.out]).toEqual([10, ''])
        expect(run.err).toContain('The list changed while it was read')
        expect(firstPages).toBeLessThanOrEqual(4)
      }
    },
  )

  test('and grows without end is left', async () => {
    const growing = ({ page }: Asked) => ({ data: items(100, page * 100), totalDocs: page * 100 + 500 })
    const { run, pages } = await listed(growing)
    expect([run.code, run.out]).toEqual([10, ''])
    expect(pages.length).toBeLessThan(20)
  })
})

test.each(['--page', '--size'])('--consistent has no effect with %s, which is exit 2', async (option) => {
  const { run, pages } = await listed((asked) => still(20, asked), '--consistent', option, '1')
  expect([run.code, pages]).toEqual([2, []])
})

test('--consistent does not read a list again that changed: exit 10', async () => {
  const { run, firstPages } = await listed(changing('by one added in front', 1).answer, '--consistent')
  expect([run.code, run.out, firstPages]).toEqual([10, '', 1])
  expect(run.error().message).toContain('changed while it was read')
})

test('--consistent reads a list twice: where one is deleted in its midst and another one added, no item is missing without a word', async () => {
  // After its second page: what was the first item of the third page is then the last of the second.
  const moving = (asked: Asked) => pageOf(asked.before < 2 ? items(250) : items(251).toSpliced(110, 1), asked)
  const { run } = await listed(moving, '--consistent')
  expect([run.code, run.out]).toEqual([10, ''])
  expect(run.error().message).toContain('changed while it was read')
})

test('a record that is edited while its list is read does not move the list', async () => {
  const { run, pages } = await listed((asked) =>
    pageOf(
      items(250).map((item) => ({ ...item, readings: asked.before })),
      asked,
    ),
  )
  expect([run.code, pages]).toEqual([0, [1, 2, 3, 1]])
})

test('--limit of several pages asks for the first again, and reads a list again that changed', async () => {
  const { answer } = changing('by one deleted in front and one added at the end', 1)
  const { run } = await listed(answer, '--limit', '150')
  expect([run.code, codes(run.out)]).toEqual([0, codes(JSON.stringify(named(1, 151, false)))])
})

describe('a list with an item twice', () => {
  const all = [...items(100), { id: 'v99' }, ...items(49, 100)]
  const hours = Array.from({ length: 100 }, (_, at) => ({ hours: at }))

  test('is read once more, and is not whole when one is missing for it, also where the ids are numbers', async () => {
    for (const own of [all, all.map(({ id }) => ({ id: Number(id.slice(1)) }))]) {
      const { run, firstPages } = await listed((asked) => pageOf(own, asked))
      expect([run.code, run.out, firstPages]).toEqual([10, '', 2])
      expect(run.error().message).toContain('149 of 150')
    }
  })

  test('gives it once when nothing is missing', async () => {
    const { run } = await listed((asked) => pageOf(all, asked, 149))
    expect([run.code, run.json()]).toEqual([0, items(149)])
  })

  test('counts items without an id as they come', async () => {
    const same = (page: number) =>
      Array.from({ length: page === 1 ? 100 : 20 }, () => ({ name: 'same', page }))
    const { run } = await listed(({ page }) => ({ data: same(page), totalDocs: 120 }))
    expect(run.json()).toHaveLength(120)
  })

  test('reads it twice to believe that items without an id are the same in two pages', async () => {
    const [first, second] = [hours, hours.slice(0, 20)]
    const answer = ({ page }: Asked) => ({ data: page === 1 ? first : second, totalDocs: 120 })
    const whole = await listed(answer)
    expect(whole.run.json()).toEqual([...first, ...second])
    expect(whole.pages).toEqual([1, 2, 1, 2])
    const lines = await listed(answer, '-o', 'ndjson')
    expect([lines.run.code, lines.run.out.trim().split('\n').length]).toEqual([10, 100])
  })

  test('counts them so where a page begins with the first item of the page before', async () => {
    const other = hours.map(({ hours }) => ({ hours: hours === 0 ? 0 : hours + 100 }))
    const { run } = await listed((asked) => pageOf([...hours, ...other], asked))
    expect(run.json()).toEqual([...hours, ...other])
  })
})

test('two pages that differ in the last digit of long numbers only are two pages', async () => {
  const numbers = ['9007199254740992', '9007199254740993']
  const { run } = await listed(({ page }) => {
    const hours = new ExactNumber(numbers[page - 1] ?? '')
    return stringifyJson({
      data: Array.from({ length: page > 2 ? 0 : 100 }, () => ({ hours })),
      totalDocs: 200,
    })
  })
  expect(run.code).toBe(0)
  for (const number of numbers) expect(run.out.split(number)).toHaveLength(101)
})

describe('the window of requests', () => {
  test('is four wide and asks for no page beyond the total', async () => {
    const pages: number[] = []
    const waiting: (() => void)[] = []
    let most = 0
    const { env } = await service(({ url }, response) => {
      const page = Number(new URL(url, 'http://service.example').searchParams.get('page'))
      pages.push(page)
      waiting.push(() => answerJson(response, 200, still(950, { page, size: 100 })))
      most = Math.max(most, waiting.length)
      const release = () => {
        for (const give of waiting.splice(0)) give()
      }
      // However slow the machine is, four are there together before the first of them is answered.
      if (page === 1 || page === 10 || waiting.length === 4) setTimeout(release, 20)
      else setTimeout(release, 3000).unref()
    })
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect(run.json()).toEqual(items(950))
    expect(pages.sort((a, b) => a - b)).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(most).toBe(4)
  })

  test.each([
    [200, [1, 1, 2]],
    [201, [1, 1, 2, 3]],
  ])('asks for no page beyond --limit %i', async (limit, expected) => {
    const { run, pages } = await listed((asked) => still(5000, asked), '--limit', String(limit))
    expect([run.json(), pages.sort()]).toEqual([items(limit), expected])
  })

  test('keeps the order of the pages, whichever comes first', async () => {
    const { env } = await service(({ url }, response) => {
      const page = Number(new URL(url, 'http://service.example').searchParams.get('page'))
      setTimeout(() => answerJson(response, 200, still(600, { page, size: 100 })), 60 - page * 10)
    })
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect(run.json()).toEqual(items(600))
  })

  test('is asked for half of the size where a page is too large', async () => {
    const { run } = await listed((asked) => (asked.size > 50 ? 413 : still(120, asked)))
    expect(run.json()).toEqual(items(120))
    const never = await listed(() => 413)
    expect([never.run.code, never.pages.length]).toEqual([6, 2])
  })
})

test('NDJSON that breaks off has its lines, the count of what is missing, and the exit code', async () => {
  const broken = await listed((asked) => (asked.page > 2 ? 500 : still(312, asked)), '-o', 'ndjson')
  expect(broken.run.out.trim().split('\n')).toHaveLength(200)
  expect(broken.run.err).toMatch(/^incomplete: 200 of 312$/m)
  expect([broken.run.code, broken.run.error()]).toMatchObject([7, { code: 'temporary', status: 500 }])
  const { run } = await listed((asked) => pageOf(items(140), asked, 312), '-o', 'ndjson')
  expect([run.code, run.out.trim().split('\n').length]).toEqual([10, 140])
  expect(run.err).toMatch(/^incomplete: 140 of 312$/m)
})

test.each([
  ['numbers', String],
  ['UUIDs that count up', (at: number) => `00000000-0000-4000-8001-${String(at).padStart(12, '0')}`],
  ['hexadecimal digits', (at: number) => at.toString(16).padStart(24, '0')],
  ['letters beyond ASCII', (at: number) => `Ó${String.fromCharCode(0x4e00 + (at % 5000))}-${at}`],
])('%s as ids of a list: each is new once, and none is taken for another', (_, idAt) => {
  const ids = createIdSet()
  const all = Array.from({ length: 100_000 }, (_, at) => idAt(at))
  expect(all.filter((id) => !ids.add(id))).toEqual([])
  expect(all.filter((id) => ids.add(id))).toEqual([])
})
