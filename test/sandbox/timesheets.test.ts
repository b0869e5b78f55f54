import { describe, expect, test } from 'vitest'
import { freshSandbox } from './fresh-sandbox.ts'

const path = '/svc/time-sheets'

const timesheet = {
  subcontractorRef: 'UK-0001',
  assignmentRef: 'A-1',
  startDate: '2026-04-06',
  endDate: '2026-04-12',
  rates: [{ rateId: 'R1', rate: '021.50', vatID: 'V1', units: '37.5' }],
  taxYear: '2026/27',
  taxPeriodConfig: { week: 1 },
  internal: { note: 'kept', list: [null, 1.5] },
}

const times = { createdAt: '2026-04-06T08:00:01.000Z', updatedAt: '2026-04-06T08:00:01.000Z' }

describe('the timesheets', () => {
  test.each([{}, { startDate: 20260406 }, { rates: 'none' }, { subcontractorRef: null, rates: [7] }])(
    'are not checked, because their types are not shown: %j',
    async (body) => {
      const { call } = await freshSandbox()
      const { status, json } = await call('POST', path, body)
      expect(status).toBe(201)
      expect(json.data).toMatchObject(body)
    },
  )

  test('are updated field by field, lists whole', async () => {
    const { call } = await freshSandbox()
    const { id } = (await call('POST', path, timesheet)).json.data
    const changes = { endDate: '2026-04-11', rates: [{ units: '30' }], internal: { note: 'new' } }
    const { status, json } = await call('PUT', `${path}/${id}`, changes)
    const internal = { note: 'new', list: [null, 1.5] }
    const data = { ...timesheet, ...changes, internal, id, ...times, updatedAt: '2026-04-06T08:00:02.000Z' }
    expect([status, json]).toStrictEqual([200, { data, success: true }])
  })

  test('keep their own id and times, whatever a body says', async () => {
    const { call } = await freshSandbox()
    const { data } = (await call('POST', path, { id: 'mine', createdAt: 'never', updatedAt: 0 })).json
    expect(data).toMatchObject(times)
    expect(data.id).not.toBe('mine')
    expect((await call('GET', `${path}/mine`)).status).toBe(404)
    expect((await call('PUT', `${path}/${data.id}`, { ...data, id: 'other' })).json.data.id).toBe(data.id)
  })
})
