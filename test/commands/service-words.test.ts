import { expect, test } from 'vitest'
import { endedWith, payroll } from '../payroll.ts'
import { answering } from '../service.ts'

test('a refusal that is a list of texts is shown with all of them', async () => {
  const body = { message: ['DOB must be a date', 'city must be a text'], error: 'Bad Request' }
  const { env } = await answering(400, body)
  const { code, err } = await payroll(['payment-rates', 'create', '--set', 'code=A', '--yes'], { env })
  expect(code).toBe(6)
  expect(err).toContain('refused the data (400): DOB must be a date; city must be a text.')
})

test('a list whose total is a text says so', async () => {
  const { env } = await answering(200, { data: [], totalDocs: '3' })
  expect(await payroll(['candidates', 'list'], { env })).toMatchObject(
    endedWith(10, 'an integer totalDocs, and totalDocs is a text.'),
  )
})
