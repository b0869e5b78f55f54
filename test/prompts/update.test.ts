import { describe, expect, test } from 'vitest'
import { type Country, everyField } from '../every-field.ts'
import { atTerminal, freshHome, payroll } from '../payroll.ts'
import { answerForm, enterBut } from './form-driver.ts'

/** A sandbox with one candidate that has every field, its id, and how to read it. */
async function oneCandidate(country: Country) {
  const home = freshHome()
  const target = `--${country}`
  const sandbox = ['--profile', 'sandbox', 'candidates']
  await payroll([...sandbox, 'create', target], { home, input: JSON.stringify(everyField(country)) })
  const [{ id }] = (await payroll([...sandbox, 'list', target], { home })).json()
  const get = async () => (await payroll([...sandbox, 'get', id, target], { home })).json()
  return {
    get,
    form: (...argv: string[]) => atTerminal(['candidates', 'update', id, target, ...argv], { home }),
  }
}

describe('an update through the form', () => {
  test('shows the record, keeps by Enter what it has, and changes only what is typed', async () => {
    const { get, form } = await oneCandidate('uk')
    const before = await get()
    const terminal = form()
    await answerForm(
      terminal,
      enterBut({
        'What next?': ['Edit', 'Edit', 'Send'],
        'Which part?': ['Person', 'Bank'],
        'City or town': 'Leeds',
        'Sort code': '202959',
      }),
    )
    expect((await terminal.ended).code).toBe(0)
    const after = await get()
    expect(after).toEqual({ ...before, city: 'Leeds', bank: { ...before.bank, sortCode: '202959' } })

    const screen = terminal.screen()
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
    const terminal = form('--mask')
    await answerForm(
      terminal,
      enterBut({ 'What next?': ['Edit', 'Send'], 'Which part?': 'Bank', 'Sort code': '202959' }),
    )
    expect((await terminal.ended).code).toBe(0)
    expect((await get()).bank.sortCode).toBe('202959')
    const screen = terminal.screen()
    expect(screen).toContain('  Bank, Sort code: ****** → ****** (changed)\n')
    expect(screen).toContain('? Account number [******819]')
    expect(screen).not.toMatch(/31926819|20-?29-?59|60-?16-?13/)
  })

  test('keeps every field of every part when nothing but Enter is pressed, and has nothing to send', async () => {
    const { get, form } = await oneCandidate('uk')
    const before = await get()
    const terminal = form()
    const parts = ['Person', 'Work and', 'Tax', 'Student and', 'Bank', 'Contact', 'P45 and', 'Pension']
    const more = ['Emergency', 'Right', 'Holiday', 'Margin', 'CIS', 'Portal', 'Opening']
    const all = [...parts, ...more]
    await answerForm(
      terminal,
      enterBut({ 'What next?': [...all.map(() => 'Edit'), 'Send'], 'Which part?': all }),
    )
    const { code, err } = await terminal.ended
    expect(code).toBe(0)
    expect(err).toContain('Nothing to change: the service already has these values.')
    expect(await get()).toEqual(before)
  })

  test('takes a changed answer back to what the service holds', async () => {
    const { get, form } = await oneCandidate('uk')
    const before = await get()
    const terminal = form()
    await answerForm(
      terminal,
      enterBut({
        'What next?': ['Edit', 'Edit', 'Edit', 'Edit', 'Send'],
        'Which part?': ['City', 'Mobile', 'City', 'Mobile'],
        'City or town': ['Leeds', '='],
        Mobile: ['reception', '='],
        'Not a telephone number': 'Keep',
      }),
    )
    expect((await terminal.ended).err).toContain('Nothing to change: the service already has these values.')
    expect(terminal.screen()).toContain('? City or town [Leeds]')
    expect(terminal.screen()).toContain('  City or town: London, as before.\n')
    // The number it goes back to is one of Ofcom's, and was not typed now.
    expect(terminal.screen()).not.toContain('! One of Ofcom')
    expect(await get()).toEqual(before)
  })

  test('asks no doubt about what the record already had', async () => {
    const { form } = await oneCandidate('ireland')
    const terminal = form()
    await answerForm(terminal, enterBut({ 'What next?': ['Edit', 'Stop'], 'Which part?': 'Contact' }))
    expect((await terminal.ended).code).toBe(2)
    expect(terminal.screen()).toContain('? Mobile [07700 900201]')
    expect(terminal.screen()).not.toContain('Type it again')
  })

  test('counts no empty list as an answer', async () => {
    const home = freshHome()
    const sandbox = ['--profile', 'sandbox', 'candidates']
    await payroll([...sandbox, 'create', '--incomplete'], {
      home,
      input: '{"generalSetting":{"emergencyAddress":[]}}',
    })
    const [{ id }] = (await payroll([...sandbox, 'list'], { home })).json()
    const terminal = atTerminal(['candidates', 'update', id], { home })
    await answerForm(terminal, enterBut({ 'What next?': ['Edit', 'Stop'], 'Which part?': 'None' }))
    await terminal.ended
    expect(terminal.screen()).not.toContain('Emergency contact\n  Address')
  })

  test('spells out the dates and names the countries that are there', async () => {
    const { form } = await oneCandidate('ireland')
    const terminal = form()
    await answerForm(
      terminal,
      enterBut({ 'What next?': ['Edit', 'Edit', 'Stop'], 'Which part?': ['Person', 'Pension'] }),
    )
    await terminal.ended
    expect(terminal.screen()).toContain('❯ Ireland (IE)')
    expect(terminal.screen()).toContain('? Opted in on [8 July 2026]')
  })
})
