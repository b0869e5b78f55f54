import { expect, test } from 'vitest'
import { startClaim } from '../../src/import/shared-journal/claim.ts'

/** Two clocks, as a computer has them: one stops while it sleeps, the other may be set. */
function twoClocks() {
  const time = { running: 1000, ofDay: 5_000_000 }
  return { time, clocks: [() => time.running, () => time.ofDay] }
}

test.each([
  ['half of --settle', 60_000, 30_000],
  ['a second, where --settle is 0,', 0, 1000],
])('a row may be sent for %s after it was claimed', (_, settle, passed) => {
  const { time, clocks } = twoClocks()
  const assertFresh = startClaim(settle, clocks)
  time.running += passed
  time.ofDay += passed
  expect(assertFresh).not.toThrow()
})

test.each([
  ['a service that kept it waiting', 30_001, 30_001],
  ['a sleep in which one clock stood still', 10, 3_600_000],
  ['a clock that was set an hour forward', 10, 3_600_010],
])('a row is not sent with its claim after %s', (_, running, ofDay) => {
  const { time, clocks } = twoClocks()
  const assertFresh = startClaim(60_000, clocks)
  time.running += running
  time.ofDay += ofDay
  expect(assertFresh).toThrow('so it was not sent')
})

test('a clock that was set an hour back counts for nothing', () => {
  const { time, clocks } = twoClocks()
  const assertFresh = startClaim(60_000, clocks)
  time.ofDay -= 3_600_000
  expect(assertFresh).not.toThrow()
  time.running += 30_001
  expect(assertFresh).toThrow()
})
