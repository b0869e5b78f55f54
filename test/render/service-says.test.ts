import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, keys, payroll } from '../payroll.ts'
import { answering } from '../service.ts'
import { allHostile, isHarmless } from './hostile.ts'

const record = {
  id: 'c-1',
  forename: allHostile,
  [allHostile]: allHostile,
  bank: { [allHostile]: allHostile, bankName: allHostile },
  address: [allHostile],
}
const one = { data: { success: true, candidate: record } }
const detail = { path: allHostile, message: allHostile }

describe('a service that answers with hostile text', () => {
  test.each([
    ['a record', asTyped`candidates get c-1 --ireland -o table`, one],
    ['a record as JSON', asTyped`candidates get c-1 --ireland --json`, one],
    ['a list', asTyped`candidates list -o table`, { data: [record], totalDocs: 1 }],
    [
      'a list of its own fields',
      asTyped`payslips list -o table`,
      { data: [{ [allHostile]: allHostile }], totalDocs: 1 },
    ],
    ['a raw answer', asTyped`api GET /svc/anything -o table`, record],
  ])('cannot reach the terminal through %s', async (_, argv, body) => {
    const { env } = await answering(200, body)
    const { code, out, err } = await payroll([...argv, '--debug'], { env })
    expect(out).not.toBe('')
    expect([code, isHarmless(out), isHarmless(err)]).toEqual([0, true, true])
  })

  test.each([
    ['the message of an error', { error: { code: allHostile, message: allHostile, details: [detail] } }],
    ['a bare message', { message: allHostile }],
    ['the text of an error', { error: allHostile }],
  ])('cannot reach the terminal through %s', async (_, body) => {
    const { env } = await answering(400, body)
    const argv = asTyped`candidates create --incomplete --ireland --file -`
    for (const more of [[], ['--json']]) {
      const { code, err } = await payroll([...argv, ...more], { env, input: '{}' })
      expect([code, isHarmless(err)]).toEqual([6, true])
    }
  })

  test('cannot reach the terminal through the form of an update, nor through what it changes', async () => {
    const { env } = await answering(200, one)
    const terminal = atTerminal(asTyped`candidates update c-1 --id --ireland`, { env })
    // The record lacks fields, so it is asked first what that means: nothing hostile has arrived by then.
    await terminal.type('Is a field empty that', keys.down)
    expect(terminal.screen()).toContain('agnp.exe')
    expect(isHarmless(terminal.screen().replaceAll(/[\r\b]/g, ''))).toBe(true)
    await terminal.type('❯ Yes, it is empty', keys.enter)
    await terminal.type('What next?', keys.enter)
    await terminal.type('Which part?', keys.enter)
    await terminal.type('? Agency reference', keys.enter)
    await terminal.type('❯ leave empty', keys.enter)
    await terminal.type('? Forename', `Eve${keys.enter}`)
    await terminal.type('? Surname', keys.ctrlC)
    const { code, err } = await terminal.ended
    expect(code).toBe(130)
    expect(isHarmless(terminal.screen().replaceAll(/[\r\b]/g, ''))).toBe(true)
    expect(err).not.toContain('\u001B]8')

    const dryRun = asTyped`candidates update c-1 --id --ireland --set generalSetting.forename=Eve --dry-run`
    const { err: changes } = await payroll(dryRun, { env })
    expect(changes).toContain('→ Eve')
    expect(isHarmless(changes)).toBe(true)
  })
})
