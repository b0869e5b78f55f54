import { describe, expect, test } from 'vitest'
import { attempt, type CallName, rate } from '../http-cases.ts'

const candidate = { id: 'c1', forename: 'Aoife' }
const always = ['putApplied', 'delete', 'createUk'] as const

describe('an answer', () => {
  test('of 201 with a body that confirms it, or holds nothing, creates a UK candidate anyway', async () => {
    for (const body of ['{}', '{"success":true}', '{"forename":"Ann"}', '[]', 'null', ' ']) {
      const { run } = await attempt('createUk', [201, body])
      expect(run.json()).toEqual({ created: true, id: null })
    }
  })

  test.each([
    ['its body', '{"id":"c1"}', {}],
    ['its record', '{"data":{"candidateId":"c1","forename":"Ann"},"success":true}', {}],
    ['the header Location', '', { location: '/svc/candidates/c1' }],
  ])('of 201 that has the id of a UK candidate in %s gives that id', async (_, body, headers) => {
    const { run } = await attempt('createUk', [201, body, headers])
    expect([run.json(), run.err]).toEqual([
      { created: true, id: 'c1' },
      expect.not.stringContaining('returns no id'),
    ])
  })

  test.each([
    ['under data', { data: rate, success: true }],
    ['under data.candidate', { data: { candidate: rate } }],
    ['bare', rate],
  ])('with the record %s is that record', async (_, body) => {
    const { run } = await attempt('one', [200, body])
    expect(run.json()).toEqual(rate)
  })

  test.each([
    { success: true },
    { data: null, success: true },
    { data: {}, success: true },
    { data: { success: true }, success: true },
    { data: { candidate: {}, success: true } },
    { data: [{ id: 'r1' }], success: true },
    { error: null, success: true },
    { data: null, errors: null, message: null, success: true },
  ])(
    'that says success: true without a record, %j, is no record for a read and no failure for a write',
    async (body) => {
      const read = await attempt('one', [200, body])
      expect([read.run.code, read.run.out]).toEqual([10, ''])
      expect(read.run.error().hint).toMatch(/^To see what the service answers: payroll api GET \/svc\/\S+$/)
      const write = await attempt('createIreland', [201, body])
      expect([write.run.code, write.run.json()]).toMatchObject([0, { created: true, id: null }])
      expect(write.run.err).toContain('but did not return it')
    },
  )

  test.each([200, 201, 203, 204])('with %i means that a write was carried out', async (status) => {
    // "JSON: payment rate envelope": without it a create is none.
    for (const call of status === 204 ? always : (['post', ...always] as const)) {
      const body = { data: call === 'delete' ? { id: 'd1' } : rate, success: true }
      const { run } = await attempt(call, status === 204 ? [204] : [status, body])
      expect([call, run.code]).toEqual([call, 0])
    }
  })

  test.each([200, 203, 205, 299])(
    'an empty answer with %i leaves open whether a UK candidate was created: only 201 has no body',
    async (status) => {
      const { run } = await attempt('createUk', [status])
      expect([run.code, run.error().outcome]).toEqual([8, 'unknown'])
    },
  )

  const applied = ' Nothing was applied.'
  const beside = { data: rate, success: false }
  const inside = { data: { candidate, success: false }, success: true }
  const below = { data: { candidate: { success: false } }, success: true }
  test.each<[string, CallName, object, string | null, string]>([
    ['outside, of a create', 'post', { success: false }, 'refused', applied],
    ['beside the record of a create', 'post', beside, 'unknown', ''],
    ['beside the record of an update', 'put', beside, 'unknown', ''],
    ['outside, of a UK create', 'createUk', { success: false }, 'refused', applied],
    ['inside, of an Irish create', 'createIreland', inside, 'unknown', ''],
    ['one level below the envelope, of a create', 'post', below, 'refused', applied],
    ['one level below the envelope, of an update', 'put', below, 'refused', applied],
    ['one level below the envelope, of a deletion', 'delete', below, 'refused', applied],
    ['one level below the envelope, of a UK create', 'createUk', below, 'refused', applied],
    ['one level below the envelope, of an Irish create', 'createIreland', below, 'refused', applied],
    ['outside, of a read', 'one', beside, null, ''],
    ['inside, of a list', 'list', { data: { items: [], success: false } }, null, ''],
  ])('with success: false %s is not taken for success', async (_, call, body, outcome, says) => {
    const { run } = await attempt(call, [201, { ...body, message: 'No such scheme.' }])
    expect([run.code, run.out]).toEqual([outcome === 'unknown' ? 8 : 6, ''])
    expect(run.error()).toMatchObject({ outcome, retryable: false, status: 201 })
    expect(run.error().message).toContain(`success: false: No such scheme.${says}`)
  })
})

test.each(['text/html', 'text/plain', 'application/octet-stream'])(
  'JSON counts whatever its content type says: %s',
  async (type) => {
    const { run } = await attempt('one', [200, JSON.stringify({ data: rate }), { 'content-type': type }])
    expect(run.json()).toEqual(rate)
  },
)
