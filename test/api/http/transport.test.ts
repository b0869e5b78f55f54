import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ConnectionLost } from '../../../src/api/http/attempt.ts'
import { createTransport } from '../../../src/api/http/transport.ts'
import { service } from '../../service.ts'
import { listening } from './ports.ts'

const asked = async (origin: string, url: string, init?: ConstructorParameters<typeof Request>[1]) =>
  createTransport(origin)(new Request(url, init)).catch((error: unknown) => error)

describe('the transport', () => {
  test('asks nobody but the origin it was made for', async () => {
    const { baseUrl, received } = await service((_, response) => response.end())
    const { port } = new URL(baseUrl)
    const others = [
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.2:${port}`,
      'http://127.0.0.1',
      'http://127.0.0.1.example.com',
      `http://127.0.0.1.:${port}x.example.com`,
    ].filter((url) => URL.canParse(url))
    expect(others.length).toBeGreaterThan(4)
    for (const origin of others) {
      const headers = { authorization: 'CANARYkey0000' }
      for (const lost of [
        await asked(baseUrl, `${origin}/svc/candidates`, { headers }),
        await asked(new URL(origin).origin, `${baseUrl}/svc/candidates`, { headers }),
      ]) {
        expect(lost).toBeInstanceOf(ConnectionLost)
        expect(lost).toMatchObject({ reason: 'wrong-origin', sent: false })
      }
    }
    expect(received).toEqual([])
  })

  test('sends a write on a new connection once the service has closed one that was idle', async () => {
    const ports: (number | undefined)[] = []
    const server = createServer((request, response) => {
      const port = request.socket.remotePort
      // The second request of a connection meets a service that is just closing it.
      if (ports.includes(port)) return void request.socket.resetAndDestroy()
      ports.push(port)
      request.resume().on('end', () => response.end())
    })
    const origin = `http://127.0.0.1:${await listening(server)}`
    const send = createTransport(origin)
    const write = () =>
      send(new Request(`${origin}/svc/candidates`, { method: 'POST', body: '{}' })).then(
        ({ status }) => status,
        ({ reason }) => reason,
      )
    const ends: unknown[] = []
    for (let at = 0; at < 6; at++) ends.push(await write())
    expect(ends).toEqual([200, 'reset', 200, 200, 200, 200])
    server.close()
  })

  test('takes an answer that comes before its request was read', async () => {
    for (const connection of ['keep-alive', 'close']) {
      const server = createServer((_, response) => response.writeHead(413, { connection }).end('no'))
      const origin = `http://127.0.0.1:${await listening(server)}`
      const response = await asked(origin, `${origin}/`, { method: 'POST', body: 'x'.repeat(12_000_000) })
      expect(response).toMatchObject({ status: 413 })
    }
  })
})
