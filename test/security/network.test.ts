import { describe, expect, test } from 'vitest'
import { loopback, production } from '../commands/targets.ts'
import { asTyped, freshHome, payroll } from '../payroll.ts'
import { run as built } from '../process/built.ts'
import { answering } from '../service.ts'

describe('the address of a service is https, or this computer', () => {
  test.each(['http://payroll.example.com', 'file:///etc/passwd'])(
    '%s is refused wherever it is given: exit 2',
    async (url) => {
      for (const [argv, env] of [
        [['profiles', 'set', 'production', '--base-url', url], {}],
        [['auth', 'login', '--profile', 'production', '--base-url', url], {}],
        [['candidates', 'list'], { PAYROLL_BASE_URL: url, PAYROLL_API_KEY: 'CANARYkey0000' }],
      ] as const) {
        const setting = { home: freshHome(), env, input: 'CANARYkey0000' }
        expect([argv, (await payroll(argv, setting)).code]).toEqual([argv, 2])
      }
    },
  )
})

describe('certificates are always checked', () => {
  test('NODE_TLS_REJECT_UNAUTHORIZED=0 is exit 2, and nothing is sent', async () => {
    const target = { PAYROLL_BASE_URL: 'https://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
    const env = { ...target, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    const { code, err } = await built(['candidates', 'list', '--json'], { env })
    const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '')
    expect([code, error.outcome]).toEqual([2, 'not-sent'])
    expect(error.message).toBe('NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the certificate check.')
  })
})

describe('what is part of an address is one part of it', () => {
  test('a page and a size are numbers, and nothing else', async () => {
    const { run, requests } = await loopback()
    for (const word of ['1&x=2', '1%26x', '../1', '1e3', '0x10', '-1', '1.0', ' 1', 'NaN', '', '１']) {
      for (const option of ['--page', '--size', '--limit']) {
        expect((await run(['candidates', 'list', option, word])).code).toBe(2)
      }
    }
    expect(requests).toEqual([])
  })
})

describe('the query of a request', () => {
  test.each([400, 401, 404, 429, 500, 302])(
    'an error about a call that was answered %i names the path, and not the query',
    async (status) => {
      const { env } = await answering(status, { message: 'no' })
      const argv = ['api', 'GET', '/svc/candidates?surname=CANARYname&page=1', '--debug']
      for (const more of [[], ['--json'], ['--paginate']]) {
        const { err } = await payroll([...argv, ...more], { env })
        expect(err).toContain('/svc/candidates')
        expect(err).not.toMatch(/CANARY|surname|page=/)
      }
    },
  )

  test('an error about a path that cannot be used names it without its query', async () => {
    const { env } = await answering(200, {})
    for (const path of ['svc/x?surname=CANARYname', '/svc/x?surname=CANARYname#', '/a?b=CANARYname&b=2']) {
      const { code, err } = await payroll(['api', 'GET', path], { env })
      expect([code, err.includes('CANARY')]).toEqual([2, false])
    }
  })
})

describe('production is not changed by accident', () => {
  test.each([
    ['payment-rates', 'create', '--set', 'code=A'],
    ['timesheets', 'create', '--set', 'taxYear=2026'],
    ['documents', 'create', '--employee', 'id:e1', '--set', 'name=a'],
    ['documents', 'delete', 'd1', '--employee', 'e1'],
    ['api', 'DELETE', '/svc/candidates/1'],
    ['api', 'POST', '/svc/candidates', '--file', '-'],
  ])('%s %s without --yes: exit 2, the host is named, zero requests', async (...argv) => {
    const { run, requests, baseUrl } = await production()
    const { code, err } = await run(argv, { input: '{}' })
    expect([code, err, requests]).toEqual([2, expect.stringContaining(baseUrl), []])
  })

  test.each(['PAYROLL_PROFILE', 'PAYROLL_BASE_URL', 'PAYROLL_API_KEY'])(
    'nor is it read or written in place of another company whose %s was lost: exit 2, zero requests',
    async (variable) => {
      const { run, requests } = await production()
      const argv = asTyped`payment-rates create --set code=A --yes`
      const { code, err } = await run(argv, { env: { [variable]: '' } })
      expect([code, requests]).toEqual([2, []])
      expect(err).toContain(`${variable} is set to nothing. Nothing was sent.`)
    },
  )
})
