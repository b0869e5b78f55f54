import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { trustsWhatBrowsersDo } from '../../../src/context/profile-hints.ts'
import { listening } from '../../api/http/ports.ts'
import { calls } from '../../api/http-cases.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { file } from '../targets.ts'

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8')

/** A client certificate that is its own authority, and two other keys, one of its kind. */
const plain = { type: 'pkcs8', format: 'pem' } as const
const shown = pem('self-signed')
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(plain)
const otherKind = generateKeyPairSync('ed25519').privateKey.export(plain)
const passphrase = 'CANARYphrase'

/** An https service with the certificate of an authority of one's own; `heard`: who came, by client certificate and key. */
async function secured(options: ServerOptions = {}) {
  const heard: string[] = []
  const server = createServer(
    { key: pem('key'), cert: pem('localhost'), ...options },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      heard.push(`${subject?.O ?? 'nobody'}, ${request.headers.authorization}`)
      response.end('{"data":[],"totalDocs":0}')
    },
  )
  server.on('tlsClientError', () => {})
  return { baseUrl: `https://localhost:${await listening(server)}`, heard }
}

/** It lets in only who has the client certificate. */
const closed: ServerOptions = { requestCert: true, rejectUnauthorized: true, ca: [shown] }

/** Files of certificates in the home of a profile, by their names. */
const files = {
  'ca.pem': pem('authority'),
  'client.pem': shown,
  'client.key': pem('key'),
  'both.pem': shown + pem('key'),
  'expired.pem': pem('expired'),
  'other.key': otherKey,
  'kind.key': otherKind,
  'short.pem': pem('authority').replace(/.{200}\n-----END/s, '\n-----END'),
  'weak.pem': pem('weak'),
  'client.pfx': Buffer.from('3003020103', 'hex'),
}

/** A profile `acme` with a key for this address, and the files in its home, which is HOME of what is typed. */
async function profileAt(baseUrl: string) {
  const home = freshHome()
  for (const [name, content] of Object.entries(files)) chmodSync(file(home, name, content), 0o600)
  const settings = {
    default: 'acme',
    profiles: { acme: { baseUrl } },
    keys: { acme: { origin: new URL(baseUrl).origin, key: 'CANARYkey0000' } },
  }
  chmodSync(file(home, 'config.json', JSON.stringify(settings)), 0o600)
  const run = (argv: readonly string[], env: Record<string, string> = {}, input = '') =>
    payroll(['--json', ...argv.map((word) => word.replace('HOME', home))], { home, env, input })
  const set = (words: string, env?: Record<string, string>) =>
    run(['profiles', 'set', 'acme', ...words.split(' ')], env)
  const stored = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).profiles.acme
  return { home, run, set, stored }
}

const authority = '--certificate-authority HOME/ca.pem'
const client = '--client-certificate HOME/client.pem --client-key HOME/client.key'
const list = calls.list.argv

describe('the certificate authority of a profile', () => {
  test('is trusted beside those of Node, once profiles set names it, and no longer once it is taken away', async () => {
    const { baseUrl, heard } = await secured()
    const { home, run, set, stored } = await profileAt(baseUrl)
    const before = await run(list)
    expect([before.code, before.error().outcome]).toEqual([2, 'not-sent'])
    expect(before.error().hint).toContain('payroll profiles set acme --certificate-authority <file>')
    expect((await set(authority)).code).toBe(0)
    expect((await run(list)).code).toBe(0)
    expect(heard).toEqual(['nobody, CANARYkey0000'])
    expect(stored()).toEqual({ baseUrl, certificateAuthority: join(home, 'ca.pem') })
    expect((await set('--certificate-authority none')).code).toBe(0)
    expect([stored(), (await run(list)).code]).toEqual([{ baseUrl }, 2])
  })

  test('that did not sign the certificate of the service is named in the error', async () => {
    const { baseUrl, heard } = await secured()
    const { home, run, set } = await profileAt(baseUrl)
    await set('--certificate-authority HOME/client.pem')
    const { code, error } = await run(list)
    expect([code, error().outcome, heard]).toEqual([2, 'not-sent', []])
    const system = trustsWhatBrowsersDo(process.versions.node)
      ? '. If a browser on this computer opens that address, NODE_USE_SYSTEM_CA=1 is enough.'
      : ''
    expect(error().hint).toBe(
      `Tell the people who run it what stands in brackets. It does not come from the authority in ${home}/client.pem either. Ask your IT department for the file of the authority that signed it (PEM), then: payroll profiles set acme --certificate-authority <file>${system}`,
    )
  })

  test('is trusted with no certificate that is too weak, which no other run changes: exit 2', async () => {
    const weak = { key: pem('weak'), cert: pem('weak'), ciphers: 'DEFAULT@SECLEVEL=0' }
    const { baseUrl, heard } = await secured(weak)
    const { run, set } = await profileAt(baseUrl)
    await set('--certificate-authority HOME/weak.pem')
    const { code, error } = await run(list)
    expect([code, error().retryable, heard]).toEqual([2, false, []])
    expect(error().message).toMatch(/its certificate is not trusted \(CERT_EE_CERTIFICATE_KEY_TOO_WEAK\)\.$/)
  })

  test('may be a list with one that is over', async () => {
    const { baseUrl } = await secured()
    const { home, run, set } = await profileAt(baseUrl)
    file(home, 'list', pem('expired') + pem('authority'))
    expect((await set('--certificate-authority HOME/list')).code).toBe(0)
    expect((await run(list)).code).toBe(0)
  })
})

describe('the client certificate of a profile', () => {
  test.each<[string, ServerOptions]>([
    ['TLS 1.3', {}],
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
  ])('that a service requires (%s): exit 2 without one, with what to type', async (_, options) => {
    const { baseUrl, heard } = await secured({ ...closed, ...options })
    const { run, set } = await profileAt(baseUrl)
    await set(authority)
    for (const name of ['list', 'post', 'createIreland', 'delete'] as const) {
      const { code, error } = await run(calls[name].argv)
      expect([name, code, error().outcome]).toEqual([name, 2, 'not-sent'])
      expect(error().message).toContain('seems to want a client certificate')
      expect(error().hint).toBe(
        'Ask the people who run the service for a client certificate and its key (PEM), then: payroll profiles set acme --client-certificate <file> --client-key <file>',
      )
    }
    expect(heard).toEqual([])
  })

  test('is shown to the service, whole paths are stored, and profiles show and list have them', async () => {
    const { baseUrl, heard } = await secured(closed)
    const { home, run, set, stored } = await profileAt(baseUrl)
    const saved = await set(`${authority} ${client}`)
    expect([saved.code, saved.err]).toEqual([
      0,
      'Saved the profile acme. Commands without --profile use acme.\n',
    ])
    expect((await run(list)).code).toBe(0)
    expect(heard).toEqual(['Not a real company, CANARYkey0000'])
    const certificateAuthority = join(home, 'ca.pem')
    const own = { clientCertificate: join(home, 'client.pem'), clientKey: join(home, 'client.key') }
    expect(stored()).toEqual({ baseUrl, certificateAuthority, ...own })
    expect((await run(['profiles', 'show'])).json()).toMatchObject({ certificateAuthority, ...own })
    const all = (await run(['profiles', 'list'])).json()
    expect(all).toContainEqual(expect.objectContaining({ certificateAuthority, ...own }))
    // Without its certificate the key goes too.
    await set('--client-certificate none')
    expect(stored()).toEqual({ baseUrl, certificateAuthority })
  })

  test('may have its key in the same file', async () => {
    const { baseUrl } = await secured(closed)
    const { run, set } = await profileAt(baseUrl)
    expect((await set(`${authority} --client-certificate HOME/both.pem`)).code).toBe(0)
    expect((await run(list)).code).toBe(0)
  })

  test('with an encrypted key is opened by PAYROLL_CLIENT_KEY_PASSPHRASE, which nothing shows', async () => {
    const { baseUrl, heard } = await secured(closed)
    const { home, run, set } = await profileAt(baseUrl)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const
    chmodSync(file(home, 'foreign', privateKey.export(cipher)), 0o600)
    chmodSync(file(home, 'encrypted', createPrivateKey(pem('key')).export(cipher)), 0o600)
    const withKey = (name: string) =>
      `${authority} --client-certificate HOME/client.pem --client-key HOME/${name}`
    const opened = { PAYROLL_CLIENT_KEY_PASSPHRASE: passphrase }
    const runs = [
      await set(withKey('encrypted')),
      await set(withKey('encrypted'), { PAYROLL_CLIENT_KEY_PASSPHRASE: 'CANARYwrong' }),
      await set(withKey('foreign'), opened),
      await set(withKey('encrypted'), opened),
      await run(list),
      await run(['--debug', ...list], { ...opened, NODE_DEBUG: 'tls,https' }),
    ]
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 0, 2, 0])
    for (const { error } of runs.slice(0, 2))
      expect(error().message).toMatch(
        /^The client key of acme \(.*\/encrypted\) has a private key that cannot be read \(an encrypted one with the passphrase in PAYROLL_CLIENT_KEY_PASSPHRASE\): \w+\. Nothing was changed\.$/,
      )
    expect(runs[2]?.error().message).toContain('does not belong to the client certificate')
    expect(heard).toHaveLength(1)
    for (const { out, err } of runs) expect(out + err).not.toContain('CANARY')
  })

  test('follows its profile to another address, which auth login says too, and is shown there when the key is tried', async () => {
    const [first, second] = [await secured(closed), await secured(closed)]
    const { run, set, stored } = await profileAt(first.baseUrl)
    await set(`${authority} ${client}`)
    const login = ['auth', 'login', '--profile', 'acme', '--base-url']
    const moved = await run([...login, second.baseUrl], {}, 'CANARYkey1111\n')
    expect(moved).toMatchObject({ code: 0, err: expect.stringContaining('The service accepts it.') })
    expect(moved.err).toContain(
      `the client certificate of acme goes to ${second.baseUrl} from now on, and no longer to ${first.baseUrl}.`,
    )
    expect(second.heard).toEqual(['Not a real company, CANARYkey1111'])
    const open = await run([...login, 'http://127.0.0.1:9'], {}, 'CANARYkey1111\n')
    expect([open.code, open.error().message]).toEqual([
      2,
      'http://127.0.0.1:9 is not an https address, so the certificates of acme would have no effect. Nothing was stored.',
    ])
    expect(stored().baseUrl).toBe(second.baseUrl)
  })

  test('follows its profile to another address, which is said', async () => {
    const { baseUrl } = await secured(closed)
    const { set } = await profileAt(baseUrl)
    await set(`${authority} ${client}`)
    const { code, err } = await set('--base-url https://acme.example.com')
    const says = `the client certificate of acme goes to https://acme.example.com from now on, and no longer to ${baseUrl}. To take it away: payroll profiles set acme --client-certificate none`
    expect([code, err]).toEqual([0, expect.stringContaining(says)])
  })
})

describe('certificates of a profile that cannot be used', () => {
  const ca = 'The certificate authority of acme'
  const certificate = 'The client certificate of acme'
  const key = 'The client key of acme'
  test.each([
    ['--certificate-authority HOME/none.pem', `${ca} (HOME/none.pem) is not there.`],
    ['--certificate-authority HOME', `${ca} (HOME) is not a file of certificates.`],
    [
      '--certificate-authority HOME/client.key',
      `${ca} (HOME/client.key) has no certificate in it (PEM, which Windows calls Base-64 encoded X.509).`,
    ],
    [
      '--certificate-authority HOME/short.pem',
      `${ca} (HOME/short.pem) has a certificate that cannot be read: ERR_OSSL_PEM_BAD_BASE64_DECODE.`,
    ],
    ['--certificate-authority HOME/expired.pem', `${ca} (HOME/expired.pem) expired on 2 January 2020.`],
    [
      '--client-certificate HOME/expired.pem --client-key HOME/client.key',
      `${certificate} (HOME/expired.pem) expired on 2 January 2020.`,
    ],
    [
      '--client-certificate HOME/client.pfx --client-key HOME/client.key',
      `${certificate} (HOME/client.pfx) has no certificate in it (PEM, which Windows calls Base-64 encoded X.509).`,
    ],
    [
      '--client-certificate HOME/client.pem',
      `${certificate} (HOME/client.pem) has no private key in it (PEM).`,
    ],
    [
      '--client-certificate HOME/weak.pem',
      `${certificate} (HOME/weak.pem) cannot be used on this computer: ERR_SSL_EE_KEY_TOO_SMALL.`,
    ],
    ['--client-key HOME/client.key', 'A client key needs its certificate, and acme has none.'],
    [
      '--client-certificate HOME/client.pem --client-key HOME/other.key',
      `${key} (HOME/other.key) does not belong to the client certificate (HOME/client.pem).`,
    ],
    [
      '--client-certificate HOME/client.pem --client-key HOME/kind.key',
      `${key} (HOME/kind.key) does not belong to the client certificate (HOME/client.pem).`,
    ],
    [
      `--base-url http://127.0.0.1:9 ${client}`,
      'http://127.0.0.1:9 is not an https address, so the certificates of acme would have no effect.',
    ],
  ])('profiles set acme %s is exit 2, and nothing is stored', async (words, message) => {
    const baseUrl = 'https://acme.example.com'
    const { home, set, stored } = await profileAt(baseUrl)
    const { code, error } = await set(words)
    expect([code, error().message]).toEqual([2, `${message.replaceAll('HOME', home)} Nothing was changed.`])
    expect(error().hint).not.toBe('')
    expect(stored()).toEqual({ baseUrl })
  })

  test('a profile without an address has nothing to show a certificate to: exit 2', async () => {
    const { run } = await profileAt('https://acme.example.com')
    const { code, error } = await run(['profiles', 'set', 'other', ...authority.split(' ')])
    const message = 'Certificates are for the address of a profile, and other has none yet.'
    expect([code, error().message]).toEqual([2, `${message} Nothing was changed.`])
  })

  test.each([
    ['authority is gone', 'ca.pem', undefined, 'is not there'],
    ['certificate is over', 'client.pem', 'expired', 'expired on 2 January 2020'],
    ['certificate was renewed without its key', 'client.key', 'authority', 'has no private key in it (PEM)'],
  ])('since they were set, as where its %s: exit 2, nothing sent', async (_, name, other, says) => {
    const { baseUrl, heard } = await secured(closed)
    const { home, set, run } = await profileAt(baseUrl)
    await set(`${authority} ${client}`)
    if (other === undefined) rmSync(join(home, name))
    else file(home, name, pem(other))
    for (const call of ['list', 'post'] as const) {
      const { code, error } = await run(calls[call].argv)
      expect([code, error().outcome]).toEqual([2, 'not-sent'])
      expect(error().message).toContain(`of acme (${join(home, name)}) ${says}.`)
      expect(error().hint).toContain('payroll profiles set acme --')
    }
    expect(heard).toEqual([])
  })
})
