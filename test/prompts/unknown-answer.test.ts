import { describe, expect, test } from 'vitest'
import { keys } from '../payroll.ts'
import { filled, onlyThese, type Replies, standingAt } from './form-driver.ts'

/** What is sent of a candidate by these answers, and what the screen said. */
async function created(replies: Replies) {
  const given = onlyThese({ Surname: 'Example', 'What next?': 'Send', ...replies })
  const form = ['candidates', 'create', '--incomplete', '--dry-run', '--json']
  const { body, screen } = await filled(form, given)
  return { body: body(), screen }
}

test('letters that were damaged on their way are asked about at once, as a code that does not fit is', async () => {
  const { body, screen } = await created({ Forename: 'O&apos;Example', 'Damaged letters': '' })
  expect(screen).toContain("Took O'Example.")
  expect(body.generalSetting).toMatchObject({ forename: "O'Example" })
})

describe('an answer that is not among the known ones', () => {
  test('is asked about', async () => {
    const replies = { Gender: ['31/2/1990', 'female'], 'Not a known answer': 'Type it again' }
    const { body, screen } = await created(replies)
    expect(screen).toContain('! Gender 31/2/1990\n')
    expect(body.generalSetting).toMatchObject({ gender: 'FEMALE' })
  })

  test('is put right by Enter where it is nearly one of them', async () => {
    const { body, screen } = await created({ Gender: 'femle', 'Not a known answer': '' })
    expect(screen).toContain('! Not a known answer (Male, Female). Took Female.\n')
    expect(body.generalSetting).toMatchObject({ gender: 'FEMALE' })
  })

  test('is sent by somebody who keeps it: the service may know more', async () => {
    const { body, screen } = await created({ 'Pay frequency': 'EVERY_OTHER', 'Not a known answer': 'Keep' })
    expect(screen).toContain('Kept as typed.')
    expect(body.generalSetting).toMatchObject({ payFrequency: 'EVERY_OTHER' })
  })

  test.each(['--uk', '--ireland'])('is asked about at each question with codes (%s)', async (country) => {
    const codes = [
      ...['Gender', 'Pay frequency', 'Pay method', 'Payment model', 'Starter declaration', 'Tax basis'],
      ...['NI category letter', 'USC status', 'PRSI class'],
    ]
    const typedAt: string[] = []
    const doubted: string[] = []
    await filled(['candidates', 'create', '--incomplete', country], ({ text, isDoubt }) => {
      if (text === 'What next?') return 'Stop'
      const code = codes.find((label) => text.startsWith(label))
      if (code) typedAt.push(code)
      if (isDoubt) doubted.push(typedAt.at(-1) ?? text)
      return isDoubt ? 'Keep' : code ? '31/2/1990' : ''
    })
    expect(typedAt.length).toBeGreaterThanOrEqual(4)
    expect(doubted).toEqual(typedAt)
  })

  test('is no doubt as a title, of which there are more than those offered', async () => {
    const part = { 'Which part?': 'Title', 'What next?': ['Edit', 'Send'] }
    const professor = await created({ ...part, Title: 'Prof' })
    expect(professor.body.generalSetting).toMatchObject({ title: 'Prof' })
  })

  test('is asked about where the records of the service are offered', async () => {
    const { type } = await standingAt('Default VAT code', ['payment-rates', 'create'])
    await type('', 'zzz')
    await type('❯ zzz (as typed)', keys.enter)
    await type('! The service has no such VAT code.', '')
  })
})
