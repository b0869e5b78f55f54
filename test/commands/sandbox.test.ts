import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { file } from './targets.ts'

/** The sandbox of a home of its own, as a script uses it. */
function fresh() {
  const home = freshHome()
  const run = (...argv: string[]) => payroll(argv, { home })
  const count = async (...words: string[]) =>
    (await run('--profile', 'sandbox', 'candidates', 'list', ...words)).json().length
  return { home, run, count }
}

describe('sandbox', () => {
  test('seed fills it with forty people who do not exist, once', async () => {
    const { run, count } = fresh()
    const seeded = await run('sandbox', 'seed')
    expect(seeded.code).toBe(0)
    expect(seeded.json()).toMatchObject({ candidates: 20, candidatesIreland: 20 })
    expect((await run('sandbox', 'seed')).json()).toMatchObject({ candidates: 0, candidatesIreland: 0 })
    expect([await count(), await count('--ireland')]).toEqual([20, 20])
  })

  test('reset forgets it all', async () => {
    const { run, count } = fresh()
    await run('sandbox', 'seed')
    const reset = await run('sandbox', 'reset', '--yes')
    expect([reset.code, reset.json()]).toEqual([0, { reset: true }])
    expect([await count(), await count('--ireland')]).toEqual([0, 0])
  })

  test('reset deletes nothing without a yes: exit 2 in a script, and a question at a terminal with No under Enter', async () => {
    const { home, run, count } = fresh()
    await run('sandbox', 'seed')
    const refused = await run('sandbox', 'reset')
    expect([refused.code, refused.out, refused.err]).toEqual([2, '', expect.stringContaining('add --yes')])
    const stopped = atTerminal(['sandbox', 'reset'], { home })
    await stopped.type('Delete every record in the sandbox', keys.enter)
    expect((await stopped.ended).code).toBe(2)
    expect(stopped.screen()).toContain('Nothing was deleted.')
    expect(await count()).toBe(20)
    const emptied = atTerminal(['sandbox', 'reset'], { home })
    await emptied.type('Delete every record in the sandbox', 'y\r')
    expect((await emptied.ended).code).toBe(0)
    expect(await count()).toBe(0)
  })

  test('path is where the records are, for their owner alone', async () => {
    const { run, home, count } = fresh()
    const { path } = (await run('sandbox', 'path')).json()
    expect(path).toBe(join(home, 'sandbox.db'))
    expect((await run('sandbox', 'path', '-o', 'table')).out).toBe(`${path}\n`)
    expect(existsSync(path)).toBe(false)
    await count()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('keeps what one run creates for the next', async () => {
    const { run, count } = fresh()
    const create = asTyped`--profile sandbox candidates create --incomplete --set`
    for (const set of ['agencyRef=A-1', 'agencyRef=A-2']) await run(...create, set)
    expect(await count()).toBe(2)
  })

  test('uses another database with --database', async () => {
    const { run, home, count } = fresh()
    const other = join(home, 'other.db')
    expect((await run('sandbox', 'path', '--database', other)).json()).toEqual({ path: other })
    await run('sandbox', 'seed', '--database', other)
    expect(existsSync(other)).toBe(true)
    expect(await count()).toBe(0)
  })

  test('leaves a file alone that is no database: exit 2', async () => {
    const { run, home } = fresh()
    const path = file(home, 'notes.txt', 'not a database, and longer than its header would be\n'.repeat(40))
    for (const verb of ['seed', 'reset']) {
      const refused = await run('sandbox', verb, '--database', path, '--json', '--yes')
      expect(refused.code).toBe(2)
      expect(refused.error().message).toContain('is not a database')
    }
    expect(statSync(path).size).toBe(52 * 40)
  })

  test.each(['-1', '65536', 'x', '1.5'])('serve refuses the port %s: exit 2', async (port) => {
    const { run } = fresh()
    const refused = await run('sandbox', 'serve', `--port=${port}`, '--json')
    expect(refused.code).toBe(2)
    expect(refused.error().message).toContain('--port')
  })
})
