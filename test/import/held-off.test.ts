import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { answer, importFixture, interceptedFixture, onPost, onRow, people, refs } from './import-fixture.ts'

/** What became of a row, by the journal. */
const statesOf = (journal: readonly any[], ref: string) =>
  journal.filter(({ key }) => key === ref).map(({ state, attempt }) => `${state} ${attempt}`)

test('a row that the service is too busy for was not created, and waits for its turn', async () => {
  const at = await interceptedFixture(
    onPost((response, _, { post }) => post >= 3 && post <= 5 && answer(429)(response)),
  )
  expect(await at.importRows(people(4), '--concurrency', '1')).toMatchObject({ code: 0 })
  expect(await at.there()).toEqual(refs(4))
  expect(statesOf(at.journal(), 'A-003')).toEqual(['intent 1', 'pending 1', 'intent 1', 'created 1'])
})

test('a service that asks for ten minutes ends the run, which says so and leaves its rows to the next', async () => {
  const at = await interceptedFixture(
    onPost((response, _, { post }) => post >= 3 && response.writeHead(429, { 'retry-after': '600' }).end()),
  )
  const run = await at.importRows(people(6), '--concurrency', '1')
  expect([run.code, run.json()]).toMatchObject([7, { created: 2, refused: 0, unresolved: 0, pending: 4 }])
  expect(run.error().message).toContain('10 minutes')
  expect(at.posted()).toHaveLength(3)
  at.intercept(() => false)
  expect(await at.import()).toMatchObject({ code: 0 })
  expect(at.posted()).toHaveLength(7)
  expect(await at.there()).toEqual(refs(6))
})

/** A service that stops listening once it has created A-002; `back` lets it listen again. */
async function leavingDesk() {
  const at = await importFixture()
  let gone: { server: Server; port: number } | undefined
  at.intercept(
    onRow('A-002', async (response, carryOut) => {
      const { status } = await carryOut()
      const { server } = response.socket as Socket & { server: Server }
      gone = { server, port: (server.address() as AddressInfo).port }
      server.close()
      response.writeHead(status, { connection: 'close' }).end()
    }),
  )
  const back = () => new Promise<void>((resolve) => gone?.server.listen(gone.port, '127.0.0.1', resolve))
  const words = ['candidates', 'import', at.file, '--settle', '0', '--json', '--concurrency', '1']
  return { ...at, back, run: (onPause = async () => {}) => payroll(words, { ...at, onPause }) }
}

test('a row that found nobody listening was not sent, and is sent once when the service is back', async () => {
  const at = await leavingDesk()
  at.write(people(4))
  let pauses = 0
  const run = await at.run(async () => {
    pauses += 1
    // A row is tried three times before it is put back; the service returns while it is tried anew.
    if (pauses === 3) await at.back()
  })
  expect(run.code).toBe(0)
  expect(at.posted()).toHaveLength(4)
  expect(await at.there()).toEqual(refs(4))
  expect(statesOf(at.journal(), 'A-003')).toEqual(['intent 1', 'pending 1', 'intent 1', 'created 1'])
})

test('a service that stays away ends the run: what was not sent is not in doubt, and waits', async () => {
  const at = await leavingDesk()
  at.write(people(6))
  const run = await at.run()
  expect([run.code, run.json()]).toMatchObject([7, { created: 2, refused: 0, unresolved: 0, pending: 4 }])
  expect(run.error().message).toContain('nothing listens there. 4 rows wait to be sent.')
  await at.back()
  expect(await at.import()).toMatchObject({ code: 0 })
  expect(at.posted()).toHaveLength(6)
  expect(await at.there()).toEqual(refs(6))
})
