import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, copyFileSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { listening } from '../../api/http/ports.ts'
import { calls } from '../../api/http-cases.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { file } from '../targets.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
const pem = (name: string) => readFileSync(fixture(name), 'utf8')

/** A client certificate that is its own authority, and another key. */
const [shown, otherKey] = [
  pem('self-signed'),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
]
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

/** A profile `acme` with a key for this address, and the files of certificates in its home. */
async function profileAt(baseUrl: string) {
  const home = freshHome()
  const authority = file(home, 'ca.pem', pem('authority'))
  const certificate = file(home, 'client.pem', shown)
  const key = file(home, 'client.key', pem('key'))
  chmodSync(key, 0o600)
  const settings = {
    default: 'acme',
    profiles: { acme: { baseUrl } },
    keys: { acme: { origin: new URL(baseUrl).origin, key: 'CANARYkey0000' } },
  }
  chmodSync(file(home, 'config.json', JSON.stringify(settings)), 0o600)
  const run = (argv: readonly string[], env: Record<string, string> = {}) =>
    payroll(['--json', ...argv], { home, env })
  const set = (...words: string[]) => run(['profiles', 'set', 'acme', ...words])
  const stored = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).profiles.acme
  return { home, run, set, stored, authority, certificate, key }
}

const list = calls.list.argv

describe('the certificate authority of a profile', () => {
  test('is trusted beside those of Node, once profiles set names it, and no longer once it is taken away', async () => {
    const { baseUrl, heard } = await secured()
    const { run, set, stored, authority } = await profileAt(baseUrl)
    const before = await run(list)
    expect([before.code, before.error().outcome]).toEqual([7, 'not-sent'])
    expect(before.error().hint).toContain('payroll profiles set acme --certificate-authority <file>')
    expect((await set('--certificate-authority', authority)).code).toBe(0)
    expect((await run(list)).code).toBe(0)
    expect(heard).toEqual(['nobody, CANARYkey0000'])
    expect(stored()).toEqual({ baseUrl, certificateAuthority: authority })
    for (const none of ['none', '']) {
      await set('--certificate-authority', authority)
      expect((await set('--certificate-authority', none)).code).toBe(0)
      expect([stored(), (await run(list)).code]).toEqual([{ baseUrl }, 7])
    }
  })

  test('that did not sign the certificate of the service is named in the error', async () => {
    const { baseUrl, heard } = await secured()
    const { run, set, certificate } = await profileAt(baseUrl)
    await set('--certificate-authority', certificate)
    const refused = await run(list)
    expect([refused.code, refused.error().outcome]).toEqual([7, 'not-sent'])
    expect(refused.error().hint).toBe(
      `It does not come from the authority in ${certificate} either. To name another: payroll profiles set acme --certificate-authority <file>`,
    )
    expect(heard).toEqual([])
  })

  test('may be one certificate in DER, as Windows exports it, or a list with one that is over', async () => {
    const { baseUrl } = await secured()
    const { home, run, set } = await profileAt(baseUrl)
    const der = Buffer.from(pem('authority').replace(/-----.*-----|\s/g, ''), 'base64')
    for (const content of [der, pem('expired') + pem('authority')]) {
      expect((await set('--certificate-authority', file(home, 'list', content))).code).toBe(0)
      expect((await run(list)).code).toBe(0)
    }
  })
})

describe('the client certificate of a profile', () => {
  test.each<[string, ServerOptions]>([
    ['TLS 1.3', {}],
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
  ])(
    'that a service requires (%s): without one nothing is sent, exit 2, with what to type',
    async (_, options) => {
      const { baseUrl, heard } = await secured({ ...closed, ...options })
      const { run, set, authority } = await profileAt(baseUrl)
      await set('--certificate-authority', authority)
      for (const name of ['list', 'post', 'createIreland', 'delete'] as const) {
        const refused = await run(calls[name].argv)
        expect([name, refused.code, refused.error().outcome]).toEqual([name, 2, 'not-sent'])
        expect(refused.error().message).toMatch(/require a client certificate|requires a client certificate/)
        expect(refused.error().hint).toBe(
          'To show it one: payroll profiles set acme --client-certificate <file> --client-key <file>',
        )
      }
      expect(heard).toEqual([])
    },
  )

  test('is shown to the service, whole paths are stored, and profiles show and list have them', async () => {
    const { baseUrl, heard } = await secured(closed)
    const { run, set, stored, authority, certificate, key } = await profileAt(baseUrl)
    const saved = await set(
      '--certificate-authority',
      authority,
      '--client-certificate',
      certificate,
      '--client-key',
      key,
    )
    expect([saved.code, saved.err]).toEqual([0, 'Saved the profile acme. It is the default profile.\n'])
    expect((await run(list)).code).toBe(0)
    expect(heard).toEqual(['Not a real company, CANARYkey0000'])
    const files = { certificateAuthority: authority, clientCertificate: certificate, clientKey: key }
    expect(stored()).toEqual({ baseUrl, ...files })
    expect((await run(['profiles', 'show'])).json()).toMatchObject(files)
    expect((await run(['profiles', 'list'])).json()).toContainEqual(expect.objectContaining(files))
    // Without its certificate the key goes too.
    await set('--client-certificate', 'none')
    expect(stored()).toEqual({ baseUrl, certificateAuthority: authority })
  })

  test('may have its key in the same file', async () => {
    const { baseUrl } = await secured(closed)
    const { home, run, set, authority } = await profileAt(baseUrl)
    const both = file(home, 'both.pem', shown + pem('key'))
    chmodSync(both, 0o600)
    expect((await set('--certificate-authority', authority, '--client-certificate', both)).code).toBe(0)
    expect((await run(list)).code).toBe(0)
  })

  test('with an encrypted key is opened by PAYROLL_CLIENT_KEY_PASSPHRASE, which nothing shows', async () => {
    const { baseUrl, heard } = await secured(closed)
    const { home, run, authority, certificate } = await profileAt(baseUrl)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const
    const foreign = file(home, 'foreign.key', privateKey.export(cipher))
    const { createPrivateKey } = await import('node:crypto')
    const encrypted = file(home, 'encrypted.key', createPrivateKey(pem('key')).export(cipher))
    for (const each of [foreign, encrypted]) chmodSync(each, 0o600)
    const words = ['profiles', 'set', 'acme', '--certificate-authority', authority]
    const withKey = (path: string) => [...words, '--client-certificate', certificate, '--client-key', path]
    const opened = { PAYROLL_CLIENT_KEY_PASSPHRASE: passphrase }
    const runs = [
      await run(withKey(encrypted)),
      await run(withKey(encrypted), { PAYROLL_CLIENT_KEY_PASSPHRASE: 'CANARYwrong' }),
      await run(withKey(foreign), opened),
      await run(withKey(encrypted), opened),
      await run(list),
      await run(['--debug', ...list], { ...opened, NODE_DEBUG: 'tls,https' }),
    ]
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 0, 2, 0])
    expect(runs[0]?.error().message).toBe(`The client key of acme (${encrypted}) has an encrypted key.`)
    expect(runs[0]?.error().hint).toContain('PAYROLL_CLIENT_KEY_PASSPHRASE')
    expect(runs[1]?.error().message).toContain('does not open')
    expect(runs[2]?.error().message).toContain('does not belong to the client certificate')
    expect(heard).toHaveLength(1)
    for (const { out, err } of runs) expect(out + err).not.toContain('CANARY')
  })

  test('follows its profile to another address, which is said', async () => {
    const { baseUrl } = await secured(closed)
    const { set, authority, certificate, key } = await profileAt(baseUrl)
    await set('--certificate-authority', authority, '--client-certificate', certificate, '--client-key', key)
    const moved = await set('--base-url', 'https://acme.example.com')
    expect([moved.code, moved.err]).toEqual([
      0,
      expect.stringContaining(
        `the client certificate of acme goes to https://acme.example.com from now on, and no longer to ${baseUrl}. To take it away: payroll profiles set acme --client-certificate none`,
      ),
    ])
  })

  test.skipIf(process.platform === 'win32')(
    'whose key others may read is stored, with a warning',
    async () => {
      const { set, certificate, key } = await profileAt('https://acme.example.com')
      chmodSync(key, 0o644)
      const saved = await set('--client-certificate', certificate, '--client-key', key)
      expect([saved.code, saved.err]).toEqual([0, expect.stringContaining(`chmod 600 '${key}'`)])
    },
  )
})

/** Files that cannot be used: what `profiles set` is typed with, and what the error says of them. */
const unusable: [string, (at: Awaited<ReturnType<typeof profileAt>>) => [string[], string]][] = [
  [
    'an authority that is not there',
    ({ home }) => [
      ['--certificate-authority', join(home, 'none.pem')],
      `The certificate authority of acme (${join(home, 'none.pem')}) is not there.`,
    ],
  ],
  [
    'an authority that is a folder',
    ({ home }) => [
      ['--certificate-authority', home],
      `The certificate authority of acme (${home}) is no file of certificates.`,
    ],
  ],
  [
    'an authority that is a key',
    ({ key }) => [
      ['--certificate-authority', key],
      `The certificate authority of acme (${key}) has no certificate in it (PEM).`,
    ],
  ],
  [
    'an authority that is cut short',
    ({ home }) => {
      const path = file(home, 'short.pem', pem('authority').replace(/.{200}\n-----END/s, '\n-----END'))
      return [
        ['--certificate-authority', path],
        `The certificate authority of acme (${path}) has a certificate that cannot be read.`,
      ]
    },
  ],
  [
    'an authority that is over',
    () => [
      ['--certificate-authority', fixture('expired')],
      `The certificate authority of acme (${fixture('expired')}) expired on 2020-01-02.`,
    ],
  ],
  [
    'a certificate that is over',
    ({ key }) => [
      ['--client-certificate', fixture('expired'), '--client-key', key],
      `The client certificate of acme (${fixture('expired')}) expired on 2020-01-02.`,
    ],
  ],
  [
    'a certificate in the form of Windows',
    ({ home, key }) => {
      const path = file(home, 'client.pfx', Buffer.from('3003020103', 'hex'))
      return [
        ['--client-certificate', path, '--client-key', key],
        `The client certificate of acme (${path}) is not PEM.`,
      ]
    },
  ],
  [
    'a certificate without its key',
    ({ certificate }) => [
      ['--client-certificate', certificate],
      `The client certificate of acme (${certificate}) has no private key in it.`,
    ],
  ],
  [
    'a key without its certificate',
    ({ key }) => [['--client-key', key], 'A client key needs its certificate, and acme has none.'],
  ],
  [
    'the key of another certificate',
    ({ home, certificate }) => {
      const path = file(home, 'other.key', otherKey)
      return [
        ['--client-certificate', certificate, '--client-key', path],
        `The client key of acme (${path}) does not belong to the client certificate (${certificate}).`,
      ]
    },
  ],
  [
    'a certificate for an address that is not https',
    ({ certificate, key }) => [
      ['--base-url', 'http://127.0.0.1:9', '--client-certificate', certificate, '--client-key', key],
      'http://127.0.0.1:9 is no https address, so the certificates of acme would have no effect.',
    ],
  ],
]

describe('certificates of a profile that cannot be used', () => {
  test.each(unusable)('%s: profiles set is exit 2, and nothing is stored', async (_, typed) => {
    const baseUrl = 'https://acme.example.com'
    const at = await profileAt(baseUrl)
    const [words, message] = typed(at)
    const refused = await at.set(...words)
    expect([refused.code, refused.error().message]).toEqual([2, message])
    expect(refused.error().hint).not.toBe('')
    expect(at.stored()).toEqual({ baseUrl })
  })

  test('a profile without an address has nothing to show a certificate to: exit 2', async () => {
    const { run, authority } = await profileAt('https://acme.example.com')
    const refused = await run(['profiles', 'set', 'other', '--certificate-authority', authority])
    expect([refused.code, refused.error().message]).toEqual([
      2,
      'Certificates are for the address of a profile, and other has none yet.',
    ])
  })

  test.each<[string, 'authority' | 'certificate' | 'key', string | undefined, string]>([
    ['authority is gone', 'authority', undefined, 'is not there'],
    ['certificate is over', 'certificate', 'expired', 'expired on 2020-01-02'],
    ['certificate was renewed without its key', 'key', 'authority', 'has no private key in it (PEM)'],
  ])('since they were set, as where its %s: exit 2, nothing sent', async (_, which, other, says) => {
    const { baseUrl, heard } = await secured(closed)
    const at = await profileAt(baseUrl)
    const { authority, certificate, key } = at
    await at.set(
      '--certificate-authority',
      authority,
      '--client-certificate',
      certificate,
      '--client-key',
      key,
    )
    if (other === undefined) rmSync(at[which])
    else copyFileSync(fixture(other), at[which])
    for (const name of ['list', 'post'] as const) {
      const refused = await at.run(calls[name].argv)
      expect([refused.code, refused.error().outcome]).toEqual([2, 'not-sent'])
      expect(refused.error().message).toContain(`of acme (${at[which]}) ${says}.`)
      expect(refused.error().hint).toContain('payroll profiles set acme --')
    }
    expect(heard).toEqual([])
  })
})
