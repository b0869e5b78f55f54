import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the service received it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * A real server on 127.0.0.1 that answers as the test says, for what the sandbox cannot do. Stopped after the test.
 */
export async function service(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<{ baseUrl: string; received: Received[]; env: Record<string, string> }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const whole = { method, url, headers, body: Buffer.concat(chunks).toString() }
      received.push(whole)
      answer(whole, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseUrl, received, env: { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'CANARYkey0000' } }
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A server that answers every request with this. */
export const answering = (status: number, body: unknown) =>
  service((_, response) => answerJson(response, status, body))
