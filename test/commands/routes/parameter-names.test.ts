import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'

const names = ['--parameter', 'code=authCode', '--parameter', 'client_id=appId']

async function place() {
  const home = freshHome()
  const { baseUrl, received } = await answering(200, {
    access_token: 'CANARYaccess-1',
    url: 'https://login.example.com/',
  })
  const run = (argv: readonly string[], input = '') => payroll(argv, { home, input })
  await run(['profiles', 'set', 'acme', '--base-url', baseUrl])
  await run(['auth', 'login', '--profile', 'acme'], 'CANARYkey0000')
  received.length = 0
  const stored = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).profiles.acme.routes
  return { home, run, received, stored }
}

describe('the names of the parameters of a token request', () => {
  test('are data: other names, and JSON in place of a form', async () => {
    const { run, received } = await place()
    const set = await run(['routes', 'set', 'auth.token', 'POST /svc/tokens', ...names, '--body-as', 'json'])
    expect([set.code, set.err]).toEqual([0, expect.stringContaining('code as authCode')])
    expect((await run(['auth', 'token', '--client-id', 'app'], 'the-code')).code).toBe(0)
    const [{ url, headers, body }] = received as [(typeof received)[number]]
    expect([url, headers['content-type']]).toEqual(['/svc/tokens', 'application/json'])
    expect(JSON.parse(body)).toEqual({ grant_type: 'authorization_code', authCode: 'the-code', appId: 'app' })
  })

  test('are data for the address of the consent page too', async () => {
    const { run, received } = await place()
    const argv = ['routes', 'set', 'auth.connectUrl', 'GET /svc/connect', '--parameter', 'client_id=appId']
    expect((await run(argv)).code).toBe(0)
    await run(['auth', 'connect-url', '--client-id', 'app'])
    expect(received[0]?.url).toMatch(/^\/svc\/connect\?appId=app&state=/)
  })

  test('are handed on with the routes, and undone with them', async () => {
    const { run, stored } = await place()
    await run(['routes', 'set', 'auth.token', 'POST /svc/tokens', ...names])
    const before = stored()
    const exported = await run(['routes', 'export'])
    await run(['routes', 'reset', 'auth.token'])
    expect(stored()).toEqual({})
    expect((await run(['routes', 'import', '--yes'], exported.out)).code).toBe(0)
    expect(stored()).toEqual(before)
  })

  test.each([
    [['auth.token', 'POST /svc/t', '--parameter', 'nothing=x'], 'has no such parameter'],
    [['auth.token', 'POST /svc/t', '--parameter', 'code'], 'expected --parameter'],
    [['auth.token', 'POST /svc/t', '--parameter', 'code=client_id'], 'the same name'],
    [['auth.token', 'POST /svc/t', '--parameter', 'code=__proto__'], 'letters, digits'],
    [['auth.token', 'GET /svc/t', '--parameter', 'code=x'], 'cannot be GET'],
    [['auth.connectUrl', 'GET /svc/t', '--body-as', 'json'], 'has no body'],
    [['payslips.list', 'GET /svc/t', '--parameter', 'page=p'], 'have no other names'],
  ])('are refused as %j: exit 2', async (words, says) => {
    const { run, stored } = await place()
    const refused = await run(['routes', 'set', ...words])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(says)])
    expect(stored()).toBeUndefined()
  })
})
