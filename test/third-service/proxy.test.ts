// @module-tag process

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createProxy } from 'node:http'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listening } from '../api/http/ports.ts'
import { freshHome } from '../payroll.ts'
import { run } from '../process/built.ts'
import { everyOperation, operationOf } from './every-operation.ts'
import { thirdService } from './service.ts'

const host = 'payroll.example.com'
const openssl = (folder: string, ...words: readonly string[]) =>
  spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' })
const hasOpenssl = openssl('.', 'version').status === 0

/** An authority of its own, and a certificate of the service that it signed; their files are in the folder. */
function makeAuthority(folder: string): void {
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}\n`)
  const newKey = ['-newkey', 'rsa:2048', '-nodes']
  const made = [
    openssl(
      folder,
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Example CA',
    ),
    openssl(folder, 'req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', `/CN=${host}`),
    openssl(
      ...([folder, 'x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key'] as const),
      ...(['-CAcreateserial', '-out', 'cert.pem', '-extfile', 'names', '-days', '2'] as const),
    ),
  ]
  expect(made.map(({ status }) => status)).toEqual([0, 0, 0])
}

/** A third service behind a proxy, with a certificate of an authority that only the profile knows. */
async function behindProxy() {
  const home = freshHome()
  makeAuthority(home)
  const read = (name: string) => readFileSync(join(home, name))
  const third = thirdService({ people: 8, busyEvery: 1_000_000 })
  const heard: string[] = []
  const server = createServer({ key: read('key.pem'), cert: read('cert.pem') }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      heard.push(operationOf(method, new URL(url, 'http://x').pathname) ?? `${method} ${url}`)
      const { status, value } = third.answer({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    })
  })
  server.on('tlsClientError', () => {})
  const port = await listening(server)
  const tunnels: string[] = []
  const proxy = createProxy()
  proxy.on('connect', (request, socket, head) => {
    tunnels.push(request.url ?? '')
    socket.on('error', () => {})
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.write(head)
      there.pipe(socket).pipe(there)
    })
    there.on('error', () => socket.destroy())
  })
  const env = {
    PAYROLL_CONFIG_DIR: join(home, 'settings'),
    HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}`,
  }
  const payroll = (words: readonly string[], input?: string) =>
    run(words, { home, env, ...(input !== undefined && { input }) })
  return { ...third, home, heard, tunnels, payroll }
}

test.skipIf(!hasOpenssl)(
  'every operation of a third service goes through a proxy, to a certificate that only the profile trusts (skipped without openssl)',
  async () => {
    const { home, heard, tunnels, payroll, documents } = await behindProxy()
    documents.set('old-1', new Map([['doc-1', { id: 'doc-1', name: 'a.txt', content: 'eA==' }]]))
    const done = async (words: readonly string[], input?: string) => {
      const ended = await payroll([...words, '--yes'], input)
      expect(ended.code, ended.err).toBe(0)
    }
    await done(['profiles', 'set', 'acme', '--base-url', `https://${host}`, '--empty-fields', 'left-out'])
    await done(['auth', 'login', '--profile', 'acme', '--with-token'], 'CANARYkey0000\n')
    const untrusted = await payroll(['--profile', 'acme', 'vat-codes', 'list', '--json'])
    const refused = { outcome: 'not-sent', retryable: false }
    expect([untrusted.code, JSON.parse(untrusted.err).error, heard]).toMatchObject([2, refused, []])
    await done(['profiles', 'set', 'acme', '--certificate-authority', join(home, 'ca.pem')])

    const known = { uk: 'old-1', ireland: 'alt-1', rate: 'rate-1', vat: 'vat-1', sheet: 'sheet-1' }
    for (const { operation, words, input } of everyOperation({
      ...known,
      document: 'doc-1',
      person: 'old-1',
    })) {
      heard.length = 0
      const ended = await payroll(['--profile', 'acme', ...words], input)
      expect([ended.code, heard], `${operation}: ${ended.err}`).toEqual([
        0,
        expect.arrayContaining([operation]),
      ])
    }
    expect(new Set(tunnels)).toEqual(new Set([`${host}:443`]))
  },
)
