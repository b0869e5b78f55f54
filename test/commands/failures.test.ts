import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withDraftLock } from '../../src/verbs/draft.ts'
import { asTyped, freshHome, payroll } from '../payroll.ts'
import { answering } from '../service.ts'
import { loopback } from './targets.ts'

/** What `error` holds, as `payroll help errors` names it. */
const errorKeys = [
  'code',
  'message',
  'exitCode',
  'outcome',
  'retryable',
  'status',
  'method',
  'path',
  'issues',
  'hint',
  'next',
]

describe('a failure', () => {
  test.each([
    [['--json'], []],
    [['-o', 'json'], []],
    [['-ojson'], []],
    [['--output=json'], []],
    [['--output', 'json'], []],
  ])('is one JSON object on the last line of standard error with %j', async (words) => {
    const { env } = await answering(503, {})
    const failed = await payroll(['candidates', 'list', ...words], { env })
    expect(failed.code).toBe(7)
    const last = JSON.parse(failed.err.trimEnd().split('\n').at(-1) ?? '')
    expect(Object.keys(last)).toEqual(['error'])
    expect(Object.keys(last.error)).toEqual(errorKeys)
    expect(last.error).toMatchObject({
      code: 'temporary',
      exitCode: 7,
      retryable: true,
      status: 503,
      method: 'GET',
      path: '/svc/candidates',
      issues: [],
    })
    expect(failed.err.endsWith('}\n')).toBe(true)
  })

  test('is two to four plain lines otherwise: what happened, what was applied, what to do next', async () => {
    const { env } = await answering(401, {})
    for (const words of [[], ['--output', 'table']]) {
      const argv = asTyped`candidates create --incomplete --set generalSetting.city=York --quiet ${words}`
      const failed = await payroll(argv, { env })
      expect(failed.code).toBe(4)
      expect(failed.err).toBe(
        'Error: The service refused the key (401). Nothing was applied.\nThe key is the one in PAYROLL_API_KEY, which wins over a stored key: correct it, or unset it. To see which key is used: payroll auth status\n',
      )
    }
  })

  test.each([
    ['a field that is none', 3, 'input', ['candidates', 'create', '--set', 'generalSetting.zodiac=Leo']],
    ['a file that is none', 3, 'input', ['candidates', 'create', '--incomplete', '--file', '-']],
    ['an identifier that is none', 3, 'input', ['candidates', 'get', '..']],
    ['a profile that is none', 2, 'usage', ['candidates', 'list', '--profile', 'acme']],
    ['a profile without a key', 4, 'auth', ['candidates', 'list']],
  ] as const)('a failure of %s is exit %i, and nothing was sent', async (what, exitCode, code, argv) => {
    const { env, received } = await answering(200, {})
    const { PAYROLL_API_KEY: _, ...keyless } = env
    const given = what === 'a profile without a key' ? keyless : env
    const failed = await payroll([...argv, '--json'], { env: given, input: '{' })
    expect([failed.code, failed.out]).toEqual([exitCode, ''])
    expect(failed.error()).toMatchObject({ code, exitCode, outcome: 'not-sent', retryable: false })
    expect(received).toEqual([])
  })

  test('a failure of a draft that another run has open is exit 11, and may be run again', async () => {
    const home = freshHome()
    mkdirSync(join(home, 'drafts'), { mode: 0o700 })
    writeFileSync(join(home, 'drafts', '0a0a0a0a.json'), '{}')
    const argv = ['candidates', 'drafts', 'delete', '0a0a0a0a', '--json']
    const failed = await withDraftLock(home, '0a0a0a0a', () => payroll(argv, { home }))
    expect([failed.code, failed.out]).toEqual([11, ''])
    expect(failed.error()).toMatchObject({
      code: 'locked',
      exitCode: 11,
      outcome: 'not-sent',
      retryable: true,
      hint: 'Run it again when the other run has ended.',
    })
  })
})

describe('words that are no command', () => {
  test.each([
    [['frobnicate'], "Unknown command 'frobnicate'."],
    [['candidates', 'lst'], "Unknown command 'lst'."],
    [['candidates', 'list', '--sze', '3'], "Unknown option '--sze'."],
    [['--frobnicate', 'candidates', 'list'], "Unknown option '--frobnicate'."],
    [['candidates', 'get'], "Missing required argument 'id'."],
    [['candidates', 'get', 'a', 'b'], 'Too many arguments'],
    [['candidates', 'create', '--file'], "Option '--file <path>' argument missing."],
    [['candidates', 'list', '-o', 'xml'], 'xml'],
    [['candidates', 'list', '--timeout', '0'], '--timeout'],
  ])('are exit 2, in plain words and as JSON: %j', async (argv, says) => {
    const { run, requests } = await loopback()
    const plain = await run(argv)
    const asJson = await run([...argv, '--json'])
    expect([plain.code, plain.out]).toEqual([2, ''])
    expect(plain.err).toMatch(/^Error: /)
    expect(plain.err).toContain(says)
    expect(plain.err.split('\n').length).toBeLessThanOrEqual(5)
    if (argv.at(-1) === '--file') return
    expect([asJson.code, asJson.out]).toEqual([2, ''])
    expect(Object.keys(asJson.error())).toEqual(errorKeys)
    expect(asJson.error()).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'not-sent' })
    expect(asJson.error().message).toContain(says)
    expect(requests).toEqual([])
  })

  test('have what was probably meant suggested', async () => {
    const { run } = await loopback()
    expect((await run(['candidates', 'lst'])).err).toContain('Did you mean list?')
    expect((await run(['candidates', 'list', '--sze', '3'])).err).toContain('Did you mean --size?')
    expect((await run(['timesheets', 'import', 'week.csv', '--ireland'])).err).toContain(
      'Leave it out: this command is for people of every country.',
    )
  })

  test('are answered with help on standard error where a verb is missing, and none is asked for', async () => {
    const { run } = await loopback()
    const missing = await run(['candidates'])
    expect([missing.code, missing.out]).toEqual([2, ''])
    expect(missing.err).toContain('Usage: payroll candidates')
    const asJson = await run(['candidates', '--json'])
    expect([asJson.code, asJson.error().code]).toEqual([2, 'usage'])
    const asked = await run(['candidates', '--help'])
    expect([asked.code, asked.err]).toEqual([0, ''])
    expect(asked.out).toContain('Usage: payroll candidates')
  })
})
