import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importFixture } from '../../import/import-fixture.ts'
import { asTyped, atTerminal, endedWith, payroll } from '../../payroll.ts'
import { answerForm, onlyThese } from '../../prompts/form-driver.ts'
import { loopback } from '../targets.ts'

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
  ['Payment model', `${pay}.paymentModel`, 'paye', 'PAYEE'],
  ['Starter declaration', `${pay}.starterDeclaration`, 'statement b', 'B'],
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
    const name = [
      ['Agency reference', 'A-1'],
      ['Forename', 'Ann'],
      ['Surname', 'Sample'],
    ]
    const columns = [...name, ...meant.map(([label, , typed]) => [label, typed])]
    writeFileSync(csv, [0, 1].map((row) => `${columns.map((each) => each[row]).join('\t')}\n`).join(''))
    expect(await importFile(csv)).toMatchObject({ code: 0 })
    return JSON.parse(posted()[0]?.body?.toString() ?? '')
  },
  async 'the form'() {
    const terminal = atTerminal(asTyped`candidates create --incomplete --dry-run --json`)
    const replies = Object.fromEntries(meant.map(([label, , typed]) => [label, typed]))
    const others = { 'What next?': 'Send', 'More than 150': 'Keep', 'Plan 2 starts': '' }
    await answerForm(terminal, onlyThese({ ...others, ...replies }))
    return (await terminal.ended).json().body
  },
}

const dryRun = (words: readonly string[]) =>
  payroll(['candidates', 'create', '--incomplete', ...words, '--dry-run', '--json'], {
    env: { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' },
  })

/** What is typed with --set, and what a file has in a cell. */
async function bySetAndCell(label: string, path: string, typed: string) {
  const set = await dryRun(['--set', `${general}.dateOfJoining=2026-11-25`, '--set', `${path}=${typed}`])
  const { home, importFile, posted } = await importFixture()
  const csv = join(home, 'starters.tsv')
  const columns = new Map([
    ['Agency reference', 'A-1'],
    ['Forename', 'Ann'],
    ['Surname', 'Sample'],
    ['Start date', '2026-11-25'],
  ]).set(label, typed)
  writeFileSync(csv, `${[...columns.keys()].join('\t')}\n${[...columns.values()].join('\t')}\n`)
  const cell = await importFile(csv)
  const [section = '', name = ''] = path.split('.')
  const sent = [set.json().body, JSON.parse(posted()[0]?.body?.toString() ?? '{}')]
  return { said: [set.err + set.out, cell.err], values: sent.map((body) => body[section]?.[name]) }
}

describe('what a person writes', () => {
  test.each<[label: string, path: string, typed: string, value: unknown]>([
    ['Forename', `${general}.forename`, ' Ann ', 'Ann'],
    ['Forename', `${general}.forename`, 'Nan', 'Nan'],
    ['Job title', `${general}.jobDescription`, 'Night nurse ', 'Night nurse'],
    ['Date of birth', `${general}.DOB`, '19910214', '1991-02-14'],
    ['Date of birth', `${general}.DOB`, '14/02/1991 0:00', '1991-02-14'],
    ['Date of birth', `${general}.DOB`, '14/02/1991 12:00:00 AM', '1991-02-14'],
    ['Date of birth', `${general}.DOB`, '14\u201102\u20111991', '1991-02-14'],
    ['Plan 1 starts', `${pay}.studentLoanPlan1StartDate`, '2026-04-06T00:00:00Z', '2026-04-06T00:00:00.000Z'],
    ['Country', `${general}.country`, 'Kosovo', 'XK'],
    ['Pay frequency', `${general}.payFrequency`, 'M1', 'MONTHLY'],
    ['Pay method', `${general}.payMethod`, 'Credit transfer', 'BACS'],
    ['Tax basis', `${pay}.taxBasis`, 'TRUE', 'W1M1'],
    ['NI category letter', `${pay}.niCategory`, 'Table A', 'A'],
    ['CIS status', `${pay}.cisStatus`, '20%', 'VERIFIED_20%'],
    ['Hourly rate', `${general}.rateHour`, '£17.50 p.h.', 17.5],
    ['Hours a week', `${general}.hours`, '37.5 pw', 37.5],
    ['Student loan', `${pay}.haveStudentLoan`, '02', true],
    ['Mobile', `${general}.mobile`, '0044 7123 456789', '0044 7123 456789'],
    ['Mobile', `${general}.mobile`, '+44 (0)7123 456789', '+44 (0)7123 456789'],
    ['Postcode', `${general}.postCode`, 'gir0aa', 'GIR 0AA'],
  ])('is understood without a doubt: %s %s %j', async (label, path, typed, value) => {
    const { values, said } = await bySetAndCell(label, path, typed)
    expect(values).toEqual([value, value])
    expect(said.join()).not.toMatch(/not one of|not a tele|invisible|spaces|placeholder/)
  })

  test.each<[label: string, path: string, typed: string, said: string]>([
    ['Country', `${general}.country`, 'NI', 'NI is the country code of Nicaragua; did you mean GB?'],
    ['Postcode', `${general}.postCode`, 'AA1 1AA', 'no UK postcode begins with these letters and digits'],
    ['Email', `${general}.email`, 'ann.o’example@example.com', "did you mean ann.o'example@example.com?"],
    [
      'Email',
      `${general}.email`,
      'ann@gmial.com',
      'a letter of its domain may be wrong; did you mean ann@gmail.com?',
    ],
    ['Surname', `${general}.surname`, '.', 'there is no letter in it'],
    ['Agency reference', `${general}.agencyRef`, '1001.0', 'it ends in .0'],
    // Programs write it of everybody who has no status too.
    ['CIS status', `${pay}.cisStatus`, '0', 'is not one of the known values'],
  ])('is sent as it stands, with a doubt: %s %s %s', async (label, path, typed, doubt) => {
    const { values, said } = await bySetAndCell(label, path, typed)
    expect(values[0]).toBe(values[1])
    for (const each of said) expect(each).toContain(doubt)
  })

  test.each(['null', 'undefined', 'NaN', 'N/A'])(
    'is doubted where a script hands on the word of a program for nothing: %s',
    async (word) => {
      const path = `${general}.agencyRef`
      const { code, error } = await dryRun(['--strict', '--set', `${path}=${word}`])
      expect(code).toBe(3)
      expect(error().issues).toEqual([
        { path, message: expect.stringContaining(`${word} is a word for nothing`) },
      ])
      expect((await dryRun(['--strict', '--set', `${path}=A-NULL`])).code).toBe(0)
    },
  )

  test.each(Object.keys(ways))('means the same in %s', async (way) => {
    const body = await ways[way]?.()
    const sent = expected.map(([, path]) => {
      const [section = '', name = ''] = path.split('.')
      return [path, body[section]?.[name]]
    })
    expect(sent).toEqual(expected.map(([, path, , value]) => [path, value]))
  })

  test.each([
    ['Student loan', `${pay}.haveStudentLoan`, '1', 'it can mean yes or Plan 1'],
    ['Student loan', `${pay}.haveStudentLoan`, 'Plan 9', 'which one it is: Plan 1, Plan 2, Plan 4, Plan 5'],
    ['Student loan', `${pay}.haveStudentLoan`, 'PG', 'a postgraduate loan has a field of its own'],
    ['Date of birth', `${general}.DOB`, '14/2/15', 'the year of two digits can be 1915 or 2015'],
    ['Hourly rate', `${general}.rateHour`, '0,305', 'expected a number, such as 37.5'],
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
      expect(await importFile(csv)).toMatchObject(endedWith(3, said))
      expect(posted()).toEqual([])
    },
  )

  test('is a word that records of the service have, in the form too', async () => {
    const { call, home, env } = await loopback()
    const generalSetting = { agencyRef: 'A-0', forename: 'Bo', surname: 'Sample' }
    await call('POST', '/svc/candidates', { generalSetting, payrollSetting: { paymentModel: 'UMBRELLA' } })
    await payroll(['candidates', 'get', 'A-0'], { home, env })
    const words = ['candidates', 'create', '--incomplete', '--dry-run', '--json']
    const typed = 'umbrella'
    const set = await payroll([...words, '--set', `paymentModel=${typed}`], { home, env })
    expect([set.json().body.payrollSetting, set.json().warnings]).toEqual([{ paymentModel: 'UMBRELLA' }, []])
    const terminal = atTerminal(words, { home, env })
    await answerForm(terminal, onlyThese({ 'Payment model': typed, 'What next?': 'Send' }))
    const { body } = (await terminal.ended).json()
    expect(body.payrollSetting).toMatchObject({ paymentModel: 'UMBRELLA' })
  })

  const words: [label: string, path: string, typed: string, said: string][] = [
    ['Pay frequency', `${general}.payFrequency`, 'wekly', '; did you mean Weekly? Known: Weekly, '],
    ['Pay frequency', `${general}.payFrequency`, 'EVERY_OTHER', 'not one of the known values: Weekly, '],
    ['Tax basis', `${pay}.taxBasis`, 'on and off', 'known values: Week 1 / Month 1 (W1/M1), Cumulative'],
    ['Right to work', `${general}.rightToWorkStatus`, 'British', 'not one of the known values: '],
    ['Right to work', `${general}.rightToWorkStatus`, 'BRITISH_CITIZEN', 'not one of the known values: '],
    [
      'Right to work',
      `${general}.rightToWorkStatus`,
      'Itish citizen',
      '; did you mean Irish citizen? Known: ',
    ],
    ['Marital status', `${general}.maritalStatus`, 'COHABITING', 'not one of the known values: Single, '],
  ]
  test.each(words)(
    'is sent as typed where no list has the word, with a doubt: %s %s %s',
    async (label, path, typed, said) => {
      const set = await dryRun(['--set', `${path}=${typed}`])
      const [section = '', name = ''] = path.split('.')
      expect([set.code, set.json().body[section][name]]).toEqual([0, typed])
      expect(set.json().warnings).toContainEqual({ path, message: expect.stringContaining(said) })
      const strict = await dryRun(['--set', `${path}=${typed}`, '--strict'])
      expect([strict.code, strict.error().issues]).toMatchObject([3, [{ path }]])
      const { home, importFile, posted } = await importFixture()
      const csv = join(home, 'starters.tsv')
      writeFileSync(csv, `Agency reference\tForename\tSurname\t${label}\nA-1\tAnn\tSample\t${typed}\n`)
      expect(await importFile(csv, '--strict')).toMatchObject(endedWith(3, said))
      expect(await importFile(csv)).toMatchObject(endedWith(0, said))
      expect(posted().length).toBe(1)
    },
  )
})
