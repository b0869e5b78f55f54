import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { asTyped } from '../payroll.ts'
import { service } from '../service.ts'
import { run, start } from './built.ts'

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('ends a run that waits for the service, by the signal', async () => {
    let arrived = () => {}
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { env } = await service(() => arrived())
    const { child, ended } = start(['candidates', 'list'], { env })
    await waiting
    child.kill(signal)
    expect(await ended).toMatchObject({ code: null, signal, out: '' })
  })

  test('ends a run that waits for its input, by the signal', async () => {
    const { env, received } = await service(() => {})
    const { child, ended, catchesSignals } = start(asTyped`candidates create --incomplete --debug`, {
      env,
      open: true,
    })
    await catchesSignals()
    child.kill(signal)
    expect(await ended).toMatchObject({ code: null, signal })
    expect(received).toEqual([])
  })

  test('ends the served sandbox, by the signal, and its port is free again', async () => {
    const { child, ended, printed } = start(['sandbox', 'serve', '--port', '0', '--json'])
    const { baseUrl, key } = await printed(whole)
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key }
    const create = 'candidates create --incomplete --set agencyRef=A-1 --find --quiet'.split(' ')
    const made = await run(create, { env })
    expect([made.code, JSON.parse(made.out).agencyRef]).toEqual([0, 'A-1'])
    child.kill(signal)
    expect(await ended).toMatchObject({ code: null, signal })
    expect(await listens(Number(new URL(baseUrl).port))).toBe(false)
  })
})

test('the served sandbox tells a person what to type', async () => {
  const { child, ended, printed } = start(['sandbox', 'serve', '--port', '0', '-o', 'table'])
  const line = await printed((text) => /export (PAYROLL_BASE_URL=\S+) PAYROLL_API_KEY=\S+\n/.exec(text)?.[1])
  expect(line).toMatch(/=http:\/\/127\.0\.0\.1:\d+$/)
  child.kill()
  await ended
})

test('a port that is taken is exit 2', async () => {
  const { env } = await service(() => {})
  const port = new URL(env.PAYROLL_BASE_URL ?? '').port
  const ended = await run(['sandbox', 'serve', '--port', port])
  expect(ended.code).toBe(2)
  expect(ended.err).toMatch(/^Error: Port \d+ of 127\.0\.0\.1 is in use\.\n/)
})

/** The JSON of what was printed; undefined until it is whole. */
function whole(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
