import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../../../src/model/resources/operations.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { file } from '../targets.ts'

/** A service that knows payslips at another path than the one that is assumed, and how to run against it. */
async function elsewhere(content: string | object) {
  const page = { data: [{ id: '1' }], totalDocs: 1 }
  const { env, baseUrl, received } = await service(({ url }, response) =>
    url.includes('/pay-slips') ? answerJson(response, 200, page) : answerJson(response, 404, {}),
  )
  const home = freshHome()
  const path = file(home, 'routes.json', typeof content === 'string' ? content : JSON.stringify(content))
  const run = (words: string, more: Record<string, string | undefined> = {}, input = '') =>
    payroll(words.split(' '), { home, env: { ...env, PAYROLL_ROUTES: path, ...more }, input })
  const asked = () => received.map(({ method, url }) => `${method} ${url.split('?')[0]}`)
  return { baseUrl, home, path, received, asked, run }
}

const list = 'payslips list'
const right = { routes: { 'payslips.list': 'GET /svc/pay-slips' } }

describe('the file in PAYROLL_ROUTES', () => {
  test('corrects a route where no profile is stored', async () => {
    const { run, asked } = await elsewhere(right)
    const { code, json, err } = await run(list)
    expect([code, json(), err]).toEqual([0, [{ id: '1' }], ''])
    expect(asked()).toEqual(['GET /svc/pay-slips'])
  })

  test('sets the prefix too, and is what routes export prints', async () => {
    const { run, asked } = await elsewhere({ prefix: 'office', ...right })
    await run(list)
    expect(asked()).toEqual(['GET /office/pay-slips'])
    expect((await run('routes export')).json()).toEqual({ prefix: 'office', ...right })
    expect((await run('doctor')).out).toContain(`1 of ${allOperations.length} corrected: payslips.list`)
  })

  test('gives way to a correction of a profile that is named, and not to one of the default', async () => {
    const { run, home, baseUrl, asked } = await elsewhere(right)
    const stored = { PAYROLL_BASE_URL: undefined, PAYROLL_API_KEY: undefined }
    const acme = { baseUrl, routes: { 'payslips.list': 'GET /svc/own-pay-slips' } }
    const key = { origin: baseUrl, key: 'CANARYkey0000' }
    const settings = { default: 'acme', profiles: { acme }, keys: { acme: key } }
    chmodSync(file(home, 'config.json', JSON.stringify(settings)), 0o600)
    await run(list, stored)
    await run(`${list} --profile acme`, stored)
    expect(asked()).toEqual(['GET /svc/pay-slips', 'GET /svc/own-pay-slips'])
  })

  test('corrects a sign-in too, which tries a key on the list of the country that is set', async () => {
    const routes = { 'candidates.listIreland': 'GET /hr/people', 'auth.connectUrl': 'GET /hr/consent' }
    const { run, baseUrl, asked } = await elsewhere({ routes })
    const login = `auth login --profile production --base-url ${baseUrl}`
    await run(login, { PAYROLL_COUNTRY: 'ireland' }, 'CANARYkey0000')
    await run(`${login} --browser --client-id app`)
    expect(asked()).toEqual(['GET /hr/people', 'GET /hr/consent'])
  })

  test('is named where its route is refused', async () => {
    const { run, path } = await elsewhere({ routes: { 'payslips.list': 'GET /svc/nowhere' } })
    const says = `comes from PAYROLL_ROUTES: correct it in ${path}`
    expect(await run(list)).toMatchObject(endedWith(6, says))
  })

  test.each([
    ['', 'it is empty'],
    ['{', 'it is not JSON'],
    ['[]', 'it is not what routes export prints'],
    ['{"routes":{},"routes":{}}', 'it has the same name more than once'],
    [{ routes: { 'payslips.lost': 'GET /svc/x' } }, 'routes.payslips.lost: there is no such operation'],
    [{ routes: { 'payslips.list': 'DELETE /svc/payslips' } }, 'payslips.list reads, so its method stays GET'],
    [{ prefix: '../x', routes: {} }, 'prefix: expected one path segment'],
  ])(
    'that is damaged or unsafe is exit 2 with one sentence, and nothing is sent: %j',
    async (content, says) => {
      const { run, received, path } = await elsewhere(content)
      const { code, out, err } = await run(list)
      expect([code, out, received]).toEqual([2, '', []])
      expect(err).toContain(`Error: The file of PAYROLL_ROUTES, ${path}, cannot be used: `)
      expect(err).toContain(says)
      expect(err.trimEnd().split('\n')).toHaveLength(2)
    },
  )

  test('that is not there, or is a folder, is exit 2', async () => {
    const { run, home, received } = await elsewhere(right)
    for (const [path, says] of [
      [join(home, 'none.json'), 'there is no such file'],
      [home, 'it cannot be read (EISDIR)'],
    ] as const) {
      const { code, err } = await run(list, { PAYROLL_ROUTES: path })
      expect([code, err, received]).toEqual([2, expect.stringContaining(says), []])
    }
  })

  test('makes no POST a read, with --yes neither', async () => {
    const read = { method: 'POST', path: '/svc/pay-slips', read: true }
    const { run, asked } = await elsewhere({ routes: { 'payslips.list': read } })
    const { code, err } = await run(`${list} --yes`)
    const says = 'payslips.list reads, so its method stays GET'
    expect([code, err, asked()]).toEqual([2, expect.stringContaining(says), []])
  })

  test('is not needed by the sandbox, which does without it', async () => {
    const { run } = await elsewhere('{')
    expect((await run(`${list} --profile sandbox`)).code).toBe(0)
  })
})
