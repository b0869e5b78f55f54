import { expect, test } from 'vitest'
import type { StopSignal } from '../../src/errors.ts'
import { payroll } from '../payroll.ts'
import { importFixture, people, person, refs } from './import-fixture.ts'

test('a person who stops an import while it waits for a lost row does not wait too, and is told which row it is', async () => {
  const at = await importFixture()
  let send: (signal: StopSignal) => void = () => {}
  let lost = false
  at.intercept(({ method, body }, response) => {
    if (method !== 'POST' || !body.includes('A-002')) return false
    lost = true
    response.destroy()
    return true
  })
  at.write(people(3))
  const run = await payroll(['candidates', 'import', at.file, '--settle', '120', '--json'], {
    home: at.home,
    env: at.env,
    onStart: (sending) => {
      send = sending
    },
    // The first look shows nothing of it, and the import begins to wait: for ever, if nothing ends that.
    onPause: (ms, signal) =>
      new Promise((resolve) => {
        if (!lost || ms < 60_000) return resolve()
        signal?.addEventListener('abort', () => resolve())
        send('SIGINT')
      }),
  })
  expect(run.signal).toBe('SIGINT')
  expect(run.err).toContain('To continue: ')
  const last = at.journal().filter(({ key }) => key === 'A-002')
  expect(last.at(-1)).toMatchObject({ state: 'ambiguous' })
  at.intercept(() => false)
  expect(await at.import()).toMatchObject({ code: 0 })
  expect(await at.there()).toEqual(refs(3))
  expect(at.posted()).toHaveLength(4)
})

test('a row that arrives late, in a list that others change all the time, is created and not sent again', async () => {
  const at = await importFixture()
  let number = 0
  let looks = 0
  let lost: string | undefined
  at.intercept(async ({ method, body }, response) => {
    if (method === 'POST' && body.includes('A-003')) {
      lost = body
      response.destroy()
      return true
    }
    if (method !== 'GET' || lost === undefined) return false
    looks += 1
    if (looks === 2) await at.call('POST', '/svc/candidates', JSON.parse(lost))
    await at.call('POST', '/svc/candidates', person(`B-${number++}`))
    return false
  })
  const run = await at.importRows(people(3))
  expect(run.json()).toMatchObject({ created: 3, unresolved: 0 })
  expect(run.code).toBe(0)
  expect(at.posted()).toHaveLength(3)
})
