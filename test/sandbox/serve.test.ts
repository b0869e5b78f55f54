import { request as httpRequest } from 'node:http'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inProcessFetch } from '../../src/context/create-client.ts'
import { Failure } from '../../src/errors.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { serveSandbox } from '../../src/sandbox/serve.ts'
import { everyField } from '../every-field.ts'
import { freshSandbox, read } from './fresh-sandbox.ts'

async function servedSandbox() {
  const sandbox = await freshSandbox()
  const served = await serveSandbox({ app: sandbox.app, port: 0 })
  onTestFinished(served.close)
  return { ...sandbox, ...served, port: Number(new URL(served.baseUrl).port) }
}

/** Noted before any sandbox is served. */
const programsOwn = { Request: globalThis.Request, Response: globalThis.Response }

const authorization = { authorization: sandboxKey }
const json = { ...authorization, 'content-type': 'application/json' }

/** By node:http, which lets any header be sent: the built-in fetch keeps Host and Origin to itself. */
function get(port: number, headers: Record<string, string>, method = 'GET') {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/svc/vat-code',
    method,
    headers: { ...authorization, ...headers },
  }
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const request = httpRequest(options, async (response) => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: await text(response) })
      })
      request.on('error', reject).end()
    },
  )
}

describe('the served sandbox', () => {
  test('answers over the loopback as it does in process', async () => {
    const { baseUrl, app } = await servedSandbox()
    const body = JSON.stringify(everyField('ireland'))
    const posted = await fetch(`${baseUrl}/svc/candidates/ireland`, { method: 'POST', headers: json, body })
    const created = await read(posted)
    expect(created.status).toBe(201)
    const { id } = created.json.data.candidate
    const inProcess = new Request(`http://sandbox/svc/candidates/ireland/${id}`, { headers: authorization })
    const response = await inProcessFetch((request) => app.fetch(request))(inProcess)
    expect(await response.json()).toStrictEqual(created.json)
  })

  test('creates a UK candidate with 201, no body and no content type on the wire', async () => {
    const { baseUrl } = await servedSandbox()
    const response = await fetch(`${baseUrl}/svc/candidates`, { method: 'POST', headers: json, body: '{}' })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test('listens on 127.0.0.1 and nowhere else', async () => {
    const { port, baseUrl } = await servedSandbox()
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`)
    const reached = (host: string) =>
      new Promise((resolve) => {
        const socket = connect({ host, port })
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
        socket.on('connect', () => socket.destroy())
      })
    expect(await reached('127.0.0.1')).toBe(true)
    expect(await reached('127.0.0.2')).toBe(false)
  })

  test('is gone after close, open connections and all', async () => {
    const { app } = await freshSandbox()
    const { baseUrl, close } = await serveSandbox({ app, port: 0 })
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
    await new Promise((resolve) => socket.on('connect', resolve))
    const cut = new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
    await close()
    await cut
    await expect(fetch(`${baseUrl}/svc/vat-code`, { headers: authorization })).rejects.toThrow()
  })

  test('says what to do when the port is in use', async () => {
    const { app } = await freshSandbox()
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void holder.close())
    const { port } = holder.address() as { port: number }
    const failure = await serveSandbox({ app, port }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ code: 'usage', message: `Port ${port} of 127.0.0.1 is in use.` })
    expect((failure as Failure).details.hint).toMatch(/another port/)
    // There is no such port at all.
    await expect(serveSandbox({ app, port: 70_000 })).rejects.toMatchObject({ code: 'usage' })
  })

  test("leaves the program's own Request and Response alone", async () => {
    await servedSandbox()
    expect(globalThis.Request).toBe(programsOwn.Request)
    expect(globalThis.Response).toBe(programsOwn.Response)
  })
})

describe('the guard of the door', () => {
  test('answers 403 to another Host, as a rebound name would send it', async () => {
    const { port } = await servedSandbox()
    const others = [
      'evil.test',
      `evil.test:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      'localhost.evil.test',
    ]
    for (const host of others) {
      const { status, body } = await get(port, { host })
      expect([host, status]).toEqual([host, 403])
      expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'FORBIDDEN' } })
    }
  })

  test('answers to its own names', async () => {
    const { port } = await servedSandbox()
    for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
      expect([name, (await get(port, { host: `${name}:${port}` })).status]).toEqual([name, 200])
    }
  })

  test('answers 403 to a foreign Origin, even with the key', async () => {
    const { port } = await servedSandbox()
    const others = ['https://evil.test', 'null', `http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`]
    for (const origin of others) expect([origin, (await get(port, { origin })).status]).toEqual([origin, 403])
    expect((await get(port, { origin: `http://localhost:${port}` })).status).toBe(200)
  })

  test('answers 403 to what a page of another site asks for', async () => {
    const { port } = await servedSandbox()
    expect((await get(port, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await get(port, { 'sec-fetch-site': 'none' })).status).toBe(200)
    expect((await get(port, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('lets no page read its answers: there is no header of CORS, not even to a preflight', async () => {
    const { port } = await servedSandbox()
    const own = { origin: `http://127.0.0.1:${port}` }
    const answers = [
      await get(port, own),
      await get(port, { ...own, 'access-control-request-method': 'GET' }, 'OPTIONS'),
    ]
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })
})
