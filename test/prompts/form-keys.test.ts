// @module-tag tables

import { describe, expect, test } from 'vitest'
import { atTerminal, keys, type Terminal } from '../payroll.ts'
import { answerForm, enterBut, onlyThese } from './form-driver.ts'

const { ctrlC } = keys

const create = (...argv: string[]) =>
  atTerminal(['candidates', 'create', '--incomplete', ...argv, '--dry-run', '--json'])

/** The questions in the order in which they were put, without what stands behind their labels. */
async function conversation(
  terminal: Terminal,
  replies: Record<string, string | readonly string[]>,
): Promise<string[]> {
  const reply = onlyThese(replies)
  const asked: string[] = []
  await answerForm(terminal, (question) => {
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
      'Date of birth': '4/11/1991',
      'City or town': 'Leeds',
      'Start date': ['<', ''],
      'What next?': 'Send',
    })
    const number = asked.indexOf('National Insurance number')
    expect(asked.slice(number, number + 4)).toEqual(
      'National Insurance number, Start date, National Insurance number, Start date'.split(', '),
    )
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
    expect(terminal.screen()).toContain('? Forename [Eev] · 27 left')
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
      'Paid as': ['<', 'PAYEE'],
      'Pay method': ['-', '-'],
      'What next?': 'Send',
    })
    const first = asked.indexOf('Address, line 1')
    expect(asked.slice(first, first + 5)).toEqual(
      ['1', '2', '1', '2', '3'].map((line) => `Address, line ${line}`),
    )
    const model = asked.indexOf('Paid as')
    expect(asked.slice(model, model + 3)).toEqual(['Paid as', 'Pay method', 'Paid as'])
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { address: ['Flat 2', '1 Example Street'] },
      payrollSetting: { paymentModel: 'PAYEE' },
    })
  })
})

test('> and >> lead to the next section, and to the review', async () => {
  const terminal = create()
  const asked = await conversation(terminal, {
    Forename: 'Eve',
    Surname: '>',
    'Address, line 1': '1 Example Street',
    'Address, line 2': '>',
    'Start date': '>>',
    'What next?': ['Edit', 'Send'],
    'Which part?': 'Address',
  })
  expect(asked).toEqual([
    'Agency reference',
    'Forename',
    'Surname',
    'Start date',
    'What next?',
    'Which part?',
    'Address, line 1',
    'Address, line 2',
    'What next?',
  ])
  expect((await terminal.ended).json().body).toEqual({
    generalSetting: { forename: 'Eve', address: ['1 Example Street'] },
  })
})

test('? explains the field in payroll words, with its rule and an example, and asks it again', async () => {
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
  expect(screen).toContain('PPS number: text. Seven digits and one or two letters.')
  expect(screen).toContain('modulus 23 (Department of Social Protection). You may keep another answer.')
  expect(screen).toContain('For example: 7654321PA')
  expect(screen).not.toMatch(/payrollSetting|WEEK_1|JSON/)
  expect(screen).toContain(
    'Usual answers: Cumulative, Week 1 / Month 1, Emergency: there is no RPN. Another may be typed.',
  )
})

describe('the count', () => {
  test('says how many questions are left, and nothing else is counted', async () => {
    const terminal = create('--ireland')
    await answerForm(terminal, ({ text }) =>
      text.startsWith('City') ? undefined : text.startsWith('Forename') ? 'Eve' : '',
    )
    expect(terminal.screen()).toContain('\nPerson\n? Agency reference · 30 left')
    expect(terminal.screen()).toContain('? City or town · 25 left')
    expect(terminal.screen()).not.toMatch(/\d+ of \d+/)
    await terminal.type('', ctrlC)
    await terminal.ended
  })

  test('goes down by the questions that an answer rules out', async () => {
    const terminal = create('--uk')
    const counts: string[] = []
    const reply = enterBut({ 'Paid as': 'CIS' })
    await answerForm(terminal, (question) => {
      counts.push(question.text)
      return question.text.startsWith('Account name') ? undefined : reply(question)
    })
    const left = counts.slice(-2).map((text) => Number(/ (\d+) left/.exec(text)?.[1]))
    // Without the statement, code and basis, NI category and both loans; with three of a subcontractor.
    expect(left[0]).toBe((left[1] ?? 0) + 1 + 6 - 3)
    await terminal.type('', ctrlC)
    await terminal.ended
  })
})

describe('a question that another answer rules out', () => {
  test('is not asked: nothing of an RPN for somebody on the emergency basis', async () => {
    const terminal = create('--ireland')
    const asked = await conversation(terminal, {
      Surname: 'Example',
      'Tax basis': 'Emergency',
      'What next?': 'Send',
    })
    await terminal.ended
    const first = asked.indexOf('Tax basis')
    expect(asked.slice(first, first + 3)).toEqual(['Tax basis', 'PRSI class', 'Account name'])
  })

  test('is not asked: no dates of a loan without a loan, no tax code of a subcontractor', async () => {
    const terminal = create()
    const asked = await conversation(terminal, {
      'Paid as': 'CIS',
      'Sort code': '601613',
      'What next?': 'Send',
    })
    await terminal.ended
    expect(asked).not.toContain('Tax code')
    expect(asked).not.toContain('Student loan')
    expect(asked).toContain('Unique Taxpayer Reference')
  })

  test('loses its answer: another plan takes the place of the one before', async () => {
    const terminal = create()
    await conversation(terminal, {
      'Start date': '6/4/2026',
      'Student loan': ['Plan 1', 'Plan 2'],
      'Plan 1 starts': ['', '<'],
      'Plan 2 starts': '',
      'Postgraduate loan': ['<', ''],
      'What next?': 'Send',
    })
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { dateOfJoining: '2026-04-06' },
      payrollSetting: { haveStudentLoan: true, studentLoanPlan2StartDate: '2026-04-06T00:00:00.000Z' },
    })
  })

  test.each([
    [
      'Enter gives the plan again that was answered',
      '',
      { studentLoanPlan2StartDate: '2026-04-06T00:00:00.000Z' },
    ],
    ['a yes that is not known which removes the plan', 'Yes, but', {}],
  ])('gone back to, about a student loan: %s', async (_, again, plan) => {
    const terminal = create()
    await conversation(terminal, {
      'Start date': '6/4/2026',
      'Student loan': ['Plan 2', again],
      'Plan 2 starts': ['', '<'],
      'Postgraduate loan': ['<', ''],
      'What next?': 'Send',
    })
    const { json } = await terminal.ended
    expect(json().body.payrollSetting).toEqual({ haveStudentLoan: true, ...plan })
    const echoed = [...terminal.screen().matchAll(/✔ Student loan (.*)/g)].map(([, answer]) => answer)
    expect(echoed.at(-1)).toBe(again === '' ? 'Plan 2' : 'Yes, but it is not known which')
  })

  test('loses its answer: without the loan there is no plan', async () => {
    const terminal = create()
    await conversation(terminal, {
      'Start date': '6/4/2026',
      'Student loan': ['Plan 4', 'no'],
      'Plan 4 starts': '1/9/2026',
      'What next?': ['Edit', 'Send'],
      'Which part?': 'Student loan',
    })
    expect((await terminal.ended).json().body).toEqual({
      generalSetting: { dateOfJoining: '2026-04-06' },
      payrollSetting: { haveStudentLoan: false },
    })
  })
})
