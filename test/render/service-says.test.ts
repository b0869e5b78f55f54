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

describe('a service that answers with hostile text', () => {
  test.each([
    [
      'a record',
      ['candidates', 'get', 'c-1', '--ireland', '-o', 'table'],
      { data: { success: true, candidate: record } },
    ],
    [
      'a record as JSON',
      ['candidates', 'get', 'c-1', '--ireland', '--json'],
      { data: { success: true, candidate: record } },
    ],
    ['a list', ['candidates', 'list', '-o', 'table'], { data: [record], totalDocs: 1 }],
    [
      'a list of its own fields',
      ['payslips', 'list', '-o', 'table'],
      { data: [{ [allHostile]: allHostile }], totalDocs: 1 },
    ],
    ['a raw answer', ['api', 'GET', '/svc/anything', '-o', 'table'], record],
  ])('cannot reach the terminal through %s', async (_, argv, body) => {
    const { env } = await answering(200, body)
    const { code, out, err } = await payroll([...argv, '--debug'], { env })
    expect(code).toBe(0)
    expect(out).not.toBe('')
    expect(isHarmless(out)).toBe(true)
    expect(isHarmless(err)).toBe(true)
  })

  test.each([
    [
      'the message of an error',
      {
        error: {
          code: allHostile,
          message: allHostile,
          details: [{ path: allHostile, message: allHostile }],
        },
      },
    ],
    ['a bare message', { message: allHostile }],
    ['the text of an error', { error: allHostile }],
  ])('cannot reach the terminal through %s', async (_, body) => {
    const { env } = await answering(400, body)
    const argv = ['candidates', 'create', '--incomplete', '--ireland', '--file', '-']
    for (const more of [[], ['--json']]) {
      const { code, err } = await payroll([...argv, ...more], { env, input: '{}' })
      expect(code).toBe(6)
      expect(isHarmless(err)).toBe(true)
    }
  })

  test('cannot reach the terminal through the form of an update, nor through what it changes', async () => {
    const { env } = await answering(200, { data: { success: true, candidate: record } })
    const terminal = atTerminal(asTyped`candidates update c-1 --id --ireland`, {
      env,
    })
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

    const { err: changes } = await payroll(
      'candidates update c-1 --id --ireland --set generalSetting.forename=Eve --dry-run'.split(' '),
      { env },
    )
    expect(changes).toContain('→ Eve')
    expect(isHarmless(changes)).toBe(true)
  })
})
