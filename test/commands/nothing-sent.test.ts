import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { answering } from '../service.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night shift' }

/** What a command says last of an error, with what it sent before that. */
async function failed(words: string, status = 200) {
  const { env, received } = await answering(status, { data: rate })
  const run = await payroll(['--json', ...words.split(' ')], { env })
  const { message, outcome } = run.error()
  return {
    message,
    outcome,
    code: run.code,
    writes: received.filter(({ method }) => method !== 'GET').length,
  }
}

test.each([
  ['candidates create --bogus', 2],
  ['payment-rates update', 2],
  ['candidates import x.csv --concurrency many', 2],
  ['payment-rates create --query [[', 2],
  ['candidates create -o bogus', 2],
  ['--output bogus candidates create', 2],
  ['api POST /svc/x --profile acme --timeout 0', 2],
  ['payment-rates create --file x --set code=A', 2],
  ['payment-rates create --set bogus=1', 3],
  ['payment-rates update .. --set code=A', 3],
  ['payment-rates update r1 --edit --no-input', 2],
  ['candidates import missing.csv', 2],
  ['documents delete d1 --employee id:e1', 2],
  ['api POST https://payroll.example.com/x', 2],
  ['auth token --refresh', 2],
])('an error of %s, which writes, says that nothing was sent: exit %i', async (words, code) => {
  const run = await failed(words)
  expect([run.code, run.writes]).toEqual([code, 0])
  expect(run.message).toMatch(/ Nothing was sent\.$/)
  expect(run.message.match(/nothing was/gi)).toHaveLength(1)
})

test.each([
  'candidates list --bogus',
  'candidates list --where x',
  'candidates list --query [[',
  'candidates list -o bogus',
  'candidates sing -o bogus',
  'payment-rates get ..',
  'api GET /svc/x --file -',
  'template nobody',
  'profiles use nobody',
  'auth login --profile acme --base-url nowhere',
])('an error of %s, which does not write, says nothing of sending', async (words) => {
  const { message, code } = await failed(words)
  expect(code).toBeGreaterThan(1)
  expect(message).not.toMatch(/nothing was (sent|applied)/i)
})

test.each([
  ['payment-rates create --set code=A', 400, / Nothing was applied\.$/],
  ['payment-rates update r1 --id --set code=A', 400, / Nothing was sent\.$/],
  ['payment-rates get r1 --id', 400, /^(?!.*Nothing was)/],
  ['payment-rates create --set code=A', 500, /^(?!.*Nothing was).*may or may not have been applied/],
])('%s, answered with %i, says what it left undone where that is known', async (words, status, says) => {
  expect((await failed(words, status)).message).toMatch(says)
})

test.each([
  ...[400, 401, 404, 429, 500].map((status) => [
    'payment-rates update r1 --id --set code=A',
    status,
    'not-sent',
  ]),
  ...[400, 401, 404, 500].map((status) => ['api GET /svc/x', status, null]),
  ['api PUT /svc/x', 404, 'refused'],
  ['api PUT /svc/x', 500, 'unknown'],
  ['payment-rates create --set code=A', 400, 'refused'],
])('%s, answered with %i, has the outcome of its write: %s', async (words, status, outcome) => {
  expect((await failed(`--retry-for 0 ${words}`, Number(status))).outcome).toBe(outcome)
})

test.each([
  ['check accept no-bank', 'changed'],
  ['check accept nobank --person x', 'changed'],
  ['check accept no-bank --person x --until yesterday', 'changed'],
  ['check accept no-bank --bogus', 'changed'],
  ['check accept no-bank --person x --again', 'changed'],
  ['auth login --profile nobody', 'stored'],
  ['auth login --profile sandbox', 'stored'],
  ['auth login --profile production', 'stored'],
  ['auth login --profile production --base-url https://payroll.example.com', 'stored'],
  ['auth login --bogus', 'stored'],
  ['auth login --client-id x', 'stored'],
  ['journal login', 'stored'],
  ['journal logout', 'removed'],
  ['profiles use nobody', 'changed'],
  ['profiles remove nobody', 'changed'],
  ['profiles set acme', 'changed'],
  ['routes set bogus x', 'changed'],
  ['routes reset bogus', 'changed'],
  ['history forget', 'removed'],
  ['changes forget', 'removed'],
  ['sandbox reset', 'deleted'],
  ['candidates import resolve missing.csv --leave', 'noted'],
])('an error of %s says that nothing was %s', async (words, effect) => {
  const { message, writes } = await failed(words)
  expect(writes).toBe(0)
  expect(message).toMatch(new RegExp(` Nothing was ${effect}[.]$`))
  expect(message.match(/nothing was/gi)).toHaveLength(1)
})

test.each([
  ['a list of people that cannot be read', 500, 'no-bank --person x'],
  ['a person for whom the rule finds nothing', 200, 'no-bank --person x'],
])('check accept with %s says that nothing was changed', async (_, status, words) => {
  const { message } = await failed(`check accept ${words}`, status)
  expect(message).toMatch(/ Nothing was changed[.]$/)
})

test('check accept that cannot print its answer does not say that nothing was changed', async () => {
  const home = freshHome()
  const run = (words: string) => payroll(words.split(' '), { home })
  await run('sandbox seed')
  const [finding] = (await run('--profile sandbox check --json')).json()
  const { code, err } = await run(
    `--profile sandbox check accept ${finding.rule} --person ${finding.reference} --columns rule`,
  )
  expect([code, err]).toEqual([2, expect.not.stringContaining('Nothing was changed')])
  expect((await run('--profile sandbox check accepted --json')).json()).toMatchObject([
    { rule: finding.rule, reference: finding.reference },
  ])
})

test('no message of src says by itself what was not sent, stored, noted or removed, but what a dry run shows', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url))
  const itself = /Nothing was (sent\.['"`]|stored|noted|removed|deleted)/
  const saying = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => itself.test(readFileSync(join(src, file), 'utf8')))
  expect(saying).toEqual([join('commands', 'kit', 'dry-run.ts')])
})
