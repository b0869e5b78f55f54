import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

const person = (number: number) => {
  const names = { agencyRef: `R-${number}`, forename: 'Ann', surname: `Sample ${number}` }
  return { id: `p${number}`, ...names }
}

/**
 * Who is deleted while a list of 250 is read, before its last page is answered; one is added at the end. In the reading
 * the person who moves to the page before is missing. The first page shows it of the first of these, and nothing of `unseen`.
 */
const [seen, unseen] = [50, 150]

/** A service of 250 people whose list changes so often. */
async function changingPeople(deleted: number, times: number) {
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
        all = [...all.filter(({ id }) => id !== `p${deleted + changed}`), person(1000 + changed)]
        changed += 1
      }
    }
    answerJson(response, 200, { data: all.slice((page - 1) * 100, page * 100), totalDocs: all.length })
    if (page !== 2) return
    secondPages += 1
    answered()
  })
  const home = freshHome()
  const file = (text = '') => {
    writeFileSync(join(home, 'rows.ndjson'), text)
    return join(home, 'rows.ndjson')
  }
  return {
    file,
    sent: () => received.filter(({ method }) => method === 'POST').length,
    readings: () => secondPages,
    // An export says its own format.
    run: (...argv: string[]) => payroll(argv.includes('-o') ? argv : ['--json', ...argv], { home, env }),
    import: (agencyRef: string, surname: string) => {
      const row = { generalSetting: { agencyRef, forename: 'Ann', surname } }
      const argv = ['--json', 'candidates', 'import', file(JSON.stringify(row)), '--settle', '0']
      return payroll(argv, { home, env })
    },
    createUnique: (agencyRef: string) => {
      const set = `generalSetting.agencyRef=${agencyRef}`
      const argv = ['--json', 'candidates', 'create', '--unique', '--incomplete', '--set', set]
      return payroll(argv, { home, env })
    },
  }
}

describe.each([
  ['page 1', seen],
  ['page 2, which neither the total nor the first page shows', unseen],
])('a list that changes once while it is read, by one deleted on %s', (_, deleted) => {
  // The first reading does not show the first of page 3.
  test('does not hide a person from an import, who would be sent again', async () => {
    const at = await changingPeople(deleted, 1)
    const run = await at.import('R-200', 'Sample 200')
    expect([run.code, run.json()]).toMatchObject([0, { rows: 1, created: 0, existing: 1 }])
    expect(at.sent()).toBe(0)
  })

  test('does not hide a person from create --unique', async () => {
    const at = await changingPeople(deleted, 1)
    const run = await at.createUnique('R-200')
    expect([run.code, at.sent()]).toEqual([6, 0])
    expect(run.error().message).toContain('R-200')
  })

  test('shows nobody twice among whom a person is chosen by name', async () => {
    const at = await changingPeople(deleted, 1)
    const run = await at.run('payslips', 'list', 'R-5')
    expect([run.code, run.json()]).toEqual([0, []])
  })

  test.each(['csv', 'ndjson', 'json'])('leaves nobody out of export --since-last as %s', async (format) => {
    const at = await changingPeople(deleted, 1)
    const file = `${at.file()}.new`
    const run = await at.run('payslips', 'export', '--since-last', 'nightly', '-o', format, '--out', file)
    expect(run.code).toBe(0)
    const refs = readFileSync(file, 'utf8').match(/R-\d+/g) ?? []
    expect([refs.length, new Set(refs).size]).toEqual([250, 250])
    expect(refs).toContain('R-200')
    expect(refs).not.toContain(`R-${deleted}`)
  })
})

describe('a list that changes each time when it is read', () => {
  test('stops an import: exit 10, nothing is sent', async () => {
    const at = await changingPeople(unseen, 99)
    const run = await at.import('NEW-1', 'Fake')
    expect([run.code, run.error()]).toMatchObject([10, { outcome: 'not-sent', retryable: true }])
    expect(run.error().message).toContain(
      'The list changed while it was read. An import has to know who is there already. Nothing was sent.',
    )
    expect(at.sent()).toBe(0)
    expect(at.readings()).toBeLessThan(10)
  })

  test('stops create --unique: exit 10, nothing is sent', async () => {
    const at = await changingPeople(unseen, 99)
    const run = await at.createUnique('NEW-1')
    expect([run.code, run.error().outcome, at.sent()]).toEqual([10, 'not-sent', 0])
  })

  test('is not exported with --since-last, and nothing is remembered of it', async () => {
    const at = await changingPeople(unseen, 4)
    const words = ['payslips', 'export', '--since-last', 'nightly', '-o', 'ndjson']
    const run = await at.run(...words)
    expect([run.code, run.out]).toEqual([10, ''])
    const next = await at.run(...words)
    expect([next.code, next.out.trim().split('\n').length]).toEqual([0, 250])
  })
})

test.each([
  [1, 0, [{ agencyRef: 'R-200' }]],
  [99, 10, undefined],
])(
  'candidates find in a list that changes %i times sees whom one reading hid, or ends: exit %i',
  async (times, code, found) => {
    const run = await (await changingPeople(seen, times)).run('candidates', 'find', 'Sample 200')
    expect(run.code).toBe(code)
    if (found) expect(run.json()).toMatchObject(found)
    else expect(run.out).toBe('')
  },
)
