import { describe, expect, test } from 'vitest'
import { atTerminal } from '../payroll.ts'
import { answerForm, enterBut } from './form-driver.ts'

/** How many answers were said to be left at each question, by its label. */
async function counts(replies: Record<string, string | readonly string[]>, ...argv: string[]) {
  const terminal = atTerminal(['candidates', 'create', '--incomplete', ...argv])
  const reply = enterBut({ 'What next?': 'Stop', ...replies })
  const said: [label: string, left: number][] = []
  await answerForm(terminal, (asked) => {
    const [, label, left] = /^([^·([]+?)(?: [([].*)? · (\d+) left$/.exec(asked.text) ?? []
    if (label !== undefined && !/line [2-9]/.test(label)) said.push([label, Number(left)])
    return reply(asked)
  })
  await terminal.ended
  return { said, left: Object.fromEntries(said), screen: terminal.screen().replace(/\s+/g, ' ') }
}

describe('the count of what is left', () => {
  test('has one answer for rate and salary, whichever is given', async () => {
    const rate = await counts({ 'Hourly rate': '16.40' })
    const salary = await counts({ 'Annual salary': '41600' })
    const at = rate.left['Hourly rate'] ?? 0
    expect(rate.left['Hours a week']).toBe(at - 1)
    expect(salary.left['Hourly rate']).toBe(at)
    expect(salary.left['Annual salary']).toBe(at)
    expect(salary.left['Hours a week']).toBe(at - 1)
  })

  test.each([['--uk'], ['--ireland']])(
    'never rises for somebody who takes what Enter gives (%s)',
    async (country) => {
      const { said } = await counts({}, country)
      const numbers = said.map(([, left]) => left)
      expect(numbers.length).toBeGreaterThan(20)
      expect(numbers).toEqual(numbers.toSorted((one, other) => other - one))
      expect(numbers.at(-1)).toBe(1)
    },
  )

  test('is not shown for one question that was chosen by its name', async () => {
    const { screen } = await counts({ 'Which part?': 'Nationality', 'What next?': ['Edit', 'Stop'] })
    expect(screen).toMatch(/\? Nationality(?! · )/)
  })
})

describe('the review', () => {
  test('names the plan of a student loan among what pay needs, where it is not known', async () => {
    const { screen } = await counts({ 'Student loan': 'yes' })
    expect(screen).toMatch(/! Needed for pay: [^!]*Student loan \(which one\)/)
    expect((await counts({ 'Student loan': 'plan 2', 'Plan 2 starts': '6/4/2026' })).screen).not.toContain(
      '(which one)',
    )
  })

  test('names rate and salary together where there is neither', async () => {
    expect((await counts({})).screen).toMatch(/! Needed for pay: [^!]*Hourly rate or annual salary/)
    expect((await counts({ 'Annual salary': '41600' })).screen).not.toContain('Hourly rate or annual')
  })
})
