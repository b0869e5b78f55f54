// @module-tag tables

import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../src/api/contract/countries/ireland/candidate.ts'
import { candidate } from '../../src/api/contract/countries/uk/candidate.ts'
import { atTerminal, freshHome, keys, payroll, type Terminal } from '../payroll.ts'
import { answerForm, askedFields, enterBut, onlyThese } from './form-driver.ts'

const { ctrlC } = keys

/** Everything that the sandbox holds of one country. */
async function candidatesIn(home: string, country: '--uk' | '--ireland'): Promise<unknown[]> {
  return (await payroll(['--profile', 'sandbox', 'candidates', 'list', country], { home })).json()
}

const create = (home: string, ...argv: string[]) =>
  atTerminal(['candidates', 'create', '--incomplete', ...argv], { home })

/** Up to the first question of the form. */
const opened = (terminal: Terminal) => terminal.type('? Agency reference', '')

describe('the form', () => {
  test('says what it makes and where, how to skip and how to stop', async () => {
    const terminal = create(freshHome(), '--ireland')
    await opened(terminal)
    expect(terminal.screen()).toContain(
      [
        'New: an Irish candidate, on sandbox.',
        'Enter takes what stands in [ ] or at ❯, or skips. < goes back, > to the next section, >> to the',
        'review; ? explains; - empties an answer. Ctrl-T hides numbers and birth dates, or shows them.',
        'Ctrl-C stops: nothing is sent, and your answers are kept.',
        '',
        'Person',
        '? Agency reference · 30 left',
      ].join('\n'),
    )
    await terminal.type('', ctrlC)
    await terminal.ended
  })

  test('sends nothing for somebody who only presses Enter, though some answers are filled in by it', async () => {
    const home = freshHome()
    const terminal = create(home)
    let asked = 0
    await answerForm(terminal, () => (asked++ < 120 ? '' : undefined))
    expect(terminal.screen()).toContain('  Country  GB (United Kingdom)\n')
    expect(terminal.screen()).toContain('Send it to sandbox (nothing is filled in)')
    await terminal.type('', ctrlC)
    expect((await terminal.ended).code).toBe(130)
    expect(await candidatesIn(home, '--uk')).toEqual([])
  })

  test('sends nothing to whoever filled in something and then only presses Enter', async () => {
    const home = freshHome()
    const terminal = create(home)
    const reply = enterBut({ Forename: 'Eve' })
    let asked = 0
    await answerForm(terminal, (question) => (asked++ < 120 ? reply(question) : undefined))
    expect(terminal.screen()).toContain('  Send it to sandbox\n')
    await terminal.type('', ctrlC)
    expect((await terminal.ended).code).toBe(130)
    expect(await candidatesIn(home, '--uk')).toEqual([])
  })

  test('sends as soon as one thing is filled in: nobody says what is required', async () => {
    const home = freshHome()
    const terminal = create(home)
    await answerForm(
      terminal,
      enterBut({ 'What next?': ['Edit', 'Send'], 'Which part?': 'Emergency', Name: 'Ines Example' }),
    )
    expect((await terminal.ended).code).toBe(0)
    const [only, ...others] = await candidatesIn(home, '--uk')
    expect(others).toEqual([])
    expect(only).toMatchObject({ emergencyName: 'Ines Example' })
  })

  test('stops at the menu without sending, and says so', async () => {
    const home = freshHome()
    const terminal = create(home)
    await answerForm(terminal, enterBut({ Forename: 'Eve', 'What next?': 'Stop' }))
    const { code, err, out, signal } = await terminal.ended
    expect({ code, out, signal }).toEqual({ code: 2, out: '', signal: undefined })
    expect(err).toContain('Stopped. Nothing was sent.')
    expect(await candidatesIn(home, '--uk')).toEqual([])
  })

  test('goes through another part when it is chosen, and shows the whole record again', async () => {
    const home = freshHome()
    const terminal = create(home, '--ireland')
    await answerForm(
      terminal,
      enterBut({
        Forename: 'Aoife',
        'What next?': ['Edit', 'Send'],
        'Which part?': 'Pension',
        'Pension scheme': 'Example Pension',
        'Opted in on': '8/7/2026',
      }),
    )
    expect((await terminal.ended).code).toBe(0)
    const [, first = '', second = ''] = terminal.screen().split('The whole record\n')
    expect(first).toContain('Person\n  Forename  Aoife\n')
    expect(first.split('? What next?')[0]).not.toContain('Pension')
    expect(second).toContain('Person\n  Forename  Aoife\n')
    expect(second).toContain('Pension\n  Pension scheme  Example Pension\n  Opted in on     8 July 2026\n')
    expect(await candidatesIn(home, '--ireland')).toMatchObject([
      { forename: 'Aoife', pensionSetting: { optInDate: '2026-07-08' } },
    ])
  })

  test('leads back from the parts without asking anything', async () => {
    const terminal = create(freshHome())
    await answerForm(
      terminal,
      enterBut({ Forename: 'Eve', 'What next?': ['Edit', 'Stop'], 'Which part?': 'None' }),
    )
    expect((await terminal.ended).code).toBe(2)
    expect(terminal.screen().split('The whole record')).toHaveLength(3)
    expect(terminal.screen().match(/✔ Forename/g)).toHaveLength(1)
  })

  test('takes an answer back with a hyphen', async () => {
    const terminal = create(freshHome(), '--dry-run', '--json')
    await answerForm(
      terminal,
      onlyThese({
        Forename: ['Eve', '-'],
        Surname: 'Example',
        'Address, line 1': ['1 Example Street', '-'],
        'Address, line 2': '',
        'Pay frequency': ['WEEKLY', '-'],
        Title: 'Mr',
        'Which part?': ['Person', 'Pay frequency'],
        'What next?': ['Edit', 'Edit', 'Send'],
      }),
    )
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { surname: 'Example', title: 'Mr' },
    })
  })

  test('keeps its menus on a screen of 24 lines, with room for the record above the first', async () => {
    const terminal = create(freshHome())
    await answerForm(
      terminal,
      enterBut({ Forename: 'Eve', 'What next?': ['Edit', 'Stop'], 'Which part?': 'None' }),
    )
    await terminal.ended
    const screens = terminal.screen().split(/(?=\? What next\?)|(?=\? Which part\?)|(?=✔)/)
    const first = screens.find((shown) => shown.startsWith('? What next?')) ?? ''
    const second = screens.find((shown) => shown.startsWith('? Which part?')) ?? ''
    expect(first.split('\n').length).toBeLessThanOrEqual(10)
    expect(second).toContain('Opening balance')
    expect(terminal.screen().slice(0, terminal.screen().indexOf(first))).toContain('Needed for pay: ')
    expect(second.split('\n').length).toBeLessThan(24)
  })

  test('lists in the review what the standards doubt, by the names of the form', async () => {
    const terminal = create(freshHome(), '--ireland')
    await answerForm(
      terminal,
      enterBut({
        IBAN: 'IE29AIBK93115212345678',
        'BIC (SWIFT)': 'NWBKGB2L',
        'What next?': ['Edit', 'Stop'],
        'Which part?': 'SWIFT',
        Mobile: '07700 900201',
        'One of Ofcom': 'Keep',
      }),
    )
    await terminal.ended
    expect(terminal.screen()).toContain(
      "  Mobile  07700 900201\n    ! one of Ofcom's numbers for film and documentation, not a real number\n",
    )
    // It was put to the person when it was answered.
    expect(terminal.screen()).not.toContain('! Contact, Mobile')
    expect(terminal.screen()).toContain(
      [
        '  IBAN         IE29 AIBK 9311 5212 3456 78',
        '  BIC (SWIFT)  NWBKGB2L',
        '    ! the BIC is of a bank in GB, the IBAN of one in IE',
      ].join('\n'),
    )
  })

  test('shows in the review what is compared with the paper, hides it with --mask and at Ctrl-T', async () => {
    const replies = { 'Date of birth': '4/11/1991', 'PPS number': '1234567T', IBAN: 'IE29AIBK93115212345678' }
    const masked = create(freshHome(), '--ireland', '--mask')
    await answerForm(masked, enterBut({ ...replies, 'What next?': 'Stop' }))
    const { err } = await masked.ended
    expect(masked.screen()).toMatch(/Date of birth +\*{6}\n/)
    expect(masked.screen()).toMatch(/PPS number +\*{6}67T\n/)
    for (const secret of ['1991', '1234567T', '4/11', 'IE29AIBK']) expect(err).not.toContain(secret)

    const shown = create(freshHome(), '--ireland')
    const reply = enterBut(replies)
    await answerForm(shown, (asked) => (asked.text === 'What next?' ? undefined : reply(asked)))
    expect(shown.screen()).toMatch(/Date of birth +4 November 1991\n/)
    expect(shown.screen()).toMatch(/PPS number +1234567T\n/)
    await shown.type('', '\u0014')
    await shown.type(/PPS number +\*{6}67T\n[\s\S]*What next/, ctrlC)
    await shown.ended
  })

  test('marks in the review what a payslip needs and lacks, and no other gap', async () => {
    const terminal = create(freshHome(), '--ireland')
    await answerForm(
      terminal,
      enterBut({
        Forename: 'Aoife',
        Surname: 'Example',
        'Date of birth': '4/11/1991',
        'Start date': '6/4/2026',
        'Annual salary': '41600',
        'Tax basis': 'Cumulative',
        'Yearly tax credits': '4000',
        'What next?': 'Stop',
      }),
    )
    await terminal.ended
    expect(terminal.screen()).toContain(
      '\n! Needed for pay: PPS number, Standard rate cut-off point, IBAN\n\n? What next?',
    )
    expect(terminal.screen()).toContain('  Annual salary  €41,600.00\n')
  })

  test('asks for a record without parts under its own name', async () => {
    const home = freshHome()
    const terminal = atTerminal(['payment-rates', 'create'], { home })
    await answerForm(
      terminal,
      enterBut({
        Code: 'STD',
        Description: 'Standard day',
        'Hours per unit': '7.5',
        Taxable: 'yes',
        'Subject to NI': 'yes',
        Pensionable: 'no',
        'What next?': 'Send',
      }),
    )
    const { code } = await terminal.ended
    expect(terminal.screen()).toContain('\nPayment rate\n? Code')
    expect(code).toBe(0)
    const rates = await payroll(['--profile', 'sandbox', 'payment-rates', 'list'], { home })
    expect(rates.json()).toMatchObject([
      {
        code: 'STD',
        description: 'Standard day',
        hoursPerUnit: '7.5',
        status: 'ACTIVE',
        includeTaxCalculation: true,
        includeNICalculation: true,
        includePensionCalculation: false,
      },
    ])
  })

  test('asks for the rates of a timesheet one after another, for as long as there are more', async () => {
    const terminal = atTerminal(['timesheets', 'create', '--dry-run', '--json'])
    await answerForm(
      terminal,
      enterBut({
        Person: 'UK-0001',
        From: '6/4/2026',
        'Rates (0 there)': 'add',
        'Rates (1 there)': 'add',
        'Rate 1: Payment rate': 'rate-1',
        'Rate 1: Pay rate': '£21.50',
        'Rate 1: Hours': '37.5',
        'Rate 2: Pay rate': '30',
        'Tax year': '2026/27',
        'Tax period': 'Week 1',
        'What next?': 'Send',
      }),
    )
    expect((await terminal.ended).json().body).toEqual({
      subcontractorRef: 'UK-0001',
      startDate: '2026-04-06',
      taxYear: '2026/27',
      taxPeriodConfig: 'Week 1',
      rates: [{ rateId: 'rate-1', rate: '21.50', units: '37.5' }, { rate: '30' }],
    })
  })

  test('changes and removes single rates of a timesheet', async () => {
    const terminal = atTerminal(['timesheets', 'create', '--dry-run', '--json'])
    await answerForm(
      terminal,
      enterBut({
        'Rates (0 there)': 'add',
        'Rates (1 there)': ['add', ''],
        'Rates (2 there)': ['change or remove 1', 'change or remove 2', 'change or remove 1'],
        'Rate 1: Payment rate rate-1': ['', 'remove'],
        'Rate 2: Payment rate rate-2': 'change',
        'Rate 1: Payment rate': 'rate-1',
        'Rate 2: Payment rate': ['rate-2', '', ''],
        'Rate 2: Hours': ['8', '7.5'],
        'What next?': 'Send',
      }),
    )
    expect((await terminal.ended).json().body).toEqual({ rates: [{ rateId: 'rate-2', units: '7.5' }] })
    expect(terminal.screen()).toContain('  Rates  1: Payment rate rate-2, Hours 7.5\n')
  })

  test('says at once what does not fit what was answered before', async () => {
    const terminal = create(freshHome(), '--dry-run', '--json')
    await answerForm(
      terminal,
      onlyThese({
        'Sort code': '601613',
        'Account number': '31926819',
        'Which part?': 'IBAN',
        IBAN: 'GB94BARC10201530093459',
        'NI category letter': 'F',
        'What next?': ['Edit', 'Send'],
      }),
    )
    const screen = terminal.screen()
    expect(screen).toMatch(
      /✔ IBAN GB94 BARC 1020 1530 0934 59\n {2}! Sort code: not the sort code inside the IBAN\n/,
    )
    expect(screen).toMatch(
      /✔ NI category letter F: Freeport, most employees\n {2}! Workplace postcode: NI category F needs it/,
    )
    expect(screen).toContain(
      '  NI category letter  F: Freeport, most employees\n  ! Workplace postcode: NI category F needs it',
    )
    expect((await terminal.ended).json().body.bankSetting.IBANReference).toBe('GB94BARC10201530093459')
  })

  test('reads W1 of a tax code as the tax basis that it is', async () => {
    const terminal = create(freshHome(), '--dry-run', '--json')
    await answerForm(terminal, onlyThese({ 'Tax code': '1257L W1', 'What next?': 'Send' }))
    expect(terminal.screen()).toContain('  Tax basis: Week 1 / Month 1 (W1/M1), as in the answer.\n')
    expect(terminal.screen()).not.toContain('? Tax basis')
    expect((await terminal.ended).json().body).toEqual({
      payrollSetting: { taxCode: '1257L', taxBasis: 'W1M1' },
    })
  })

  test.each([
    [' UK', candidate, []],
    ['n Irish', candidateIreland, ['--ireland']],
  ])(
    'leads to every field of a%s candidate by its name in the interface',
    { timeout: 180_000 },
    async (_, type, argv) => {
      const all = askedFields(type)
      const wrong: string[] = []
      // A long conversation is slow to look through: a fresh terminal for every thirty fields.
      for (let from = 0; from < all.length; from += 30) {
        const left = all.slice(from, from + 30)
        const terminal = create(freshHome(), ...argv)
        let wanted: (typeof left)[number] | undefined
        await answerForm(terminal, ({ text }) => {
          if (text === 'What next?') return left.length > 0 ? 'Edit' : 'Stop'
          if (text.startsWith('Which part?')) {
            wanted = left.shift()
            return wanted?.path
          }
          if (wanted && !text.startsWith(wanted.field.label)) wrong.push(`${wanted.path}: ${text}`)
          return '>>'
        })
        expect((await terminal.ended).code).toBe(2)
        expect(left).toEqual([])
      }
      expect(wrong).toEqual([])
    },
  )
})

describe('a record that is picked', () => {
  test('is found by a part of its name, and its id is sent: a VAT code', async () => {
    const home = freshHome()
    await payroll(['--profile', 'sandbox', 'sandbox', 'seed'], { home })
    const terminal = atTerminal(['payment-rates', 'create', '--dry-run', '--json'], { home })
    await answerForm(terminal, ({ text }) =>
      text.startsWith('Default VAT code') ? undefined : text.startsWith('Code') ? 'NIGHT' : '',
    )
    // The list is looked through after each letter.
    await terminal.type('', '20%')
    await terminal.type(/❯ S 20% Standard/, keys.enter)
    await terminal.type('? What next?', `Send${keys.enter}`)
    const { json } = await terminal.ended
    const codes = (await payroll(['--profile', 'sandbox', 'vat-codes', 'list'], { home })).json()
    const standard = codes.find(({ VATCode }: { VATCode: string }) => VATCode === 'S')
    expect(json().body).toMatchObject({ code: 'NIGHT', defaultVATCode: standard.id })
    expect(terminal.screen()).toContain('  Default VAT code  S 20% Standard\n')
  })

  test.each([
    ['SANDBOX-UK-01', 'Standard', /❯ S 20% Standard/],
    ['SANDBOX-IE-01', 'standard', /❯ IE-S 23% Ireland standard/],
    ['SANDBOX-UK-01', 'ireland', /❯ IE-R 13.5% Ireland reduced/],
  ])('is a VAT code of the country of the person: for %s %s finds %s', async (person, typed, offered) => {
    const home = freshHome()
    await payroll(['--profile', 'sandbox', 'sandbox', 'seed'], { home })
    const terminal = atTerminal(['timesheets', 'create'], { home })
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

  test('may be left empty, which is no tick, and typed where the service does not show its records', async () => {
    const terminal = atTerminal(['timesheets', 'create', '--dry-run', '--json'])
    await answerForm(terminal, onlyThese({ Person: 'UK-0001', 'What next?': 'Send' }))
    expect((await terminal.ended).json().body).toEqual({ subcontractorRef: 'UK-0001' })
  })
})
