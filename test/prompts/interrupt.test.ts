import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { standingAt } from './form-driver.ts'

const { enter, ctrlC } = keys
const ctrlD = '\u0004'
const form = ['candidates', 'create', '--incomplete']

describe('Ctrl-C', () => {
  test.each([
    ['at the first question', 'Agency reference', ''],
    ['in the middle of an answer', 'Surname', 'Exam'],
    ['at a choice', 'Payment model', ''],
    ['at a refused answer', 'Start date', `31/2/2026${enter}`],
    ['at a doubt', 'Email', `reception${enter}`],
    ['at the menu', 'What next?', ''],
  ])('%s stops, without a stack, and nothing was created', async (_, question, typed) => {
    const home = freshHome()
    const { type, leave } = await standingAt(question, form, { home, replies: { Forename: 'Eve' } })
    await type('', typed)
    // What was typed is answered before the interruption comes.
    await new Promise((resolve) => setTimeout(resolve, 30))
    const { code, signal, out, err } = await leave()
    expect({ code, signal, out }).toEqual({ code: 130, signal: 'SIGINT', out: '' })
    expect(stripVTControlCharacters(err)).toMatch(
      /\n\nStopped\. Nothing was sent\.(\nYour answers are saved. To continue:\s.*)?\n$/,
    )
    expect(err).not.toMatch(/Error:|\bat .*:\d+|node_modules|force closed/)
    const listed = await payroll(['--profile', 'sandbox', 'candidates', 'list'], { home })
    expect(listed.json()).toEqual([])
  })

  test('gives the cursor back', async () => {
    const { leave } = await standingAt('Pay frequency', form)
    const { err } = await leave()
    expect(err.lastIndexOf('\u001B[?25h')).toBeGreaterThan(err.lastIndexOf('\u001B[?25l'))
  })
})

test('Ctrl-D at an empty question stops like Ctrl-C', async () => {
  const terminal = atTerminal(form)
  await terminal.type('? Agency reference', ctrlD)
  const { code, signal, err } = await terminal.ended
  expect({ code, signal }).toEqual({ code: 130, signal: 'SIGINT' })
  expect(err).toMatch(/Stopped\. Nothing was sent\.\n$/)
})

test('Escape stops nothing and answers nothing', async () => {
  const terminal = atTerminal(form)
  await terminal.type('? Agency reference', '\u001B')
  await new Promise((resolve) => setTimeout(resolve, 600))
  await terminal.type('', `UK-1${enter}`)
  await terminal.type('? Forename', ctrlC)
  await terminal.ended
  expect(terminal.screen()).toContain('✔ Agency reference UK-1\n')
})
