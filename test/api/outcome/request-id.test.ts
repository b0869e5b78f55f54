import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const get = ['candidates', 'get', '4f1c']

/** A service that refuses everything, with these headers. */
const refusing = (headers: Record<string, string>, status = 400) =>
  service((_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    answerJson(response, status, { success: false })
  })

describe('the request id of an answer', () => {
  test.each(['x-request-id', 'request-id', 'x-correlation-id'])(
    'the request id of an answer of the header %s is the last line of an error, and a member of it in JSON',
    async (header) => {
      const { env } = await refusing({ [header]: 'req-0001' })
      const text = await payroll(get, { env })
      expect(text.code).toBe(6)
      expect(text.err).toMatch(/\nRequest: req-0001\n$/)
      const json = await payroll([...get, '--json'], { env })
      expect(json.error()).toMatchObject({ code: 'refused', requestId: 'req-0001' })
    },
  )

  test('is told of a read that answers no record too', async () => {
    const { env } = await service((_, response) => {
      response.setHeader('x-request-id', 'req-0002')
      answerJson(response, 200, { success: true })
    })
    const run = await payroll([...get, '--json'], { env })
    expect([run.code, run.error().requestId]).toEqual([10, 'req-0002'])
  })

  test('shows nothing of a person, even where the service makes it of what it was sent', async () => {
    const { env } = await refusing({ 'x-request-id': 'QQ123456C' })
    const given = 'candidates create --incomplete --set generalSetting.NINumber=QQ123456C --yes'.split(' ')
    for (const more of [[], ['--json']]) {
      const run = await payroll([...given, ...more], { env })
      expect([run.code, run.err]).toEqual([
        6,
        expect.stringContaining(more.length ? 'requestId' : 'Request:'),
      ])
      expect(run.err).not.toContain('QQ123456C')
    }
  })

  test.each([{}, { 'x-request-id': 'has blanks' }, { 'x-request-id': 'a'.repeat(81) }])(
    'is not there at all where the answer gives none that can be believed: %j',
    async (headers) => {
      const { env } = await refusing(headers as Record<string, string>)
      const text = await payroll(get, { env })
      expect(text.err).not.toContain('Request:')
      const json = await payroll([...get, '--json'], { env })
      expect(json.error()).not.toHaveProperty('requestId')
    },
  )
})
