import { describe, expect, test } from 'vitest'
import { type Country, everyField } from '../every-field.ts'
import { freshHome, payroll } from '../payroll.ts'
import { filled, type Replies } from './form-driver.ts'

/** A sandbox with one candidate, who has every field unless it is said; how to read it, and to fill the form of its update. */
async function oneCandidate(country: Country, record: object = everyField(country)) {
  const home = freshHome()
  const target = `--${country}`
  const sandbox = ['--profile', 'sandbox', 'candidates']
  const create = [...sandbox, 'create', '--incomplete', target]
  await payroll(create, { home, input: JSON.stringify(record) })
  const [{ id }] = (await payroll([...sandbox, 'list', target], { home })).json()
  const get = async () => (await payroll([...sandbox, 'get', id, target], { home })).json()
  const form = (replies: Replies, ...argv: string[]) =>
    filled(['candidates', 'update', id, target, ...argv], replies, { home })
  return { get, form }
}

describe('an update through the form', () => {
  test('shows the record, keeps by Enter what it has, and changes only what is typed', async () => {
    const { get, form } = await oneCandidate('uk')
    const before = await get()
    const { code, screen } = await form({
      ...{ 'What next?': ['Edit', 'Edit', 'Send'], 'Which part?': ['Person', 'Bank'] },
      ...{ 'City or town': 'Leeds', 'Sort code': '202959' },
    })
    const changed = { city: 'Leeds', bank: { ...before.bank, sortCode: '202959' } }
    expect([code, await get()]).toEqual([0, { ...before, ...changed }])
    expect(screen).toContain(
      [
        'What changes',
        '  Person, City or town: London → Leeds',
        '  Bank, Sort code: 60-16-13 → 20-29-59',
        '',
        '? What next?',
      ].join('\n'),
    )
    expect(screen).toContain('Change: a UK candidate, on sandbox.')
    expect(screen.indexOf('The whole record')).toBeLessThan(screen.indexOf('What next?'))
    expect(screen).toContain('? City or town [London]')
    expect(screen).toContain('✔ County Greater London\n')
    expect(screen).toContain('? Address, line 1 [1 Example Street, Westminster]')
    expect(screen).toContain('? Account number [31926819]')
  })

  test('hides with --mask what the record has and what is typed, and names what changes', async () => {
    const { get, form } = await oneCandidate('uk')
    const replies = { 'What next?': ['Edit', 'Send'], 'Which part?': 'Bank', 'Sort code': '202959' }
    const { code, screen } = await form(replies, '--mask')
    expect([code, (await get()).bank.sortCode]).toEqual([0, '202959'])
    expect(screen).toContain('  Bank, Sort code: ****** → ****** (changed)\n')
    expect(screen).toContain('? Account number [******819]')
    expect(screen).not.toMatch(/31926819|20-?29-?59|60-?16-?13/)
  })

  test('keeps every field of every part when nothing but Enter is pressed, and has nothing to send', async () => {
    const { get, form } = await oneCandidate('uk')
    const before = await get()
    const parts = ['Person', 'Work and', 'Tax', 'Student and', 'Bank', 'Contact', 'P45 and', 'Pension']
    const more = ['Emergency', 'Right', 'Holiday', 'Margin', 'CIS', 'Portal', 'Opening']
    const all = [...parts, ...more]
    const { code, err } = await form({ 'What next?': [...all.map(() => 'Edit'), 'Send'], 'Which part?': all })
    expect(code).toBe(0)
    expect(err).toContain('Nothing to change: the service already has these values.')
    expect(await get()).toEqual(before)
  })

  test('asks no doubt about what the record already had, spells out its dates and names its countries', async () => {
    const { form } = await oneCandidate('ireland')
    const parts = ['Person', 'Pension', 'Contact']
    const { code, screen } = await form({
      'What next?': ['Edit', 'Edit', 'Edit', 'Stop'],
      'Which part?': parts,
    })
    expect(code).toBe(2)
    for (const shown of ['? Mobile [07700 900201]', '❯ Ireland (IE)', '? Opted in on [8 July 2026]'])
      expect(screen).toContain(shown)
    expect(screen).not.toContain('Type it again')
  })

  test('counts no empty list as an answer', async () => {
    const { form } = await oneCandidate('uk', { generalSetting: { emergencyAddress: [] } })
    const { screen } = await form({ 'What next?': ['Edit', 'Stop'], 'Which part?': 'None' })
    expect(screen).not.toContain('Emergency contact\n  Address')
  })
})
