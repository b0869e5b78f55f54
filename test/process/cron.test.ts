import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { answering } from '../service.ts'
import { shell } from './built.ts'

const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** A line as cron runs it: no terminal of its own, nothing on standard input, and nothing in the environment. */
const cron = (line: string, env: Readonly<Record<string, string>> = {}, home = freshHome()) => {
  const given = Object.entries({ ...(home && { HOME: home }), ...env })
  const words = given.map(([name, value]) => `'${name}=${value}'`).join(' ')
  return shell(`setsid -w env -i PATH="$PATH" ${words} "$PAYROLL" ${line} < /dev/null`).ended
}

describe.skipIf(!has('setsid'))('in cron', () => {
  test('a run with nothing configured is exit 2, and says what to set', async () => {
    for (const line of ['payslips list', 'candidates create']) {
      const { code, out, err } = await cron(line)
      expect([line, code, out]).toEqual([line, 2, ''])
      // Of a prompt, a spinner, a colour there is nothing.
      expect(err).not.toMatch(/[^\P{Cc}\n]|\?/u)
    }
    expect((await cron('payslips list')).err).toBe(
      'Error: No profile is configured. Without a terminal the sandbox is not used.\n' +
        'Set PAYROLL_BASE_URL and PAYROLL_API_KEY, or run payroll profiles set production --base-url https://…\n',
    )
  })

  test('two variables are enough, without a home too; with --quiet a success says nothing but its answer', async () => {
    const { env } = await loopback()
    const quiet = { code: 0, signal: null, out: '[]\n', err: '' }
    for (const home of [freshHome(), ''])
      expect(await cron('--quiet payslips list', env, home)).toEqual(quiet)
  })

  test('a failure is its reason, and the exit code is true through a pipe', async () => {
    const { env } = await answering(401, {})
    const { code, out, err } = await cron('--quiet payslips list', env)
    expect([code, out]).toEqual([4, ''])
    expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  })

  test.each([{}, { CI: 'true', TERM: 'dumb', NO_COLOR: '1', PAYROLL_NO_INPUT: '1' }])(
    'nothing is painted and nothing spins, %j',
    async (given) => {
      const { env } = await loopback()
      const { code, out, err } = await cron('candidates list -o table', { ...env, ...given })
      expect([code, out]).toEqual([0, ''])
      expect(err).toMatch(/(^|\n)0 people\n$/)
      expect(err).not.toMatch(/[^\P{Cc}\n]/u)
    },
  )
})
