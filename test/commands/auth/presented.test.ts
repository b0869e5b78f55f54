import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, type Received, service } from '../../service.ts'

const key = 'CANARYkey0000'
const rate = JSON.stringify({ code: 'NIGHT', description: 'Night shift' })

/** A service that takes the key only as it says, and quotes what it does not take. */
async function wanting(isRight: (headers: Received['headers']) => boolean) {
  const found = await service(({ method, headers }, response) => {
    if (!isRight(headers)) {
      const { authorization, 'x-api-key': other } = headers
      return answerJson(response, 401, { message: `not a key: ${authorization} ${other}` })
    }
    if (method === 'POST') return answerJson(response, 201, { data: { id: 'r-1' }, success: true })
    answerJson(response, 200, { data: [{ id: 'r-1' }], totalDocs: 1 })
  })
  const home = freshHome()
  const run = (argv: readonly string[], env: Record<string, string> = {}, input = '') =>
    payroll(argv, { home, env, input })
  return { ...found, run }
}

describe.each([
  {
    form: 'Bearer {token}',
    isRight: ({ authorization }: Received['headers']) => authorization === `Bearer ${key}`,
  },
  {
    form: 'X-Api-Key: {token}',
    isRight: (headers: Received['headers']) =>
      headers['x-api-key'] === key && headers.authorization === undefined,
  },
])('a service that wants $form', ({ form, isRight }) => {
  test('is served from a profile: login, list and create', async () => {
    const { run, baseUrl } = await wanting(isRight)
    await run(['profiles', 'set', 'acme', '--base-url', baseUrl, '--authorization', form])
    const login = await run(['auth', 'login', '--profile', 'acme'], {}, key)
    expect([login.code, login.err]).toEqual([0, expect.stringContaining('The service accepts it.')])
    const list = await run(['payment-rates', 'list', '--json'])
    expect([list.code, list.json()]).toEqual([0, [{ id: 'r-1' }]])
    const create = await run(['payment-rates', 'create', '--file', '-'], {}, rate)
    expect([create.code, create.json()]).toEqual([0, expect.objectContaining({ id: 'r-1' })])
    expect((await run(['profiles', 'show'])).json()).toMatchObject({ authorization: form })
  })

  test('is served from the environment alone', async () => {
    const { run, env } = await wanting(isRight)
    const all = { ...env, PAYROLL_AUTHORIZATION: form }
    expect((await run(['payment-rates', 'list'], all)).code).toBe(0)
    expect((await run(['payment-rates', 'list'], env)).code).toBe(4)
  })

  test('names its header in a dry run, and not the key', async () => {
    const { run, env, received } = await wanting(isRight)
    const dry = await run(
      ['payment-rates', 'create', '--file', '-', '--dry-run'],
      { ...env, PAYROLL_AUTHORIZATION: form },
      rate,
    )
    const header = form.startsWith('X-') ? 'X-Api-Key' : 'Authorization'
    expect(dry.json().headers[header]).toBe('[redacted]')
    expect([dry.out.includes('CANARY'), received.length]).toEqual([false, 0])
  })

  test('shows neither the key nor the value of the header where the service repeats them', async () => {
    const { run, env } = await wanting(() => false)
    for (const flags of [[], ['--json'], ['--debug']]) {
      const refused = await run(['payment-rates', 'list', ...flags], { ...env, PAYROLL_AUTHORIZATION: form })
      expect(refused.code).toBe(4)
      expect(refused.err).toContain('not a key')
      expect(refused.out + refused.err).not.toContain('CANARY')
    }
  })
})

test('a profile that is named goes before PAYROLL_AUTHORIZATION, and the default after it', async () => {
  const { run, baseUrl, received } = await wanting(() => true)
  await run(['profiles', 'set', 'acme', '--base-url', baseUrl, '--authorization', 'Bearer {token}'])
  await run(['auth', 'login', '--profile', 'acme'], {}, key)
  const env = { PAYROLL_AUTHORIZATION: 'Key {token}' }
  await run(['payment-rates', 'list'], env)
  await run(['payment-rates', 'list', '--profile', 'acme'], env)
  expect(received.slice(-2).map(({ headers }) => headers.authorization)).toEqual([
    `Key ${key}`,
    `Bearer ${key}`,
  ])
})

test.each([
  [['profiles', 'set', 'acme', '--authorization', `Bearer ${key}`], {}],
  [['vat-codes', 'list'], { PAYROLL_AUTHORIZATION: `Bearer ${key}` }],
])('a form without {token} is exit 2, and is not repeated: %j', async (argv, env) => {
  const { run, env: place, received } = await wanting(() => true)
  const refused = await run(argv, { ...place, ...env })
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('{token} exactly once')])
  expect(refused.out + refused.err).not.toContain('CANARY')
  expect(received).toEqual([])
})
