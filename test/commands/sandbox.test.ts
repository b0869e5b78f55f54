import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countries } from '../../src/model/countries/countries.ts'
import { atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { file } from './targets.ts'

/** The sandbox of a home of its own, as a script uses it. */
function fresh() {
  const home = freshHome()
  const run = (words: string) => payroll(words.split(' '), { home })
  const count = async (options = '') =>
    (await run(`--profile sandbox candidates list${options}`)).json().length
  return { home, run, count }
}

describe('sandbox', () => {
  test('seed fills it with people who do not exist, once, and reset forgets it all', async () => {
    const { run, count } = fresh()
    expect((await run('sandbox seed')).json()).toMatchObject({ candidates: 20, candidatesIreland: 20 })
    expect((await run('sandbox seed')).json()).toMatchObject({ candidates: 0, candidatesIreland: 0 })
    const table = (await run('sandbox seed -o table')).out
    for (const { inPlace } of countries) expect(table).toContain(`  0 people ${inPlace}\n`)
    expect(table).toContain('       0 payment rates\n')
    expect([await count(), await count(' --ireland')]).toEqual([20, 20])
    const reset = await run('sandbox reset --yes')
    expect([reset.code, reset.json()]).toEqual([0, { reset: true }])
    expect([await count(), await count(' --ireland')]).toEqual([0, 0])
  })

  test('reset deletes nothing without a yes: exit 2 in a script, and a question at a terminal with No under Enter', async () => {
    const { home, run, count } = fresh()
    await run('sandbox seed')
    const { code, out, err } = await run('sandbox reset')
    const says = 'This needs your confirmation. Nothing was deleted.\nTo delete every record in'
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(says)])
    for (const [key, exit, left] of [
      ['', 2, 20],
      ['y', 0, 0],
    ] as const) {
      const terminal = atTerminal(['sandbox', 'reset'], { home })
      await terminal.type('Delete every record in the sandbox', `${key}${keys.enter}`)
      expect([(await terminal.ended).code, await count()]).toEqual([exit, left])
      expect(terminal.screen().includes('Nothing was deleted.')).toBe(exit === 2)
    }
  })

  test('path is where the records are, for their owner alone', async () => {
    const { run, home, count } = fresh()
    const { path } = (await run('sandbox path')).json()
    expect(path).toBe(join(home, 'sandbox.db'))
    expect((await run('sandbox path -o table')).out).toBe(`${path}\n`)
    expect(existsSync(path)).toBe(false)
    await count()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('keeps what one run creates for the next', async () => {
    const { run, count } = fresh()
    for (const reference of ['A-1', 'A-2'])
      await run(`--profile sandbox candidates create --incomplete --set agencyRef=${reference}`)
    expect(await count()).toBe(2)
  })

  test.each(['seed', 'reset'])('%s leaves a file alone that is no database: exit 2', async (verb) => {
    const { run, home } = fresh()
    const path = file(home, 'sandbox.db', 'not a database, and longer than its header would be\n'.repeat(40))
    const { code, error } = await run(`sandbox ${verb} --json --yes`)
    expect([code, error().message]).toEqual([2, expect.stringContaining('is not a database')])
    expect(statSync(path).size).toBe(52 * 40)
  })

  test.each(['-1', '65536', 'x', '1.5'])('serve refuses the port %s: exit 2', async (port) => {
    const { code, error } = await fresh().run(`sandbox serve --port=${port} --json`)
    expect([code, error().message]).toEqual([2, expect.stringContaining('--port')])
  })
})
