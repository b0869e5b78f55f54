import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { listenForSignals } from '../../src/context/signals.ts'
import { trackWrites } from '../../src/context/write-tracker.ts'
import type { StopSignal } from '../../src/errors.ts'

/** A run that listens, what it was told, and the signal it ended itself by. */
function listening() {
  const listeners = new Set<(signal: StopSignal) => void>()
  const raised: string[] = []
  const interruption = listenForSignals(
    {
      onSignal: (heard) => {
        listeners.add(heard)
        return () => listeners.delete(heard)
      },
      raiseSignal: (signal) => raised.push(`${signal}, ${listeners.size} listen`),
    },
    trackWrites(),
  )
  let end: unknown
  interruption.interrupted.catch((error: unknown) => {
    end = error
  })
  const send = async (signal: StopSignal) => {
    for (const heard of [...listeners]) heard(signal)
    await turn()
    await turn()
  }
  return { interruption, send, raised, end: () => end }
}

describe('a signal', () => {
  test('that comes again while the run ends is raised at once, and nobody listens any more', async () => {
    const { send, raised } = listening()
    await send('SIGINT')
    await send('SIGTERM')
    expect(raised).toEqual(['SIGTERM, 0 listen'])
  })

  test('ends the run as usual once that work is over', async () => {
    const { interruption, send, end } = listening()
    const heard: string[] = []
    const over = interruption.onNextSignal((signal) => heard.push(signal))
    over()
    await send('SIGHUP')
    expect(heard).toEqual([])
    expect(end()).toMatchObject({ signal: 'SIGHUP' })
  })

  test('ends nothing any more after the run', async () => {
    const { interruption, send, raised, end } = listening()
    interruption.release()
    await send('SIGINT')
    expect([raised, end()]).toEqual([[], undefined])
  })
})
