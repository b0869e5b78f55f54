import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

const person = (number: number) => ({
  id: `p${number}`,
  agencyRef: `R-${number}`,
  forename: 'Ann',
  surname: `Sample ${number}`,
})

/**
 * What happens while a list of 250 is read, before its last page is answered. Neither the total nor the first page shows
 * it, and in the reading the person who moves to the page before is missing.
 */
const unseen = 'one is deleted on page 2, one is added at the end'

/** Who is deleted; the first page shows the first of these. */
const changes: Readonly<Record<string, number>> = {
  'one is deleted on page 1, one is added at the end': 50,
  [unseen]: 150,
}

/** A service of 250 people whose list changes so often. */
async function changingPeople(change: string, times: number) {
  let all = Array.from({ length: 250 }, (_, number) => person(number))
  let [changed, secondPages] = [0, 0]
  let answered = () => {}
  let second = new Promise<void>((resolve) => (answered = resolve))
  const { env, received } = await service(async ({ method, url }, response) => {
    if (method === 'POST') return answerJson(response, 201, { success: true })
    if (url.includes('ireland')) return answerJson(response, 200, { data: [], totalDocs: 0 })
    const page = Number(new URL(url, 'http://service.example').searchParams.get('page'))
    if (page === 3) {
      await second
      second = new Promise<void>((resolve) => (answered = resolve))
      if (changed < times) {
        all = [
          ...all.filter(({ id }) => id !== `p${(changes[change] ?? 0) + changed}`),
          person(1000 + changed),
        ]
        changed += 1
      }
    }
    answerJson(response, 200, { data: all.slice((page - 1) * 100, page * 100), totalDocs: all.length })
    if (page !== 2) return
    secondPages += 1
    answered()
  })
  const home = freshHome()
  return {
    home,
    sent: () => received.filter(({ method }) => method === 'POST').length,
    readings: () => secondPages,
    // An export says its own format.
    run: (...argv: string[]) => payroll(argv.includes('-o') ? argv : ['--json', ...argv], { home, env }),
    /** Whom the first reading does not show: the first of page 3. */
    hidden: person(200),
  }
}

describe.each(Object.keys(changes))('a list that changes once while it is read: %s', (change) => {
  test('does not hide a person from an import, who would be sent again', async () => {
    const at = await changingPeople(change, 1)
    const file = join(at.home, 'starters.ndjson')
    const { agencyRef, forename, surname } = at.hidden
    writeFileSync(file, JSON.stringify({ generalSetting: { agencyRef, forename, surname } }))
    const run = await at.run('candidates', 'import', file, '--settle', '0')
    expect([run.code, run.json()]).toMatchObject([0, { rows: 1, created: 0, existing: 1 }])
    expect(at.sent()).toBe(0)
  })

  test('does not hide a person from create --unique', async () => {
    const at = await changingPeople(change, 1)
    const set = `generalSetting.agencyRef=${at.hidden.agencyRef}`
    const run = await at.run('candidates', 'create', '--unique', '--incomplete', '--set', set)
    expect(run.code).toBe(6)
    expect(run.error().message).toContain('R-200')
    expect(at.sent()).toBe(0)
  })

  test.each(['csv', 'ndjson', 'json'])('leaves nobody out of export --since-last as %s', async (format) => {
    const at = await changingPeople(change, 1)
    const file = join(at.home, 'out')
    const run = await at.run('payslips', 'export', '--since-last', 'nightly', '-o', format, '--out', file)
    expect(run.code).toBe(0)
    const refs = readFileSync(file, 'utf8').match(/R-\d+/g) ?? []
    expect(refs).toHaveLength(250)
    expect(new Set(refs).size).toBe(250)
    expect(refs).toContain('R-200')
    expect(refs).not.toContain(`R-${changes[change]}`)
  })
})

describe('a list that changes each time when it is read', () => {
  test('stops an import: exit 10, nothing is sent', async () => {
    const at = await changingPeople(unseen, 99)
    const file = join(at.home, 'starters.ndjson')
    writeFileSync(
      file,
      JSON.stringify({ generalSetting: { agencyRef: 'NEW-1', forename: 'Ann', surname: 'Fake' } }),
    )
    const run = await at.run('candidates', 'import', file, '--settle', '0')
    expect([run.code, run.error()]).toMatchObject([10, { outcome: 'not-sent', retryable: true }])
    expect(run.error().message).toContain(
      'The list changed while it was read. An import has to know who is there already. Nothing was sent.',
    )
    expect(at.sent()).toBe(0)
    expect(at.readings()).toBeLessThan(10)
  })

  test('stops create --unique: exit 10, nothing is sent', async () => {
    const at = await changingPeople(unseen, 99)
    const set = 'generalSetting.agencyRef=NEW-1'
    const run = await at.run('candidates', 'create', '--unique', '--incomplete', '--set', set)
    expect([run.code, run.error()]).toMatchObject([10, { outcome: 'not-sent' }])
    expect(at.sent()).toBe(0)
  })

  test('is not exported with --since-last, and nothing is remembered of it', async () => {
    const at = await changingPeople(unseen, 4)
    const words = ['payslips', 'export', '--since-last', 'nightly', '-o', 'ndjson']
    const run = await at.run(...words)
    expect([run.code, run.out]).toEqual([10, ''])
    const next = await at.run(...words)
    expect(next.code).toBe(0)
    expect(next.out.trim().split('\n')).toHaveLength(250)
  })

  test.each(['csv', 'json', 'xlsx'])('is no file of an export as %s: exit 10', async (format) => {
    const at = await changingPeople('one is deleted on page 1, one is added at the end', 99)
    const file = join(at.home, 'out')
    const run = await at.run('payslips', 'export', '-o', format, '--out', file)
    expect(run.code).toBe(10)
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })

  test('is not searched: candidates find ends with exit 10', async () => {
    const at = await changingPeople('one is deleted on page 1, one is added at the end', 99)
    const run = await at.run('candidates', 'find', 'Sample 200')
    expect([run.code, run.out]).toEqual([10, ''])
  })
})

test('candidates find sees a person whom a list hid that changed once while it was read', async () => {
  const at = await changingPeople('one is deleted on page 1, one is added at the end', 1)
  const run = await at.run('candidates', 'find', 'Sample 200')
  expect([run.code, run.json()]).toMatchObject([0, [{ agencyRef: 'R-200' }]])
})
