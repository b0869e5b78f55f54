import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { answering } from '../service.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night shift' }

/** What a command says last of an error, with what it sent before that. */
async function failed(words: string, status = 200) {
  const { env, received } = await answering(status, { data: rate })
  const run = await payroll(['--json', ...words.split(' ')], { env })
  const { message } = run.error()
  return { message, code: run.code, writes: received.filter(({ method }) => method !== 'GET').length }
}

test.each([
  ['candidates create --bogus', 2],
  ['payment-rates update', 2],
  ['candidates import x.csv --concurrency many', 2],
  ['payment-rates create --query [[', 2],
  ['candidates create -o bogus', 2],
  ['--output bogus candidates new', 2],
  ['api POST /svc/x --profile acme --timeout 0', 2],
  ['payment-rates create --file x --set code=A', 2],
  ['payment-rates create --set bogus=1', 3],
  ['payment-rates update .. --set code=A', 3],
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
  'template nobody',
  'profiles use nobody',
  'profiles set acme --base-url nowhere',
  'auth login --profile acme --base-url nowhere',
])('an error of %s, which does not write, says nothing of sending', async (words) => {
  const { message, code } = await failed(words)
  expect(code).toBeGreaterThan(1)
  expect(message).not.toMatch(/nothing was (sent|applied)/i)
})

test.each([
  ['payment-rates create --set code=A', 400, / Nothing was applied\.$/],
  ['payment-rates update r1 --id --set code=A', 400, / Nothing was applied\.$/],
  ['payment-rates get r1 --id', 400, /^(?!.*Nothing was)/],
  ['payment-rates create --set code=A', 500, /^(?!.*Nothing was).*may or may not have been applied/],
])('%s, answered with %i, says what it left undone where that is known', async (words, status, says) => {
  expect((await failed(words, status)).message).toMatch(says)
})

test('no message of src but what a dry run shows says by itself, at its end, that nothing was sent', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url))
  const saying = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /Nothing was sent\.['"`]/.test(readFileSync(join(src, file), 'utf8')))
  expect(saying.sort()).toEqual([join('render', 'failure-text.ts'), join('verbs', 'dry-run.ts')])
})
