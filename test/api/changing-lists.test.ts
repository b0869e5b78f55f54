// @module-tag tables

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ExactNumber } from '../../src/json/numbers.ts'
import { stringifyJson } from '../../src/json/stringify.ts'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { calls } from './http-cases.ts'

interface Asked {
  readonly page: number
  readonly size: number
  /** How many requests came before this one. */
  readonly before: number
}

type Answer = { readonly data: readonly unknown[]; readonly totalDocs: number } | number

const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: `v${from + at}` }))

/** What a service answers that holds items 0 up to `count` and keeps still. */
const still = (count: number, { page, size }: Asked) => ({
  data: items(0, count).slice((page - 1) * size, page * size),
  totalDocs: count,
})

async function listed(answer: (asked: Asked) => Answer, ...options: string[]) {
  const pages: number[] = []
  const { env } = await service(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://service.example')
    const asked = { page: Number(searchParams.get('page')), size: Number(searchParams.get('size')) }
    const answered = answer({ ...asked, before: pages.length })
    pages.push(asked.page)
    setTimeout(() => {
      if (typeof answered === 'number') response.writeHead(answered).end()
      else answerJson(response, 200, answered)
    }, 5)
  })
  const format = options.includes('-o') ? [] : ['--json']
  const run = await payroll([...format, ...calls.list.argv, ...options], { env })
  return { run, pages }
}

/** Records with an id, or with none. */
const named = (from: number, to: number, withId: boolean) =>
  Array.from({ length: to - from }, (_, at) =>
    withId ? { id: `v${from + at}`, VATCode: `C-${from + at}` } : { VATCode: `C-${from + at}` },
  )

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
function changing(change: string, times: number, withId: boolean) {
  let all: readonly unknown[] = named(0, 250, withId)
  let changed = 0
  return {
    now: () => all,
    answer({ page, size }: Asked) {
      const answered = { data: all.slice((page - 1) * size, page * size), totalDocs: all.length }
      if (page === 1 && changed < times) {
        const [fresh] = named(1000 + changed, 1001 + changed, withId)
        all = changes[change]?.(all, fresh) ?? []
        changed += 1
      }
      return answered
    },
  }
}

const readAgain = 'the list changed while it was being read, so it was read again'

const codes = (text: string) => text.match(/C-\d+/g) ?? []

describe.each([true, false])(
  'a list of records (with ids: %s) that changes once while it is read',
  (withId) => {
    test.each(
      Object.keys(changes).flatMap((change) =>
        ['json', 'csv', 'yaml', 'table'].map((format) => [change, format]),
      ),
    )('%s is read again, and is printed as %s as it is then', async (change, format) => {
      const { answer, now } = changing(change, 1, withId)
      const { run } = await listed(answer, '-o', format)
      expect(run.code).toBe(0)
      expect(codes(run.out)).toEqual(codes(JSON.stringify(now())))
      expect(run.err).toContain(readAgain)
    })

    test.each(Object.keys(changes))('%s is not begun again as NDJSON: exit 10', async (change) => {
      const { answer } = changing(change, 1, withId)
      const { run, pages } = await listed(answer, '-o', 'ndjson')
      expect([run.code, run.error()]).toMatchObject([10, { code: 'invalid-response', retryable: true }])
      expect(run.error().message).toContain('The list changed while it was read')
      const printed = codes(run.out)
      expect(new Set(printed).size).toBe(printed.length)
      expect(pages.filter((page) => page === 1).length).toBeLessThanOrEqual(2)
    })
  },
)

describe('a list that changes each time when it is read', () => {
  test.each(
    Object.keys(changes).flatMap((change) =>
      [
        ['-o', 'json'],
        ['-o', 'csv'],
        ['-o', 'yaml'],
        ['-o', 'table'],
        ['--query', '[].VATCode'],
      ].map((options): [string, readonly string[]] => [change, options]),
    ),
  )('%s is not printed at all with %j: exit 10 after two readings', async (change, options) => {
    for (const withId of [true, false]) {
      const { answer } = changing(change, 9, withId)
      const { run, pages } = await listed(answer, ...options)
      expect([run.code, run.out]).toEqual([10, ''])
      expect(run.err).toContain('The list changed while it was read')
      expect(pages.filter((page) => page === 1).length).toBeLessThanOrEqual(4)
    }
  })

  test('is no file with --out', async () => {
    const home = freshHome()
    const { answer } = changing('by one added in front', 9, true)
    for (const format of ['xlsx', 'csv', 'json', 'ndjson']) {
      const { run } = await listed(answer, '-o', format, '--out', join(home, 'list'))
      expect(run.code).toBe(10)
    }
    expect(readdirSync(home)).toEqual([])
  })

  test('a list that changes each time when it is read and grows without end is left', async () => {
    const { run, pages } = await listed(({ page }) => ({
      data: items(page * 100, page * 100 + 100),
      totalDocs: page * 100 + 500,
    }))
    expect([run.code, run.out]).toEqual([10, ''])
    expect(pages.length).toBeLessThan(20)
  })
})

test('--consistent does not read a list again that changed: exit 10', async () => {
  const { answer } = changing('by one added in front', 1, true)
  const { run, pages } = await listed(answer, '--consistent')
  expect([run.code, run.out]).toEqual([10, ''])
  expect(run.error().message).toContain('changed while it was read')
  expect(pages.filter((page) => page === 1)).toHaveLength(1)
})

test('a record that is edited while its list is read does not move the list', async () => {
  const { run, pages } = await listed((asked) => {
    const { data, totalDocs } = still(250, asked)
    return { data: data.map((item) => ({ ...item, readings: asked.before })), totalDocs }
  })
  expect(run.code).toBe(0)
  expect(pages).toEqual([1, 2, 3, 1])
})

test('--limit of several pages asks for the first again, and reads a list again that changed', async () => {
  const { answer } = changing('by one deleted in front and one added at the end', 1, true)
  const { run } = await listed(answer, '--limit', '150')
  expect(run.code).toBe(0)
  expect(codes(run.out)).toEqual(codes(JSON.stringify(named(1, 151, false))))
})

describe('a list with an item twice', () => {
  const twice = ({ page, size }: Asked) => {
    const all = [...items(0, 100), { id: 'v99' }, ...items(100, 149)]
    return { data: all.slice((page - 1) * size, page * size), totalDocs: 150 }
  }

  test('is read once more, and is not whole when one is missing for it', async () => {
    const { run, pages } = await listed(twice)
    expect(run.code).toBe(10)
    expect(run.error().message).toContain('149 of 150')
    expect(pages.filter((page) => page === 1)).toHaveLength(2)
  })

  test('is not whole either where the ids are numbers', async () => {
    const { run } = await listed((asked) => {
      const { data, totalDocs } = twice(asked)
      return { data: data.map(({ id }) => ({ id: Number(id.slice(1)) })), totalDocs }
    })
    expect([run.code, run.out]).toEqual([10, ''])
    expect(run.error().message).toContain('149 of 150')
  })

  test('gives it once when nothing is missing', async () => {
    const { run } = await listed((asked) => ({ ...twice(asked), totalDocs: 149 }))
    expect([run.code, run.json()]).toEqual([0, items(0, 149)])
  })

  test('counts items without an id as they come', async () => {
    const { run } = await listed(({ page }) => ({
      data: Array.from({ length: page === 1 ? 100 : 20 }, () => ({ name: 'same', page })),
      totalDocs: 120,
    }))
    expect(run.json()).toHaveLength(120)
  })

  test('reads it twice to believe that items without an id are the same in two pages', async () => {
    const first = Array.from({ length: 100 }, (_, at) => ({ hours: at }))
    const answer = ({ page }: Asked) => ({ data: page === 1 ? first : first.slice(0, 20), totalDocs: 120 })
    const whole = await listed(answer)
    expect(whole.run.json()).toEqual([...first, ...first.slice(0, 20)])
    expect(whole.pages).toEqual([1, 2, 1, 2])
    const lines = await listed(answer, '-o', 'ndjson')
    expect(lines.run.code).toBe(10)
    expect(lines.run.out.trim().split('\n')).toHaveLength(100)
  })

  test('counts them so where a page begins with the first item of the page before', async () => {
    const first = Array.from({ length: 100 }, (_, at) => ({ hours: at }))
    const other = first.map(({ hours }) => ({ hours: hours === 0 ? 0 : hours + 100 }))
    const { run } = await listed(({ page }) => ({ data: page === 1 ? first : other, totalDocs: 200 }))
    expect(run.json()).toEqual([...first, ...other])
  })
})

test('two pages that differ in the last digit of long numbers only are two pages', async () => {
  const [first, second] = ['9007199254740992', '9007199254740993'].map((text) => new ExactNumber(text))
  const { env } = await service(({ url }, response) => {
    const data = Array.from({ length: 100 }, () => ({ hours: url.includes('page=1&') ? first : second }))
    response.writeHead(200).end(stringifyJson({ data, totalDocs: 200 }))
  })
  const run = await payroll(['--json', ...calls.list.argv], { env })
  expect(run.code).toBe(0)
  expect(run.out.match(/9007199254740992/g)).toHaveLength(100)
  expect(run.out.match(/9007199254740993/g)).toHaveLength(100)
})

describe('the window of requests', () => {
  test('is four wide and asks for no page beyond the total', async () => {
    const pages: number[] = []
    const waiting: (() => void)[] = []
    let most = 0
    const { env } = await service(({ url }, response) => {
      const page = Number(new URL(url, 'http://service.example').searchParams.get('page'))
      pages.push(page)
      waiting.push(() => answerJson(response, 200, still(950, { page, size: 100, before: 0 })))
      most = Math.max(most, waiting.length)
      const release = () => {
        for (const give of waiting.splice(0)) give()
      }
      // However slow the machine is, four are there together before the first of them is answered.
      if (page === 1 || page === 10 || waiting.length === 4) setTimeout(release, 20)
      else setTimeout(release, 3000).unref()
    })
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect(run.json()).toEqual(items(0, 950))
    expect(pages.sort((a, b) => a - b)).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(most).toBe(4)
  })

  test('asks for no page beyond the limit', async () => {
    const { run, pages } = await listed((asked) => still(5000, asked), '--limit', '201')
    expect(run.json()).toHaveLength(201)
    expect(pages.sort()).toEqual([1, 1, 2, 3])
    const full = await listed((asked) => still(5000, asked), '--limit', '200')
    expect(full.run.json()).toHaveLength(200)
    expect(full.pages.sort()).toEqual([1, 1, 2])
  })

  test('keeps the order of the pages, whichever comes first', async () => {
    const { env } = await service(({ url }, response) => {
      const { searchParams } = new URL(url, 'http://service.example')
      const asked = { page: Number(searchParams.get('page')), size: 100, before: 0 }
      setTimeout(() => answerJson(response, 200, still(600, asked)), 60 - asked.page * 10)
    })
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect(run.json()).toEqual(items(0, 600))
  })

  test('is asked for half of the size where a page is too large', async () => {
    const { run } = await listed((asked) => (asked.size > 50 ? 413 : still(120, asked)))
    expect(run.json()).toEqual(items(0, 120))
    const never = await listed(() => 413)
    expect(never.run.code).toBe(6)
    expect(never.pages).toHaveLength(2)
  })
})

describe('NDJSON', () => {
  test('NDJSON that breaks off has its lines, the count of what is missing, and the exit code', async () => {
    const { run } = await listed((asked) => (asked.page > 2 ? 500 : still(312, asked)), '-o', 'ndjson')
    expect(run.out.trim().split('\n')).toHaveLength(200)
    expect(run.err).toMatch(/^incomplete: 200 of 312$/m)
    expect([run.code, run.error()]).toMatchObject([7, { code: 'temporary', status: 500 }])
  })

  test('NDJSON of a list that comes back short exits 10', async () => {
    const short = ({ page, size }: Asked) => ({ ...still(140, { page, size, before: 0 }), totalDocs: 312 })
    const { run } = await listed(short, '-o', 'ndjson')
    expect(run.out.trim().split('\n')).toHaveLength(140)
    expect(run.err).toMatch(/^incomplete: 140 of 312$/m)
    expect(run.code).toBe(10)
  })
})
