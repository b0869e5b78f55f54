import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { recordTypesByName } from '../../../src/commands/cli/record-types.ts'
import { withLock } from '../../../src/files/local/lock.ts'
import { openSource } from '../../../src/files/table/open-source.ts'
import { builtInFacts } from '../../../src/model/facts/facts.ts'
import { everyField } from '../../every-field.ts'
import { mixSections } from '../../model/mixtures.ts'
import { atTerminal, endedWith, freshHome, payroll } from '../../payroll.ts'
import { bodyOf } from '../../sandbox/fresh-sandbox.ts'
import { answerJson, service } from '../../service.ts'
import { seededHome } from '../../start-sandbox.ts'
import { readRows } from '../../workbook.ts'

/** A home whose sandbox has the sample people in it, and how to use that: HOME is the home. */
async function seeded() {
  const home = await seededHome()
  const run = (words: string, input = '') =>
    payroll(['--profile', 'sandbox', ...words.replace('HOME', home).split(' ')], { home, input })
  return { home, run }
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
      const { home, run } = await seeded()
      const other = await seeded()
      await other.run('sandbox reset --yes')
      // A person who has everything, and one whom a spreadsheet would like to run.
      const full = await bodyOf(`test/fixtures/candidate-${what.split('.')[1]}.json`)
      const odd = structuredClone(full)
      Object.assign(odd.generalSetting, {
        agencyRef: '=1+1',
        forename: "'=marked",
        surname: 'a "b", c; d',
        mobile: '+447700900123',
        jobDescription: '  as it is ',
        department: '0012',
        address: ['1 Example Street', '=2', '3', '4', '5', '6', '7', '8', '9', '10', '11'],
      })
      // Both have the same NI or PPS number.
      const create = `candidates create ${country} -q --same-person --file -`
      for (const body of [full, odd]) expect((await run(create, JSON.stringify(body))).code).toBe(0)
      const out = `candidates export ${country} -q --out HOME/people.${format}`
      expect(await run(out)).toMatchObject({ code: 0, out: '', err: '' })
      const before = await recordsOf(join(home, `people.${format}`), what)
      expect(before).toHaveLength(22)
      const { address } = odd.generalSetting
      expect(before.at(-1)).toMatchObject({
        generalSetting: { agencyRef: '=1+1', forename: "'=marked", address },
      })

      const kept = (await other.run(`candidates list ${country}`)).json().length
      const some = before.slice(-4)
      for (const record of some) {
        const made = await other.run(create, JSON.stringify(record))
        expect([made.code, made.err]).toEqual([0, ''])
      }
      expect((await other.run(out)).code).toBe(0)
      const after = await recordsOf(join(other.home, `people.${format}`), what)
      expect(after.slice(kept)).toEqual(some)
    })

  /** What an import of the file would send. */
  async function recordsOf(file: string, what: string) {
    const type = recordTypesByName[what]?.sent
    if (!type) throw new Error(`${what} is not sent`)
    const source = await openSource(file, { type, facts: builtInFacts, today: '2026-05-01' })
    const records = []
    for await (const { issues, record } of source.rows()) {
      expect(issues).toEqual([])
      records.push(record)
    }
    return records
  }

  test('has the id in front, which is not sent, and text that stays text', async () => {
    const { run } = await seeded()
    const { out, err } = await run('candidates export --excel')
    expect([out, err]).toEqual([
      expect.stringMatching(/^\uFEFFid,generalSetting\.agencyRef,/),
      '20 records\n',
    ])
    const [person] = parse(out, { columns: true, bom: true }) as object[]
    expect(person).toMatchObject({
      'bankSetting.sortCode': '601613',
      'generalSetting.payFrequency': 'WEEKLY',
    })
    const chosen = await run('candidates export --columns generalSetting.surname,id')
    expect(chosen.out.split('\n')[0]).toBe('generalSetting.surname,id')
  })

  test('as a workbook has the headings that a template has, and an import takes it as it is', async () => {
    const { home, run } = await seeded()
    for (const country of ['--uk', '--ireland']) {
      const file = join(home, 'people.xlsx')
      expect((await run(`candidates export ${country} --out HOME/people.xlsx`)).code).toBe(0)
      const [{ cells = [] } = {}] = await readRows(readFileSync(file))
      expect(cells.slice(0, 5)).toEqual(['id', 'Agency reference', 'Title', 'Forename', 'Surname'])
      const again = await run(`candidates import ${country} HOME/people.xlsx --update --dry-run`)
      expect([again.code, again.json()]).toMatchObject([0, { rows: 20, unchanged: 20 }])
    }
  })

  test('says what the service does not return, and what no request has', async () => {
    const { run } = await seeded()
    const { err } = await run('candidates export --ireland')
    expect(err).toContain('The service does not return: ')
    expect(err).toContain('payrollSetting.holidayPayOpeningBalance')

    const bank = { branch: 'Leeds' }
    const odd = { id: 'c1', agencyRef: 'A1', bank, setting: {}, costCentre: 7, pensionSetting: {} }
    const { env } = await having(() => [odd])
    const exported = await payroll(['candidates', 'export', '-o', 'ndjson'], { env })
    expect(exported.err).toContain(
      'because an import could not send them: generalSetting.costCentre, bankSetting.branch.',
    )
    expect(exported.json()).toEqual({ id: 'c1', generalSetting: { agencyRef: 'A1' } })
  })

  test('reads a record whole where the list does not hold it whole', async () => {
    const whole = { bank: { sortCode: '012345' }, setting: { taxCode: '1257L' }, pensionSetting: {} }
    const { env, received } = await service(({ url }, response) => {
      const list = [{ id: 'c1' }, { id: 'c2', city: 'Leeds', ...whole }]
      const isList = url.includes('?')
      answerJson(response, 200, isList ? { data: list, totalDocs: 2 } : { data: { ...list[1], id: 'c1' } })
    })
    const run = await payroll(['candidates', 'export', '--json'], { env })
    const sortCode = '012345'
    expect(run.json()).toMatchObject([{ bankSetting: { sortCode } }, { bankSetting: { sortCode } }])
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

  test('names what it left out, what was not there and what is masked', async () => {
    const { env } = await having(() => [
      { id: 'c1', ...row, team: 'A' },
      { id: 'c2', ...row, team: 'B', bank: undefined },
      { id: 'c3', ...row, bank: { sortCode: '****13' } },
    ])
    const run = await payroll(['candidates', 'export', '-q'], { env })
    expect(run.code).toBe(0)
    expect(run.err).toContain('because an import could not send them: generalSetting.team.\n')
    expect(run.err).toContain('did not return these parts of records: bankSetting.\n')
    expect(run.err).toContain('masked in the export too: bankSetting.sortCode.\n')
  })
})

describe('an export', () => {
  test.each(['payment-rates', 'timesheets', 'payslips'])('is there for %s, in every form', async (what) => {
    const { home, run } = await seeded()
    const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id)
    const list = (await run(`${what} list --limit 3`)).json()
    const json = (await run(`${what} export -q --json`)).json()
    expect(ids(json.slice(0, 3))).toEqual(ids(list))
    const ndjson = (await run(`${what} export -q -o ndjson`)).out.trimEnd().split('\n')
    expect(ndjson.map((line) => JSON.parse(line))).toEqual(json)
    const csv = (await run(`${what} export -q`)).out
    expect(ids(parse(csv, { columns: true }))).toEqual(ids(json))
    expect(await run(`${what} export -q --out HOME/out.XLSX`)).toMatchObject({ code: 0, out: '', err: '' })
    const file = join(home, 'out.XLSX')
    expect(await readRows(readFileSync(file))).toHaveLength(json.length + 1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('of a payment rate is what would create it', async () => {
    const { run } = await seeded()
    const [rate] = (await run('payment-rates export --json')).json()
    expect(rate).toMatchObject({ hoursPerUnit: 1, includeInPayeCalculation: true })
    expect(rate.defaultVATCode).toMatch(/^[\da-f-]{36}$/)
    expect(rate).not.toHaveProperty('incrementId')
  })

  test('that breaks off writes nothing, and leaves the file and nothing else behind', async () => {
    const { env } = await service(({ url }, response) =>
      answerJson(response, 200, { data: url.includes('page=1&') ? [{ id: 'p1' }] : [], totalDocs: 2 }),
    )
    const home = freshHome()
    const endings = ['csv', 'json', 'ndjson', 'xlsx']
    for (const ending of endings) {
      const file = join(home, `payslips.${ending}`)
      writeFileSync(file, 'yesterday')
      const run = await payroll(['payslips', 'export', '--out', file], { home, env })
      expect([run.code, readFileSync(file, 'utf8')]).toEqual([10, 'yesterday'])
      if (ending === 'ndjson') continue
      const piped = await payroll(['payslips', 'export', '-o', ending], { home, env })
      expect([ending, piped.code, piped.out]).toEqual([ending, 10, ''])
    }
    expect(readdirSync(home).sort()).toEqual(endings.map((each) => `payslips.${each}`))
  })

  test.each([
    ['', /^id,taxYear,/],
    [' --json', /^\[\]\n$/],
    [' -o ndjson', /^$/],
  ])('of nothing is a header, or an empty list: payslips export%s', async (words, expected) => {
    const { env } = await having(() => [])
    expect((await payroll(`payslips export${words}`.split(' '), { env })).out).toMatch(expected)
  })

  test.each([
    ...['-o yaml', '-o pdf', '--out HOME/p.tsv', '--out HOME/p.yaml', '--out HOME/not-there/p.csv'],
    ...['--query [].id', '--columns nothing', '--since-last ../nightly'],
  ])('refuses what it cannot be: payslips export %s is exit 2', async (words) => {
    const { run } = await seeded()
    expect((await run(`payslips export ${words}`)).code).toBe(2)
  })

  test('refuses to be a workbook at a terminal: exit 2', async () => {
    const { home } = await seeded()
    const argv = ['--profile', 'sandbox', 'payslips', 'export', '-o', 'xlsx']
    expect((await atTerminal(argv, { home }).ended).code).toBe(2)
  })
})

describe('payslips for cron', () => {
  const nightly = 'payslips export --since-last nightly --quiet -o ndjson'
  const ids = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
  const lines = (...items: readonly object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const [p1, p2] = [{ id: 'p1' }, { id: 'p2' }]

  /** A service with these payslips, which `list` replaces, and exports from one home. */
  async function listing(...first: object[]) {
    let records = first
    const { env, received } = await having(() => records)
    const home = freshHome()
    return {
      ...{ home, env, received, bookmark: join(home, 'bookmarks', 'nightly.json') },
      run: (words = nightly, more: Record<string, string> = {}) =>
        payroll(words.split(' '), { home, env: { ...env, ...more } }),
      list(...next: object[]) {
        records = next
      },
    }
  }

  test('are those that no earlier run has written, in whatever order they are listed', async () => {
    const { run, list, bookmark } = await listing(p1, p2)
    expect(await run()).toMatchObject({ code: 0, out: lines(p1, p2), err: '' })
    expect(await run()).toMatchObject({ code: 0, out: '', err: '' })
    list({ id: 'p3' }, p2, { id: 'p0' })
    expect(ids((await run()).out)).toEqual(['p3', 'p0'])
    list(p1, { id: 'p3' }, p2, { id: 'p0' })
    expect((await run()).out).toBe('')
    // Another name has seen nothing yet.
    expect(ids((await run(nightly.replace('nightly', 'weekly'))).out)).toHaveLength(4)
    expect(statSync(bookmark).mode & 0o777).toBe(0o600)
    expect(readFileSync(bookmark, 'utf8')).not.toContain('CANARY')
  })

  test.each(['ndjson', 'csv'])(
    'leave the %s of an earlier run as it is where nothing is new: exit 10, so that it is not used again',
    async (format) => {
      const { run, list, home } = await listing(p1)
      const out = join(home, `new.${format}`)
      const words = `payslips export --quiet --since-last nightly --out ${out}`
      expect(await run(words)).toMatchObject({ code: 0, err: '' })
      const first = readFileSync(out, 'utf8')
      expect(await run(words)).toMatchObject(endedWith(10, `no new records. ${out} was left`))
      expect(readFileSync(out, 'utf8')).toBe(first)
      list(p1, p2)
      expect(await run(words)).toMatchObject({ code: 0, err: '' })
      expect(readFileSync(out, 'utf8')).toContain('p2')
      // Where it was taken away, each night that has nothing new is as quiet as the first.
      rmSync(out)
      for (const _ of ['first', 'second']) expect(await run(words)).toMatchObject({ code: 0, err: '' })
      expect(readFileSync(out, 'utf8')).not.toMatch(/p1|p2/)
    },
  )

  test('may have a column that is the service’s own, in each night', async () => {
    const { run, list, home } = await listing({ id: 'p1', period: 7 })
    const words = `${nightly} --out ${join(home, 'own.csv')} -o csv --columns id,period`.replace(
      '-o ndjson ',
      '',
    )
    expect(await run(words)).toMatchObject({ code: 0, err: '' })
    list({ id: 'p1', period: 7 }, { id: 'p2', period: 8 })
    expect(await run(words)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(home, 'own.csv'), 'utf8')).toBe('id,period\np2,8\n')
    expect(await run(words)).toMatchObject(endedWith(10, 'There are no new records.'))
  })

  test('do not have one that was corrected under its id, which the help says', async () => {
    const { run, list } = await listing({ id: 'p1', net: '100.00' })
    await run()
    list({ id: 'p1', net: '90.00' })
    expect((await run()).out).toBe('')
    expect((await run('payslips export -o ndjson')).out).toContain('90.00')
    const { out } = await run('payslips export --help')
    const says = 'A record that is corrected later keeps its id, so it is not exported again'
    expect(out.replaceAll('\n', ' ')).toContain(says)
  })

  test('that could not be noted as exported are exported again, which it says', async () => {
    const home = freshHome()
    const { env } = await having(() => {
      writeFileSync(join(home, 'bookmarks'), '')
      return [p1]
    })
    const run = await payroll(nightly.split(' '), { home, env })
    expect([run.code, run.out]).toEqual([2, lines(p1)])
    expect(run.err).toContain(
      'The records were exported, and do not count as such: the next run exports them',
    )
  })

  test('without an id are known by all that they say', async () => {
    const gross = ['1.00', '2.00', '3.00'].map((each) => ({ gross: each })) as [object, object, object]
    const { run, list } = await listing(gross[0], gross[1])
    expect((await run()).out).toBe(lines(gross[0], gross[1]))
    list(...gross)
    expect((await run()).out).toBe(lines(gross[2]))
    // Two that are equal are two: a payslip that was issued twice.
    list(...gross, gross[2], gross[2])
    expect((await run()).out).toBe(lines(gross[2], gross[2]))
    expect((await run()).out).toBe('')
  })

  test('are not given again where their id has another name, which an earlier version did not read', async () => {
    const [first, second] = [
      { uuid: 'u1', gross: '1.00' },
      { uuid: 'u2', gross: '1.00' },
    ] as const
    const { run, list, bookmark } = await listing(first)
    await run()
    const asBefore = createHash('sha256').update(JSON.stringify(first)).digest('base64url').slice(0, 16)
    const written = JSON.parse(readFileSync(bookmark, 'utf8'))
    writeFileSync(bookmark, JSON.stringify({ ...written, seen: [asBefore] }))
    list(first, second)
    expect((await run()).out).toBe(lines({ ...second, id: 'u2' }))
    expect((await run()).out).toBe('')
  })

  test('are given again when they could not be written', async () => {
    const { run, home, bookmark } = await listing(p1)
    expect((await run(`${nightly} --out ${home}/not-there/new.ndjson`)).code).toBe(2)
    expect(existsSync(bookmark)).toBe(false)
    expect(ids((await run()).out)).toEqual(['p1'])
  })

  test('are not written when there are fewer than expected, and wait for the next run', async () => {
    const { run, list, home } = await listing(p1)
    const { code, out, error } = await run(`${nightly} --expect-min 2`)
    const message = 'Found 1 new record, but at least 2 were expected. Nothing was written.'
    expect([code, out, error().message, error().code]).toEqual([10, '', message, 'too-few'])
    expect((await run(`${nightly} --expect-min 2 --out ${home}/new.ndjson`)).code).toBe(10)
    expect(existsSync(join(home, 'new.ndjson'))).toBe(false)
    list(p1, p2)
    expect(ids((await run(`${nightly} --expect-min 2`)).out)).toEqual(['p1', 'p2'])
  })

  test('of another service, list, or company by the path of the base URL are refused: exit 2; of another key it is said', async () => {
    const [{ run, env, bookmark }, other] = [await listing(p1), await listing(p1)]
    expect((await run()).code).toBe(0)
    for (const [words, more, says] of [
      [nightly, other.env, /^The bookmark nightly is for .*Nothing was written\.$/],
      [`${nightly} --legacy`, {}, /^The bookmark nightly is for .*Nothing was written\.$/],
      [
        nightly,
        { PAYROLL_BASE_URL: `${env.PAYROLL_BASE_URL}/b` },
        /nightly is for http.*, not for http.*\/b\./,
      ],
    ] as const) {
      const { code, out, error } = await run(words, more)
      expect([code, out, error().message]).toEqual([2, '', expect.stringMatching(says)])
    }
    const says = 'the export nightly was last run with another key'
    const byAnother = await run(nightly, { PAYROLL_API_KEY: 'CANARYkeyOfAnother' })
    expect(byAnother).toMatchObject({ ...endedWith(0, says), out: '' })
    expect(readFileSync(bookmark, 'utf8')).not.toContain('CANARY')
  })

  test.each(['{', '{"version":2}', '{"version":1,"seen":[7]}'])(
    'do not begin anew behind a damaged bookmark: %s',
    async (text) => {
      const { run, bookmark } = await listing(p1)
      await run()
      writeFileSync(bookmark, text)
      const { code, out } = await run()
      expect([code, out, readFileSync(bookmark, 'utf8')]).toEqual([2, '', text])
    },
  )

  test('are not given to two runs at once', async () => {
    const { run, home, received } = await listing(p1)
    const { code, out } = await withLock(`the export nightly of ${home}`, () => run())
    expect([code, out, received]).toEqual([11, '', []])
    expect((await run()).code).toBe(0)
  })
})
