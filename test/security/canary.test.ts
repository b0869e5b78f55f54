import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allOperations } from '../../src/model/resources/operations.ts'
import type { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { operationAt } from '../../src/sandbox/faults/plan-faults.ts'
import { serveSandbox } from '../../src/sandbox/serve.ts'
import { atTerminal, payroll } from '../payroll.ts'
import { run as built } from '../process/built.ts'
import { planAnyFaults } from '../sandbox/faults/further-faults.ts'
import { answerJson, type Received, service } from '../service.ts'
import { makeSandbox } from '../start-sandbox.ts'
import { wholeFor } from '../whole-record.ts'
import { key, people, personal, shown } from './canaries.ts'

/** Every command that reaches the service, and what it is given. */
const commands: readonly (readonly [argv: string, input?: unknown])[] = [
  ['candidates create --file -', people.uk],
  ['candidates create --ireland --file -', people.ireland],
  ['candidates create --file - --find', people.uk],
  ['candidates list'],
  ['candidates list --ireland'],
  ['candidates get UK'],
  ['candidates get IE --ireland'],
  ['candidates update UK --file -', people.uk],
  ['candidates update IE --ireland --file -', people.ireland],
  ['payment-rates create --set code=NIGHT'],
  ['payment-rates list'],
  ['payment-rates get RATE'],
  ['payment-rates update RATE --set description=Nights'],
  ['vat-codes list'],
  ['timesheets create --set taxYear=2026'],
  ['timesheets list'],
  ['timesheets get SHEET'],
  ['timesheets update SHEET --set taxYear=2027'],
  ['payslips list'],
  ['payslips list --legacy'],
  ['documents create --employee UK --set name=a.txt --set content=YQ=='],
  ['documents list --employee UK'],
  ['documents get DOC --employee UK'],
  ['documents update DOC --employee UK --set name=b.txt'],
  ['documents delete DOC --employee UK --yes'],
  ['auth status'],
  ['doctor'],
  ['auth connect-url --client-id payroll-cli'],
  ['auth client --client-id payroll-cli'],
  ['api GET /svc/candidates?page=1&DOB=1907-08-09'],
  ['api POST /svc/candidates --file -', people.uk],
]

/** These print tokens, by purpose: on standard output, and never on standard error. */
const secrets: readonly (readonly [argv: string, input: unknown])[] = [
  ['auth token', 'CANARYcode-0000-0000-0000-0000-0000'],
  ['auth token --refresh --client-id payroll-cli', 'CANARYrefresh-0000-0000-0000-0000'],
]

/** One of each way in which an answer gets into a message: none, not understood, a refusal, a redirect. */
const faults = ['reset-after-commit', 'stall-before-headers', 'html', 'status=401', 'redirect=307']

type App = ReturnType<typeof createSandbox>
let app: App
let ids: Readonly<Record<string, string>>
let close = () => {}

beforeAll(async () => {
  const sandbox = await makeSandbox({ seeded: 1, key })
  app = sandbox.app
  close = sandbox.close
  const firstOf = async (path: string) => {
    const answer = await sandbox.call('GET', path)
    return ((await answer.json()) as { data: { id: string }[] }).data[0]?.id ?? ''
  }
  const UK = await firstOf('/svc/candidates')
  ids = {
    UK,
    IE: await firstOf('/svc/candidates/ireland'),
    RATE: await firstOf('/svc/payment-rate'),
    SHEET: await firstOf('/svc/time-sheets'),
    DOC: await firstOf(`/svc/employees/${UK}/documents`),
  }
})
afterAll(() => close())

const every = [...commands, ...secrets]

/** Runs commands with --debug and --json, and gives what each left behind. */
function runAll(some: typeof every, env: Readonly<Record<string, string>>, seconds = 1) {
  return Promise.all(
    some.map(async ([words, input]) => {
      const argv = words.split(' ').map((word) => ids[word] ?? word)
      const given = typeof input === 'string' ? input : JSON.stringify(input ?? {})
      const options = ['--debug', '--json', '--timeout', String(seconds)]
      const setting = { env: { ...env, PAYROLL_API_KEY: key }, input: given }
      const { out, err } = await payroll([...options, ...argv], setting)
      return { words, out, err }
    }),
  )
}

type Left = Awaited<ReturnType<typeof runAll>>

function expectSilent(left: Left): void {
  for (const { words, out, err } of left) {
    expect([words, shown(out, { key })]).toEqual([words, []])
    const canaries = { key, ...personal, code: String(secrets[0]?.[1]), refresh: String(secrets[1]?.[1]) }
    expect([words, shown(err, canaries)]).toEqual([words, []])
  }
}

// Every command, many times over: minutes where others share the machine.
describe('no key on either stream, no personal data on standard error', { timeout: 300_000 }, () => {
  // Each command meets every third fault: what is hidden is hidden in one place, whatever asked.
  test.each(faults)('of a third of the commands, when the service has the fault %s', async (fault) => {
    const some = every.filter((_, at) => (at + faults.indexOf(fault)) % 3 === 0)
    const served = await serveSandbox({ app, port: 0, faults: planAnyFaults([fault]) })
    try {
      expectSilent(await runAll(some, { PAYROLL_BASE_URL: served.baseUrl }))
    } finally {
      await served.close()
    }
  })

  test.each([200, 302, 422])(
    'whatever the command, when the service answers %i and quotes all that it was sent',
    async (status) => {
      const asked: Received[] = []
      const { env } = await service((request, response) => {
        asked.push(request)
        const quoted = quoting(request)
        if (status === 302) return response.writeHead(302, { location: `/${encodeURIComponent(key)}` }).end()
        // The record that is read before an update: the one that was asked for, or nothing is changed.
        const isOne = request.method === 'GET' && status < 300 && !request.url.includes('page=')
        const id = request.url.split('?')[0]?.split('/').at(-1)
        const person = { forename: 'Ann', surname: 'Sample', bank: null, setting: {}, pensionSetting: null }
        const known = { id, ...person, code: 'A', taxYear: 2026, rates: [], content: 'QQ==' }
        const words = /candidates|payment-rate/.exec(request.url)?.[0].replace(/rate$/, 'rates') ?? ''
        const { record } = wholeFor([words, request.url.includes('/ireland/') ? '--ireland' : ''], known)
        if (isOne) return answerJson(response, 200, { data: { ...record, ...request.headers } })
        answerJson(response, status, {
          success: false,
          error: { message: quoted[0], details: quoted.map((message) => ({ path: message, message })) },
        })
      })
      // Whatever it answers, it answers at once: time enough for all of them beside each other.
      const left = await runAll(every, env, 20)
      expectSilent(left)
      expect(left.some(({ err }) => err.includes('[key]'))).toBe(status !== 302)
      const operations = new Set(asked.map(({ method, url }) => operationAt(method, url.split('?')[0] ?? '')))
      // Nothing is updated that cannot be read.
      if (status === 200) expect([...operations]).toEqual(expect.arrayContaining([...allOperations]))
    },
  )

  test.each(['http,https,net,tls,stream,timer,fs,module,fetch,undici'])(
    'of the built tool, when Node is told to say what it does: NODE_DEBUG=%s',
    async (NODE_DEBUG) => {
      const { env } = await service((request, response) => {
        const [message] = quoting(request)
        answerJson(response, request.method === 'GET' ? 200 : 422, { error: { message } })
      })
      // One command of each kind: what Node says of a request is the same for all of them.
      const some = /^(candidates (create --ireland|list)|api POST)/
      for (const [words, input] of commands.filter(([words]) => some.test(words))) {
        const argv = words.split(' ').map((word) => ids[word] ?? word)
        const setting = {
          env: { ...env, PAYROLL_API_KEY: key, NODE_DEBUG },
          input: JSON.stringify(input ?? {}),
        }
        const { out, err } = await built(['--debug', '--json', ...argv], setting)
        expect(err).toMatch(/^HTTP \d+:/m)
        expect([words, shown(out + err, { key })]).toEqual([words, []])
        const { born: _inTheQuery, ...canaries } = personal
        expect([words, shown(err, canaries)]).toEqual([words, []])
      }
    },
  )

  test('when the key is put where a command, an option or a path belongs', async () => {
    const lines = [
      ...[
        'KEY',
        'candidates KEY',
        'candidates get KEY',
        'candidates list --KEY',
        'candidates list --query KEY',
      ],
      ...['candidates list --columns KEY', 'candidates create --file KEY', 'candidates create --set KEY'],
      ...['candidates create --set KEY=1', '--profile KEY candidates list', 'api GET KEY', 'explain KEY'],
      'profiles set production --base-url https://KEY',
      `profiles set production --base-url https://x/${encodeURIComponent(key)}?KEY`,
    ]
    for (const line of lines) {
      const argv = line.split(' ').map((word) => word.replace('KEY', key))
      for (const more of [[], ['--json']]) {
        const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: key }
        const { out, err } = await payroll([...argv, ...more, '--debug'], { env })
        expect([argv, shown(out + err, { key })]).toEqual([argv, []])
      }
    }
  })
})

/** Everything that a request holds, in as many forms as a careless service may quote it. */
function quoting({ headers, body, url }: Received): string[] {
  const values = Object.values(personal).filter((value) => body.includes(value) || url.includes(value))
  const sent = String(headers.authorization)
  const token = url.includes('oauth') && body !== '' ? [...new URLSearchParams(body).values(), body] : []
  const basic = Buffer.from(`api:${sent}`).toString('base64')
  return [
    `${sent} ${encodeURIComponent(sent)} ${JSON.stringify(sent)} ${basic} ${values.join(' ')}`,
    ...values,
    token.join(' '),
    `${'x'.repeat(290)}${sent}`,
    `${'x'.repeat(290)}${values.join('')}`,
  ]
}

test.each([
  ['a table, which cuts it', ['vat-codes', 'list']],
  ['a card, which breaks it over lines', ['payment-rates', 'get', 'NIGHT']],
])('a key that the service repeats in a record is not shown by %s', async (_, words) => {
  const long = `CANARY${'key-0000-'.repeat(10)}`
  const { baseUrl } = await service(({ url }, response) => {
    const record = { id: 'r1', code: 'NIGHT', description: `of ${long}`, author: long }
    answerJson(response, 200, url.includes('r1') ? { data: record } : { data: [record], totalDocs: 1 })
  })
  const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: long }
  const { screen, ended } = atTerminal(words, { env, columns: 60 })
  expect((await ended).code).toBe(0)
  expect(screen()).toContain('of [key]')
  expect(screen()).not.toContain('CANARY')
})
