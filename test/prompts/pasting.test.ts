import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { lineBreak, readKeyboard } from '../../src/prompts/terminal/pasting.ts'
import { keys } from '../payroll.ts'
import { standingAt } from './form-driver.ts'

const { enter } = keys
const [begin, end] = ['\u001B[200~', '\u001B[201~']
const three = ['12 Main Street', 'Rathmines', 'Dublin 6']

const at = (question: string, ...argv: string[]) =>
  standingAt(question, ['candidates', 'create', '--incomplete', ...argv, '--dry-run', '--json'])

test.each([
  ['typed letters', ['E', 'v', 'e', '\r'], 'Eve\r'],
  ['a line and Enter in one piece', ['Eve\r'], 'Eve\r'],
  ['the arrows', ['\u001B[A\u001B[B'], '\u001B[A\u001B[B'],
  ['a lone Escape', ['\u001B', 'E'], '\u001BE'],
  ['two times Enter', ['\r\r'], '\r\r'],
  ['marked lines', [`${begin}a\rb\r\nc\n${end}`], `a${lineBreak}b${lineBreak}c`],
  ['marked lines, then Enter', [`${begin}a\nb${end}\r`], `a${lineBreak}b\r`],
  ['marks that come in pieces', ['\u001B[2', '00~a\n', 'b\u001B[20', '1~\r'], `a${lineBreak}b\r`],
  ['lines in one piece without marks', ['a\rb\r'], `a${lineBreak}b`],
  ['commands inside what is pasted', [`${begin}a\u0003\u001B[Ab${end}`], 'a[Ab'],
  ['marked cells of a sheet', [`${begin}\ta\tb c\t\td\r\n${end}`], `a${lineBreak}b c${lineBreak}d`],
  ['cells in one piece without marks', ['a\tb\r'], `a${lineBreak}b`],
  ['Tab, and what is typed after it', ['\ta\r'], '\ta\r'],
  ['Ctrl-C after lines', ['a\rb\u0003'], 'a\rb\u0003'],
])('what is read of a terminal keeps %s', async (_, chunks, expected) => {
  const stdin = new PassThrough()
  const { input } = readKeyboard(stdin)
  for (const chunk of chunks) {
    stdin.write(chunk)
    await setImmediate()
  }
  stdin.end()
  expect(String(Buffer.concat(await input.toArray()))).toBe(expected)
})

describe('pasted lines', () => {
  test.each([
    ['marked by the terminal', `${begin}Eve\nBright\n4/11/1991\n${end}`],
    ['marked by nobody', 'Eve\rBright\r4/11/1991\r'],
  ])('%s never answer more than one question, nor one without being seen', async (_, pasted) => {
    const terminal = await at('Forename')
    await terminal.type('', pasted)
    await terminal.type(`Eve${lineBreak}Bright${lineBreak}4/11/1991`, enter)
    await terminal.type('! You pasted several lines or cells, and this takes one.', `\u0015Eve${enter}`)
    await terminal.type(/✔ Forename Eve\s+\? .+ · \d+ left/, '')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(terminal.screen()).toMatch(/✔ Forename Eve\n[^✔]*$/)
  })

  test('are an address where one is asked for', async () => {
    const terminal = await at('Address, line 1', '--ireland')
    await terminal.type('', `${begin}${three.join('\r\n')}\r\n${end}`)
    await terminal.type('Dublin 6', enter)
    await terminal.type('? Address, line 4', enter)
    await terminal.type('? City or town', `>>${enter}`)
    await terminal.type('? What next?', `Send${enter}`)
    expect((await terminal.ended).json().body).toEqual({ generalSetting: { address: three } })
    expect(terminal.screen()).toContain('✔ Address, line 1 12 Main Street, Rathmines, Dublin 6\n')
  })

  test('are refused where nothing is echoed, and shown nowhere', async () => {
    const terminal = await at('Account number', '--mask')
    await terminal.type('', `${begin}12345678\n87654321\n${end}`)
    await terminal.type('*'.repeat(17), enter)
    await terminal.type('! You pasted several lines', '')
    expect(terminal.screen()).not.toContain('1234567')
  })

  test('are no choice', async () => {
    const terminal = await at('Pay frequency')
    await terminal.type('', `${begin}WEEKLY\nMONTHLY${end}`)
    await terminal.type(/WEEKLY⏎MONTHLY/, enter)
    await terminal.type('! You pasted several lines', '')
  })

  test('are asked of the terminal only for as long as a question is open', async () => {
    const { leave } = await at('Forename')
    const { err } = await leave()
    const count = (mark: string) => err.split(mark).length - 1
    expect(count('\u001B[?2004h')).toBeGreaterThan(0)
    expect(count('\u001B[?2004l')).toBe(count('\u001B[?2004h'))
    expect(err.lastIndexOf('\u001B[?2004l')).toBeGreaterThan(err.lastIndexOf('\u001B[?2004h'))
  })
})
