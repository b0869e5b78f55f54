import { expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'

/** What an update of the description sends for the hours that the service answered so. */
async function hoursSent(hoursPerUnit: unknown): Promise<unknown> {
  const rate = { id: 'r1', code: 'NIGHT', description: 'Night', hoursPerUnit }
  const { env, received } = await service(({ method, body }, response) => {
    answerJson(response, 200, {
      data:
        method === 'PUT'
          ? { ...rate, ...JSON.parse(body), hoursPerUnit }
          : wholeFor(['payment-rates'], rate).record,
      success: true,
    })
  })
  const argv = ['payment-rates', 'update', 'r1', '--id', '--set', 'description=Nights', '--json']
  await payroll(argv, { env })
  const [put] = received.filter(({ method }) => method === 'PUT')
  return JSON.parse(put?.body ?? '{}').hoursPerUnit
}

test.each([
  ['8', 8],
  ['12', 12],
  ['0', 0],
  ['7.5', 7.5],
  ['37.25', 37.25],
  ['-1.5', -1.5],
  [' 7.5 ', 7.5],
  [10, 10],
])('hours that are answered as %j are sent as the number %d', async (answered, sent) => {
  expect(await hoursSent(answered)).toBe(sent)
})

test.each(['7,5', '7.5 hours', 'about 8', '1.2.3'])(
  'hours that are answered as %j are never sent as another number, or as none at all',
  async (answered) => {
    expect([answered, undefined]).toContain(await hoursSent(answered))
  },
)
