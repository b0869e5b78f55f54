import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { saltedDigest } from '../../src/files/table/fingerprint.ts'
import { decodeLine, encodeLine } from '../../src/import/write-journal.ts'
import { freshHome, payroll } from '../payroll.ts'
import { keepingPeople } from '../people-service.ts'
import { importFixture, lose, onPost, onRow, person } from './import-fixture.ts'

const header =
  'generalSetting.agencyRef,generalSetting.forename,generalSetting.surname,generalSetting.NINumber,bankSetting.sortCode,bankSetting.IBANReference,payrollSetting.taxCode'
const asWritten = {
  generalSetting: { agencyRef: 'A-1', forename: 'Ann', surname: 'Sample', NINumber: 'ab 12 34 56 c' },
  bankSetting: { sortCode: '60-16-13', IBANReference: 'GB29 NWBK 6016 1331 9268 19' },
  payrollSetting: { taxCode: '1257l' },
}
const line = [asWritten.generalSetting, asWritten.bankSetting, asWritten.payrollSetting]
  .flatMap((section) => Object.values(section))
  .join(',')

async function withTable() {
  const at = await importFixture()
  const csv = at.save('starters.csv', header, line)
  return { ...at, csv, run: (...argv: string[]) => at.importFile(csv, ...argv) }
}

/** Gives the journal the fingerprints of an earlier version, which sent the text of the file as it stood; `upTo` cuts it off. */
function makeOld(path: string, upTo?: string): void {
  const [first = '', ...others] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const { salt } = decodeLine(Buffer.from(first)) as { salt: string }
  const lines = others.map((each) => decodeLine(Buffer.from(each)) ?? {})
  const end =
    upTo === undefined
      ? lines.length
      : lines.findIndex(({ key, state }) => key === 'A-1' && state === upTo) + 1
  const old = lines.slice(0, end).map((each) => encodeLine({ ...each, hash: saltedDigest(asWritten, salt) }))
  writeFileSync(path, [`${first}\n`, ...old].join(''))
}

describe('an import of a table', () => {
  test('sends codes in their standard form, without a warning', async () => {
    const { run, sent } = await withTable()
    expect(await run()).toMatchObject({ code: 0, err: expect.not.stringContaining('usually') })
    expect(sent()).toEqual([
      {
        generalSetting: { ...asWritten.generalSetting, NINumber: 'AB123456C' },
        bankSetting: { sortCode: '601613', IBANReference: 'GB29NWBK60161331926819' },
        payrollSetting: { taxCode: '1257L' },
      },
    ])
  })
})

test('a sheet changes nobody of a service that answers a day as the midnight of London, however it writes the day', async () => {
  const shown = { DOB: '1990-06-24T23:00:00.000Z', dateOfJoining: '2026-01-05T00:00:00.000Z' }
  const { env, people, received } = await keepingPeople(() => shown)
  const generalSetting = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city: 'Leeds' }
  people.push({ generalSetting: { ...generalSetting, DOB: '1990-06-25', dateOfJoining: '2026-01-05' } })
  const home = freshHome()
  const csv = join(home, 'people.csv')
  const night = async (...rows: string[]) => {
    writeFileSync(csv, ['agencyRef,DOB,dateOfJoining,city', ...rows].join('\n'))
    const words = ['candidates', 'import', csv, '--update', '--settle', '0', '--yes', '--json']
    const { code, json } = await payroll(words, { home, env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } })
    return [code, json()]
  }
  for (const days of ['25/06/1990,05/01/2026', `${shown.DOB},${shown.dateOfJoining}`])
    expect(await night(`UK-1,${days},Leeds`)).toMatchObject([0, { unchanged: 1, updated: 0 }])
  expect(received.filter(({ method }) => method === 'PUT')).toEqual([])
  expect(await night('UK-1,25/06/1990,05/01/2026,York')).toMatchObject([0, { updated: 1 }])
})

test.each(['2026-04-06', '2026-04-06T00:00:00Z', '2026-04-06T00:00:00+01:00'])(
  'an export of a service that answers a time as %s, days with a time, and links is no change when it is imported again',
  async (lastAssessmentOn) => {
    const links = { _links: { self: { href: '/candidates/1' } }, links: [] }
    const shown = { DOB: '1990-06-24T23:00:00.000Z', pensionSetting: { lastAssessmentOn }, ...links }
    const { env, people, received } = await keepingPeople(() => shown)
    people.push({ generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city: 'Leeds' } })
    const at = { home: freshHome(), env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } }
    for (const format of ['csv', 'ndjson']) {
      const file = join(at.home, `people.${format}`)
      expect(await payroll(['candidates', 'export', '--out', file], at)).toMatchObject({ code: 0 })
      const again = await payroll(['candidates', 'import', file, '--update', '--yes', '--json'], at)
      expect([again.code, again.json()]).toMatchObject([0, { unchanged: 1, updated: 0 }])
    }
    expect(received.filter(({ method }) => method === 'PUT')).toEqual([])
    const update = ['candidates', 'update', 'UK-1', '--set', 'city=York', '--yes']
    expect(await payroll(update, at)).toMatchObject({ code: 0 })
    expect(people[0].generalSetting).toEqual({
      ...{ agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city: 'York', DOB: '1990-06-25' },
      pensionSetting: { lastAssessmentOn: expect.stringMatching(/^2026-04-0(5T23|6T00):00:00.000Z$/) },
    })
  },
)

/** Payroll 0.1.0 sent codes as they were written: to this version its rows were edited since. None is sent twice. */
describe('a row that 0.1.0 sent in another form', () => {
  test.each([
    ['and created is not sent again', undefined, { createdEarlier: 1, pending: 0 }],
    ['and heard nothing of is found in the list', 'intent', { created: 1, unresolved: 0 }],
  ])('%s', async (_, upTo, counts) => {
    const { run, posted, journalPath, importFile, csv } = await withTable()
    await run()
    makeOld(journalPath(), upTo)
    const again = await run()
    expect([again.code, again.json(), again.err]).toMatchObject([
      9,
      { rows: 1, ...counts },
      expect.stringContaining('1 created with other values'),
    ])
    expect((await importFile(csv, '--update')).json()).toMatchObject({ unchanged: 1 })
    expect(posted()).toHaveLength(1)
  })

  test('and that the list lacks is sent once more, as any other', async () => {
    const { run, save, postsOf, there, journalPath, intercept } = await withTable()
    save('starters.csv', header, line.replace('A-1', 'A-0'), line)
    intercept(onRow('A-1', lose))
    await run('--same-person')
    makeOld(journalPath(), 'intent')
    intercept(() => false)
    const before = postsOf('A-1')
    await run('--same-person')
    expect([postsOf('A-0'), postsOf('A-1') - before, await there()]).toEqual([1, 1, ['A-0', 'A-1']])
  })

  test('and sent twice in vain is left to a person', async () => {
    const { run, posted, journalPath, intercept } = await withTable()
    intercept(onPost(lose))
    for (let times = 0; times < 2; times += 1) await run()
    makeOld(journalPath())
    const before = posted().length
    expect([await run().then(({ code, json }) => [code, json()]), posted().length - before]).toMatchObject([
      [8, { unresolved: 1 }],
      0,
    ])
  })
})

test('an import of NDJSON sends codes as they are given, with a warning', async () => {
  const at = await importFixture()
  const given = { ...person('A-1'), bankSetting: { sortCode: '60-16-13' } }
  const run = await at.importRows([given])
  expect(run.code).toBe(0)
  expect(run.err).toContain('row 1, bankSetting.sortCode: usually in capitals without spaces and dashes')
  expect(at.sent()).toEqual([given])
})
