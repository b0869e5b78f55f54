import { expect, test } from 'vitest'
import { errorRows } from '../../src/commands/help/topic-pages.ts'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

/** The last line of standard error as an error object; undefined where it is text. */
function errorIn(err: string): { readonly code: string } | undefined {
  const last = err.trimEnd().split('\n').at(-1) ?? ''
  return last.startsWith('{') ? JSON.parse(last).error : undefined
}

const unreachable = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }

test.each([
  ['vat-codes list --errors json', {}, 'temporary'],
  ['vat-codes list -o csv --errors=json', {}, 'temporary'],
  ['payslips export --out HOME/payslips.csv', { PAYROLL_ERRORS: 'json' }, 'temporary'],
  ['vat-codes lst', { PAYROLL_ERRORS: 'json' }, 'usage'],
  ['vat-codes list --bogus', { PAYROLL_OUTPUT: 'json' }, 'usage'],
  ['vat-codes list --bogus', { PAYROLL_OUTPUT: 'ndjson' }, 'usage'],
  ['vat-codes', { PAYROLL_ERRORS: 'json' }, 'usage'],
  ['vat-codes list --errors json -o bogus', {}, 'usage'],
  ['vat-codes list -ondjson', {}, 'temporary'],
])('an error is one JSON object for %s with %j', async (words, env, code) => {
  const home = freshHome()
  const run = await payroll(words.replace('HOME', home).split(' '), {
    home,
    env: { ...unreachable, ...env },
  })
  expect(run.out).toBe('')
  expect(errorIn(run.err)).toMatchObject({ code, exitCode: run.code })
})

test.each([
  ['vat-codes list --json --errors text', {}],
  ['vat-codes list --errors text', { PAYROLL_ERRORS: 'json' }],
  ['vat-codes list', { PAYROLL_ERRORS: 'text', PAYROLL_OUTPUT: 'json' }],
  ['vat-codes list -o csv', { PAYROLL_OUTPUT: 'json' }],
  ['vat-codes list', {}],
  ['candidates find -- --errors json', {}],
])('an error is text for %s with %j', async (words, env) => {
  const run = await payroll(words.split(' '), { env: { ...unreachable, ...env } })
  expect(run.code).toBe(7)
  expect(errorIn(run.err)).toBeUndefined()
})

test('PAYROLL_ERRORS with a word that is no form of an error is exit 2', async () => {
  const env = { ...unreachable, PAYROLL_ERRORS: 'xml' }
  const { code, err } = await payroll(['vat-codes', 'list'], { env })
  expect(code).toBe(2)
  expect(err).toContain('PAYROLL_ERRORS is xml')
})

test('payroll help errors has every member of an error object', async () => {
  const refusal = { error: { message: 'No.', details: [{ path: 'code', message: 'taken' }] } }
  const { env } = await service((_, response) => {
    response.setHeader('x-request-id', 'made-up-1')
    answerJson(response, 422, refusal)
  })
  const home = freshHome()
  const words = ['payment-rates', 'create', '--set', 'code=A', '--errors', 'json']
  const error = (await payroll(words, { home, env })).error()
  expect(error).toHaveProperty('requestId')
  const { out } = await payroll(['help', 'errors'], { home })
  const described = errorRows.map(([name]) => name)
  for (const name of Object.keys(error)) {
    expect(described).toContain(name)
    expect(out).toMatch(new RegExp(`^  ${name}  `, 'm'))
  }
})
