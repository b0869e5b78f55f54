import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, keys, payroll } from '../payroll.ts'
import { answer, importFixture, interceptedFixture, lose, onRow } from './import-fixture.ts'

const ann = { forename: 'Ann', surname: 'Sample', DOB: '1990-01-02', NINumber: 'ZY300001A' }
const bea = { forename: 'Bea', surname: 'Other', DOB: '1991-03-04', NINumber: 'ZY300002A' }

type Fields = Readonly<Record<string, unknown>>

const record = (agencyRef: string, fields: Fields) => ({ generalSetting: { agencyRef, ...fields } })

/** A service that has Ann under a reference, and a file with one row. */
async function annIs(there: string, fields: Fields = ann) {
  const at = await importFixture()
  await at.call('POST', '/svc/candidates', record(there, fields))
  return at
}

const { NINumber: _, ...numberless } = ann

describe('an import of a person whom the service has under another reference', () => {
  test.each<[string, string, string, string]>([
    ['leading zeros', '0003', '3', 'zeros'],
    ['zeros behind a dash', 'NEW-0101', 'NEW-101', 'zeros'],
    ['another dash', 'NEW-101', 'NEW–101', 'dashes, blanks or other signs'],
    ['a long dash', 'NEW-101', 'NEW—101', 'dashes, blanks or other signs'],
    ['a blank more', 'NEW 101', 'NEW  101', 'dashes, blanks or other signs'],
    ['a blank that cannot be seen', 'NEW-101', 'NEW-\u200B101', 'dashes, blanks or other signs'],
    ['no dash', 'NEW-101', 'NEW101', 'dashes, blanks or other signs'],
    ['a decimal of a spreadsheet', '3', '3.0', 'how a spreadsheet writes numbers'],
    ['the number that a spreadsheet makes of it', 'E05', '0', 'how a spreadsheet writes numbers'],
    ['the power of ten that it looks like', '1E5', '100000', 'how a spreadsheet writes numbers'],
    ['several of these', 'NEW-0101', 'NEW 101', 'zeros, dashes or blanks'],
  ])('is held back where the references differ in %s: %s and %s', async (_, there, sent, difference) => {
    const at = await annIs(there, numberless)
    const run = await at.importRows([record(sent, numberless)])
    const path = 'row 1, generalSetting.agencyRef'
    const message = `${sent} is on the service as ${there} (Ann Sample): the references differ only in ${difference}`
    expect([run.code, run.error().issues]).toEqual([3, [{ path, message }]])
    expect(at.posted()).toEqual([])
  })

  test('is held back for the same NI number, however it is written, and both are named without it', async () => {
    const at = await annIs('OLD-1')
    const anne = { ...ann, forename: 'Anne', NINumber: 'zy 30 00 01 a' }
    const run = await at.importRows([record('NEW-9', anne)])
    const message =
      'NEW-9 has the same National Insurance number as OLD-1 (Ann Sample, not Anne Sample) on the service'
    expect(run.error().issues).toEqual([{ path: 'row 1, generalSetting.NINumber', message }])
    expect(run.code).toBe(3)
    expect(run.out + run.err).not.toMatch(/300001|30 00 01/)
    expect(run.error().next.at(-1)).toMatch(/import .* --same-person$/)
    expect(at.posted()).toEqual([])
  })

  test.each(['ZY300001', 'ZY300001B'])(
    'is held back for the NI number up to its last letter: %s',
    async (NINumber) => {
      const at = await annIs('OLD-1')
      expect((await at.importRows([record('NEW-9', { ...ann, NINumber })])).code).toBe(3)
      expect(at.posted()).toEqual([])
    },
  )

  test('is held back in Ireland for the same PPS number', async () => {
    const at = await importFixture()
    const aoife = (agencyRef: string) => ({
      generalSetting: { agencyRef, forename: 'Aoife', surname: 'Sample' },
      payrollSetting: { ppsNumber: '1234567FA' },
    })
    await at.call('POST', '/svc/candidates/ireland', aoife('IE-1'))
    const run = await at.importRows([aoife('IE-2')], '--ireland')
    const message = 'IE-2 has the same PPS number as IE-1 (Aoife Sample) on the service'
    expect([run.code, run.error().issues]).toMatchObject([3, [{ message }]])
  })

  test('is sent with --same-person, and still named', async () => {
    const at = await annIs('OLD-1')
    const run = await at.importRows([record('NEW-9', ann)], '--same-person')
    const says = 'NEW-9 has the same National Insurance number as OLD-1 (Ann Sample) on the service'
    expect([run.code, run.json(), run.err]).toMatchObject([0, { created: 1 }, expect.stringContaining(says)])
  })

  test('is left out with --ready-only (exit 9), and the others are created', async () => {
    const at = await annIs('0003')
    const run = await at.importRows([record('3', ann), record('B-1', bea)], '--ready-only')
    expect([run.code, run.json()]).toMatchObject([9, { rows: 2, created: 1, invalid: 1 }])
    expect(await at.there()).toEqual(['0003', 'B-1'])
  })

  test('is shown by --dry-run (exit 3), which writes no journal', async () => {
    const at = await annIs('0003')
    const run = await at.importRows([record('3', ann)], '--dry-run')
    expect([run.code, run.json()]).toMatchObject([3, { ready: 0, invalidCount: 1, invalid: [{ row: 1 }] }])
  })

  test.each<[string, string, Fields, Record<'agencyRef', string> & Fields, string]>([
    [
      'only name and birthday are the same',
      'OLD-1',
      numberless,
      { agencyRef: 'NEW-9', ...ann },
      'NEW-9 has the name and the date of birth of OLD-1 (Ann Sample) on the service',
    ],
    [
      'a reference looks alike and the name is another',
      '0042',
      ann,
      { agencyRef: '42', ...bea },
      '42 looks like 0042 (Ann Sample, not Bea Other): the references differ only in zeros',
    ],
    [
      'a reference looks alike and the NI number is another',
      '0042',
      ann,
      { agencyRef: '42', ...ann, NINumber: bea.NINumber },
      '42 looks like 0042 (Ann Sample): the references differ only in zeros',
    ],
    [
      'a reference looks alike and the birthday is another',
      '0042',
      numberless,
      { agencyRef: '42', ...numberless, DOB: bea.DOB },
      '42 looks like 0042 (Ann Sample): the references differ only in zeros',
    ],
  ])('is a doubt where %s', async (_, there, fields, { agencyRef, ...sent }, says) => {
    const at = await annIs(there, fields)
    expect(await at.importRows([record(agencyRef, sent)])).toMatchObject(endedWith(0, says))
    expect(await at.there()).toEqual([there, agencyRef].sort())
  })

  test('is asked about at a terminal where only name and birthday are the same', async () => {
    const at = await annIs('OLD-1', numberless)
    at.write([record('NEW-9', ann)])
    const { type, screen, ended } = atTerminal(['candidates', 'import', at.file, '-o', 'table'], at)
    await type('1 of them doubtful', keys.enter)
    expect((await ended).code).toBe(2)
    expect(screen()).toContain('the date of birth of OLD-1')
    expect(at.posted()).toEqual([])
  })

  // What makes two records alike is the same for a create: test/commands/create/same-person.test.ts.
  test('is a doubt, and wrong with --strict, where both have the name and the bank account, on the service and in one file', async () => {
    const recordOf = (agencyRef: string, accountNumber: string) => ({
      generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample' },
      bankSetting: { accountNumber },
    })
    const [theirs, mine] = [recordOf('OLD-1', '31926819'), recordOf('NEW-9', '3192 6819')]
    const both = 'NEW-9 has the name and the bank account of OLD-1'
    const at = await importFixture()
    await at.call('POST', '/svc/candidates', theirs)
    expect(await at.importRows([mine], '--strict')).toMatchObject(endedWith(3, `${both} (`))
    expect(await at.importRows([mine])).toMatchObject(endedWith(0, `${both} (`))
    const fresh = await importFixture()
    const twice = await fresh.importRows([theirs, mine], '--strict')
    const says = `${both} in row 1: would one person be created twice?`
    expect(twice).toMatchObject(endedWith(3, says))
    expect((await fresh.importRows([theirs, mine])).err).toContain(says)
    expect(await fresh.there()).toEqual(['NEW-9', 'OLD-1'])
  })

  test('is a doubt in one file too where the references differ only in zeros or dashes', async () => {
    const recordOf = (agencyRef: string) => record(agencyRef, { ...numberless, email: 'ann@example.com' })
    const at = await importFixture()
    const says = 'TW-3 has the name, the date of birth and the email of TW-0003 in row 1'
    const refused = await at.importRows([recordOf('TW-0003'), recordOf('TW-3')], '--strict')
    expect(refused).toMatchObject(endedWith(3, says))
    expect(await at.there()).toEqual([])
  })
})

test('an import that would give somebody the NI number of another is refused, but not for what is so already, or is changed in both', async () => {
  const at = await importFixture()
  for (const row of [record('R-1', ann), record('R-2', bea)]) await at.call('POST', '/svc/candidates', row)
  const give = (...rows: readonly (readonly [ref: string, number: string])[]) =>
    at.importRows(
      rows.map(([ref, NINumber]) => record(ref, { NINumber })),
      '--update',
    )
  const [ofAnn, ofBea] = [ann.NINumber, bea.NINumber]
  expect(await give(['R-1', ofBea])).toMatchObject(
    endedWith(3, 'R-1 has the same National Insurance number as R-2 (Bea Other) on the service'),
  )
  expect(await give(['R-1', ofBea], ['R-2', ofAnn])).toMatchObject({ code: 0 })
  expect((await at.importRows([record('R-1', { NINumber: ofAnn })], '--update', '--same-person')).code).toBe(
    0,
  )
  const again = await give(['R-1', ofAnn])
  expect([again.code, again.json()]).toMatchObject([0, { unchanged: 1 }])
})

test('an import that gives somebody a doubtful number of another names the other too, with --same-person', async () => {
  const at = await importFixture()
  const doubtful = { ...bea, NINumber: 'QQ123456C' }
  for (const row of [record('R-1', ann), record('R-2', doubtful)])
    await at.call('POST', '/svc/candidates', row)
  const csv = at.save('numbers.csv', 'Agency reference,NI number', 'R-1,QQ123456C')
  const run = await at.importFile(csv, '--update', '--same-person')
  expect(run).toMatchObject(endedWith(0, 'R-1 has the same National Insurance number as R-2 (Bea Other)'))
})

test('an import of a list that lost its zeros creates nobody again, and names its references before all else', async () => {
  const at = await importFixture()
  const numbers = Array.from({ length: 30 }, (_, index) => String(index + 1))
  const there = numbers.map((number) => number.padStart(4, '0'))
  for (const ref of there) await at.call('POST', '/svc/candidates', record(ref, { ...bea, surname: ref }))
  await at.call('POST', '/svc/candidates', record('OLD-1', ann))
  const people = numbers.map((number) => `${number},Bea,${number.padStart(4, '0')},`)
  const header = 'Employee ref,First name,Last name,NI number'
  const csv = at.save('starters.csv', header, 'NEW-9,Ann,Sample,ZY300001A', ...people, 'NEW-1,New,Sample,')
  const shown = await payroll(['candidates', 'import', csv, '--dry-run', '-o', 'table'], at)
  expect(shown.out).toMatch(/ 1 {2}to create\n +31 {2}to put right/)
  expect(shown.out.indexOf('in zeros')).toBeLessThan(shown.out.indexOf('NEW-9 has the same'))
  expect((await at.importFile(csv, '--ready-only')).json()).toMatchObject({ created: 1, invalid: 31 })
  expect(await at.there()).toEqual([...there, 'NEW-1', 'OLD-1'])
})

test.each([false, true])(
  'a row whose reference was changed after it created somebody creates nobody again, also where the answer was lost: %s',
  async (isLost) => {
    let isCreated = false
    const at = await interceptedFixture(async ({ method }, response, carryOut) => {
      const isUnread = isLost && isCreated
      if (isUnread) answer(401)(response)
      if (isUnread || method !== 'POST') return isUnread
      isCreated = true
      if (isLost) await carryOut().then(() => lose(response))
      return isLost
    })
    await at.importRows([record('R-1', numberless), record('R-2', bea)])
    at.intercept(() => false)
    const says =
      'R-3 has the name and the date of birth of R-1 (Ann Sample) on the service, created from a row'
    for (const more of [[], ['--update']]) {
      const run = await at.importRows([record('R-3', numberless), record('R-2', bea)], ...more)
      expect(run).toMatchObject(endedWith(9, says))
    }
    expect(await at.there()).not.toContain('R-3')
    await at.importRows([record('R-3', numberless), record('R-2', bea)], '--same-person')
    expect(await at.there()).toEqual(['R-1', 'R-2', 'R-3'])
  },
)

test('an import that was interrupted goes on although two of its rows have one NI number', async () => {
  const at = await interceptedFixture(onRow('R-2', answer(401)))
  await at.importRows([record('R-1', ann), record('R-2', ann)], '--same-person')
  expect(await at.there()).toEqual(['R-1'])
  at.intercept(() => false)
  const run = await at.import('--same-person')
  expect(run.code, run.err).toBe(0)
  expect(await at.there()).toEqual(['R-1', 'R-2'])
})

describe('an import into a service whose list', () => {
  /** Changes every item of the list before it is answered. */
  async function listing(change: (item: Record<string, unknown>) => unknown) {
    const at = await annIs('OLD-1')
    at.intercept(async ({ method }, response, carryOut) => {
      if (method !== 'GET') return false
      const { data, totalDocs } = (await (await carryOut()).json()) as any
      answer(200, { data: data.map(change), totalDocs })(response)
      return true
    })
    at.write([record('NEW-9', ann)])
    return at
  }

  test.each(['niNumber', 'national_insurance_no', 'NINO', 'ni_number'])(
    'has the NI number as %s holds back who has it already',
    async (name) => {
      const at = await listing(({ NINumber, ...item }) => ({ ...item, details: { [name]: NINumber } }))
      expect((await at.import()).code).toBe(3)
    },
  )

  test.each<[string, (item: Record<string, unknown>) => unknown]>([
    ['has no NI numbers', ({ NINumber: _, ...item }) => item],
    ['masks its NI numbers', ({ NINumber: _, ...item }) => ({ ...item, NINumber: '******01A' })],
  ])('%s says once that it could not compare by them, and doubts by name and birthday', async (_, change) => {
    const at = await listing(change)
    const run = await at.import('--dry-run')
    const warnings = run.json().warnings.map(({ message }: { message: string }) => message)
    expect(warnings).toEqual([
      'NEW-9 has the name and the date of birth of OLD-1 (Ann Sample) on the service',
      'the list shows no National Insurance number, so people who are there under another reference are only known by name and date of birth',
    ])
  })
})
