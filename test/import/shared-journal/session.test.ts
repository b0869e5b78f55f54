import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { freePort } from './postgres.ts'

/** Answers the start of a connection with this request for a password, and notes what comes then. */
async function asking(request: Buffer) {
  const received: Buffer[] = []
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.on('data', (chunk) => received.push(chunk))
      socket.write(request)
    })
    socket.on('error', () => {})
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return { port, received: () => Buffer.concat(received).toString('latin1') }
}

test.each([
  ['in clear', Buffer.from('5200000008' + '00000003', 'hex')],
  ['as MD5', Buffer.from('520000000c' + '00000005' + '01020304', 'hex')],
])(
  'a shared journal on this computer without TLS that asks for the password %s does not get it: exit 2',
  async (_, request) => {
    const { port, received } = await asking(request)
    const env = {
      PAYROLL_JOURNAL: `postgres://payroll@127.0.0.1:${port}/payroll`,
      PGPASSWORD: 'CANARYpassword',
    }
    const refused = await payroll(['journal', 'status', '--json'], { env })
    expect([refused.code, refused.error().message]).toEqual([
      2,
      `The shared journal (127.0.0.1:${port}/payroll) asks for the password itself, which is not sent without TLS.`,
    ])
    expect(received()).not.toMatch(/CANARY|md5/)
  },
)
