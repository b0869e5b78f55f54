import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

const page = { data: [{ id: '1' }], totalDocs: 1 }

/** A service that knows payslips at another path than the one that is assumed. */
const elsewhere = () =>
  service(({ url }, response) =>
    url.startsWith('/svc/payslips') ? answerJson(response, 200, page) : answerJson(response, 404, {}),
  )

async function profileFor(baseUrl: string): Promise<string> {
  const home = freshHome()
  await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
  await payroll(['auth', 'login', '--profile', 'acme'], { home, input: 'CANARYkey0000\n' })
  return home
}

describe('a guessed route that is wrong', () => {
  test('is called an assumption, with the line that corrects it', async () => {
    const { baseUrl } = await elsewhere()
    const run = await payroll(['payslips', 'list'], { home: await profileFor(baseUrl) })
    expect(run.code).toBe(6)
    expect(run.err).toContain(
      "This path is an assumption. To give the right one: payroll routes set payslips.list 'GET /svc/…'",
    )
  })

  test('is mentioned before it fails, and not with --quiet', async () => {
    const { env } = await elsewhere()
    const home = freshHome()
    const loud = await payroll(['payslips', 'list'], { home, env })
    expect(loud.err).toMatch(/^GET \/svc\/v2\/payslips is an assumption/)
    const quiet = await payroll(['payslips', 'list', '--quiet'], { home, env })
    expect(quiet.err).not.toContain('is an assumption;')
  })

  test('goes over the wire as corrected, here and where the correction is imported', async () => {
    const { baseUrl, received } = await elsewhere()
    const here = await profileFor(baseUrl)
    await payroll(['routes', 'set', 'payslips.list', 'GET /svc/payslips'], { home: here })
    const exported = await payroll(['routes', 'export'], { home: here })
    const there = await profileFor(baseUrl)
    const imported = await payroll(['routes', 'import', '--file', '-'], { home: there, input: exported.out })
    expect(imported.code).toBe(0)
    for (const home of [here, there]) {
      const run = await payroll(['payslips', 'list'], { home })
      expect([run.code, run.json(), run.err]).toEqual([0, [{ id: '1' }], ''])
    }
    expect(received.map(({ url }) => url.split('?')[0])).toEqual(['/svc/payslips', '/svc/payslips'])
  })

  test('is as before after reset', async () => {
    const { baseUrl, received } = await elsewhere()
    const home = await profileFor(baseUrl)
    await payroll(['routes', 'set', 'payslips.list', 'GET /svc/payslips'], { home })
    await payroll(['routes', 'reset', 'payslips.list'], { home })
    await payroll(['payslips', 'list'], { home })
    expect(received.at(-1)?.url).toMatch(/^\/svc\/v2\/payslips/)
  })

  test('takes the prefix of the profile', async () => {
    const { baseUrl, received } = await elsewhere()
    const home = await profileFor(baseUrl)
    await payroll(['profiles', 'set', 'acme', '--prefix', 'backoffice'], { home })
    await payroll(['vat-codes', 'list'], { home })
    expect(received.at(-1)?.url).toMatch(/^\/backoffice\/vat-code\?/)
  })
})

describe('routes set', () => {
  test.each([
    ['payslips.list', 'payslips'],
    ['payslips.list', 'FETCH /svc/payslips'],
    ['payslips.list', 'GET /svc/../payslips'],
    ['payslips.list', 'GET /svc/%2e%2e/payslips'],
    ['payslips.list', 'GET /svc/payslips/{id}'],
    ['payslips.list', 'GET https://evil.example.com/svc'],
    ['payslips.lost', 'GET /svc/payslips'],
  ])('refuses %s %s', async (operation, route) => {
    const home = await profileFor('http://127.0.0.1:9')
    const run = await payroll(['routes', 'set', operation, route], { home })
    expect(run.code).toBe(2)
    expect((await payroll(['routes', 'export'], { home })).json().routes).toEqual({})
  })

  test('names what is wrong in an import, and changes nothing', async () => {
    const home = await profileFor('http://127.0.0.1:9')
    const input = '{"routes":{"payslips.list":"GET /svc/ok","vatCodes.list":"nonsense"}}'
    const run = await payroll(['routes', 'import', '--json'], { home, input })
    expect(run.code).toBe(3)
    expect(run.error().issues).toEqual([
      { path: 'routes.vatCodes.list', message: 'expected a method and a path, as GET /svc/vat-code' },
    ])
    expect((await payroll(['routes', 'export'], { home })).json().routes).toEqual({})
  })
})
