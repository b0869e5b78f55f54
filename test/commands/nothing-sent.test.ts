import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { answering } from '../service.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night shift' }

/** What a command says last of an error, with what it sent before that. */
async function failed(argv: readonly string[], status = 200) {
  const { env, received } = await answering(status, { data: rate })
  const run = await payroll(['--json', ...argv], { env })
  const { message } = run.error()
  return { message, code: run.code, writes: received.filter(({ method }) => method !== 'GET').length }
}

test.each<[string, number, string[]]>([
  ['an option that is none', 2, ['candidates', 'create', '--bogus']],
  ['an argument that is missing', 2, ['payment-rates', 'update']],
  ['a value that an option does not take', 2, ['candidates', 'import', 'x.csv', '--concurrency', 'many']],
  ['a --query that is none', 2, ['payment-rates', 'create', '--query', '[[']],
  ['an -o that is none', 2, ['candidates', 'create', '-o', 'bogus']],
  ['an --output that is none, before the command', 2, ['--output', 'bogus', 'candidates', 'new']],
  ['a --timeout that is none', 2, ['api', 'POST', '/svc/x', '--profile', 'acme', '--timeout', '0']],
  ['options that exclude each other', 2, ['payment-rates', 'create', '--file', 'x', '--set', 'code=A']],
  ['a field that is none', 3, ['payment-rates', 'create', '--set', 'bogus=1']],
  ['an id that is none', 3, ['payment-rates', 'update', '..', '--set', 'code=A']],
  ['a file that is not there', 2, ['candidates', 'import', 'missing.csv']],
  ['a deletion that nobody confirmed', 2, ['documents', 'delete', 'd1', '--employee', 'id:e1']],
  ['a path that is none', 2, ['api', 'POST', 'https://payroll.example.com/x']],
  ['a refresh token that is missing', 2, ['auth', 'token', '--refresh']],
])('an error of a command that writes says that nothing was sent %s', async (_, code, argv) => {
  const run = await failed(argv)
  expect([run.code, run.writes]).toEqual([code, 0])
  expect(run.message).toMatch(/ Nothing was sent\.$/)
  expect(run.message.match(/nothing was/gi)).toHaveLength(1)
})

test.each<[string, string[]]>([
  ['an option that is none', ['candidates', 'list', '--bogus']],
  ['a condition that is none', ['candidates', 'list', '--where', 'x']],
  ['a --query that is none', ['candidates', 'list', '--query', '[[']],
  ['an -o that is none', ['candidates', 'list', '-o', 'bogus']],
  ['an -o that is none, of a command that is none', ['candidates', 'sing', '-o', 'bogus']],
  ['an id that is none', ['payment-rates', 'get', '..']],
  ['a template of what is none', ['template', 'nobody']],
  ['a profile that is not there', ['profiles', 'use', 'nobody']],
  ['an address that is none', ['profiles', 'set', 'acme', '--base-url', 'nowhere']],
  ['a sign-in that has no address', ['auth', 'login', '--profile', 'acme', '--base-url', 'nowhere']],
])('an error of a command that does not write says nothing of sending %s', async (_, argv) => {
  const { message, code } = await failed(argv)
  expect(code).toBeGreaterThan(1)
  expect(message).not.toMatch(/nothing was (sent|applied)/i)
})

test.each<[string, string[], number, RegExp]>([
  [
    'a create that was refused',
    ['payment-rates', 'create', '--set', 'code=A'],
    400,
    / Nothing was applied\.$/,
  ],
  [
    'the read of an update that failed',
    ['payment-rates', 'update', 'r1', '--id', '--set', 'code=A'],
    400,
    / Nothing was applied\.$/,
  ],
  ['a read that failed', ['payment-rates', 'get', 'r1', '--id'], 400, /^(?!.*Nothing was)/],
  [
    'a create that may have been applied',
    ['payment-rates', 'create', '--set', 'code=A'],
    500,
    /^(?!.*Nothing was).*may or may not have been applied/,
  ],
])('a failed request of %s says what it left undone where that is known', async (_, argv, status, says) => {
  expect((await failed(argv, status)).message).toMatch(says)
})

test('no message of src but what a dry run shows says by itself, at its end, that nothing was sent', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url))
  const saying = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /Nothing was sent\.['"`]/.test(readFileSync(join(src, file), 'utf8')))
  expect(saying.sort()).toEqual([join('render', 'failure-text.ts'), join('verbs', 'dry-run.ts')])
})
