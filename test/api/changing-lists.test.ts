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
  const run = await payroll([...format, ...calls.list.argv, ...options], { home: freshHome(), env })
  return { run, pages }
}

describe('a list that changes while it is read', () => {
  test('by an item that is added is read again, and holds it', async () => {
    // The total is one more from the third request on.
    const { run } = await listed((asked) => still(asked.before < 2 ? 250 : 251, asked))
    expect(run.code).toBe(0)
    expect(run.json()).toEqual(items(0, 251))
    expect(run.err).toContain('the list changed while it was being read, so it was read again')
  })

  test('by an item that is taken away is read again, and says so', async () => {
    const { run, pages } = await listed((asked) => still(asked.before < 2 ? 250 : 249, asked))
    expect(run.code).toBe(0)
    expect(run.json().length).toBeGreaterThanOrEqual(249)
    expect(pages.filter((page) => page === 1)).toHaveLength(2)
    expect(run.err).toContain('the list changed while it was being read, so it was read again')
  })

  test('so that an item moves to the next page gives it once, and what it pushed away too', async () => {
    // Somebody adds v-new in front after the first page was read: v99 moves to page 2.
    const moved = [{ id: 'new' }, ...items(0, 150)]
    const { run } = await listed(({ page, size, before }) => {
      const all = before === 0 ? items(0, 150) : moved
      return { data: all.slice((page - 1) * size, page * size), totalDocs: all.length }
    })
    expect(run.code).toBe(0)
    expect(
      run
        .json()
        .map(({ id }: { id: string }) => id)
        .sort(),
    ).toEqual(moved.map(({ id }) => id).sort())
  })

  test('all the time is read three times, and no more', async () => {
    const { run, pages } = await listed((asked) =>
      still(200 + asked.before, { ...asked, size: asked.size - 1 }),
    )
    expect(run.code).toBe(0)
    expect(run.err).toContain('the list changed while it was being read, so it was read again')
    expect(pages.filter((page) => page === 1)).toHaveLength(3)
  })

  test('and grows without end is left', async () => {
    const { run, pages } = await listed(({ page }) => ({
      data: items(page * 100, page * 100 + 100),
      totalDocs: page * 100 + 500,
    }))
    expect(run.code).toBe(10)
    expect(run.out).toBe('')
    expect(pages.length).toBeLessThan(200)
  })

  test('is no answer with --consistent', async () => {
    // Never twice the same total, but in the end everything was seen.
    const answer = (asked: Asked) => still(asked.before % 2 === 0 ? 150 : 149, asked)
    expect((await listed(answer)).run.code).toBe(0)
    const { run } = await listed(answer, '--consistent')
    expect(run.code).toBe(10)
    expect(run.out).toBe('')
    expect(run.error().message).toContain('changed while it was read')
  })
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
    expect(run.code).toBe(10)
    expect(run.out).toBe('')
    expect(run.error().message).toContain('149 of 150')
  })

  test('gives it once when nothing is missing', async () => {
    const { run } = await listed((asked) => ({ ...twice(asked), totalDocs: 149 }))
    expect(run.code).toBe(0)
    expect(run.json()).toEqual(items(0, 149))
  })

  test('counts items without an id as they come', async () => {
    const { run } = await listed(({ page }) => ({
      data: Array.from({ length: page === 1 ? 100 : 20 }, () => ({ name: 'same', page })),
      totalDocs: 120,
    }))
    expect(run.json()).toHaveLength(120)
  })

  test('counts them so where a page begins with the items of the page before', async () => {
    const first = Array.from({ length: 100 }, (_, at) => ({ hours: at }))
    const shorter = await listed(({ page }) => ({
      data: page === 1 ? first : first.slice(0, 20),
      totalDocs: 120,
    }))
    expect(shorter.run.json()).toEqual([...first, ...first.slice(0, 20)])
    const other = first.map(({ hours }) => ({ hours: hours === 0 ? 0 : hours + 100 }))
    const asLong = await listed(({ page }) => ({ data: page === 1 ? first : other, totalDocs: 200 }))
    expect(asLong.run.json()).toEqual([...first, ...other])
  })
})

test('two pages that differ in the last digit of long numbers only are two pages', async () => {
  const [first, second] = ['9007199254740992', '9007199254740993'].map((text) => new ExactNumber(text))
  const { env } = await service(({ url }, response) => {
    const data = Array.from({ length: 100 }, () => ({ hours: url.includes('page=1&') ? first : second }))
    response.writeHead(200).end(stringifyJson({ data, totalDocs: 200 }))
  })
  const run = await payroll(['--json', ...calls.list.argv], { home: freshHome(), env })
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
    const run = await payroll(['--json', ...calls.list.argv], { home: freshHome(), env })
    expect(run.json()).toEqual(items(0, 950))
    expect(pages.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(most).toBe(4)
  })

  test('asks for no page beyond the limit', async () => {
    const { run, pages } = await listed((asked) => still(5000, asked), '--limit', '201')
    expect(run.json()).toHaveLength(201)
    expect(pages.sort()).toEqual([1, 2, 3])
    const full = await listed((asked) => still(5000, asked), '--limit', '200')
    expect(full.run.json()).toHaveLength(200)
    expect(full.pages.sort()).toEqual([1, 2])
  })

  test('keeps the order of the pages, whichever comes first', async () => {
    const { env } = await service(({ url }, response) => {
      const { searchParams } = new URL(url, 'http://service.example')
      const asked = { page: Number(searchParams.get('page')), size: 100, before: 0 }
      setTimeout(() => answerJson(response, 200, still(600, asked)), 60 - asked.page * 10)
    })
    const run = await payroll(['--json', ...calls.list.argv], { home: freshHome(), env })
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
  test('that breaks off has its lines, the count of what is missing, and the exit code', async () => {
    const { run } = await listed((asked) => (asked.page > 2 ? 500 : still(312, asked)), '-o', 'ndjson')
    expect(run.out.trim().split('\n')).toHaveLength(200)
    expect(run.err).toMatch(/^incomplete: 200 of 312$/m)
    expect(run.code).toBe(7)
    expect(run.error()).toMatchObject({ code: 'temporary', status: 500 })
  })

  test('of a list that comes back short exits 10', async () => {
    const short = ({ page, size }: Asked) => ({ ...still(140, { page, size, before: 0 }), totalDocs: 312 })
    const { run } = await listed(short, '-o', 'ndjson')
    expect(run.out.trim().split('\n')).toHaveLength(140)
    expect(run.err).toMatch(/^incomplete: 140 of 312$/m)
    expect(run.code).toBe(10)
  })

  test('of a list that changes has every item on one line only', async () => {
    const { run } = await listed((asked) => still(asked.before < 2 ? 250 : 251, asked), '-o', 'ndjson')
    const lines = run.out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(items(0, 251))
  })
})
