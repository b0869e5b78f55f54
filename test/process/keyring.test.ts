import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answering } from '../service.ts'
import { launch, run, tool, toolAlone } from './built.ts'

const key = 'CANARYkey0000'
const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const hasPackage = existsSync(new URL('../../node_modules/@napi-rs/keyring', import.meta.url))
const programs = ['dbus-run-session', 'gnome-keyring-daemon'].filter((program) => !isThere(program))
const missing = [...(hasPackage ? [] : ['@napi-rs/keyring']), ...programs]
const why = missing.length > 0 ? ` (skipped: ${missing.join(' and ')} not installed)` : ''

const locked = 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1'

async function place() {
  const home = freshHome()
  const { baseUrl, received } = await answering(200, { data: [{ id: 'vat-1' }], totalDocs: 1 })
  const env = { PAYROLL_CONFIG_DIR: home, PAYROLL: `${process.execPath} ${tool}` }
  const file = () => readFileSync(join(home, 'config.json'), 'utf8')
  await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
  await payroll(['auth', 'login', '--profile', 'acme'], { home, input: key })
  received.length = 0
  /** Lines of shell in a session with a bus of its own. */
  const session = (
    lines: string,
    keyring = 'printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
  ) => launch('dbus-run-session', ['--', 'sh', '-c', `${keyring}\n${lines}`], { home, env }).ended
  return { home, env, file, received, session }
}

const set = 'profiles set acme --key-store'
const aMinute = { timeout: 120_000 }

describe.skipIf(missing.length > 0)(`the system keyring, as gnome-keyring keeps it${why}`, aMinute, () => {
  test('takes the key from the file, gives it to a call, and forgets it at a logout', async () => {
    const { file, received, session } = await place()
    const { out, err } = await session(`
      $PAYROLL ${set} keyring; echo "set $?"
      cat "$PAYROLL_CONFIG_DIR/config.json" | grep -c CANARY
      $PAYROLL vat-codes list --json --debug; echo "list $?"
      $PAYROLL auth status --json; echo "status $?"
      $PAYROLL auth logout; echo "logout $?"
      $PAYROLL vat-codes list; echo "after $?"`)
    expect(out + err).not.toContain('CANARY')
    for (const step of ['set 0', '\n0\n', 'list 0', 'status 0', 'logout 0', 'after 4'])
      expect(out).toContain(step)
    expect(out).toContain('"keptIn": "the system keyring"')
    expect(received.map(({ headers }) => headers.authorization)).toEqual([key, key])
    expect(JSON.parse(file()).keys).toEqual({})
  })

  test('gives the key back to the file, and keeps none', async () => {
    const { file, session } = await place()
    const { out } = await session(`
      $PAYROLL ${set} keyring; echo "set $?"
      $PAYROLL ${set} file; echo "back $?"
      $PAYROLL vat-codes list >/dev/null; echo "list $?"`)
    for (const step of ['set 0', 'back 0', 'list 0']) expect(out).toContain(step)
    expect(JSON.parse(file()).keys.acme.key).toBe(key)
  })

  test('takes the password of the shared journal too, and forgets it at a logout', async () => {
    const { file, session } = await place()
    const { out, err } = await session(`
      $PAYROLL profiles set acme --journal postgres://payroll@127.0.0.1:9/payroll >/dev/null
      $PAYROLL ${set} keyring
      printf CANARYword | $PAYROLL journal login; echo "login $?"
      grep -c CANARY "$PAYROLL_CONFIG_DIR/config.json"
      $PAYROLL journal status; echo "status $?"
      $PAYROLL ${set} file; echo "back $?"
      grep -c CANARYword "$PAYROLL_CONFIG_DIR/config.json"
      $PAYROLL ${set} keyring
      $PAYROLL journal logout; echo "logout $?"
      $PAYROLL vat-codes list >/dev/null; echo "list $?"`)
    // Nothing listens there.
    for (const step of ['login 0\n0\nstatus 7\nback 0\n1\n', 'logout 0\nlist 0\n'])
      expect(out).toContain(step)
    expect(out + err).not.toContain('CANARY')
    expect(JSON.parse(file())).toMatchObject({ keys: {}, profiles: { acme: { keyStore: 'keyring' } } })
  })

  test('is not replaced by anything where it is locked: exit 4', async () => {
    const { file, session, received } = await place()
    expect((await session(`$PAYROLL ${set} keyring; echo "set $?"`)).out).toContain('set 0')
    const before = file()
    const { out, err } = await session(
      '$PAYROLL vat-codes list; echo "list $?"; $PAYROLL auth logout; echo "logout $?"',
      locked,
    )
    expect(out).toContain('list 4\nlogout 4')
    expect(err.match(/it is locked/g)).toHaveLength(2)
    expect([file(), received]).toEqual([before, []])
  })

  const lose = `${process.execPath} -e "
    const { Entry } = require('@napi-rs/keyring')
    new Entry('payroll', 'acme in ' + process.env.PAYROLL_CONFIG_DIR, { linux: { store: 'secret-service' } })
      .deletePassword()"`

  test.each([
    ['auth login --profile acme', 0, 0],
    ['auth logout --profile acme', 2, 4],
    ['profiles set acme --key-store file', 0, 4],
    ['profiles remove acme', 0, 2],
  ])('the system keyring that has lost a key is put right by one command: %s', async (words, then, next) => {
    const { file, session } = await place()
    const { out, err } = await session(`
      $PAYROLL ${set} keyring
      ${lose}
      $PAYROLL vat-codes list; echo "list $?"
      echo ${key} | $PAYROLL ${words}; echo "then $?"
      $PAYROLL vat-codes list >/dev/null; echo "next $?"`)
    expect(out).toMatch(new RegExp(`^list 4\nthen ${then}\nnext ${next}$`, 'm'))
    expect(err).toContain('is not in the system keyring.\nSign in: payroll auth login --profile acme')
    expect(file()).not.toContain('CANARY')
  })

  test('the system keyring that has lost a key is not told so by a change of something else', async () => {
    const { file, session } = await place()
    const { out } = await session(`
      $PAYROLL ${set} keyring
      ${lose}
      $PAYROLL profiles set acme --protected; echo "set $?"
      $PAYROLL vat-codes list; echo "list $?"`)
    expect(out).toBe('set 0\nlist 4\n')
    expect(JSON.parse(file()).profiles.acme).toMatchObject({ keyStore: 'keyring', protected: true })
  })

  test.each(['profiles set acme --key-store file', 'profiles remove acme'])(
    'is left where it cannot be used, and what stays there is said: %s',
    async (words) => {
      const { file, session } = await place()
      const { out, err } = await session(`
        $PAYROLL ${set} keyring
        DBUS_SESSION_BUS_ADDRESS=unix:path=/none XDG_RUNTIME_DIR=/none $PAYROLL ${words}; echo "left $?"`)
      expect(out).toBe('left 0\n')
      expect(err).toContain('The key of acme may still be there, and is not used any more.')
      expect(JSON.parse(file()).keys).toEqual({})
    },
  )

  test('the system keyring that was never set up takes nothing: exit 4, and the file keeps the key', async () => {
    const { file, session } = await place()
    const before = file()
    const { out, err } = await session(`$PAYROLL ${set} keyring; echo "set $?"`, locked)
    expect([out.trim(), err]).toEqual(['set 4', expect.stringContaining('it was never set up')])
    expect(file()).toBe(before)
  })
})

describe.skipIf(!hasPackage)(`the system keyring${why}`, () => {
  test.each([
    ['is not there without a session bus', false, 'no keyring service'],
    ['that never answers is given up after three seconds', true, 'did not answer within 3 seconds'],
  ])('the system keyring %s: exit 4, and nothing is changed', async (_, isThere, says) => {
    const { home, env, file } = await place()
    const before = file()
    const path = join(home, 'bus')
    const bus = createServer(() => {})
    if (isThere) await new Promise<void>((resolve) => bus.listen(path, resolve))
    onTestFinished(() => void bus.close())
    const other = { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, XDG_RUNTIME_DIR: home }
    const refused = await run(`${set} keyring`.split(' '), { home, env: other })
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining(says)])
    expect(file()).toBe(before)
  })
})

test('a keyring that takes a key and does not keep it is not used: exit 4, and the file keeps the key', async () => {
  const { home, env, file } = await place()
  // The tool beside a package that stands for such a keyring.
  const script = toolAlone()
  const keyring = join(script, '../../node_modules/@napi-rs/keyring')
  mkdirSync(keyring, { recursive: true })
  writeFileSync(
    join(keyring, 'index.js'),
    'exports.Entry = class { setPassword() {} getPassword() { return null } deletePassword() { return true } }',
  )
  const before = JSON.parse(file())
  const words = [script, 'profiles', 'set', 'acme', '--key-store', 'keyring']
  const { code, err } = await launch(process.execPath, words, { home, env }).ended
  expect([code, err]).toEqual([4, expect.stringContaining('it did not keep what was stored')])
  expect(JSON.parse(file())).toEqual(before)
})
