import { describe, expect, test } from 'vitest'
import { createThrottle } from '../../src/import/throttle.ts'

/** A pace under a clock that the test moves. */
function paced(concurrency = 8) {
  let time = 1000
  const pace = createThrottle({ concurrency, clock: () => time, random: () => 0.5 })
  const clean = (times: number) => {
    for (let each = 0; each < times; each++) pace.noteClear()
  }
  /** So many rests, each long enough to be over. */
  const rest = (times: number) => {
    for (let each = 0; each < times; each++) {
      time += 60_000
      pace.noteBusy(pace.startRequest())
    }
  }
  return { ...pace, clean, rest, pass: (ms: number) => (time += ms) }
}

describe('the pace of an import', () => {
  test('halves when the service is busy, and stops for as long as it asks', () => {
    const pace = paced()
    pace.noteBusy(pace.startRequest(), 3000)
    expect([pace.mostAtOnce(), pace.restMs()]).toEqual([4, 3000])
    pace.pass(3000)
    expect(pace.restMs()).toBe(0)
  })

  test('takes what was under way together as one sign', () => {
    const pace = paced()
    const started = pace.startRequest()
    pace.pass(10)
    for (let each = 0; each < 8; each++) pace.noteBusy(started, 1000 + each)
    expect(pace.mostAtOnce()).toBe(4)
    expect(pace.restMs()).toBe(1007)
  })

  test('gets one back for twenty clear answers, and never more than it began with', () => {
    const pace = paced(4)
    pace.noteBusy(pace.startRequest(), 0)
    expect(pace.mostAtOnce()).toBe(2)
    pace.clean(19)
    expect(pace.mostAtOnce()).toBe(2)
    pace.clean(1)
    expect(pace.mostAtOnce()).toBe(3)
    pace.clean(100)
    expect(pace.mostAtOnce()).toBe(4)
  })

  test('never falls below one', () => {
    const pace = paced(2)
    pace.rest(4)
    expect(pace.mostAtOnce()).toBe(1)
  })

  test('is over after eight rests with nothing in between, and not when there was something', () => {
    const pace = paced()
    pace.rest(8)
    expect(pace.stopReason()).toBeUndefined()
    pace.clean(1)
    pace.rest(1)
    expect(pace.stopReason()).toBeUndefined()
    pace.rest(8)
    expect(pace.stopReason()).toBe('busy')
  })

  test('is over at the fifth lost answer of the last twenty', () => {
    const pace = paced()
    for (let each = 0; each < 40; each++) {
      if (each % 5 === 0) pace.noteUnclear()
      else pace.clean(1)
    }
    pace.noteUnclear()
    expect(pace.stopReason()).toBeUndefined()
    pace.noteUnclear()
    expect(pace.stopReason()).toBe('unclear')
  })
})
