import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importFixture } from '../../import/import-fixture.ts'
import { atTerminal, payroll } from '../../payroll.ts'
import { answerForm, onlyThese } from '../../prompts/form-driver.ts'

const general = 'generalSetting'
const pay = 'payrollSetting'

/** What a person writes at a field of a UK candidate, and what is sent for it. */
const meant = [
  ['Gender', `${general}.gender`, 'f', 'FEMALE'],
  ['Date of birth', `${general}.DOB`, '14/2/91', '1991-02-14'],
  ['Country', `${general}.country`, 'Ireland', 'IE'],
  ['National Insurance number', `${general}.NINumber`, 'ab 12 34 56 c', 'AB123456C'],
  ['Start date', `${general}.dateOfJoining`, '25 Nov 26', '2026-11-25'],
  ['Pay frequency', `${general}.payFrequency`, 'every 4 weeks', 'FOUR_WEEKLY'],
  ['Hourly rate', `${general}.rateHour`, '£1,017.30', 1017.3],
  ['Hours a week', `${general}.hours`, '37.5 hours', 37.5],
  ['Paid as', `${pay}.paymentModel`, 'paye', 'PAYEE'],
  ['Starter statement', `${pay}.starterDeclaration`, 'statement b', 'B'],
  ['Tax basis', `${pay}.taxBasis`, 'week 1', 'W1M1'],
  ['NI category letter', `${pay}.niCategory`, 'm', 'M'],
  ['Student loan', `${pay}.haveStudentLoan`, 'Plan 2', true],
] as const

/** The day of Plan 2 is proposed by all three. */
const expected = [...meant, ['', `${pay}.studentLoanPlan2StartDate`, '', '2026-11-25T00:00:00.000Z'] as const]

const ways: Record<string, () => Promise<any>> = {
  async '--set'() {
    const sets = meant.flatMap(([, path, typed]) => ['--set', `${path}=${typed}`])
    return (await dryRun(sets)).json().body
  },
  async 'a cell'() {
    const { home, importFile, posted } = await importFixture()
    const csv = join(home, 'starters.tsv')
    const cells = [
      ['Agency reference', 'A-1'],
      ['Forename', 'Ann'],
      ['Surname', 'Sample'],
    ]
    const rows = [...cells, ...meant.map(([label, , typed]) => [label, typed])]
    writeFileSync(
      csv,
      `${rows.map(([label]) => label).join('\t')}\n${rows.map(([, cell]) => cell).join('\t')}\n`,
    )
    expect(await importFile(csv)).toMatchObject({ code: 0 })
    return JSON.parse(posted()[0]?.body?.toString() ?? '')
  },
  async 'the form'() {
    const argv = ['candidates', 'create', '--incomplete', '--dry-run', '--json']
    const terminal = atTerminal(argv)
    const replies = Object.fromEntries(meant.map(([label, , typed]) => [label, typed]))
    await answerForm(
      terminal,
      onlyThese({ 'What next?': 'Send', 'More than 500': 'Keep', 'Plan 2 starts': '', ...replies }),
    )
    return (await terminal.ended).json().body
  },
}

const dryRun = (words: readonly string[]) =>
  payroll(['candidates', 'create', '--incomplete', ...words, '--dry-run', '--json'], {
    env: { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' },
  })

describe('what a person writes', () => {
  test.each(Object.keys(ways))('means the same in %s', async (way) => {
    const body = await ways[way]?.()
    const sent = expected.map(([, path]) => {
      const [section = '', name = ''] = path.split('.')
      return [path, body[section]?.[name]]
    })
    expect(sent).toEqual(expected.map(([, path, , value]) => [path, value]))
  })

  test.each([
    ['Pay frequency', `${general}.payFrequency`, 'wekly', 'did you mean Weekly? Known: Weekly, '],
    ['Pay frequency', `${general}.payFrequency`, 'EVERY_OTHER', 'not a known answer; known: Weekly, '],
    ['Tax basis', `${pay}.taxBasis`, 'on and off', 'Week 1 / Month 1 (W1/M1), Cumulative'],
    ['Student loan', `${pay}.haveStudentLoan`, '1', 'it can mean yes or Plan 1'],
    ['Student loan', `${pay}.haveStudentLoan`, 'Plan 9', 'which one it is: Plan 1, Plan 2, Plan 4, Plan 5'],
    ['Date of birth', `${general}.DOB`, '14/2/15', 'the year of two digits can be 1915 or 2015'],
    ['Hourly rate', `${general}.rateHour`, '17,30', 'it has a comma instead of a decimal point'],
    ['Hourly rate', `${general}.rateHour`, '€17.30', 'it is in euros, and pay here is in pounds'],
    ['Apprentice', `${pay}.isApprentice`, 'ja', 'expected yes or no'],
  ])(
    'is refused by --set and in a cell where it is not understood: %s %s %s',
    async (label, path, typed, said) => {
      const set = await dryRun(['--set', `${path}=${typed}`])
      expect(set.code).toBe(3)
      expect(set.error().issues).toEqual([{ path, message: expect.stringContaining(said) }])
      const { home, importFile, posted } = await importFixture()
      const csv = join(home, 'starters.tsv')
      writeFileSync(csv, `Agency reference\tForename\tSurname\t${label}\nA-1\tAnn\tSample\t${typed}\n`)
      const imported = await importFile(csv)
      expect([imported.code, imported.err]).toEqual([3, expect.stringContaining(said)])
      expect(posted()).toEqual([])
    },
  )

  test('is said by --set where it could have been meant otherwise, without a birthday', async () => {
    const sets = ['--set', 'DOB=3/2/91', '--set', 'start date=3/11/26', '--set', 'document expires=1/2/37']
    expect((await dryRun(sets)).json().warnings).toEqual([
      {
        path: 'generalSetting.DOB',
        message: 'the year of two digits is read as 1991; the date is read with the day first',
      },
      {
        path: 'generalSetting.dateOfJoining',
        message: '3/11/26 is read as 3 November 2026, with the day first',
      },
      {
        path: 'generalSetting.documentExpiryDate',
        message: '1/2/37 is read as 1 February 2037, with the day first',
      },
    ])
  })
})

test.each([
  ['marital status=civil partner', 'generalSetting', { maritalStatus: 'CIVIL_PARTNER' }],
  [
    'pensionCalculationType=Relief at source',
    'generalSetting',
    { pensionSetting: { pensionCalculationType: 'RELIEF_AT_SOURCE' } },
  ],
])('--set %s knows the words of HMRC and Revenue', async (set, section, value) => {
  expect((await dryRun(['--set', set])).json().body).toEqual({ [section]: value })
})

describe('--set-raw', () => {
  test('sends a text as it stands, which --set would read', async () => {
    const raw = ['payFrequency=weekly', 'NINumber=ab 12 34 56 c', 'title=']
    const { body } = (await dryRun(raw.flatMap((each) => ['--set-raw', each]))).json()
    expect(body).toEqual({ generalSetting: { payFrequency: 'weekly', NINumber: 'ab 12 34 56 c', title: '' } })
  })

  test('--set-raw and --set of one field are exit 2', async () => {
    const { code, error } = await dryRun(['--set', 'title=Dr', '--set-raw', 'generalSetting.title=Dame'])
    expect(code).toBe(2)
    expect(error().message).toBe('--set and --set-raw name generalSetting.title twice. Nothing was sent.')
  })

  test('sends no text where the interface has a number: exit 3', async () => {
    const { code, error } = await dryRun(['--set-raw', 'rateHour=17.30'])
    expect(code).toBe(3)
    expect(error().issues).toEqual([
      { path: 'generalSetting.rateHour', message: 'expected a number, and --set-raw sends text: use --set' },
    ])
  })
})
