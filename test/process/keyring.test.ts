import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { answering } from '../service.ts'
import { launch, run, toolAlone } from './built.ts'

const key = 'CANARYkey0000'
const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const hasPackage = existsSync(new URL('../../node_modules/@napi-rs/keyring', import.meta.url))
const programs = ['dbus-run-session', 'gnome-keyring-daemon'].filter((program) => !isThere(program))
const missing = [...(hasPackage ? [] : ['@napi-rs/keyring']), ...programs]
const why = missing.length > 0 ? ` (skipped: ${missing.join(' and ')} not installed)` : ''

const locked = 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1'
const unlocked = 'printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1'

/** Starts a session with a bus of its own, whose keyring lies in this folder. Gives how it is found, and its end. */
async function startSession(home: string, keyring = unlocked) {
  const lines = `${keyring}\necho "$DBUS_SESSION_BUS_ADDRESS"\nexec cat`
  const started = launch('dbus-run-session', ['--', 'sh', '-c', lines], { home, open: true })
  const bus = await started.printed((text) => /^(\S+)\n/.exec(text)?.[1])
  const end = async () => {
    started.child.stdin.end()
    await started.ended
  }
  return { env: { HOME: home, DBUS_SESSION_BUS_ADDRESS: bus }, end }
}

/** A profile whose key is in the file, and the words that are run for it: what they end with, and say. */
async function place() {
  const home = freshHome()
  const { baseUrl, received } = await answering(200, { data: [{ id: 'vat-1' }], totalDocs: 1 })
  const file = () => readFileSync(join(home, 'config.json'), 'utf8')
  const said: string[] = []
  const inSession =
    (env: Readonly<Record<string, string>>) =>
    async (words: string, input = '') => {
      const { code, out, err } = await payroll(words.split(' '), { home, env, input })
      said.push(out + err)
      return { code, out, err }
    }
  await inSession({})(`profiles set acme --base-url ${baseUrl}`)
  await inSession({})('auth login --profile acme', key)
  received.length = 0
  return { home, file, received, inSession, said: () => said.join('') }
}

const toKeyring = 'profiles set acme --key-store keyring'
const toFile = 'profiles set acme --key-store file'
const list = 'vat-codes list --json'

describe.skipIf(missing.length > 0)(`the system keyring, as gnome-keyring keeps it${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'payroll-test-'))
  let session: Awaited<ReturnType<typeof startSession>>
  beforeAll(async () => {
    session = await startSession(folder)
  })
  afterAll(async () => {
    await session.end()
    rmSync(folder, { recursive: true })
  })
  const ownPlace = async () => {
    const { inSession, ...at } = await place()
    return { ...at, inSession, payroll: inSession(session.env) }
  }

  const askKeyring = (home: string, action: 'getPassword' | 'deletePassword') => {
    const entry = `new Entry('payroll', 'acme in ${home}', { linux: { store: 'secret-service' } })`
    const line = `const { Entry } = require('@napi-rs/keyring'); ${entry}.${action}()`
    return spawnSync(process.execPath, ['-p', line], { env: session.env, encoding: 'utf8' }).stdout.trim()
  }

  test('takes the key from the file, gives it to a call, and forgets it at a logout', async () => {
    const { home, file, received } = await ownPlace()
    const env = { ...session.env, PAYROLL_CONFIG_DIR: home }
    const ends = async (words: string) => {
      const { code, out, err } = await run(words.split(' '), { home, env })
      expect(out + err).not.toContain('CANARY')
      return `${words} ${code} ${out}`
    }
    expect(await ends(toKeyring)).toContain('keyring 0')
    expect(file()).not.toContain('CANARY')
    expect(await ends(`${list} --debug`)).toContain('--debug 0')
    expect(await ends('auth status --json')).toContain('"keptIn": "the system keyring"')
    expect(await ends('auth logout')).toContain('logout 0')
    expect(await ends(list)).toContain('--json 4')
    expect(received.map(({ headers }) => headers.authorization)).toEqual([key, key])
    expect(JSON.parse(file()).keys).toEqual({})
  })

  test('gives the key back to the file, and keeps none', async () => {
    const { home, file, payroll } = await ownPlace()
    expect(await payroll(toKeyring)).toMatchObject({ code: 0 })
    expect(askKeyring(home, 'getPassword')).toContain(key)
    for (const words of [toFile, list]) expect(await payroll(words)).toMatchObject({ code: 0 })
    expect(JSON.parse(file()).keys.acme.key).toBe(key)
    expect(askKeyring(home, 'getPassword')).toBe('null')
  })

  test('takes the password of the shared journal too, and forgets it at a logout', async () => {
    const { file, payroll, said } = await ownPlace()
    await payroll('profiles set acme --journal postgres://payroll@127.0.0.1:9/payroll')
    await payroll(toKeyring)
    expect(await payroll('journal login', 'CANARYword')).toMatchObject({ code: 0 })
    expect(file()).not.toContain('CANARY')
    // Nothing listens there.
    expect(await payroll('journal status')).toMatchObject({ code: 7 })
    expect(await payroll(toFile)).toMatchObject({ code: 0 })
    expect(file()).toContain('CANARYword')
    await payroll(toKeyring)
    expect(await payroll('journal logout')).toMatchObject({ code: 0 })
    expect(await payroll(list)).toMatchObject({ code: 0 })
    expect(said()).not.toContain('CANARY')
    expect(JSON.parse(file())).toMatchObject({ keys: {}, profiles: { acme: { keyStore: 'keyring' } } })
  })

  test('is not replaced by anything where it is locked: exit 4', async () => {
    const { home, file, inSession, received } = await ownPlace()
    const first = await startSession(home)
    expect(await inSession(first.env)(toKeyring)).toMatchObject({ code: 0 })
    await first.end()
    const before = file()
    const second = await startSession(home, locked)
    for (const words of [list, 'auth logout'])
      expect(await inSession(second.env)(words)).toMatchObject(endedWith(4, 'it is locked'))
    await second.end()
    expect([file(), received]).toEqual([before, []])
  })

  test.each([
    ['auth login --profile acme', 0, 0],
    ['auth logout --profile acme', 2, 4],
    [toFile, 0, 4],
    ['profiles remove acme', 0, 2],
    // Something else is changed, and not that the key lies there.
    ['profiles set acme --protected', 0, 4],
  ])('the system keyring that has lost a key is put right by one command: %s', async (words, then, next) => {
    const { home, file, payroll } = await ownPlace()
    await payroll(toKeyring)
    askKeyring(home, 'deletePassword')
    const hint = 'is not in the system keyring.\nSign in: payroll auth login --profile acme'
    expect(await payroll('vat-codes list')).toMatchObject(endedWith(4, hint))
    expect(await payroll(words, key)).toMatchObject({ code: then })
    expect(await payroll(list)).toMatchObject({ code: next })
    expect(file()).not.toContain('CANARY')
  })

  test.each([toFile, 'profiles remove acme'])(
    'is left where it cannot be used, and what stays there is said, and never used again: %s',
    async (words) => {
      const { home, file, payroll, inSession } = await ownPlace()
      const { baseUrl } = JSON.parse(file()).profiles.acme
      await payroll(toKeyring)
      const noBus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none', XDG_RUNTIME_DIR: '/none' }
      const stays = 'The key of acme may still be there, and is not used any more.'
      expect(await inSession(noBus)(words)).toMatchObject(endedWith(0, stays))
      expect(JSON.parse(file()).keys).toEqual({})
      expect(await payroll(`${toKeyring} --base-url ${baseUrl}`)).toMatchObject({ code: 0 })
      expect(askKeyring(home, 'getPassword')).toBe('null')
      expect(await payroll(`${list} --profile acme`)).toMatchObject({ code: 4 })
    },
  )

  test('the system keyring that was never set up takes nothing: exit 4, and the file keeps the key', async () => {
    const { home, file, inSession } = await place()
    const before = file()
    const { env, end } = await startSession(home, locked)
    expect(await inSession(env)(toKeyring)).toMatchObject(endedWith(4, 'was never set up'))
    await end()
    expect(file()).toBe(before)
  })
})

describe.skipIf(!hasPackage)(`the system keyring${why}`, () => {
  test.each([
    ['is not there without a session bus', false, 'no keyring service'],
    ['that never answers is given up after three seconds', true, 'did not answer within 3 seconds'],
  ])('the system keyring %s: exit 4, and nothing is changed', async (_, isThere, says) => {
    const { home, file, inSession } = await place()
    const before = file()
    const path = join(home, 'bus')
    const bus = createServer(() => {})
    if (isThere) await new Promise<void>((resolve) => bus.listen(path, resolve))
    onTestFinished(() => void bus.close())
    const other = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, XDG_RUNTIME_DIR: home }
    expect(await inSession(other)(toKeyring)).toMatchObject(endedWith(4, says))
    expect(file()).toBe(before)
  })
})

test('a keyring that takes a key and does not keep it is not used: exit 4, and the file keeps the key', async () => {
  const { home, file } = await place()
  // The tool beside a package that stands for such a keyring.
  const script = toolAlone()
  const keyring = join(script, '../../node_modules/@napi-rs/keyring')
  mkdirSync(keyring, { recursive: true })
  writeFileSync(
    join(keyring, 'index.js'),
    'exports.Entry = class { setPassword() {} getPassword() { return null } deletePassword() { return true } }',
  )
  const before = JSON.parse(file())
  const env = { PAYROLL_CONFIG_DIR: home }
  const ended = await launch(process.execPath, [script, ...toKeyring.split(' ')], { home, env }).ended
  expect(ended).toMatchObject(endedWith(4, 'it did not keep what was stored'))
  expect(JSON.parse(file())).toEqual(before)
})
