import { describe, expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { production } from './targets.ts'

async function open(seeded = false) {
  const { env, received } = await startSandbox({ seeded })
  const api = (words: string, input = '') => payroll(['api', ...words.split(' ')], { env, input })
  return { api, received }
}

describe('api', () => {
  test('makes a raw call with the key, and prints the answer as it came', async () => {
    const { api, received } = await open(true)
    const run = await api('get /svc/vat-code?page=1&size=2')
    expect([run.code, run.err]).toEqual([0, ''])
    expect(run.json()).toMatchObject({ totalDocs: expect.any(Number), data: [{}, {}] })
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /svc/vat-code?page=1&size=2'])
  })

  test('reads every page of a list with --paginate', async () => {
    const { api } = await open(true)
    const { totalDocs } = (await api('GET /svc/time-sheets?size=1')).json()
    expect(totalDocs).toBeGreaterThan(100)
    expect((await api('GET /svc/time-sheets --paginate')).json()).toHaveLength(totalDocs)
  })

  test('sends a file, and says nothing was answered where nothing was', async () => {
    const { api, received } = await open()
    const input = '{"generalSetting":{"forename":"Test"}}'
    const run = await api('POST /svc/candidates --file -', input)
    expect([run.code, run.json(), received[0]?.body]).toEqual([0, null, input])
  })

  test.each([
    'FETCH /svc/candidates',
    'GET svc/candidates',
    'GET /svc/../candidates',
    'GET /svc/%2e%2e/candidates',
    'GET //evil.example.com/svc',
    'GET https://evil.example.com/svc',
    'GET /svc/candidates?page=1&page=2',
    'GET /svc/candidates#1',
  ])('refuses %s, and sends nothing', async (words) => {
    const { api, received } = await open()
    expect([(await api(words)).code, received]).toEqual([2, []])
  })

  test.each(['/svc/nothing', '/svc/candidates/00000000-0000-4000-8000-000000000000'])(
    'GET %s of what is not there is exit 5, and names the list of paths',
    async (path) => {
      const run = await (await open()).api(`GET ${path} --json`)
      expect(run.code).toBe(5)
      expect(run.error()).toMatchObject({
        code: 'not-found',
        status: 404,
        message: expect.stringContaining(`The service does not know ${path} (404)`),
        hint: expect.stringContaining('payroll routes list'),
      })
    },
  )

  test('asks before it writes to a protected profile', async () => {
    const { run, requests } = await production()
    const post = ['api', 'POST', '/svc/candidates', '--file', '-']
    expect([(await run(post, { input: '{}' })).code, requests]).toEqual([2, []])
    expect((await run([...post, '--yes'], { input: '{}' })).code).toBe(0)
    expect((await run(['api', 'GET', '/svc/candidates'])).code).toBe(0)
  })
})
