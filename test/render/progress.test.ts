import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { liveLine } from '../../src/render/progress.ts'

/** What was written: a read takes all of it, or on Node 26 one piece. */
function written(stream: PassThrough): string {
  let text = ''
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece)
  return text
}

test('a terminal that says it has no columns gets one line, and not lines without end', () => {
  const moved = () => true
  const screen = { isTTY: true, columns: 0, cursorTo: moved, moveCursor: moved, clearLine: moved }
  const stream = Object.assign(new PassThrough(), screen)
  const line = liveLine(stream)
  line.show('1 of 2')
  line.show('2 of 2')
  line.end()
  expect([...written(stream).matchAll(/\d of 2/g)].length).toBeLessThanOrEqual(3)
})

const spinner = (stream: PassThrough, text: string) =>
  liveLine(stream, { text, stop: new AbortController().signal })

test.each<[string, (stream: PassThrough) => { end(): void }]>([
  [
    'the line that says how far the whole is',
    (stream) => {
      const line = liveLine(stream)
      line.show('1 of 2')
      return line
    },
  ],
  ['the spinner of the whole', (stream) => spinner(stream, '1 of 2')],
])('a spinner of what is done meanwhile is not drawn over %s', (_, begin) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const warned = vi.spyOn(console, 'warn')
  const moved = () => true
  const screen = { isTTY: true, columns: 80, cursorTo: moved, moveCursor: moved, clearLine: moved }
  const stream = Object.assign(new PassThrough(), screen)
  const line = begin(stream)
  vi.advanceTimersByTime(200)
  const { end } = spinner(stream, 'Searching')
  vi.advanceTimersByTime(2000)
  end()
  line.end()
  const shown = written(stream)
  expect([shown.includes('1 of 2'), shown.includes('Searching')]).toEqual([true, false])
  expect(warned).not.toHaveBeenCalled()
})
