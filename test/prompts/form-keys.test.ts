import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, type Terminal } from '../payroll.ts'
import { converse, enterBut } from './form-driver.ts'

const { ctrlC } = keys

const create = (...argv: string[]) =>
  atTerminal(['candidates', 'create', '--incomplete', ...argv, '--dry-run', '--json'], { home: freshHome() })

/** The questions in the order in which they were put, without what stands behind their labels. */
async function conversation(
  terminal: Terminal,
  replies: Record<string, string | readonly string[]>,
): Promise<string[]> {
  const reply = enterBut(replies)
  const asked: string[] = []
  await converse(terminal, (question) => {
    asked.push(question.text.replace(/ [[(·].*/, ''))
    return reply(question)
  })
  return asked
}

describe('<', () => {
  test('goes back as far as one likes, over a heading, and loses no answer', async () => {
    const terminal = create()
    const asked = await conversation(terminal, {
      Surname: 'Example',
      Forename: ['Eev', 'Eve'],
      'National Insurance number': ['', ''],
      'Date of birth': ['4/11/1991', '<', ''],
      'Address, line 1': ['<', ''],
      'City or town': 'Leeds',
      'What next?': 'Send',
    })
    expect(asked.slice(0, 8)).toEqual([
      'Agency reference',
      'Forename',
      'Surname',
      'Date of birth',
      'National Insurance number',
      'Address, line 1',
      'National Insurance number',
      'Address, line 1',
    ])
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { forename: 'Eev', surname: 'Example', DOB: '1991-11-04', city: 'Leeds' },
    })
  })

  test('shows the answer there is, which Enter keeps and typing replaces', async () => {
    const terminal = create()
    await conversation(terminal, {
      Forename: ['Eev', 'Eve'],
      Surname: ['<', 'Example'],
      'What next?': 'Send',
    })
    expect(terminal.screen()).toContain('? Forename [Eev] · 19 left')
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { forename: 'Eve', surname: 'Example' },
    })
  })

  test('has nowhere to go from the first question, and says so', async () => {
    const terminal = create()
    await conversation(terminal, { 'Agency reference': ['<', 'UK-1'], 'What next?': 'Send' })
    expect(terminal.screen()).toContain('This is the first question.')
    expect((await terminal.ended).json().body).toEqual({ generalSetting: { agencyRef: 'UK-1' } })
  })

  test('goes back from a choice, and from one line of an address to the line before', async () => {
    const terminal = create()
    const asked = await conversation(terminal, {
      'Address, line 1': ['Flt 2', 'Flat 2'],
      'Address, line 2': ['<', '1 Example Street'],
      'Address, line 3': '',
      'Payment model': ['<', 'PAYEE'],
      'Account number': ['', ''],
      'What next?': 'Send',
    })
    const first = asked.indexOf('Address, line 1')
    expect(asked.slice(first, first + 5)).toEqual(
      ['1', '2', '1', '2', '3'].map((line) => `Address, line ${line}`),
    )
    const model = asked.indexOf('Payment model')
    expect(asked.slice(model, model + 3)).toEqual(['Payment model', 'Account number', 'Payment model'])
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { address: ['Flat 2', '1 Example Street'] },
      payrollSetting: { paymentModel: 'PAYEE' },
    })
  })
})

describe('> and >>', () => {
  test('lead to the next section, and to the review', async () => {
    const terminal = create()
    const asked = await conversation(terminal, {
      Forename: 'Eve',
      Surname: '>',
      'Address, line 1': '1 Example Street',
      'Address, line 2': '>',
      'Date of joining': '>>',
      'What next?': 'Send',
    })
    expect(asked).toEqual([
      'Agency reference',
      'Forename',
      'Surname',
      'Address, line 1',
      'Address, line 2',
      'Date of joining',
      'What next?',
    ])
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { forename: 'Eve', address: ['1 Example Street'] },
    })
  })
})

describe('?', () => {
  test('explains the field, with its rule and an example, and asks it again', async () => {
    const terminal = create('--ireland')
    const asked = await conversation(terminal, {
      'PPS number': ['?', ''],
      'Tax basis': ['?', ''],
      Forename: 'Eve',
      'What next?': 'Send',
    })
    await terminal.ended
    expect(asked.filter((each) => each === 'PPS number')).toHaveLength(2)
    const screen = terminal.screen().replace(/\n +/g, ' ')
    expect(screen).toContain('PPS number: text, masked on the screen.')
    expect(screen).toContain('modulus 23 (Department of Social Protection). This is only checked')
    expect(screen).toContain('For example: 1234567FA')
    expect(screen).toContain('Name in files and for --set: payrollSetting.ppsNumber')
    expect(screen).toContain('Values seen: W1M1. Any other may be typed.')
    expect(screen).toContain('Values of the public standard: CUMULATIVE, WEEK_1, EMERGENCY.')
  })
})

describe('the count', () => {
  test('says how many questions are left, and how much of each section is filled in', async () => {
    const terminal = create('--ireland')
    await converse(terminal, ({ text }) =>
      text.startsWith('City') ? undefined : text.startsWith('Forename') ? 'Eve' : '',
    )
    expect(terminal.screen()).toContain('1 of 5: Person (0 of 8 filled in)\n? Agency reference · 17 left')
    expect(terminal.screen()).toContain('2 of 5: Address and contact (0 of 7 filled in)')
    expect(terminal.screen()).toContain('? City or town · 12 left')
    await terminal.type('', ctrlC)
    await terminal.ended
  })

  test('is at most 20 answers for an Irish candidate who can be paid', async () => {
    const terminal = create('--ireland')
    const asked = await conversation(terminal, {
      'Agency reference': 'IE-1',
      Forename: 'Aoife',
      Surname: 'Example',
      'Date of birth': '4/11/1991',
      'Address, line 1': '1 Example Street',
      'City or town': 'Dublin',
      Eircode: 'D02 X285',
      Country: 'ireland',
      Mobile: '087 123 4567',
      'E-mail': 'aoife@example.com',
      'Date of joining': '6/4/2026',
      'Pay frequency': 'weekly',
      'Account name': 'Aoife Example',
      IBAN: 'IE29AIBK93115212345678',
      'PPS number': '1234567FA',
      'Payment model': 'PAYEE',
      'Tax basis': 'CUMULATIVE',
      'What next?': 'Send',
    })
    expect(asked.length).toBeLessThanOrEqual(20)
    expect((await terminal.ended).json().warnings).toEqual([])
  })
})
