import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { recordTypesByName } from '../../../src/cli/record-types.ts'
import { withLock } from '../../../src/files/lock.ts'
import { openSource } from '../../../src/table/open-source.ts'
import { mixSections } from '../../api/contract/mixtures.ts'
import { everyField } from '../../every-field.ts'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { bodyOf } from '../../sandbox/fresh-sandbox.ts'
import { answerJson, service } from '../../service.ts'
import { readRows } from '../../workbook.ts'

const sandbox = ['--profile', 'sandbox'] as const

/** A sandbox with the sample people in it. */
async function seeded(...words: string[]): Promise<string> {
  const home = freshHome()
  expect((await payroll(['sandbox', 'seed', ...words], { home })).code).toBe(0)
  return home
}

/** A service that has these records in every list, and counts the requests for each single one. */
async function having(records: () => object[]) {
  return service(({ url }, response) => {
    const id = /\/([\w-]+)$/.exec(url.split('?')[0] ?? '')?.[1]
    const one = url.includes('?') ? undefined : records().find((each) => 'id' in each && each.id === id)
    answerJson(response, 200, one ? { data: one } : { data: records(), totalDocs: records().length })
  })
}

describe('an export of candidates', () => {
  const countries = [
    ['candidates.uk', '--uk'],
    ['candidates.ireland', '--ireland'],
  ] as const

  for (const [what, country] of countries)
    test.each(['csv', 'ndjson', 'json', 'xlsx'])(`imports again unchanged: ${what} as %s`, async (format) => {
      const [home, other] = [await seeded(), freshHome()]
      // A person who has everything, and one whom a spreadsheet would like to run.
      const full = await bodyOf(`test/fixtures/candidate-${what.split('.')[1]}.json`)
      const odd = structuredClone(full)
      Object.assign(odd.generalSetting, {
        agencyRef: '=1+1',
        forename: "'=marked",
        surname: 'a "b", c\nd',
        mobile: '+447700900123',
        jobDescription: '  as it is ',
        department: '0012',
        address: ['1 Example Street', '=2', '3', '4', '5', '6', '7', '8', '9', '10', '11'],
      })
      // Both have the same NI or PPS number.
      const create = [...sandbox, 'candidates', 'create', country, '-q', '--same-person', '--file', '-']
      for (const body of [full, odd]) {
        expect((await payroll(create, { home, input: JSON.stringify(body) })).code).toBe(0)
      }
      const file = join(home, `people.${format}`)
      const out = async (place: string) =>
        payroll([...sandbox, 'candidates', 'export', country, '-q', '--out', file], { home: place })
      expect(await out(home)).toMatchObject({ code: 0, out: '', err: '' })
      const before = await recordsOf(file, what)
      expect(before).toHaveLength(22)
      expect(before.at(-1)).toMatchObject({
        generalSetting: { agencyRef: '=1+1', forename: "'=marked", address: odd.generalSetting.address },
      })

      await payroll(['sandbox', 'reset', '--yes'], { home: other })
      const there = (await payroll([...sandbox, 'candidates', 'list', country], { home: other })).json()
      const kept = there.length
      for (const record of before) {
        const made = await payroll(create, { home: other, input: JSON.stringify(record) })
        expect([made.code, made.err]).toEqual([0, ''])
      }
      expect((await out(other)).code).toBe(0)
      expect((await recordsOf(file, what)).slice(kept)).toEqual(before)
    })

  /** What an import of the file would send. */
  async function recordsOf(file: string, what: string) {
    const type = recordTypesByName[what]?.sent
    if (!type) throw new Error(`${what} is not sent`)
    const source = await openSource(file, { type, today: '2026-05-01' })
    const records = []
    for await (const { issues, record } of source.rows()) {
      expect(issues).toEqual([])
      records.push(record)
    }
    return records
  }

  test('has the id in front, which is not sent, and text that stays text', async () => {
    const home = await seeded()
    const { out, err } = await payroll([...sandbox, 'candidates', 'export', '--excel'], { home })
    expect(out).toMatch(/^\uFEFFid,generalSetting\.agencyRef,/)
    const [person] = parse(out, { columns: true, bom: true }) as Record<string, string>[]
    expect(person).toMatchObject({
      'bankSetting.sortCode': '601613',
      'generalSetting.payFrequency': 'WEEKLY',
    })
    expect(err).toBe('20 records\n')
    const wanted = ['--columns', 'generalSetting.surname,id']
    const chosen = await payroll([...sandbox, 'candidates', 'export', ...wanted], { home })
    expect(chosen.out.split('\n')[0]).toBe('generalSetting.surname,id')
  })

  test('says what the service does not return, and what no request has', async () => {
    const home = await seeded()
    const { err } = await payroll([...sandbox, 'candidates', 'export', '--ireland'], { home })
    expect(err).toContain('The service does not return: ')
    expect(err).toContain('payrollSetting.holidayPayOpeningBalance')

    const odd = { id: 'c1', agencyRef: 'A1', bank: { branch: 'Leeds' }, setting: {}, costCentre: 7 }
    const { env } = await having(() => [{ ...odd, pensionSetting: {} }])
    const run = await payroll(['candidates', 'export', '-o', 'ndjson'], { env })
    expect(run.err).toContain(
      'because an import could not send them: generalSetting.costCentre (1 record), bankSetting.branch (1 record).',
    )
    expect(run.json()).toEqual({ id: 'c1', generalSetting: { agencyRef: 'A1' } })
  })

  test('reads a record whole where the list does not hold it whole', async () => {
    const whole = { bank: { sortCode: '012345' }, setting: { taxCode: '1257L' }, pensionSetting: {} }
    const { env, received } = await service(({ url }, response) =>
      url.includes('?')
        ? answerJson(response, 200, {
            data: [{ id: 'c1' }, { id: 'c2', city: 'Leeds', ...whole }],
            totalDocs: 2,
          })
        : answerJson(response, 200, { data: { id: 'c1', city: 'Leeds', ...whole } }),
    )
    const run = await payroll(['candidates', 'export', '--json'], { env })
    expect(run.json().map((each: { bankSetting: object }) => each.bankSetting)).toEqual([
      { sortCode: '012345' },
      { sortCode: '012345' },
    ])
    expect(received.map(({ url }) => url.split('?')[0])).toEqual(['/svc/candidates', '/svc/candidates/c1'])
  })
})

describe('an export of records in other shapes', () => {
  const request = everyField('uk')
  const row = { surname: 'Example', bank: { sortCode: '601613' }, setting: {}, pensionSetting: {} }

  test.each(mixSections(request))(
    'has every field of one that is answered with $names',
    async ({ answer }) => {
      const { env } = await having(() => [{ id: 'c1', status: 'ACTIVE', ...answer }])
      const run = await payroll(['candidates', 'export', '--json', '-q'], { env })
      expect([run.code, run.err, run.json()]).toEqual([0, '', [{ id: 'c1', ...request }]])
    },
  )

  test.each<[string, object, string]>([
    ['a wrapper', { employee: row }, 'employee'],
    ['a section under a third name', { ...row, bank: undefined, bankDetails: row.bank }, 'bankDetails'],
    ['two different sort codes', { ...row, bankSetting: { sortCode: '202959' } }, 'bankSetting.sortCode'],
  ])('writes no file when one has %s', async (_, odd, path) => {
    const { env } = await having(() => [
      { id: 'c1', ...row },
      { id: 'c2', ...odd },
    ])
    const home = freshHome()
    for (const format of ['csv', 'json', 'ndjson', 'xlsx']) {
      const file = join(home, `people.${format}`)
      const run = await payroll(['candidates', 'export', '-o', format, '--out', file], { home, env })
      expect([format, run.code, existsSync(file)]).toEqual([format, 10, false])
      expect(run.err).toContain('a UK candidate (c2)')
      expect(run.err).toContain(path)
    }
  })

  test('counts what it left out, what was not there and what is masked', async () => {
    const { env } = await having(() => [
      { id: 'c1', ...row, team: 'A' },
      { id: 'c2', ...row, team: 'B', bank: undefined },
      { id: 'c3', ...row, bank: { sortCode: '****13' } },
    ])
    const run = await payroll(['candidates', 'export', '-q'], { env })
    expect(run.code).toBe(0)
    expect(run.err).toContain('because an import could not send them: generalSetting.team (2 records).\n')
    expect(run.err).toContain('did not return these parts of records: bankSetting (1 record).\n')
    expect(run.err).toContain('masked in the export too: bankSetting.sortCode (1 record).\n')
  })
})

describe('an export', () => {
  test.each(['payment-rates', 'timesheets', 'payslips'])('is there for %s, in every form', async (what) => {
    const home = await seeded()
    const list = (await payroll([...sandbox, what, 'list', '--limit', '3'], { home })).json()
    const run = (...words: string[]) => payroll([...sandbox, what, 'export', '-q', ...words], { home })
    const ids = list.map(({ id }: { id: string }) => id)
    const json = (await run('--json')).json()
    expect(json.slice(0, 3).map(({ id }: { id: string }) => id)).toEqual(ids)
    const ndjson = (await run('-o', 'ndjson')).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(ndjson).toEqual(json)
    expect((parse((await run()).out, { columns: true }) as { id: string }[]).map(({ id }) => id)).toEqual(
      json.map(({ id }: { id: string }) => id),
    )
    const file = join(home, 'out.XLSX')
    expect(await run('--out', file)).toMatchObject({ code: 0, out: '', err: '' })
    expect(await readRows(readFileSync(file))).toHaveLength(json.length + 1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('an export as a payment rate is what would create it', async () => {
    const home = await seeded()
    const [rate] = (await payroll([...sandbox, 'payment-rates', 'export', '--json'], { home })).json()
    expect(rate).toMatchObject({ hoursPerUnit: 1, includeInPayeCalculation: true })
    expect(rate.defaultVATCode).toMatch(/^[\da-f-]{36}$/)
    expect(rate).not.toHaveProperty('incrementId')
  })

  test('an export that breaks off writes nothing, and leaves the file and nothing else behind', async () => {
    const { env } = await service(({ url }, response) =>
      answerJson(response, 200, { data: url.includes('page=1&') ? [{ id: 'p1' }] : [], totalDocs: 2 }),
    )
    const home = freshHome()
    for (const ending of ['csv', 'ndjson', 'json', 'xlsx']) {
      const file = join(home, `payslips.${ending}`)
      writeFileSync(file, 'yesterday')
      const run = await payroll(['payslips', 'export', '--out', file], { home, env })
      expect([run.code, readFileSync(file, 'utf8')]).toEqual([10, 'yesterday'])
      if (ending === 'ndjson') continue
      const piped = await payroll(['payslips', 'export', '-o', ending], { home, env })
      expect([ending, piped.code, piped.out]).toEqual([ending, 10, ''])
    }
    expect(readdirSync(home).sort()).toEqual(
      ['csv', 'json', 'ndjson', 'xlsx'].map((each) => `payslips.${each}`),
    )
  })

  test('an export of nothing is a header, or an empty list', async () => {
    const { env } = await having(() => [])
    const home = freshHome()
    const run = async (...words: string[]) =>
      (await payroll(['payslips', 'export', ...words], { home, env })).out
    expect(await run()).toMatch(/^id,taxYear,/)
    expect(await run('--json')).toBe('[]\n')
    expect(await run('-o', 'ndjson')).toBe('')
  })

  test('refuses what it cannot be', async () => {
    const home = await seeded()
    const code = async (...words: string[]) =>
      (await payroll([...sandbox, 'payslips', 'export', ...words], { home })).code
    expect(await code('-o', 'yaml')).toBe(2)
    expect(await code('--out', join(home, 'p.tsv'))).toBe(2)
    expect(await code('--out', join(home, 'p.yaml'))).toBe(2)
    expect(await code('-o', 'pdf')).toBe(2)
    expect(await code('--query', '[].id')).toBe(2)
    expect(await code('--columns', 'nothing')).toBe(2)
    expect(await code('--since-last', '../nightly')).toBe(2)
    expect(await code('--out', join(home, 'not-there', 'p.csv'))).toBe(2)
    const workbook = ['payslips', 'export', '-o', 'xlsx']
    expect((await atTerminal([...sandbox, ...workbook], { home }).ended).code).toBe(2)
  })
})

describe('payslips for cron', () => {
  const nightly = ['payslips', 'export', '--since-last', 'nightly', '--quiet', '-o', 'ndjson']
  const ids = (out: string) =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id)

  test('are those that no earlier run has written, in whatever order they are listed', async () => {
    let there: object[] = [{ id: 'p1' }, { id: 'p2' }]
    const { env } = await having(() => there)
    const home = freshHome()
    const run = () => payroll(nightly, { home, env })
    expect(await run()).toMatchObject({ code: 0, out: '{"id":"p1"}\n{"id":"p2"}\n', err: '' })
    expect(await run()).toMatchObject({ code: 0, out: '', err: '' })
    there = [{ id: 'p3' }, { id: 'p2' }, { id: 'p0' }]
    expect(ids((await run()).out)).toEqual(['p3', 'p0'])
    there = [{ id: 'p1' }, ...there]
    expect((await run()).out).toBe('')
    // Another name has seen nothing yet.
    const weekly = nightly.map((word) => (word === 'nightly' ? 'weekly' : word))
    expect(ids((await payroll(weekly, { home, env })).out)).toHaveLength(4)
    const file = join(home, 'bookmarks', 'nightly.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain('CANARY')
  })

  test('do not have one that was corrected under its id, which the help says', async () => {
    let there: object[] = [{ id: 'p1', net: '100.00' }]
    const { env } = await having(() => there)
    const home = freshHome()
    await payroll(nightly, { home, env })
    there = [{ id: 'p1', net: '90.00' }]
    expect((await payroll(nightly, { home, env })).out).toBe('')
    const all = nightly.filter((word) => !['--since-last', 'nightly'].includes(word))
    expect((await payroll(all, { home, env })).out).toContain('90.00')
    const { out } = await payroll(['payslips', 'export', '--help'], { home })
    expect(out.replaceAll('\n', ' ')).toContain(
      'A record that is corrected later keeps its id, so it is not exported again',
    )
  })

  test('are given again when they could not be written', async () => {
    const { env } = await having(() => [{ id: 'p1' }])
    const home = freshHome()
    const lost = await payroll([...nightly, '--out', join(home, 'not-there', 'new.ndjson')], { home, env })
    expect(lost.code).toBe(2)
    expect(existsSync(join(home, 'bookmarks', 'nightly.json'))).toBe(false)
    expect(ids((await payroll(nightly, { home, env })).out)).toEqual(['p1'])
  })

  test('are not written when there are fewer than expected, and wait for the next run', async () => {
    let there: object[] = [{ id: 'p1' }]
    const { env } = await having(() => there)
    const home = freshHome()
    const file = join(home, 'new.ndjson')
    const expecting = [...nightly, '--expect-min', '2']
    const few = await payroll(expecting, { home, env })
    expect([few.code, few.out]).toEqual([10, ''])
    expect(few.error().message).toBe('Found 1 new record, but at least 2 were expected. Nothing was written.')
    expect((await payroll([...expecting, '--out', file], { home, env })).code).toBe(10)
    expect(existsSync(file)).toBe(false)
    there = [...there, { id: 'p2' }]
    expect(ids((await payroll(expecting, { home, env })).out)).toEqual(['p1', 'p2'])
  })

  test('payslips for cron of another service, profile or list are another matter', async () => {
    const [one, other] = [await having(() => [{ id: 'p1' }]), await having(() => [{ id: 'p1' }])]
    const home = freshHome()
    expect((await payroll(nightly, { home, env: one.env })).code).toBe(0)
    for (const [argv, env] of [
      [nightly, other.env],
      [[...nightly, '--legacy'], one.env],
    ] as const) {
      const run = await payroll(argv, { home, env })
      expect([run.code, run.out, run.error().message]).toEqual([
        2,
        '',
        expect.stringMatching(/^The bookmark nightly is for .*Nothing was written\.$/),
      ])
    }
  })

  test('payslips for cron of another company at the same address are not mixed up: by the path of the base URL, and a word on the key', async () => {
    const { env } = await having(() => [{ id: 'p1' }])
    const home = freshHome()
    await payroll(nightly, { home, env })
    const elsewhere = { ...env, PAYROLL_BASE_URL: `${env.PAYROLL_BASE_URL}/b` }
    const refused = await payroll(nightly, { home, env: elsewhere })
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.error().message).toMatch(/^The bookmark nightly is for http.*, not for http.*\/b\./)
    const otherKey = await payroll(nightly, { home, env: { ...env, PAYROLL_API_KEY: 'CANARYkeyOfAnother' } })
    expect([otherKey.code, otherKey.out]).toEqual([0, ''])
    expect(otherKey.err).toContain('the export nightly was last run with another key')
    expect(readFileSync(join(home, 'bookmarks', 'nightly.json'), 'utf8')).not.toContain('CANARY')
  })

  test('do not begin anew behind a damaged bookmark', async () => {
    const { env } = await having(() => [{ id: 'p1' }])
    const home = freshHome()
    await payroll(nightly, { home, env })
    const file = join(home, 'bookmarks', 'nightly.json')
    for (const text of ['{', '{"version":2}', '{"version":1,"seen":[7]}']) {
      writeFileSync(file, text)
      const run = await payroll(nightly, { home, env })
      expect([run.code, run.out, readFileSync(file, 'utf8')]).toEqual([2, '', text])
    }
  })

  test('are not given to two runs at once', async () => {
    const { env, received } = await having(() => [{ id: 'p1' }])
    const home = freshHome()
    const run = await withLock(`the export nightly of ${home}`, () => payroll(nightly, { home, env }))
    expect([run.code, run.out, received]).toEqual([11, '', []])
    expect((await payroll(nightly, { home, env })).code).toBe(0)
  })

  test('payslips for cron without an id are known by all that they say', async () => {
    let there: object[] = [{ gross: '1.00' }, { gross: '2.00' }]
    const { env } = await having(() => there)
    const home = freshHome()
    expect((await payroll(nightly, { home, env })).out).toBe('{"gross":"1.00"}\n{"gross":"2.00"}\n')
    there = [...there, { gross: '3.00' }]
    expect((await payroll(nightly, { home, env })).out).toBe('{"gross":"3.00"}\n')
  })
})
