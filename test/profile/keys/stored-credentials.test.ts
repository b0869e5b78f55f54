import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptySettings, type Settings } from '../../../src/credentials/settings-shape.ts'
import { credentialsIn, storedSecrets } from '../../../src/credentials/stored-credentials.ts'

const origin = 'https://payroll.example.com'
const key = { origin, key: 'EXAMPLEkey0001' }
const token = { origin, access: 'EXAMPLEaccess1', refresh: 'EXAMPLErefresh' }

const settings: Settings = {
  default: 'acme',
  profiles: { acme: { baseUrl: origin } },
  keys: { acme: key, other: { origin, key: 'EXAMPLEkey0002' } },
}

test('a profile without anything stored has nothing, whatever its name is', () => {
  for (const name of ['none', 'toString']) expect(credentialsIn(emptySettings).get(name)).toEqual({})
})

test('what is set takes the place of all that was stored for the profile, and touches no other', () => {
  const withToken = credentialsIn(settings).set('acme', { key, token })
  expect(credentialsIn(withToken).get('acme')).toEqual({ key, token })
  const changed = credentialsIn(withToken).set('acme', { key: { origin, key: 'EXAMPLEkey0003' } })
  expect(credentialsIn(changed).get('acme')).toEqual({ key: { origin, key: 'EXAMPLEkey0003' } })
  expect(credentialsIn(changed).get('other')).toEqual({ key: { origin, key: 'EXAMPLEkey0002' } })
  expect(changed).toMatchObject({ default: 'acme', profiles: settings.profiles })
})

test('what is removed is gone, key and token, and is listed no more', () => {
  const before = credentialsIn(settings).set('acme', { token })
  expect(credentialsIn(before).list()).toEqual(['other', 'acme'])
  const after = credentialsIn(before).remove('acme')
  expect(credentialsIn(after).list()).toEqual(['other'])
  expect(JSON.stringify(after)).not.toContain('EXAMPLEaccess1')
})

test('every secret is among those to hide', () => {
  const stored = credentialsIn(settings).set('acme', { key, token })
  const secrets = [key.key, token.access, token.refresh, 'EXAMPLEkey0002']
  expect(storedSecrets(stored).sort()).toEqual(secrets.sort())
})

test('no other file knows where keys and tokens are kept', () => {
  const root = fileURLToPath(new URL('../../../src', import.meta.url))
  const touching = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (!name.endsWith('.ts') || name.startsWith('sandbox/')) return false
    const text = readFileSync(join(root, name), 'utf8')
    return (
      /\.(keys|tokens)\??\.?\[/.test(text) ||
      /\b(settings|stored|before|after|others)\.(keys|tokens)\b(?!\()/.test(text) ||
      (/\{[^{}()]*\b(keys|tokens)\b[^{}()]*\} = .*settings/i.test(text) && /profile\/settings/.test(text))
    )
  })
  expect(touching).toEqual(['credentials/stored-credentials.ts'])
})
