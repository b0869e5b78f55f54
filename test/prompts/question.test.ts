// @module-tag tables

import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { keys } from '../payroll.ts'
import { filled, onlyThese, type Replies, standingAt } from './form-driver.ts'

const { enter } = keys
const form = ['candidates', 'create', '--incomplete']

type Standing = Awaited<ReturnType<typeof standingAt>>

/** A form that stands at one question. */
const at = (question: string, ...argv: string[]) => standingAt(question, [...form, ...argv])

async function left({ leave }: Standing): Promise<string> {
  return (await leave()).err
}

/** The body that these answers make; nothing else is filled in. */
async function bodyOf(replies: Replies, ...argv: string[]) {
  const given = onlyThese({ 'What next?': 'Send', ...replies })
  const { body, err } = await filled([...form, ...argv, '--dry-run', '--json'], given)
  return { body: body(), screen: stripVTControlCharacters(err) }
}

describe('a question', () => {
  test('has its help beneath it while it is open, and is one line once it is answered', async () => {
    const terminal = await at('National Insurance number')
    const help = 'Two letters, six digits, one letter A to D.'
    const screen = terminal.screen().replace(/\d+ left/g, 'so many left')
    expect(screen).toContain(`? National Insurance number · so many left\n  ${help}\n >`)
    await terminal.type('', `QQ123456C${enter}`)
    await terminal.type('❯', `Keep${enter}`)
    await terminal.type('? Start date', '')
    expect(terminal.screen()).toContain('! National Insurance number QQ 12 34 56 C\n')
  })

  test('leaves a date that does not exist in its line to be put right, and Enter does not pass over it', async () => {
    const terminal = await at('Start date')
    expect(terminal.screen()).toContain('? Start date (day/month/year)')
    await terminal.type('', `31/2/2026${enter}`)
    await terminal.type('! Not understood: the month has no such day.', enter)
    await terminal.type('', `${'\b'.repeat(9)}3/10/2026${enter}`)
    await terminal.type('? Job title', '')
    expect(terminal.screen()).toContain('✔ Start date 3 October 2026\n')
  })

  test.each(['1/5/1890', '1890-05-01'])('does not call a date unreal that is long ago: %s', async (typed) => {
    const terminal = await at('Start date')
    await terminal.type('', `${typed}${enter}`)
    await terminal.type(`! Not taken: the year 1890 is too long ago: dates before 1900 are not taken.`, '')
  })

  test.each([
    ['Start date', '3/10/26', '✓ 3 October 2026'],
    ['Postcode', 'sw1a1aa', '✓ SW1A 1AA'],
    ['Postcode', 'sw1aiaa', 'nearly: SW1A 1AA; Enter tells more'],
    ['Postcode', 'SW1A 1AA', '✓ fits'],
    ['National Insurance number', 'AB123456C', '✓ AB 12 34 56 C'],
    ['National Insurance number', 'AB1234S6C', ''],
    ['Hourly rate', '17.5', '✓ £17.50'],
    ['Account number', '3192681', ''],
    ['Forename', 'Eve', ''],
  ])('says of %s while it is typed how %s is understood', async (question, typed, said) => {
    const terminal = await at(question)
    await terminal.type('', typed)
    await new Promise((resolve) => setTimeout(resolve, 30))
    const last = terminal.screen().slice(terminal.screen().lastIndexOf('? '))
    expect(/(✓|nearly).*/.exec(last)?.[0] ?? '').toBe(said)
  })

  test('with --mask does not echo a date of birth, but for the day and the month', async () => {
    const terminal = await at('Date of birth', '--mask')
    await terminal.type('', `04-11-91${enter}`)
    await terminal.type('? Address', '')
    expect(terminal.screen()).toContain('✔ Date of birth 4 November ****\n')
    expect(await left(terminal)).not.toContain('91')
  })

  test.each([
    ['Sort code', '931152', 'Account number'],
    ['Account number', '12345678', 'Mobile'],
  ])('with --mask never shows a %s while it is typed or after', async (question, secret, next) => {
    const terminal = await at(question, '--mask')
    await terminal.type('', `${secret}${enter}`)
    await terminal.type(`? ${next}`, '')
    const err = await left(terminal)
    expect(err).toContain('*'.repeat(secret.length))
    for (let end = 4; end <= secret.length; end++) expect(err).not.toContain(secret.slice(0, end))
  })

  test('takes a country by its name or its code, and names it', async () => {
    const terminal = await at('Country')
    await terminal.type('', 'Narnia')
    await terminal.type(
      '! Not understood: expected a country, such as Ireland or IE. Backspace shows all choices again.',
      `\u0015ireland${enter}`,
    )
    await terminal.type('? National Insurance', '')
    expect(terminal.screen()).toContain('✔ Country IE (Ireland)\n')
  })

  test.each([
    ['uk', 'GB'],
    ['i', 'IE'],
    ['Éire', 'IE'],
    ['northern ireland', 'GB'],
    ['U.S.A.', 'US'],
    ['The Netherlands', 'NL'],
    ['Czech Republic', 'CZ'],
    ["Cote d'Ivoire", 'CI'],
    ['Trinidad and Tobago', 'TT'],
    ['St Lucia', 'LC'],
  ])('takes %s for the country %s', async (typed, code) => {
    const { body } = await bodyOf({ Surname: 'Example', Country: typed })
    expect(body).toEqual({ generalSetting: { surname: 'Example', country: code } })
  })

  test('lets two letters that are no country be kept, because the document says no more', async () => {
    const { body } = await bodyOf({ Country: 'zz', 'Not the code of a country': 'Keep' })
    expect(body).toEqual({ generalSetting: { country: 'ZZ' } })
  })

  test('has colours on a terminal, and none with --no-color', async () => {
    const env = { NO_COLOR: '' }
    const coloured = await standingAt('Forename', form, { env })
    expect(await left(coloured)).toContain('\u001B[36m?\u001B[39m \u001B[1mForename')
    const plain = await standingAt('Forename', [...form, '--no-color'], { env })
    expect((await left(plain)).split('\u001B[').filter((part) => /^\d+m/.test(part))).toEqual([])
  })
})

describe('a doubted answer', () => {
  test('is asked again by Enter, in the words of the standard', async () => {
    const terminal = await at('National Insurance number')
    await terminal.type('', `QQ123456Z${enter}`)
    await terminal.type(
      /! A National Insurance number is two letters, six digits and one letter from A to D\.\n❯ Type it again\n {2}Keep it as typed/,
      enter,
    )
    await terminal.type(/\? National Insurance number[^?]*QQ 12 34 56 Z *$/, `\u0015${enter}`)
    await terminal.type('? Start date', '')
    expect(terminal.screen()).toContain('– National Insurance number\n')
  })

  test.each([
    ['1234567V', 'The check letter does not fit the digits, so that one of them is wrong'],
    ['12E4567T', 'A PPS number is seven digits and one or two letters'],
  ])('about the PPS number %s says what is wrong, and where to look', async (typed, said) => {
    const terminal = await standingAt('PPS number', [...form, '--ireland'])
    await terminal.type('', typed + enter)
    await terminal.type('❯ Type it again', enter)
    expect(terminal.screen().replaceAll(/\n */g, ' ')).toContain(
      `! ${said}: compare it with the paper that it is on, such as Revenue's notice (RPN). ❯ Type it again`,
    )
  })

  test.each([
    ['Sort code', '60-16-1', 'A sort code has six digits.'],
    [
      'Account number',
      '319268',
      'An account number has eight digits: where the paper has fewer or more, ask',
    ],
    ['National Insurance number', 'AB12345C', 'A National Insurance number is two letters, six digits'],
  ])('about a %s that is too short is asked again, and no other is proposed', async (label, typed, said) => {
    const terminal = await at(label)
    await terminal.type('', typed + enter)
    await terminal.type('❯ Type it again', enter)
    await terminal.type(`? ${label}`, `\u0015>>${enter}`)
    await terminal.type('What next?', '')
    expect(terminal.screen()).toContain(`! ${said}`)
    expect(terminal.screen()).not.toContain('Take ')
  })

  test('gives way to the suggestion that Enter takes', async () => {
    const { body, screen } = await bodyOf({ Postcode: 'sw1a iaa' })
    expect(body).toEqual({ generalSetting: { postCode: 'SW1A 1AA' } })
    expect(screen).toMatch(/! A letter stands for a digit.* Took SW1A 1AA\.\n/)
  })

  test('is no doubt where it differs from its standard form only in spaces, dashes and case', async () => {
    const { body, screen } = await bodyOf({
      ...{ 'National Insurance number': 'ab 12 34 56 c', Postcode: 'sw1a1aa' },
      ...{ 'Sort code': '60-16-13', 'Account number': '3192 6819' },
    })
    expect(body).toEqual({
      generalSetting: { NINumber: 'AB123456C', postCode: 'SW1A 1AA' },
      bankSetting: { sortCode: '601613', accountNumber: '31926819' },
    })
    expect(screen).not.toMatch(/! (?!Needed for pay)/)
    expect(screen).toContain('✔ Postcode SW1A 1AA\n')
  })

  test('does not show the suggestion for a sensitive one with --mask', async () => {
    const { body, screen } = await bodyOf({ 'PPS number': 'I234567T' }, '--ireland', '--mask')
    expect(body).toEqual({ payrollSetting: { ppsNumber: '1234567T' } })
    expect(screen).toContain('❯ Take the corrected form\n')
    expect(screen).toContain(
      '! A letter stands for a digit, or a digit for a letter, such as O and 0. Took the corrected form.\n',
    )
    expect(screen).not.toContain('1234567T')
  })

  test('takes the keys of the form as the question does: ? explains the field, and < goes back', async () => {
    const terminal = await at('Postcode')
    await terminal.type('', `sw1a1a${enter}`)
    await terminal.type('❯ Type it again', `?${enter}`)
    await terminal.type('Postcode: text.', enter)
    await terminal.type('❯ Type it again', `<${enter}`)
    await terminal.type('? City or town', `>>${enter}`)
    await terminal.type('What next?', '')
    expect(terminal.screen()).not.toMatch(/ Postcode +(?:\?|<)\n/)
  })

  test('is said not to be taken where > leaves it', async () => {
    const terminal = await at('Mobile')
    await terminal.type('', `jo@example.com${enter}`)
    await terminal.type('❯ Type it again', `>${enter}`)
    await terminal.type('  Mobile: jo@example.com was not taken.\n', '')
  })

  test('has invisible characters, in a field without a standard of its own', async () => {
    const { body, screen } = await bodyOf({ 'Job title': 'Nurse\u202E\u200B' })
    expect(body).toEqual({ generalSetting: { jobDescription: 'Nurse' } })
    expect(screen).toContain(' Nurse\uFFFD\uFFFD')
    expect(screen).toContain('! Invisible characters in it. Took Nurse.\n')
    expect(screen).not.toMatch(/[\u202E\u200B]/)
  })
})

describe('what is typed', () => {
  test('as a decimal stays text, so that no cent is lost', async () => {
    const { body } = await bodyOf({ 'Yearly tax credits': '€4,000.00' }, '--ireland')
    expect(body).toEqual({ payrollSetting: { taxCreditAnnual: '4000.00' } })
  })

  test('hides nothing and turns nothing around in what is read back of it', async () => {
    const { body, screen } = await bodyOf({
      'Pay frequency': 'EVE\u202EYLKEEW',
      'Invisible characters': 'Keep',
      'Address, line 1': '1 Example\u202E Street',
      'Spaces or invisible characters': 'Keep',
    })
    expect(body.generalSetting.address).toEqual(['1 Example\u202E Street'])
    expect(screen).not.toContain('\u202E')
    expect(screen).toContain('✔ Address, line 1 1 Example Street\n')
  })

  test('asks what to do about an amount with three decimals, which a record is only warned about', async () => {
    const replies = { 'Yearly tax credits': ['4000.125', '\u00154000.12'], 'More than two decimals.': 'Type' }
    const { body, screen } = await bodyOf(replies, '--ireland')
    expect(body.payrollSetting).toEqual({ taxCreditAnnual: '4000.12' })
    expect(screen).toContain('! More than two decimals.')
  })

  test('says how to see all choices again when nothing matches what is typed', async () => {
    const terminal = await at('What next?')
    await terminal.type('❯ Edit', `zzz${enter}`)
    await terminal.type('! No match. Backspace shows all choices again.', '\u007F\u007F\u007F')
    await terminal.type('❯ Edit', '')
  })
})
