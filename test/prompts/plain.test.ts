import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, type Terminal } from '../payroll.ts'

const { enter, ctrlC } = keys

/** Answers one prompt after another; each is a line that ends in a colon. */
async function answering(
  terminal: Terminal,
  ...steps: readonly (readonly [RegExp, string])[]
): Promise<void> {
  for (const [prompt, answer] of steps) await terminal.type(prompt, answer + enter)
}

const plainly = (env: Record<string, string>, ...argv: string[]) =>
  atTerminal(['candidates', 'create', '--incomplete', ...argv], { home: freshHome(), env })

describe.each([
  ['ACCESSIBLE=1', { ACCESSIBLE: '1' }],
  ['TERM=dumb', { TERM: 'dumb', NO_COLOR: '' }],
])('with %s, the form', (_, env) => {
  test('asks in plain lines: nothing is drawn again, and choices have numbers', async () => {
    const terminal = plainly(env, '--ireland', '--dry-run')
    await answering(
      terminal,
      [/Agency reference · 17 left: $/, 'IE-1'],
      [/Forename · 16 left: $/, 'Aoifee\u007F'],
      [/Surname · 15 left: $/, '<'],
      [/Forename \[Aoife\] · 16 left: $/, ''],
      [/Surname · 15 left: $/, 'Ní Éxample'],
      [/Date of birth .*\(not shown\): $/, '5/12/1984'],
      [/Address, line 1 · 13 left: $/, '1 Example Street'],
      [/Address, line 2 .*: $/, ''],
      [/City or town · 12 left: $/, 'Dublin'],
      [/Eircode · 11 left: $/, 'd02x285'],
      [
        /Eircode: D02 X285\nCountry · 10 left\n {2}1\. leave empty\n {2}2\. .*\n {2}3\. Ireland \(IE\)\n/,
        '3',
      ],
      [/Country: IE \(Ireland\)\nMobile · 9 left: $/, '>'],
      [/Date of joining .*: $/, '31/2/2026'],
      [/! Not understood: expected a date that exists[\s\S]*Date of joining .*: $/, '3/10/2026'],
      [/Date of joining: 3 October 2026\nPay frequency/, 'quarterly'],
      [/Pay frequency: quarterly\n[\s\S]*Account name .*: $/, '>>'],
      [/What next\?\n {2}1\. Edit/, 'nonsense'],
      [/! No match\.\n/, 'send'],
    )
    const { code, err } = await terminal.ended
    expect(code).toBe(0)
    expect(err).not.toContain('\u001B')
    expect(err).toContain('Date of birth: 5 December ****\n')
    expect(err).not.toContain('1984')
    expect(JSON.stringify(terminal.screen())).toContain('Ní Éxample')
  })

  test('stops at Ctrl-C and at the end of the input', async () => {
    for (const key of [ctrlC, '\u0004']) {
      const terminal = plainly(env)
      await terminal.type(/Agency reference .*: $/, key)
      const { code, signal, err } = await terminal.ended
      expect({ code, signal }).toEqual({ code: 130, signal: 'SIGINT' })
      expect(err).toMatch(/\n\nStopped\. Nothing was sent\.\n$/)
    }
  })

  test('lists again what typed text leaves, where that is more than one', async () => {
    const terminal = plainly(env)
    await answering(
      terminal,
      [/Agency reference/, '>'],
      [/Address, line 1/, ''],
      [/City/, ''],
      [/Postcode/, ''],
      [/Country · \d+ left\n/, 'united'],
      [/ {2}1\. United Kingdom \(GB\)\n {2}2\. United Arab Emirates \(AE\)\n/, '2'],
    )
    await terminal.type(/Country: AE \(United Arab Emirates\)\n/, ctrlC)
    await terminal.ended
  })
})

test('ACCESSIBLE=0 draws', async () => {
  const terminal = plainly({ ACCESSIBLE: '0' })
  await terminal.type('? Agency reference', ctrlC)
  await terminal.ended
})
