// @module-tag tables

import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import {
  type Asked,
  answerForm,
  askedFields,
  enterBut,
  filled,
  onlyThese,
  type Replies,
  standingAt,
} from './form-driver.ts'

/** Everything that the sandbox holds of one country. */
async function candidatesIn(home: string, country = '--uk'): Promise<unknown[]> {
  return (await payroll(['--profile', 'sandbox', 'candidates', 'list', country], { home })).json()
}

const form = ['candidates', 'create', '--incomplete']
const irish = [...form, '--ireland']
const preview = ['--dry-run', '--json']

/** Fills the form of a new candidate. `home`: the folder of the sandbox. */
const create = (
  replies: Replies | ((asked: Asked) => string | undefined),
  argv: readonly string[] = form,
) => {
  const home = freshHome()
  return filled(argv, replies, { home }).then((run) => ({ ...run, home }))
}

describe('the form', () => {
  test('says what it makes and where, how to skip and how to stop', async () => {
    const { screen } = await standingAt('Agency reference', irish)
    expect(screen().replace(/\d+ left/g, 'so many left')).toContain(
      [
        'New: an Irish candidate, on sandbox.',
        'Enter takes what stands in [ ] or at ❯, or skips. < goes back, > to the next section, >> to the',
        'review; ? explains; - empties an answer, Tab edits it.',
        'Ctrl-C stops: nothing is sent, and your answers are kept.',
        '',
        'Person',
        '? Agency reference · so many left',
      ].join('\n'),
    )
  })

  test.each<[string, Replies, RegExp]>([
    [
      'only presses Enter',
      {},
      / {2}Country {2}GB \(United Kingdom\)\n[\s\S]*Send it to sandbox \(nothing is filled in\)/,
    ],
    ['fills in something and then only presses Enter', { Forename: 'Eve' }, / {2}Send it to sandbox\n/],
  ])('sends nothing to whoever %s', async (_, replies, shown) => {
    const home = freshHome()
    let asked = 0
    const reply = enterBut(replies)
    const terminal = atTerminal(form, { home })
    await answerForm(terminal, (question) => (asked++ < 120 ? reply(question) : undefined))
    expect(terminal.screen()).toMatch(shown)
    await terminal.type('', keys.ctrlC)
    expect((await terminal.ended).code).toBe(130)
    expect(await candidatesIn(home)).toEqual([])
  })

  test('sends as soon as one thing is filled in: nobody says what is required', async () => {
    const one = { 'Which part?': 'Emergency', Name: 'Ines Example' }
    const { code, home } = await create({ 'What next?': ['Edit', 'Send'], ...one })
    expect([code, await candidatesIn(home)]).toMatchObject([0, [{ emergencyName: 'Ines Example' }]])
    expect(await candidatesIn(home)).toHaveLength(1)
  })

  test.each([
    ['with answers', { Forename: 'Eve' }, 0, 'Nothing was sent. Saved as a draft.'],
    ['without answers', {}, 2, 'Stopped. Nothing was sent.'],
  ])('stops at the menu %s without sending, and says so', async (_, replies, ends, says) => {
    const { code, err, signal, home } = await create({ ...replies, 'What next?': 'Stop' })
    expect({ code, signal }).toEqual({ code: ends, signal: undefined })
    expect(err).toContain(says)
    expect(await candidatesIn(home)).toEqual([])
  })

  test('goes through another part when it is chosen, and shows the whole record again', async () => {
    const pension = { 'Pension scheme': 'Example Pension', 'Opted in on': '8/7/2026' }
    const { code, screen, home } = await create(
      { Forename: 'Aoife', 'What next?': ['Edit', 'Send'], 'Which part?': 'Pension', ...pension },
      irish,
    )
    expect(code).toBe(0)
    const [, first = '', second = ''] = screen.split('The whole record\n')
    for (const review of [first, second]) expect(review).toContain('Person\n  Forename  Aoife\n')
    expect(first.split('? What next?')[0]).not.toContain('Pension')
    expect(second).toContain('Pension\n  Pension scheme  Example Pension\n  Opted in on     8 July 2026\n')
    expect(await candidatesIn(home, '--ireland')).toMatchObject([
      { forename: 'Aoife', pensionSetting: { optInDate: '2026-07-08' } },
    ])
  })

  test('leads back from the parts without asking anything, in menus that fit a screen of 24 lines', async () => {
    const { code, screen } = await create({
      ...{ Forename: 'Eve', 'What next?': ['Edit', 'Stop'], 'Which part?': 'None' },
    })
    expect(code).toBe(0)
    expect(screen.split('The whole record')).toHaveLength(3)
    expect(screen.match(/✔ Forename/g)).toHaveLength(1)
    const screens = screen.split(/(?=\? What next\?)|(?=\? Which part\?)|(?=✔)/)
    const first = screens.find((shown) => shown.startsWith('? What next?')) ?? ''
    const second = screens.find((shown) => shown.startsWith('? Which part?')) ?? ''
    // There is room for the record above the first.
    expect(first.split('\n').length).toBeLessThanOrEqual(10)
    expect(screen.slice(0, screen.indexOf(first))).toContain('Needed for pay: ')
    expect(second).toContain('Opening balance')
    expect(second.split('\n').length).toBeLessThan(24)
  })

  test('takes an answer back with a hyphen', async () => {
    const { body } = await create(
      onlyThese({
        ...{ Forename: ['Eve', '-'], Surname: 'Example', Title: 'Mr', 'Pay frequency': ['WEEKLY', '-'] },
        ...{ 'Address, line 1': ['1 Example Street', '-'], 'Address, line 2': '' },
        ...{ 'Which part?': ['Person', 'Pay frequency'], 'What next?': ['Edit', 'Edit', 'Send'] },
      }),
      [...form, ...preview],
    )
    expect(body()).toEqual({ generalSetting: { surname: 'Example', title: 'Mr' } })
  })

  test('lists in the review what the standards doubt, by the names of the form', async () => {
    const { screen } = await create(
      {
        ...{ IBAN: 'IE29AIBK93115212345678', 'BIC (SWIFT)': 'NWBKGB2L', Mobile: '07700 90020' },
        ...{ 'A UK mobile': 'Keep', 'What next?': ['Edit', 'Stop'], 'Which part?': 'SWIFT' },
      },
      irish,
    )
    expect(screen).toContain('  Mobile  07700 90020\n    ! a UK mobile number has eleven digits\n')
    // It was put to the person when it was answered.
    expect(screen).not.toContain('! Contact, Mobile')
    expect(screen).toContain(
      '  IBAN         IE29 AIBK 9311 5212 3456 78\n  BIC (SWIFT)  NWBKGB2L\n    ! the BIC is of a bank in GB, the IBAN of one in IE',
    )
  })

  test('shows in the review what is compared with the paper, and hides it with --mask', async () => {
    const replies = { 'Date of birth': '4/11/1991', 'PPS number': '1234567T', IBAN: 'IE29AIBK93115212345678' }
    const masked = await create({ ...replies, 'What next?': 'Stop' }, [...irish, '--mask'])
    expect(masked.screen).toMatch(/Date of birth +\*{6}\n/)
    expect(masked.screen).toMatch(/PPS number +\*{6}67T\n/)
    for (const secret of ['1991', '1234567T', '4/11', 'IE29AIBK']) expect(masked.err).not.toContain(secret)

    const shown = await standingAt('What next?', irish, { replies })
    expect(shown.screen()).toMatch(/Date of birth +4 November 1991\n/)
    expect(shown.screen()).toMatch(/PPS number +1234567T\n/)
  })

  test('marks in the review what a payslip needs and lacks, and no other gap', async () => {
    const { screen } = await create(
      {
        ...{ Forename: 'Aoife', Surname: 'Example', 'Date of birth': '4/11/1991', 'Start date': '6/4/2026' },
        ...{ 'Annual salary': '41600', 'Tax basis': 'Cumulative', 'Yearly tax credits': '4000' },
        ...{ 'PPS number': '1234567T', 'What next?': 'Stop' },
      },
      irish,
    )
    expect(screen).toContain('\n! Needed for pay: Standard rate cut-off point, IBAN\n\n? What next?')
    expect(screen).toContain('  Annual salary  €41,600.00\n')
  })

  test('asks for a record without parts under its own name', async () => {
    const { code, screen, home } = await create(
      {
        ...{ Code: 'STD', Description: 'Standard day', 'Hours per unit': '7.5', Taxable: 'yes' },
        ...{ 'Subject to NI': 'yes', Pensionable: 'no', 'What next?': 'Send' },
      },
      ['payment-rates', 'create'],
    )
    expect([code, screen]).toEqual([0, expect.stringContaining('\nPayment rate\n? Code')])
    const rates = await payroll(['--profile', 'sandbox', 'payment-rates', 'list'], { home })
    expect(rates.json()).toMatchObject([
      {
        ...{ code: 'STD', description: 'Standard day', hoursPerUnit: '7.5', status: 'ACTIVE' },
        ...{ includeTaxCalculation: true, includeNICalculation: true, includePensionCalculation: false },
      },
    ])
  })

  test('asks for the rates of a timesheet one after another, for as long as there are more', async () => {
    const { body } = await create(
      {
        ...{ Person: 'UK-0001', From: '6/4/2026', 'Rates (0 there)': 'add', 'Rates (1 there)': 'add' },
        ...{ 'Rate 1: Payment rate': 'rate-1', 'Rate 1: Pay rate': '£21.50', 'Rate 1: Hours': '37.5' },
        ...{ 'Rate 2: Pay rate': '30', 'Tax year': '2026/27', 'Tax period': 'Week 1', 'What next?': 'Send' },
      },
      ['timesheets', 'create', ...preview],
    )
    expect(body()).toEqual({
      ...{
        subcontractorRef: 'UK-0001',
        startDate: '2026-04-06',
        taxYear: '2026/27',
        taxPeriodConfig: 'Week 1',
      },
      rates: [{ rateId: 'rate-1', rate: '21.50', units: '37.5' }, { rate: '30' }],
    })
  })

  test('changes and removes single rates of a timesheet', async () => {
    const { body, screen } = await create(
      {
        'Rates (0 there)': 'add',
        'Rates (1 there)': ['add', ''],
        'Rates (2 there)': ['change 2', 'remove 1'],
        'Rate 1: Payment rate': 'rate-1',
        'Rate 2: Payment rate': ['rate-2', '', ''],
        'Rate 2: Hours': ['8', '7.5'],
        'What next?': 'Send',
      },
      ['timesheets', 'create', ...preview],
    )
    expect(body()).toEqual({ rates: [{ rateId: 'rate-2', units: '7.5' }] })
    expect(screen).toContain('  Rates  1: Payment rate rate-2, Hours 7.5\n')
  })

  test('says at once what does not fit what was answered before', async () => {
    const { body, screen } = await create(
      onlyThese({
        ...{ 'Sort code': '601613', 'Account number': '31926819', 'NI category letter': 'F' },
        ...{ 'What next?': ['Edit', 'Send'], 'Which part?': 'IBAN', IBAN: 'GB94BARC10201530093459' },
      }),
      [...form, ...preview],
    )
    expect(screen).toMatch(
      /✔ IBAN GB94 BARC 1020 1530 0934 59\n {2}! Bank, Sort code: the IBAN has another sort code: put right the one that is old\n/,
    )
    const lacking = '  ! Workplace postcode: NI category F needs it'
    expect(screen).toContain(`  NI category letter  F: Freeport, most employees\n${lacking}`)
    expect(body().bankSetting.IBANReference).toBe('GB94BARC10201530093459')
  })

  test.each([
    ['', 0],
    ['-', 1],
  ])('doubts a student loan only where there is no start of it: %j', async (start, times) => {
    const { screen } = await create(
      { 'Student loan': 'plan 2', 'Plan 2 starts': start, 'Start date': '6/4/2026', 'What next?': 'Stop' },
      form,
    )
    expect(screen.split('it says yes, but no plan has a start')).toHaveLength(times + 1)
  })

  test.each([
    ['ni number', 'National Insurance number'],
    ['post code', 'Postcode'],
  ])('leads to a field by whatever --set knows it by: %s', async (typed, label) => {
    const asked: string[] = []
    await create({
      Forename: 'Eve',
      'What next?': ['Edit', 'Stop'],
      'Which part?': typed,
      [label]: '>>',
    }).then(({ screen }) => asked.push(...screen.split('Which part?').slice(-1)))
    expect(asked[0]).toContain(`\n? ${label}`)
  })

  test('offers what a typed word may mean, where it is no name of a field', async () => {
    const terminal = await standingAt('Which part?', form, {
      replies: { Forename: 'Eve', 'What next?': 'Edit' },
    })
    await terminal.type('', 'ni')
    await terminal.type(/ {2}National Insurance number \(Person\)\n {2}NI category letter \(Tax\)/, '')
  })

  test('reads W1 of a tax code as the tax basis that it is', async () => {
    const replies = onlyThese({ 'Tax code': '1257L W1', 'What next?': 'Send' })
    const { body, screen } = await create(replies, [...form, ...preview])
    expect(screen).toContain('  Tax basis: Week 1 / Month 1 (W1/M1), as in the answer.\n')
    expect(screen).not.toContain('? Tax basis')
    expect(body()).toEqual({ payrollSetting: { taxCode: '1257L', taxBasis: 'W1M1' } })
  })

  const ukPaths = new Set(askedFields(candidate).map(({ path }) => path))
  test.each([
    [' UK', candidate, form, () => true],
    ['n Irish', candidateIreland, irish, (path: string) => !ukPaths.has(path)],
  ])('leads to a field of a%s candidate by its name in the interface', async (_, type, argv, isOwn) => {
    const all = askedFields(type)
    const isIn = (path: string, other: string) =>
      other !== path && other.toLowerCase().includes(path.toLowerCase())
    // A name that is a part of others leads to its own field. Of the others, the first of each section; of Irish ones, its own.
    const left = all.filter(
      ({ path, field }, at) =>
        isOwn(path) &&
        (all.some((other) => isIn(path, other.path)) || all[at - 1]?.field.section !== field.section),
    )
    const wrong: string[] = []
    let wanted: (typeof left)[number] | undefined
    const { code } = await create(({ text }) => {
      if (text === 'What next?') return left.length > 0 ? 'Edit' : 'Stop'
      if (text.startsWith('Which part?')) {
        wanted = left.shift()
        return wanted?.path
      }
      if (wanted && !text.startsWith(wanted.field.label)) wrong.push(`${wanted.path}: ${text}`)
      return '>>'
    }, argv)
    expect([code, left, wrong]).toEqual([2, [], []])
  })
})

describe('a record that is picked', () => {
  test('is found by a part of its name, and its id is sent: a VAT code', async () => {
    const { env } = await startSandbox({ seeded: true })
    const replies = { Code: 'NIGHT' }
    const terminal = await standingAt('Default VAT code', ['payment-rates', 'create', ...preview], {
      replies,
      env,
    })
    // The list is looked through after each letter.
    await terminal.type('', '20%')
    await terminal.type(/❯ S 20% Standard/, keys.enter)
    await terminal.type('? What next?', `Send${keys.enter}`)
    const { json } = await terminal.ended
    const codes = (await payroll(['vat-codes', 'list'], { env })).json()
    const standard = codes.find(({ VATCode }: { VATCode: string }) => VATCode === 'S')
    expect(json().body).toMatchObject({ code: 'NIGHT', defaultVATCode: standard.id })
    expect(terminal.screen()).toContain('  Default VAT code  S 20% Standard\n')
  })

  test.each([
    ['SANDBOX-UK-01', 'Standard', /❯ S 20% Standard/],
    ['SANDBOX-IE-01', 'standard', /❯ IE-S 23% Ireland standard/],
    ['SANDBOX-UK-01', 'ireland', /❯ IE-R 13.5% Ireland reduced/],
  ])('is a VAT code of the country of the person: for %s %s finds %s', async (person, typed, offered) => {
    const { env } = await startSandbox({ seeded: true })
    const terminal = atTerminal(['timesheets', 'create'], { env })
    await terminal.type('? Person', person)
    await terminal.type(`❯ ${person}`, keys.enter)
    for (const label of ['Assignment reference', 'From', 'Week ending'])
      await terminal.type(`? ${label}`, keys.enter)
    await terminal.type('? Rates', `add${keys.enter}`)
    for (const label of ['Payment rate', 'Pay rate']) await terminal.type(`? Rate 1: ${label}`, keys.enter)
    await terminal.type('? Rate 1: VAT code', '')
    await terminal.type('', typed)
    await terminal.type(offered, keys.ctrlC)
    await terminal.ended
  })

  test.each([
    ['amelie', 'SANDBOX-UK-01 Amélie Sample'],
    ['odummy', "SANDBOX-IE-06 Fiadh O'Dummy"],
  ])('finds a person as one types the name: %s', async (typed, name) => {
    const { env } = await startSandbox({ seeded: true })
    const terminal = atTerminal(['timesheets', 'create'], { env })
    await terminal.type('? Person', typed)
    await terminal.type(`❯ ${name}`, keys.ctrlC)
    await terminal.ended
  })

  test('may be left empty, which is no tick, and typed where the service does not show its records', async () => {
    const replies = onlyThese({ Person: 'UK-0001', 'What next?': 'Send' })
    const { body, screen } = await create(replies, ['timesheets', 'create', ...preview])
    expect(body()).toEqual({ subcontractorRef: 'UK-0001' })
    expect(screen).toContain('! Needed for pay: Week ending, Rates\n')
    expect(screen).toContain('No person can be looked up: type the whole agency reference.')
    expect(screen).not.toContain('a part of the name')
  })
})
