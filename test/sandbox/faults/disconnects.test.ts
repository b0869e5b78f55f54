import { connect } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { type Faulty, faulty } from './faulty-sandbox.ts'

const rate = JSON.stringify({ code: 'MADE' })
const head = (line: string, length: number) =>
  `${line} HTTP/1.1\r\nAuthorization: ${sandboxKey}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${length}\r\nHost: <host>\r\n\r\n`

/** Says a piece of a request, and leaves: in good order or not, at once or after the first bytes of an answer. */
function leave(
  { baseUrl }: Faulty,
  piece: string,
  how: 'closes' | 'resets',
  when: 'at once' | 'in the answer' = 'at once',
): Promise<void> {
  const { port, host } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    const gone = () => (how === 'closes' ? socket.destroy() : socket.resetAndDestroy())
    socket.on('error', () => {}).on('close', () => resolve())
    socket.write(piece.replace('<host>', host), () => {
      if (when === 'at once') setTimeout(gone, 20)
    })
    socket.on('data', gone)
  })
}

/** What a server writes of its own accord gets between the answers of the command. */
function silence() {
  const said = (['log', 'info', 'warn', 'error'] as const).map((each) =>
    vi.spyOn(console, each).mockImplementation(() => {}),
  )
  return () => expect(said.flatMap((spy) => spy.mock.calls)).toEqual([])
}

afterEach(() => void vi.restoreAllMocks())

const codes = ({ database }: Faulty) => database.tables.paymentRates.all('').map(({ body }) => body.code)

describe.each(['closes', 'resets'] as const)('a client that %s', (how) => {
  test.each([
    ['no fault', []],
    ['stall-before-headers', ['stall-before-headers']],
  ])('a client that is gone in the middle of its request has nothing done: %s', async (_, specs) => {
    const isSilent = silence()
    const served = await faulty(...specs)
    await leave(served, head('POST /svc/payment-rate', rate.length + 10) + rate, how)
    const { send } = served
    await send({ method: 'GET', path: '/svc/nowhere' })
    expect(codes(served)).toEqual([])
    isSilent()
  })

  test('a client that is gone in the middle of an answer leaves the sandbox well', async () => {
    const isSilent = silence()
    const served = await faulty()
    served.database.tables.paymentRates.insert('', { code: 'THERE' }, 0)
    for (const _ of [1, 2, 3]) {
      await leave(served, head('GET /svc/payment-rate?size=45', 0), how, 'in the answer')
    }
    expect((await served.send({ method: 'GET', path: '/svc/nowhere' })).status).toBe(404)
    isSilent()
  })
})

test('a sandbox with open stalls closes at once', async () => {
  const { send, close } = await faulty('stall-before-headers')
  const stalled = send({ method: 'GET', path: '/svc/vat-code' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await close()
  expect((await stalled).status).toBe(0)
})

test('fifty writes at once meet one fault each, and each is done or not as it says', async () => {
  const served = await faulty('reset-after-commit=every:5', 'status=503=every:4', 'html=every:3')
  const met = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      served.send({ method: 'POST', path: '/svc/payment-rate', body: { code: String(n) } }),
    ),
  )
  const told = met.map(({ end, status }) => (end === 'reset' ? 'reset' : status))
  const applied = told.flatMap((each, n) => (each === 'reset' || each === 201 ? [String(n)] : []))
  expect(new Set(told)).toEqual(new Set(['reset', 201, 503, 200]))
  expect(codes(served).sort()).toEqual(applied.sort())
})
