import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The environment variables that choose a service. */
export function environmentOf(baseUrl: string): Record<string, string> {
  return { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'CANARYkey0000' }
}

/** Listens on 127.0.0.1 until the test ends. Returns the port. */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
