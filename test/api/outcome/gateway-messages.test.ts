import { describe, expect, test } from 'vitest'
import { importFixture, people, refs } from '../../import/import-fixture.ts'
import { attempt } from '../http-cases.ts'

const nginx = (words: string) =>
  `<html>\r\n<head><title>400 ${words}</title></head>\r\n<body><h1>400 Bad Request</h1>${words}</body></html>`

describe('a 400 of the server in front of the service', () => {
  test.each([
    [nginx('No required SSL certificate was sent'), 'requires a client certificate', '--client-certificate'],
    [nginx('The SSL certificate error'), 'requires a client certificate', '--client-certificate'],
    [nginx('The plain HTTP request was sent to HTTPS port'), 'accepts only https', '--base-url https://'],
    [
      "<p>Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
      'accepts only https',
      '--base-url https://',
    ],
    ['Client sent an HTTP request to an HTTPS server.\n', 'accepts only https', '--base-url https://'],
  ])('is about the settings, not the data: %s', async (page, says, hint) => {
    for (const call of ['one', 'list', 'post', 'createUk', 'delete'] as const) {
      const { run, received } = await attempt(call, (response) => response.writeHead(400).end(page))
      expect([call, run.code, run.out, received.length]).toEqual([call, 2, '', 1])
      expect(run.error()).toMatchObject({ code: 'usage', outcome: 'refused', retryable: false, status: 400 })
      expect(run.error().message).toContain(says)
      expect(run.error().message).toMatch(
        call === 'one' || call === 'list' ? / \(400\)\.$/ : / \(400\)\. Nothing was applied\.$/,
      )
      expect(run.error().message).not.toContain('refused the data')
      expect(run.error().hint).toContain(hint)
    }
  })

  test('a 400 of the server in front of the service that says anything else is a refusal of the data', async () => {
    const { run } = await attempt('post', (response) => response.writeHead(400).end(nginx('Bad Request')))
    expect([run.code, run.error().message]).toEqual([
      6,
      'The service refused the data (400). Nothing was applied.',
    ])
  })
})

test('a 400 of the server in front of the service holds the rows of an import back, and refuses none', async () => {
  const at = await importFixture()
  at.write(people(3))
  at.intercept(({ method }, response) => {
    if (method === 'POST') response.writeHead(400).end(nginx('The plain HTTP request was sent to HTTPS port'))
    return method === 'POST'
  })
  const run = await at.import()
  expect(run.code).toBe(2)
  expect(run.err).toContain('accepts only https')
  at.intercept(() => false)
  expect((await at.import()).code).toBe(0)
  expect(await at.there()).toEqual(refs(3))
})
