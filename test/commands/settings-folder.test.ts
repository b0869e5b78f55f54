import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { loopback } from './targets.ts'

const isRoot = process.geteuid?.() === 0

/** As where PAYROLL_CONFIG_DIR is not set: other names choose the folder. */
const unsaid = { PAYROLL_CONFIG_DIR: '' }

describe.skipIf(process.platform === 'win32')(
  'a folder of settings is not used, and left as it is: exit 2',
  () => {
    const lines = [
      ['a read of the service', '--profile production candidates list'],
      ['a write', 'profiles set acme --base-url https://acme.example.com'],
    ] as const

    test.each(lines)('by %s, where others may write into it', async (_, words) => {
      const folder = freshHome()
      chmodSync(folder, 0o777)
      const ended = await payroll(words.split(' '), { home: folder })
      expect(ended).toMatchObject({ code: 2, out: '' })
      expect(ended.err).toContain(`Other users may write into ${folder} (mode 0777). It was not changed.`)
      expect(ended.err).toContain(`chmod 700 '${folder}'. Or set PAYROLL_CONFIG_DIR to another directory`)
      expect([statSync(folder).mode & 0o777, readdirSync(folder)]).toEqual([0o777, []])
    })

    test('for what the service shows either, where everything else comes from the environment', async () => {
      const { home, call, run } = await loopback()
      await call('POST', '/svc/candidates', {
        generalSetting: { agencyRef: 'A-1', maritalStatus: 'Engaged' },
      })
      expect(await run(['candidates', 'get', 'A-1'])).toMatchObject({ code: 0 })
      const doubts = async () => {
        const words = ['candidates', 'create', '--incomplete', '--set', 'maritalStatus=Engaged', '--dry-run']
        const { code, json } = await run([...words, '--json'])
        return [code, json().warnings.length]
      }
      // A word that the service has is none to doubt.
      expect(await doubts()).toEqual([0, 0])
      chmodSync(home, 0o777)
      expect(await doubts()).toEqual([0, 1])
    })

    test.skipIf(!isRoot).each(lines)('by %s, where it belongs to somebody else', async (_, words) => {
      const home = join(freshHome(), 'of-another')
      mkdirSync(home, { mode: 0o700 })
      chownSync(home, 4242, 4242)
      const ended = await payroll(words.split(' '), { home })
      expect(ended).toMatchObject({ code: 2, out: '' })
      expect(ended.err).toContain(`${home} belongs to another user.`)
      expect(ended.err).toContain('Set PAYROLL_CONFIG_DIR to another directory')
      expect([statSync(home).uid, readdirSync(home)]).toEqual([4242, []])
    })
  },
)

test.runIf(process.platform === 'linux').each([
  ['sandbox seed', '/proc/x', 'The directory /proc/x cannot be created'],
  ['profiles set acme --protected', '/proc/self/fd', 'could not be written (ENOENT). Nothing was changed.'],
])('%s ends with exit 2 where its settings would lie in %s', async (words, home, says) => {
  const ended = await payroll(words.split(' '), { home })
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain(says)
  expect(ended.err).toContain('Set PAYROLL_CONFIG_DIR to another directory, one of your own.')
})

describe.skipIf(process.platform === 'win32')('HOME', () => {
  test('that is no folder is exit 2 for what needs a place', async () => {
    const env = { ...unsaid, HOME: 'relative' }
    const ended = await payroll(['--profile', 'sandbox', 'candidates', 'list'], { env })
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toBe(
      'Error: There is no directory for the settings: HOME is not set.\nSet HOME, or PAYROLL_CONFIG_DIR.\n',
    )
  })

  test('that is empty is no matter where the environment says it all, nor for help', async () => {
    const { env } = await loopback()
    const none = { ...env, ...unsaid, HOME: '' }
    const listed = await payroll(['--quiet', 'candidates', 'list'], { env: none })
    expect(listed).toMatchObject({ code: 0, out: '[]\n', err: '' })
    expect((await payroll(['--help'], { env: { ...unsaid, HOME: '' } })).code).toBe(0)
  })

  test('that is empty lets write and check, with a note that no history is kept', async () => {
    const { env } = await loopback()
    const none = { ...env, ...unsaid, HOME: '' }
    const run = (words: string) => payroll(words.split(' '), { env: none })
    const note =
      'what is written now is not noted in the history. There is no directory for the settings: HOME is not set.'
    const set = '--set agencyRef=A-1 --set forename=Ann --set surname=Sample --incomplete --yes'
    expect(await run(`candidates create ${set}`)).toMatchObject(endedWith(0, note))
    const changed = await run('candidates update A-1 --set city=Cork --yes --json')
    expect(changed).toMatchObject(endedWith(0, note))
    expect(await run('check --only no-bank -q')).toMatchObject({ code: 9 })
    expect(await run('profiles list')).toMatchObject({ code: 0, err: '' })
    // An import that could not go on after it was killed sends nothing.
    expect(await run('candidates import package.json --yes')).toMatchObject(endedWith(2, 'HOME is not set'))
  })

  test('has none of the settings where XDG_CONFIG_HOME or PAYROLL_CONFIG_DIR says so', async () => {
    const [home, xdg, own] = [freshHome(), freshHome(), join(freshHome(), 'here')]
    const env = { HOME: home, XDG_CONFIG_HOME: xdg }
    await payroll(['sandbox', 'seed'], { env: { ...env, ...unsaid } })
    expect(readdirSync(xdg)).toEqual(['payroll'])
    await payroll(['sandbox', 'seed'], { env, home: own })
    expect(readdirSync(own)).toContain('sandbox.db')
    expect(readdirSync(home)).toEqual([])
  })
})

test('a pipe is painted with FORCE_COLOR alone', async () => {
  const table = (env: Record<string, string>) => payroll(['profiles', 'list', '-o', 'table'], { env })
  expect((await table({ FORCE_COLOR: '1' })).out).toContain('\u001B[1mName')
  for (const env of [{}, { FORCE_COLOR: '0' }, { FORCE_COLOR: '1', NO_COLOR: '1' }]) {
    expect((await table(env)).out).not.toContain('\u001B')
  }
})
