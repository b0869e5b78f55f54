// @module-tag process

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { run } from '../../process/built.ts'
import { calls } from '../http-cases.ts'
import { environmentOf, listening } from './ports.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
const pem = (name: string) => readFileSync(fixture(name))
const trusting = { NODE_EXTRA_CA_CERTS: fixture('authority') }

/** An https service with one of the certificates; `heard` is every request that came through. */
async function secured(certificate: string) {
  const heard: string[] = []
  const server = createServer({ key: pem('key'), cert: pem(certificate) }, (request, response) => {
    heard.push(request.headers.authorization ?? '')
    response.end('{"data":[],"totalDocs":0}')
  })
  server.on('tlsClientError', () => {})
  return { env: environmentOf(`https://localhost:${await listening(server)}`), heard }
}

describe('a certificate', () => {
  test.each([
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['localhost', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['expired', 'CERT_HAS_EXPIRED', 'Tell the people who run it what stands in brackets'],
  ])('that nobody vouches for (%s) gets neither key nor data', async (certificate, reason, remedy) => {
    for (const name of ['list', 'post', 'createIreland', 'delete'] as const) {
      const { env, heard } = await secured(certificate)
      const run = await payroll(['--json', ...calls[name].argv], { env })
      // It is not good by itself the next time.
      expect(run.error()).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'not-sent', retryable: false })
      const end = `its certificate is not trusted (${reason}).${name === 'list' ? '' : ' Nothing was sent.'}`
      expect(run.error().message.slice(-end.length)).toBe(end)
      expect(run.error().hint).toContain(remedy)
      expect(run.err).not.toMatch(/insecure|REJECT_UNAUTHORIZED/i)
      expect(heard).toEqual([])
    }
  })

  test('that this computer may trust is trusted with NODE_USE_SYSTEM_CA=1, which is said where Node has it', async () => {
    const { env } = await secured('localhost')
    const enough = 'If a browser on this computer opens that address, NODE_USE_SYSTEM_CA=1 is enough.'
    const hint = async (node: string, more: Record<string, string> = {}) =>
      (await payroll(['--json', ...calls.list.argv], { env: { ...env, ...more }, node })).error().hint
    for (const node of ['22.19.0', '24.6.1', '25.0.0']) expect(await hint(node)).toContain(enough)
    for (const node of ['20.20.2', '22.18.0', '23.11.0', '24.5.0'])
      expect(await hint(node)).not.toContain(enough)
    expect(await hint('24.6.0', { NODE_USE_SYSTEM_CA: '1' })).not.toContain(enough)
  })

  test('of an authority of your own is trusted when NODE_EXTRA_CA_CERTS names it', async () => {
    const { env, heard } = await secured('localhost')
    const ended = await run(['--quiet', ...calls.list.argv], { env: { ...env, ...trusting } })
    expect([ended.code, ended.out, ended.err]).toEqual([0, '[]\n', ''])
    expect(heard).toEqual(['CANARYkey0000'])
  })

  test.each([
    ['expired', 'CERT_HAS_EXPIRED'],
    ['another-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('of a trusted authority that is %s is refused anyway', async (certificate, reason) => {
    const { env, heard } = await secured(certificate)
    const ended = await run(['--json', ...calls.post.argv], { env: { ...env, ...trusting } })
    for (const text of [reason, 'Tell the people who run it', 'Nothing was sent.'])
      expect(ended.err).toContain(text)
    expect([ended.code, heard]).toEqual([2, []])
  })
})

test('a handshake that fails may pass the next time', async () => {
  const tooOld = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const server = createServer({ key: pem('key'), cert: pem('localhost'), ...tooOld })
  server.on('tlsClientError', () => {})
  const env = environmentOf(`https://localhost:${await listening(server)}`)
  const ended = await payroll(['--json', ...calls.list.argv], { env })
  expect(ended.error()).toMatchObject({ exitCode: 7, retryable: true, outcome: 'not-sent' })
})

describe('the certificates of a profile', () => {
  /** Two services of one authority that ask who comes, and a profile for the first that has certificates. */
  async function acme(certificateAuthority: string) {
    const shown: string[] = []
    const options = { key: pem('key'), cert: pem('localhost'), requestCert: true, rejectUnauthorized: false }
    const open = async (name: string) => {
      const server = createServer(options, ({ socket }, response) => {
        const { subject } = (socket as TLSSocket).getPeerCertificate()
        shown.push(`${name}: ${subject?.CN ?? 'nobody'}`)
        response.end('{"data":[],"totalDocs":0}')
      })
      return `https://localhost:${await listening(server)}`
    }
    const [here, elsewhere] = [await open('here'), await open('elsewhere')]
    const home = freshHome()
    const client = { clientCertificate: fixture('self-signed'), clientKey: fixture('key') }
    const settings = {
      default: 'acme',
      profiles: { acme: { baseUrl: here, certificateAuthority, ...client } },
      keys: { acme: { origin: elsewhere, key: 'CANARYkey0000' } },
    }
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 })
    const list = (more: Record<string, string>) =>
      run(['--quiet', ...calls.list.argv], { env: { PAYROLL_CONFIG_DIR: home, ...trusting, ...more } })
    return { here, elsewhere, shown, list }
  }

  test('its authority is trusted beside the one in NODE_EXTRA_CA_CERTS', async () => {
    const { here, shown, list } = await acme(fixture('self-signed'))
    const env = { PAYROLL_PROFILE: 'acme', PAYROLL_BASE_URL: here, PAYROLL_API_KEY: 'CANARYkey0000' }
    expect(await list(env)).toMatchObject({ code: 0, err: '' })
    expect(shown).toEqual(['here: localhost'])
  })

  test('its client certificate is shown to its own address alone, also where its key is for another', async () => {
    const { elsewhere, shown, list } = await acme(fixture('authority'))
    expect(await list({ PAYROLL_BASE_URL: elsewhere })).toMatchObject({ code: 0, err: '' })
    expect(shown).toEqual(['elsewhere: nobody'])
  })
})
