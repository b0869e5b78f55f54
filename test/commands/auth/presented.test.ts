import { describe, expect, test } from 'vitest'
import { asTyped, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerJson, type Received, service } from '../../service.ts'

const key = 'CANARYkey0000'
const list = ['payment-rates', 'list']
const create = ['payment-rates', 'create', '--file', '-']
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
  /** A profile that presents its key so. */
  const setUp = async (form: string) => {
    await run(asTyped`profiles set acme --base-url ${found.baseUrl} --authorization ${form}`)
    return run(['auth', 'login', '--profile', 'acme'], {}, key)
  }
  return { ...found, run, setUp }
}

describe.each<[string, string, (headers: Received['headers']) => boolean]>([
  ['Bearer {token}', 'Authorization', ({ authorization }) => authorization === `Bearer ${key}`],
  [
    'X-Api-Key: {token}',
    'X-Api-Key',
    ({ 'x-api-key': given, authorization }) => given === key && authorization === undefined,
  ],
])('a service that wants %s', (form, header, isRight) => {
  test('is served from a profile: login, list and create', async () => {
    const { run, setUp } = await wanting(isRight)
    expect(await setUp(form)).toMatchObject(endedWith(0, 'The service accepts it.'))
    const listed = await run([...list, '--json'])
    expect([listed.code, listed.json()]).toEqual([0, [{ id: 'r-1' }]])
    const created = await run(create, {}, rate)
    expect([created.code, created.json()]).toMatchObject([0, { id: 'r-1' }])
    expect((await run(['profiles', 'show'])).json()).toMatchObject({ authorization: form })
  })

  test('is served from the environment alone, and a dry run names its header and not the key', async () => {
    const { run, env, received } = await wanting(isRight)
    const all = { ...env, PAYROLL_AUTHORIZATION: form }
    const dry = await run([...create, '--dry-run'], all, rate)
    expect(dry.json().headers[header]).toBe('[redacted]')
    expect([dry.out.includes('CANARY'), received.length]).toEqual([false, 0])
    expect((await run(list, all)).code).toBe(0)
    expect((await run(list, env)).code).toBe(4)
  })

  test('shows neither the key nor the value of the header where the service repeats them', async () => {
    const { run, env } = await wanting(() => false)
    for (const flags of [[], ['--json'], ['--debug']]) {
      const refused = await run([...list, ...flags], { ...env, PAYROLL_AUTHORIZATION: form })
      expect(refused).toMatchObject(endedWith(4, 'not a key'))
      expect(refused.out + refused.err).not.toContain('CANARY')
    }
  })
})

test('a profile that is named goes before PAYROLL_AUTHORIZATION, and the default after it', async () => {
  const { run, setUp, received } = await wanting(() => true)
  await setUp('Bearer {token}')
  const env = { PAYROLL_AUTHORIZATION: 'Key {token}' }
  await run(list, env)
  await run([...list, '--profile', 'acme'], env)
  const sent = received.slice(-2).map(({ headers }) => headers.authorization)
  expect(sent).toEqual([`Key ${key}`, `Bearer ${key}`])
})

test.each([
  [['profiles', 'set', 'acme', '--authorization', `Bearer ${key}`], {}],
  [['vat-codes', 'list'], { PAYROLL_AUTHORIZATION: `Bearer ${key}` }],
])('a form without {token} is exit 2, and is not repeated: %j', async (argv, env) => {
  const { run, env: place, received } = await wanting(() => true)
  const refused = await run(argv, { ...place, ...env })
  expect(refused).toMatchObject(endedWith(2, '{token} exactly once'))
  expect(refused.out + refused.err).not.toContain('CANARY')
  expect(received).toEqual([])
})

describe('a service that names in its 401 the word that it wants before a key', () => {
  const seems = 'The service seems to want the word Bearer before a key. To send it so: '
  const asking = (challenge: string) =>
    service(({ headers }, response) => {
      const isRight = headers.authorization === `Bearer ${key}`
      response.setHeader('WWW-Authenticate', challenge)
      answerJson(response, isRight ? 200 : 401, { data: [], totalDocs: 0 })
    })

  test('is answered with what to type, from the sign-in on, until that is typed', async () => {
    const { baseUrl, env } = await asking('Bearer realm="x"')
    const home = freshHome()
    const run = (words: string, input = '') => payroll(words.split(' '), { home, input })
    await run(`profiles set acme --base-url ${baseUrl}`)
    const command = 'payroll profiles set acme --authorization "Bearer {token}"'
    const { code, err } = await run('auth login --profile acme', key)
    expect([code, err]).toEqual([4, expect.stringContaining(`${seems}${command}. A key that was stored`)])
    await payroll(['profiles', 'set', 'acme', '--authorization', 'Bearer {token}'], { home })
    expect((await run('auth login --profile acme', key)).code).toBe(0)
    const refused = await run('auth login --profile acme', 'CANARYkey1111')
    expect(refused).toMatchObject(endedWith(4, 'Check the key and the address'))
    expect(refused.err).not.toContain(seems)
    const given = await payroll(list, { env })
    expect(given).toMatchObject(
      endedWith(4, `${seems}set PAYROLL_AUTHORIZATION to "Bearer {token}". The key is`),
    )
  })

  test.each(['Negotiate', 'Bearer error="invalid_token"', ''])(
    'and not where it says %j',
    async (challenge) => {
      const { env } = await asking(challenge)
      expect((await payroll(list, { env })).err).not.toContain('seems to want')
    },
  )
})
