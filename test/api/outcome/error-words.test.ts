import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importFixture, people, refs } from '../../import/import-fixture.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answeringWith, attempt, calls } from '../http-cases.ts'

const refusedWith = async (body: unknown) => {
  const { run } = await attempt('post', [400, typeof body === 'string' ? JSON.stringify(body) : body])
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
    const { run } = await attempt('post', [400, 'The code is taken.\n', { 'content-type': 'text/plain' }])
    expect(run.error().message).toContain('(400): The code is taken. Nothing')
  })

  test('are all shown where they are a list of texts', async () => {
    const { message } = await refusedWith({ message: ['DOB must be a date', 'city must be a text'] })
    expect(message).toContain('refused the data (400): DOB must be a date; city must be a text.')
  })

  test('name the fields that are wrong', async () => {
    const named = [{ path: 'code', message: 'is taken' }]
    const odd = [{ path: 7, message: 'odd' }, 7, { path: 'units' }]
    const details = [...named, { message: 'One more thing' }, ...odd]
    expect((await refusedWith({ error: { message: 'Invalid', details } })).issues).toEqual([
      ...named,
      { path: '', message: 'One more thing' },
      { path: '', message: 'odd' },
    ])
  })

  const about = [
    { path: 'code', message: 'is taken' },
    { path: 'units', message: 'is not known' },
  ]
  test.each([
    ['errors of fields', { errors: about.map(({ path: field, message }) => ({ field, message })) }],
    ['texts by field', { title: 'Invalid', errors: { code: ['is taken'], units: 'is not known' } }],
    ['details beside', { message: 'Invalid', details: about }],
    [
      'params of RFC 9457',
      { 'invalid-params': about.map(({ path: name, message: reason }) => ({ name, reason })) },
    ],
    [
      'sources of JSON:API',
      { errors: about.map(({ path, message: detail }) => ({ detail, source: { pointer: `/${path}` } })) },
    ],
    ['pointers', { errors: about.map(({ path, message: detail }) => ({ pointer: `#/${path}`, detail })) }],
    ['paths as names', { errors: about.map(({ path, message }) => ({ path: [path], message })) }],
  ])('name the fields that are wrong, given as %s', async (_, body) => {
    expect((await refusedWith(body)).issues).toEqual(about)
  })

  test.each([{ errors: ['The code is taken.'] }, { errors: [{ message: 'The code is taken.' }] }])(
    'are said once where %j is all there is',
    async (body) => {
      const { message, issues } = await refusedWith(body)
      expect([message, issues]).toEqual([
        'The service refused the data (400): The code is taken. Nothing was applied.',
        [],
      ])
    },
  )

  test.each([
    ['a web page', '<html><body>nginx</body></html>'],
    ['a piece of JSON', '{"error":{"message":"half an ans'],
    ['nothing', ''],
    ['blanks', ' \n '],
  ])('are not %s', async (_, text) => {
    for (const status of [400, 500]) {
      const { run } = await attempt('post', [status, text])
      expect(run.error().message).toMatch(/(\(400\)|answered 500)\. /)
    }
  })

  test('are not those of a web page that says no, as of a firewall: 403 is no word about the key', async () => {
    for (const call of ['one', 'list', 'post', 'put'] as const) {
      const { run } = await attempt(call, [403, '<!DOCTYPE html><h1>Blocked</h1>'])
      expect(run.code).toBe(4)
      expect(run.error().message).toMatch(
        /^A web page says no \(403\), perhaps that of a firewall or a proxy and not the service\./,
      )
      expect(run.error().hint).toMatch(/^Ask your IT department whether this computer may reach http:/)
    }
  })

  test.each([{ error: 7 }, { message: null }, { error: { message: [7] } }, [], null, 7])(
    'are none in %j',
    async (body) => {
      const { message } = await refusedWith(body)
      expect(message).toBe('The service refused the data (400). Nothing was applied.')
    },
  )

  test('are cut when they are endless', async () => {
    const long = 'x'.repeat(100_000)
    const error = { message: long, details: [{ path: long, message: long }] }
    const { message, issues } = await refusedWith({ error })
    expect(message.length).toBeLessThan(400)
    expect(issues[0].path.length + issues[0].message.length).toBeLessThan(700)
  })

  test.each([
    ['one', 'answered 503: Closed.'],
    ['post', 'answered 503: Closed. It was looked for'],
  ] as const)('are told of a failed read and of a doubtful write too: %s', async (call, says) => {
    const { run } = await attempt(call, [503, { message: 'Closed.' }])
    expect(run.error().message).toContain(says)
  })
})

describe('a refusal in the own words of the service', () => {
  const ask = 'ask the people who run the service.'
  const ids = 'To see the ids: payroll payment-rates list'
  const words = { message: 'The code is taken.' }
  test.each([
    ['post', 400, words, null],
    ['post', 422, words, null],
    ['post', 200, { ...words, success: false }, null],
    ['post', 200, { success: false }, `payroll finds no reason in its answer: ${ask}`],
    ['post', 400, {}, `payroll finds no reason in its answer: ${ask}`],
    ['post', 413, words, null],
    ['put', 400, words, null],
    ['put', 200, { ...words, success: false }, null],
    ['one', 400, words, ids],
    ['one', 200, { ...words, success: false }, `If you cannot tell what it means, ${ask}`],
    ['list', 400, words, `If you cannot tell what it means, ${ask}`],
    ['list', 400, {}, `payroll finds no reason in its answer: ${ask}`],
    ['delete', 200, { ...words, success: false }, null],
  ] as const)('names the next step of %s, answered with %i %j', async (call, status, body, hint) => {
    const { run } = await attempt(call, [status, body])
    expect([run.code, run.error().hint]).toEqual([6, hint])
  })

  test('says of a read that the request was refused, and not data', async () => {
    const { run } = await attempt('list', [400, words])
    expect(run.error().message).toBe('The service refused the request (400): The code is taken.')
  })
})

const nginx = (words: string) =>
  `<html>\r\n<head><title>400 ${words}</title></head>\r\n<body><h1>400 Bad Request</h1>${words}</body></html>`

describe('a web page in place of an answer', () => {
  test('sends an import to look at the address, and not to try again', async () => {
    const { env } = await answeringWith([200, '<!doctype html><title>Blocked</title>'])
    const file = join(freshHome(), 'rates.csv')
    await writeFile(file, 'Code\nNIGHT\n')
    const run = await payroll(['payment-rates', 'import', file, '--json'], { env })
    expect([run.code, run.error()]).toMatchObject([
      10,
      {
        message: expect.stringContaining('has to know who is there already. Nothing was sent.'),
        hint: 'Check the address in PAYROLL_BASE_URL.',
        retryable: false,
      },
    ])
  })
})

describe('a 400 of the server in front of the service', () => {
  const wantsCertificate = ['seems to want a client certificate', '--client-certificate'] as const
  test.each([
    [nginx('No required SSL certificate was sent'), ...wantsCertificate],
    [nginx('The SSL certificate error'), ...wantsCertificate],
  ])('is about the settings, not the data: %s', async (page, says, hint) => {
    for (const call of ['one', 'list', 'post', 'createUk', 'delete'] as const) {
      const { run, received } = await attempt(call, [400, page])
      expect([call, run.code, run.out, received.length]).toEqual([call, 2, '', 1])
      const { message, ...error } = run.error()
      const outcome = call === 'one' || call === 'list' ? null : 'refused'
      expect(error).toMatchObject({ code: 'usage', outcome, retryable: false, status: 400 })
      expect(error.hint).toContain(hint)
      expect(message).toContain(says)
      const isRead = calls[call].method === 'GET'
      expect(message).toMatch(isRead ? / \(400\)\.$/ : / \(400\)\. Nothing was applied\.$/)
      expect(message).not.toContain('refused the data')
    }
  })

  test('holds the rows of an import back, and refuses none', async () => {
    const at = await importFixture()
    at.write(people(3))
    at.intercept(({ method }, response) => {
      if (method === 'POST') response.writeHead(400).end(nginx('No required SSL certificate was sent'))
      return method === 'POST'
    })
    expect(await at.import()).toMatchObject(endedWith(2, 'seems to want a client certificate'))
    at.intercept(() => false)
    expect((await at.import()).code).toBe(0)
    expect(await at.there()).toEqual(refs(3))
  })
})

describe('the request id of an answer', () => {
  const get = ['candidates', 'get', '4f1c']
  const refusing = (headers: Record<string, string>) => answeringWith([400, { success: false }, headers])

  test.each(['x-request-id', 'request-id', 'x-correlation-id'])(
    'of the header %s is the last line of an error, and a member of it in JSON',
    async (header) => {
      const { env } = await refusing({ [header]: 'req-0001' })
      expect(await payroll(get, { env })).toMatchObject(endedWith(6, /\nRequest: req-0001\n$/))
      const json = await payroll([...get, '--json'], { env })
      expect(json.error()).toMatchObject({ code: 'refused', requestId: 'req-0001' })
    },
  )

  test('is told of a read that answers no record too', async () => {
    const { env } = await answeringWith([200, { success: true }, { 'x-request-id': 'req-0002' }])
    const run = await payroll([...get, '--json'], { env })
    expect([run.code, run.error().requestId]).toEqual([10, 'req-0002'])
  })

  test('shows nothing of a person, even where the service makes it of what it was sent', async () => {
    const { env } = await refusing({ 'x-request-id': 'QQ123456C' })
    const given = 'candidates create --incomplete --set generalSetting.NINumber=QQ123456C --yes'.split(' ')
    for (const [more, shown] of [
      [[], 'Request:'],
      [['--json'], 'requestId'],
    ] as const) {
      const run = await payroll([...given, ...more], { env })
      expect(run).toMatchObject(endedWith(6, shown))
      expect(run.err).not.toContain('QQ123456C')
    }
  })

  test.each([{}, { 'x-request-id': 'has blanks' }, { 'x-request-id': 'a'.repeat(81) }])(
    'is not there at all where the answer gives none that can be believed: %j',
    async (headers) => {
      const { env } = await refusing(headers as Record<string, string>)
      expect((await payroll(get, { env })).err).not.toContain('Request:')
      expect((await payroll([...get, '--json'], { env })).error()).not.toHaveProperty('requestId')
    },
  )
})
