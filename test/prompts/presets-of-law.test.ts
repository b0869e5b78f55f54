import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { filled } from './form-driver.ts'

const form = ['candidates', 'create', '--incomplete', '--profile', 'sandbox', '--dry-run', '--json']

/** The first of January so many years ago. */
const yearsAgo = (years: number) => `${new Date().getUTCFullYear() - years}-01-01`

describe('the form proposes', () => {
  test.each([
    ['A', yearsAgo(40)],
    ['M', yearsAgo(18)],
    ['A', yearsAgo(22)],
    ['C', yearsAgo(75)],
  ])(
    'the NI letter %s to who was born on %s',
    async (letter, born) => {
      const { body } = await filled(
        form,
        { 'Date of birth': born, 'What next?': 'Send' },
        { home: freshHome() },
      )
      expect(body().payrollSetting.niCategory).toBe(letter)
    },
    60_000,
  )

  test('the tax code of the day, which an admin may have given', async () => {
    const home = freshHome()
    const fact = {
      ...{ name: 'usual-tax-code', country: 'uk', from: '2026-04-06', until: '2099-04-05' },
      ...{ value: { code: '1300L' }, source: 'made up for a test', looked: '2026-11-27' },
    }
    await payroll(['facts', 'import', '-'], { home, input: JSON.stringify(fact) })
    const { body } = await filled(form, { 'Starter declaration': 'A', 'What next?': 'Send' }, { home })
    expect(body().payrollSetting.taxCode).toBe('1300L')
  }, 60_000)
})
