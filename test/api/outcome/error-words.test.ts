import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answering, answerJson } from '../../service.ts'
import { attempt, calls } from '../http-cases.ts'

const refusedWith = async (body: unknown) => {
  const { run } = await attempt('post', (response) => answerJson(response, 400, body))
  expect(run.code).toBe(6)
  return run.error()
}

describe("the service's own words for an error", () => {
  test.each([
    ['error.message', { error: { code: 'BAD', message: 'The code is taken.', details: [] }, success: false }],
    ['message', { statusCode: 400, message: 'The code is taken.' }],
    ['message before the name of a status', { error: 'Bad Request', message: 'The code is taken.' }],
    ['error', { error: 'The code is taken.' }],
    ['a JSON text', 'The code is taken.'],
  ])('are found as %s', async (_, body) => {
    expect((await refusedWith(body)).message).toBe(
      'The service refused the data (400): The code is taken. Nothing was applied.',
    )
  })

  test('are found as plain text', async () => {
    const { run } = await attempt('post', (response) =>
      response.writeHead(400, { 'content-type': 'text/plain' }).end('The code is taken.\n'),
    )
    expect(run.error().message).toContain('(400): The code is taken. Nothing')
  })

  test('name the fields that are wrong', async () => {
    const details = [
      { path: 'code', message: 'is taken' },
      { message: 'One more thing' },
      { path: 7, message: 'odd' },
      'not this one',
      { path: 'units' },
    ]
    expect((await refusedWith({ error: { message: 'Invalid', details } })).issues).toEqual([
      { path: 'code', message: 'is taken' },
      { path: '', message: 'One more thing' },
      { path: '', message: 'odd' },
    ])
  })

  test.each([
    ['a web page', '<html><body>nginx</body></html>'],
    ['a piece of JSON', '{"error":{"message":"half an ans'],
    ['nothing', ''],
    ['blanks', ' \n '],
  ])('are not %s', async (_, text) => {
    for (const status of [400, 500]) {
      const { run } = await attempt('post', (response) => response.writeHead(status).end(text))
      expect(run.error().message).toMatch(/(\(400\)|answered 500)\. /)
    }
  })

  test.each([{ error: 7 }, { message: null }, { error: { message: ['a'] } }, [], null, 7])(
    'are none in %j',
    async (body) => {
      const { message } = await refusedWith(body)
      expect(message).toBe('The service refused the data (400). Nothing was applied.')
    },
  )

  test('are cut when they are endless', async () => {
    const long = 'x'.repeat(100_000)
    const { message, issues } = await refusedWith({
      error: { message: long, details: [{ path: long, message: long }] },
    })
    expect(message.length).toBeLessThan(400)
    expect(issues[0].path.length + issues[0].message.length).toBeLessThan(700)
  })

  test('cannot move the cursor of a terminal', async () => {
    const { env } = await answering(400, { message: '\u001B]0;owned\u0007\u009B2Jred\u202E' })
    for (const form of ['--output=json', '--output=table']) {
      const { err } = await payroll([form, ...calls.one.argv], { env })
      expect(err).toContain('owned')
      expect(err.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
  })

  test('are told of a failed read and of a doubtful write too', async () => {
    for (const call of ['one', 'post'] as const) {
      const { run } = await attempt(call, (response) => answerJson(response, 503, { message: 'Closed.' }))
      expect(run.error().message).toContain(call === 'one' ? 'answered 503: Closed.' : '503: Closed. It may')
    }
  })
})
