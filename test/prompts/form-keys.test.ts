// @module-tag tables

import { describe, expect, test } from 'vitest'
import { usualTaxCode } from '../../src/model/facts/facts.ts'
import { emptyBut, enterBut, filled, type Replies } from './form-driver.ts'

const form = ['candidates', 'create', '--incomplete']

/** What is sent for these replies, what the screen shows, and the labels of the questions in the order in which they were put. */
async function conversation(replies: Replies, ...argv: string[]) {
  const reply = emptyBut({ 'What next?': 'Send', ...replies })
  const asked: string[] = []
  const { body, screen } = await filled([...form, ...argv, '--dry-run', '--json'], (question) => {
    asked.push(question.text.replace(/ [[(·].*/, ''))
    return reply(question)
  })
  /** So many questions from one on. */
  const from = (label: string, count: number) => {
    const first = asked.indexOf(label)
    return asked.slice(first, first + count)
  }
  return { asked, from, screen, body: body() }
}

describe('<', () => {
  test('goes back as far as one likes, over a heading, and loses no answer', async () => {
    const { from, body } = await conversation({
      ...{ Surname: 'Example', Forename: ['Eev', 'Eve'], 'National Insurance number': ['', ''] },
      ...{ 'Date of birth': '4/11/1991', 'City or town': 'Leeds', 'Start date': ['<', ''] },
    })
    const [number, start] = ['National Insurance number', 'Start date']
    expect(from(number, 4)).toEqual([number, start, number, start])
    expect(body).toEqual({
      generalSetting: { forename: 'Eev', surname: 'Example', DOB: '1991-11-04', city: 'Leeds' },
    })
  })

  test('shows the answer there is, which Enter keeps and typing replaces', async () => {
    const lines = { 'Address, line 1': ['Flt 2', 'Flat 2'], 'Address, line 2': ['<', ''] }
    const { screen, body } = await conversation(lines)
    expect(screen).toMatch(/\? Address, line 1 \[Flt 2\] · \d+ left/)
    expect(body).toEqual({ generalSetting: { address: ['Flat 2'] } })
  })

  test('has nowhere to go from the first question, and says so', async () => {
    const { screen, body } = await conversation({ 'Agency reference': ['<', 'UK-1'] })
    expect(screen).toContain('This is the first question.')
    expect(body).toEqual({ generalSetting: { agencyRef: 'UK-1' } })
  })

  test('is at the review again from the first question of what was edited there', async () => {
    const { screen, asked } = await conversation({
      ...{ Forename: 'Eve', 'What next?': ['Edit', 'Send'] },
      ...{ 'Which part?': 'Account number', 'Account number': ['', '<'] },
    })
    expect(asked.slice(-4)).toEqual(['What next?', 'Which part?', 'Account number', 'What next?'])
    expect(screen).not.toContain('This is the first question.')
  })

  test('says which answer is gone once another one has ruled it out', async () => {
    const { screen, body } = await conversation(
      {
        ...{ 'Tax basis': ['', 'EMERGENCY'], 'Yearly tax credits': ['', '<'], 'Standard rate': ['', '<'] },
        ...{ 'USC status': ['ORDINARY', '<'], 'Yearly USC rate 1': '<' },
      },
      '--ireland',
    )
    expect(screen).toContain('\n  USC status: nothing now, because of this answer.\n')
    expect(body).toEqual({ payrollSetting: { taxBasis: 'EMERGENCY' } })
  })

  test.each([
    ['A', undefined],
    ['B', { p45GrossToDate: 4200.5, p45TaxToDate: 310 }],
  ])('asks for the figures of a P45 where there may be one: statement %s', async (statement, figures) => {
    const { asked, body } = await conversation({
      'Starter declaration': statement,
      'P45 pay to date': '£4,200.50',
      'P45 tax to date': '310',
    })
    expect(asked.includes('P45 pay to date')).toBe(figures !== undefined)
    expect(body).toEqual({ payrollSetting: { starterDeclaration: statement, ...figures } })
  })

  test('goes back from a choice, and from one line of an address to the line before', async () => {
    const { from, body } = await conversation({
      ...{ 'Address, line 1': ['Flt 2', 'Flat 2'], 'Address, line 2': ['<', '1 Example Street'] },
      ...{ 'Address, line 3': '', 'Payment model': ['<', 'PAYEE'], 'Pay method': ['-', '-'] },
    })
    expect(from('Address, line 1', 5)).toEqual(
      ['1', '2', '1', '2', '3'].map((line) => `Address, line ${line}`),
    )
    expect(from('Payment model', 3)).toEqual(['Payment model', 'Pay method', 'Payment model'])
    expect(body).toEqual({
      generalSetting: { address: ['Flat 2', '1 Example Street'] },
      payrollSetting: { paymentModel: 'PAYEE' },
    })
  })
})

test('> and >> lead to the next section, and to the review', async () => {
  const { asked, body } = await conversation({
    ...{ Forename: 'Eve', Surname: '>', 'Start date': '>>' },
    ...{ 'Address, line 1': '1 Example Street', 'Address, line 2': '>' },
    ...{ 'What next?': ['Edit', 'Send'], 'Which part?': 'Address' },
  })
  expect(asked.slice(asked.indexOf('Surname'))).toEqual([
    ...['Surname', 'Start date', 'What next?'],
    ...['Which part?', 'Address, line 1', 'Address, line 2', 'What next?'],
  ])
  expect(body).toEqual({ generalSetting: { forename: 'Eve', address: ['1 Example Street'] } })
})

test('? explains the field in payroll words, with its rule and an example, and asks it again', async () => {
  const replies = { 'PPS number': ['?', ''], 'Tax basis': ['?', ''], Forename: 'Eve' }
  const { asked, ...shown } = await conversation(replies, '--ireland')
  expect(asked.filter((each) => each === 'PPS number')).toHaveLength(2)
  const screen = shown.screen.replace(/\n +/g, ' ')
  expect(screen).toContain('PPS number: text. Seven digits and one or two letters.')
  expect(screen).toContain('modulus 23 (Department of Social Protection). You may keep another answer.')
  expect(screen).toContain('For example: 7654321PA')
  expect(screen).not.toMatch(/payrollSetting|WEEK_1|JSON/)
  expect(screen).toContain(
    'Usual answers: Cumulative, Week 1 / Month 1, Emergency: there is no RPN. Another may be typed.',
  )
})

/** How many answers were said to be left at each question, by its label; the form is stopped at its menu. */
async function counts(replies: Replies, ...argv: string[]) {
  const reply = enterBut({ 'What next?': 'Stop', ...replies })
  const said: [label: string, left: number][] = []
  const { screen } = await filled([...form, ...argv], (asked) => {
    const [, label, left] = /^([^·([]+?)(?: [([].*)? · (\d+) left$/.exec(asked.text) ?? []
    if (label !== undefined && !/line [2-9]/.test(label)) said.push([label, Number(left)])
    return reply(asked)
  })
  return { said, left: Object.fromEntries(said), screen: screen.replace(/\s+/g, ' ') }
}

describe('the count', () => {
  test('says how many questions are left, down to the last one, and nothing else is counted', async () => {
    const { said, screen } = await counts({ Forename: 'Eve' }, '--ireland')
    expect(said.length).toBeGreaterThan(20)
    expect(said.at(-1)?.[1]).toBe(1)
    expect(screen).not.toMatch(/\d+ of \d+/)
  })

  test('leaves the salary to be asked for after a rate of 0', async () => {
    const { left } = await counts({ 'Hourly rate': '0.00' })
    expect(left).toHaveProperty('Annual salary')
  })

  test('is not shown for one question that was chosen by its name', async () => {
    const { screen } = await counts({ 'Which part?': 'Nationality', 'What next?': ['Edit', 'Stop'] })
    expect(screen).toMatch(/\? Nationality(?! · )/)
  })
})

describe('the review', () => {
  test.each<[string, Replies, Replies, string]>([
    [
      'the plan of a student loan, where it is not known',
      { 'Student loan': 'yes' },
      { 'Student loan': 'plan 2', 'Plan 2 starts': '6/4/2026' },
      'Student loan (which one)',
    ],
    [
      'rate and salary together, where there is neither',
      {},
      { 'Annual salary': '41600' },
      'Hourly rate or annual salary',
    ],
  ])('names among what pay needs %s', async (_, lacking, given, what) => {
    const neededFor = async (replies: Replies) =>
      /! Needed for pay: ([^!]*)/.exec((await counts(replies)).screen)?.[1]
    expect(await neededFor(lacking)).toContain(what)
    expect(await neededFor(given)).not.toContain(what)
  })
})

test('an answer that is left at its doubt is not taken', async () => {
  const { screen, body } = await conversation({
    ...{ Forename: 'Eve', 'Address, line 1': ['AB 12 34 56 C', ''], 'A date, a number': '<' },
  })
  expect(screen).toContain('Address: AB 12 34 56 C was not taken.')
  expect(body).toEqual({ generalSetting: { forename: 'Eve' } })
})

describe('an answer that is corrected', () => {
  const atReview = (part: string) => ({ 'What next?': ['Edit', 'Send'], 'Which part?': part })

  test('is followed by the questions whose proposal it changes', async () => {
    const { from, body } = await conversation({
      ...{ 'Start date': ['1/12/2025', '1/12/2026'], 'Student loan': 'Plan 2', 'Plan 2 starts': ['', ''] },
      ...atReview('Start date'),
    })
    expect(from('Which part?', 4)).toEqual(['Which part?', 'Start date', 'Plan 2 starts', 'What next?'])
    expect(body.payrollSetting.studentLoanPlan2StartDate).toBe('2026-12-01T00:00:00.000Z')
  })

  test('changes what is proposed behind it, on the way back there too, and not what was typed', async () => {
    const { body, screen } = await conversation({
      ...{
        'Starter declaration': ['C', 'B'],
        'Tax code': ['', '<', ''],
        'Tax basis': ['CUMULATIVE', '<', ''],
      },
      ...{ 'NI category letter': ['<', 'A'] },
    })
    expect(screen).not.toContain('nothing now, because')
    expect(body.payrollSetting).toMatchObject({ taxCode: usualTaxCode, taxBasis: 'W1M1' })
  })

  test.each([
    ['Payment model', ['PAYEE', 'CIS'], [], ['CIS status', 'CIS verification number']],
    ['Starter declaration', ['A', 'B'], [], ['P45 pay to date', 'P45 tax to date']],
    [
      'Tax basis',
      ['EMERGENCY', 'CUMULATIVE'],
      ['--ireland'],
      ['Yearly tax credits', 'Standard rate cut-off'],
    ],
  ])('is followed by what is asked for only now: %s', async (label, answers, argv, then) => {
    const { from } = await conversation({ Forename: 'Eve', [label]: answers, ...atReview(label) }, ...argv)
    expect(from('Which part?', 4)).toEqual([
      'Which part?',
      label,
      ...then.map((each) => expect.stringContaining(each)),
    ])
  })
})

describe('a question that another answer rules out', () => {
  test('is not asked: nothing of an RPN for somebody on the emergency basis', async () => {
    const { from } = await conversation({ Surname: 'Example', 'Tax basis': 'Emergency' }, '--ireland')
    expect(from('Tax basis', 3)).toEqual(['Tax basis', 'PRSI class', 'Account name'])
  })

  test('is not asked: no dates of a loan without a loan, no tax code of a subcontractor', async () => {
    const { asked } = await conversation({ 'Payment model': 'CIS', 'Sort code': '601613' })
    expect(asked).not.toContain('Tax code')
    expect(asked).not.toContain('Student loan')
    expect(asked).toContain('Unique Taxpayer Reference')
  })

  test('loses its answer: another plan takes the place of the one before', async () => {
    const { body } = await conversation({
      ...{ 'Start date': '6/4/2026', 'Student loan': ['Plan 1', 'Plan 2'] },
      ...{ 'Plan 1 starts': ['', '<'], 'Plan 2 starts': '', 'Postgraduate loan': ['<', ''] },
    })
    expect(body).toEqual({
      generalSetting: { dateOfJoining: '2026-04-06' },
      payrollSetting: { haveStudentLoan: true, studentLoanPlan2StartDate: '2026-04-06T00:00:00.000Z' },
    })
  })

  const planTwo = { studentLoanPlan2StartDate: '2026-04-06T00:00:00.000Z' }
  test.each([
    ['Enter gives the plan again that was answered', '', planTwo],
    ['a yes that is not known which removes the plan', 'Yes, but', {}],
  ])('gone back to, about a student loan: %s', async (_, again, plan) => {
    const { body, screen } = await conversation({
      ...{ 'Start date': '6/4/2026', 'Student loan': ['Plan 2', again] },
      ...{ 'Plan 2 starts': ['', '<'], 'Postgraduate loan': ['<', ''] },
    })
    expect(body.payrollSetting).toEqual({ haveStudentLoan: true, ...plan })
    const echoed = [...screen.matchAll(/✔ Student loan (.*)/g)].map(([, answer]) => answer)
    expect(echoed.at(-1)).toBe(again === '' ? 'Plan 2' : 'Yes, but it is not known which')
  })

  test('loses its answer: without the loan there is no plan', async () => {
    const { body } = await conversation({
      ...{ 'Start date': '6/4/2026', 'Student loan': ['Plan 4', 'no'], 'Plan 4 starts': '1/9/2026' },
      ...{ 'What next?': ['Edit', 'Send'], 'Which part?': 'Student loan' },
    })
    expect(body).toEqual({
      generalSetting: { dateOfJoining: '2026-04-06' },
      payrollSetting: { haveStudentLoan: false },
    })
  })
})
