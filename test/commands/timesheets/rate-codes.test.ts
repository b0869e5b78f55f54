import { expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const rateId = '7c1d0000-0000-4000-8000-0000000000aa'

const sheet = {
  id: '51d00000-0000-4000-8000-000000000001',
  subcontractorRef: 'UK-1',
  rates: [
    { rateId, rate: '20.00', units: '30' },
    { rateId: 'GONE-1', rate: '25.00', units: '2' },
  ],
}

/** `timesheets get` on a service that lists its payment rates, or refuses to. */
async function getSheet(words: string, isClosed = false) {
  const { env, received } = await service(({ url }, response) => {
    if (url.startsWith('/svc/time-sheets')) return answerJson(response, 200, { data: sheet, success: true })
    if (isClosed) return answerJson(response, 403, { message: 'no' })
    answerJson(response, 200, { data: [{ id: rateId, code: 'NIGHT' }], totalDocs: 1 })
  })
  const run = await payroll(`timesheets get ${sheet.id} ${words}`.split(' '), { env })
  return { ...run, received }
}

test('timesheets get shows a person the code of a payment rate in place of its id', async () => {
  const { code, out } = await getSheet('-o table')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Payment rate NIGHT') })
  expect(out).not.toContain(rateId)
  expect(out).toContain('Payment rate GONE-1')
})

test('the JSON of timesheets get has the id, and no list is read for it', async () => {
  const { json, received } = await getSheet('--json')
  expect(json()).toMatchObject({ rates: [{ rateId }, { rateId: 'GONE-1' }] })
  expect(received).toHaveLength(1)
})

test('timesheets get shows the id where the key may not read payment rates', async () => {
  const { code, out, err } = await getSheet('-o table', true)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(rateId)
})
