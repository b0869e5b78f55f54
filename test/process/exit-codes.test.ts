import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withDraftLock } from '../../src/commands/kit/create/draft.ts'
import { exitCodes } from '../../src/errors.ts'
import { file } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { answering, service } from '../service.ts'
import { shell } from './built.ts'

const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York']

describe('the built tool', () => {
  test('hands its exit code to the shell, and its error to standard error', async () => {
    const { env } = await answering(500, {})
    const ended = await shell(`"$PAYROLL" ${create.join(' ')} > /dev/null; echo $?`, { env }).ended
    expect(ended).toMatchObject({ out: '8\n', err: expect.stringMatching(/^Error: /) })
  })

  test('ends with 7 where there is no room for the sandbox, and calls it no bug', async () => {
    const limit = `trap '' XFSZ; ulimit -f 8`
    const line = `${limit}; "$PAYROLL" --quiet candidates list --profile sandbox > /dev/null; echo $?`
    const { out, err } = await shell(line).ended
    expect(out).toBe('7\n')
    expect(err).toMatch(/^Error: There is no room to write the sandbox file .*sandbox\.db \(SQLITE_\w+\)\. /)
  })

  test('finds in doctor that there is no room for a file, and leaves none behind', async () => {
    const home = freshHome()
    const env = { PAYROLL_CONFIG_DIR: home }
    const line = `trap '' XFSZ; ulimit -f 0; "$PAYROLL" doctor --json --profile sandbox; echo $? >&2`
    const { out, err } = await shell(line, { home, env }).ended
    const found = `The directory ${home} cannot be written to (EFBIG)`
    expect(JSON.parse(out).checks[1]).toMatchObject({ name: 'directory', status: 'problem', found })
    expect(err).toMatch(/\n7\n$/)
    expect(readdirSync(home)).not.toContainEqual(expect.stringMatching(/^doctor-/))
  })

  test('says that the history lacks an outcome for which there was no room', async () => {
    const { env: here } = await answering(200, {})
    const home = freshHome()
    const env = { ...here, PAYROLL_CONFIG_DIR: join(home, 'settings') }
    const line = '"$PAYROLL" api POST /svc/things --yes </dev/null >/dev/null; echo $?'
    await shell(line, { home, env }).ended
    const [day = ''] = readdirSync(join(home, 'settings/history'))
    const path = join(home, 'settings/history', day)
    const [begun = ''] = readFileSync(path, 'utf8').split('\n')
    // 8 blocks of 512 bytes: room for the next line of a write, and for half of the line of its outcome.
    writeFileSync(path, `${'-'.repeat(8 * 512 - begun.length - 1 - 20 - 1)}\n`)
    const { out, err } = await shell(`trap '' XFSZ; ulimit -f 8; ${line}`, { home, env }).ended
    expect(out).toBe('0\n')
    expect(err).toContain('what is written now is not noted in the history.')
  })

  test('ends with 11 where another process holds what it needs, and touches nothing', async () => {
    const home = freshHome()
    const directory = join(home, 'settings')
    mkdirSync(join(directory, 'drafts'), { recursive: true, mode: 0o700 })
    const draft = file(directory, 'drafts/0a0a0a0a.json', '{}')
    const line = '"$PAYROLL" candidates drafts delete 0a0a0a0a > /dev/null; echo $?'
    const env = { PAYROLL_CONFIG_DIR: directory }
    const held = await withDraftLock(directory, '0a0a0a0a', () => shell(line, { home, env }).ended)
    expect(held.out).toBe('11\n')
    expect(held.err).toMatch(
      /^Error: Another run of payroll is busy with .*, so this one stopped\..*\nRun it again/,
    )
    expect(existsSync(draft)).toBe(true)
    expect((await shell(line, { home, env }).ended).out).toBe('0\n')
    expect(existsSync(draft)).toBe(false)
  })

  test('ends with 143 where it was told to end while it waited', async () => {
    let arrived = () => {}
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { env } = await service(() => arrived())
    const line = '"$PAYROLL" candidates list & echo $!; wait $!; echo $?'
    const { ended, printed } = shell(line, { env })
    await waiting
    const pid = await printed((text) => /^(\d+)\n/.exec(text)?.[1])
    process.kill(Number(pid), 'SIGTERM')
    expect((await ended).out).toBe(`${pid}\n143\n`)
  })

  test('ends with no code that the table of the README leaves out, nor the table with another', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, table = ''] = readme.split('## Exit codes')
    const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    expect(listed).toEqual([...new Set(Object.values(exitCodes))])
  })
})
