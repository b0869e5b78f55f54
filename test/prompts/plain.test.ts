import { describe, expect, test } from 'vitest'
import { atTerminal, keys, type Terminal } from '../payroll.ts'

const { enter, ctrlC } = keys

/** Answers one prompt after another; each is a line that ends in a colon. A question between two of these is skipped. */
async function answering(
  terminal: Terminal,
  ...steps: readonly (readonly [RegExp, string])[]
): Promise<void> {
  let seen = 0
  for (const [prompt, answer] of steps) {
    const orAnother = new RegExp(`${prompt.source}|. · \\d+ left(: $|\n[^]*\\(Enter: .*\\): $)`)
    for (let isMeant = false; !isMeant; ) {
      await terminal.type(orAnother, '')
      isMeant = prompt.test(terminal.screen().slice(seen))
      seen = terminal.screen().length
      await terminal.type('', (isMeant ? answer : '') + enter)
    }
  }
}

const plainly = (env: Record<string, string>, ...argv: string[]) =>
  atTerminal(['candidates', 'create', '--incomplete', ...argv], { env, columns: 80 })

test('a letter of two columns is rubbed out whole', async () => {
  const terminal = plainly({ ACCESSIBLE: '1' })
  await terminal.type('Agency reference', '日\u007F')
  await terminal.type('日\b \b\b \b', ctrlC)
  await terminal.ended
})

describe.each([
  ['ACCESSIBLE=1', { ACCESSIBLE: '1' }],
  ['TERM=dumb', { TERM: 'dumb', NO_COLOR: '' }],
])('with %s, the form', (_, env) => {
  test('asks in plain lines: nothing is drawn again, and choices have numbers', async () => {
    const terminal = plainly(env, '--ireland', '--dry-run')
    await answering(
      terminal,
      [/Agency reference · \d+ left: $/, 'IE-1'],
      [/Forename · \d+ left: $/, 'Aoifee\u007F'],
      [/\w · \d+ left: $/, '<'],
      [/Forename \[Aoife\] · \d+ left: $/, ''],
      [/Surname · \d+ left: $/, 'Ní Éxample'],
      [/Date of birth .*left: $/, '5/12/1984'],
      [/Date of birth: 5 December 1984\n.*\nAddress, line 1 · \d+ left: $/, '1 Example Street'],
      [/Address, line 2 .*: $/, ''],
      [/City or town · \d+ left: $/, 'Dublin'],
      [/County · \d+ left: $/, ''],
      [/Eircode · \d+ left: $/, 'd02x285'],
      [
        /Eircode: D02 X285\nCountry · \d+ left\nFor another country, .*\n {2}1\. Ireland \(IE\)\n {2}2\. United Kingdom \(GB\)\n/,
        '',
      ],
      [/Country: IE \(Ireland\)\n[\s\S]*PPS number · \d+ left: $/, '>'],
      [/Start date .*: $/, '31/2/2026'],
      [/! Not understood: the month has no such day[\s\S]*Start date .*: 31\/2\/2026$/, '\u00153/10/2026'],
      [/Start date: 3 October 2026\nJob title/, ''],
      [/Pay frequency/, 'every other'],
      [/Pay frequency: every other\n! Not a known answer\.\n/, '2'],
      [/Kept as typed\.\n[\s\S]*Hourly rate .*: $/, '>>'],
      [/What next\?\n {2}1\. Edit/, 'nonsense'],
      [/! No match\.\n/, 'send'],
    )
    const { code, err } = await terminal.ended
    expect(code).toBe(0)
    expect(err).not.toContain('\u001B')
    // What is no key here is not offered, and no word is cut.
    expect(err).not.toMatch(/❯/)
    expect(err).toContain('payroll finds the record by it, so no two\npeople may share it.\n')
    expect(JSON.stringify(terminal.screen())).toContain('Ní Éxample')
  })

  test('does not show what is typed with --mask', async () => {
    const terminal = plainly(env, '--ireland', '--mask')
    await answering(terminal, [/Date of birth .*\(not shown\): $/, '5/12/1984'])
    await terminal.type(/Date of birth: 5 December \*{4}\n/, ctrlC)
    expect((await terminal.ended).err).not.toContain('1984')
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
