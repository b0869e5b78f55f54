import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { redactStreams } from '../../src/secrets.ts'

const key = 'CANARY/key+"0000'

/** Two redacted streams that keep `key`, and what came through them. */
function guarded({ isTTY = false, secrets = [key] } = {}) {
  const came = { stdout: '', stderr: '' }
  const order: string[] = []
  const stream = (name: keyof typeof came) =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          came[name] += chunk.toString('latin1')
          order.push(chunk.toString('latin1'))
          done()
        },
      }),
      { isTTY },
    )
  const [stdout, stderr] = [stream('stdout'), stream('stderr')]
  const guard = redactStreams({ stdout, stderr })
  for (const secret of secrets) guard.hide(secret)
  return { stdout, stderr, came, order, ...guard }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const readBack = (text: string) => Buffer.from(text, 'base64').toString()

describe('a kept secret', () => {
  test.each([
    ['as it is', `no such key: ${key}.`, 'no such key: [key].'],
    ['several times', `${key}${key} ${key}`, '[key][key] [key]'],
    ['in a JSON string', JSON.stringify({ key }), '{"key":"[key]"}'],
    ['in a JSON string with escaped slashes', '"CANARY\\/key+\\"0000"', '"[key]"'],
    ['in a URL', `https://x/?key=${encodeURIComponent(key)}&a=1`, 'https://x/?key=[key]&a=1'],
    ['in a URL, in small letters', 'CANARY%2fkey%2b%220000', '[key]'],
    ['in a form', `${new URLSearchParams({ key, a: '1' })}`, 'key=[key]&a=1'],
  ])('is replaced on both streams %s', (_, text, shown) => {
    const { stdout, stderr, came, flush } = guarded()
    stdout.write(`${text}\n`)
    stderr.write(Buffer.from(`${text}\n`))
    flush()
    expect(came).toEqual({ stdout: `${shown}\n`, stderr: `${shown}\n` })
  })

  test.each([...Array(7).keys()])('is replaced in base64, %i bytes after its beginning', (before) => {
    const secret = 'CANARY?>?key>>?0000'
    for (const after of ['', ':', ':p', ':pw']) {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const { stdout, came, flush } = guarded({ secrets: [secret] })
        const text = `${'u'.repeat(before)}${secret}${after}`
        stdout.write(`Basic ${Buffer.from(text).toString(alphabet)}\n`)
        flush()
        expect(came.stdout).toContain('[key]')
        expect(readBack(came.stdout.slice(6).split('[key]').join('AAAA'))).not.toMatch(/ANARY|key|000/)
      }
    }
  })

  test.each([key, encodeURIComponent(key), JSON.stringify(key), base64(key)])(
    'is replaced wherever it is cut in two, and in any number of pieces: %s',
    (text) => {
      const whole = `a ${text} b`
      const cuts = [...Array(whole.length).keys()].map((at) => [whole.slice(0, at), whole.slice(at)])
      for (const pieces of [...cuts, [...whole]]) {
        const { stdout, came, flush } = guarded()
        for (const piece of pieces) stdout.write(piece)
        flush()
        expect(came.stdout).toMatch(/^a "?\[key\]\S{0,4}"? b$/)
      }
    },
  )

  test('is replaced on standard output only until it is the answer', () => {
    const { stdout, stderr, came, reveal } = guarded()
    reveal(key)
    stdout.write(`${key}\n`)
    stderr.write(`${key}\n`)
    expect(came).toEqual({ stdout: `${key}\n`, stderr: '[key]\n' })
  })

  test('is replaced when it is the last that is written', () => {
    const { stdout, came } = guarded()
    stdout.write('the key is CANARY/')
    stdout.end('key+"0000')
    expect(came.stdout).toBe('the key is [key]')
    const another = guarded()
    another.stdout.end('CAN')
    expect(another.came.stdout).toBe('CAN')
  })

  test('may be the beginning of another', () => {
    const { stdout, came } = guarded({ secrets: ['CANARYkey', 'CANARYkey0000'] })
    stdout.write('CANARYkey CANARYkey0000\n')
    expect(came.stdout).toBe('[key] [key]\n')
  })

  test('that was copied with something else is replaced without it', () => {
    const { stderr, came } = guarded({ secrets: ['  CANARYkey0000\r\nX-Other: é\u20ac'] })
    stderr.write('CANARYkey0000 and X-Other:\n')
    expect(came.stderr).toBe('[key] and [key]\n')
  })

  test('of fewer than eight characters is left alone: amounts and dates look like that', () => {
    const { stdout, came } = guarded({ secrets: ['1000.00', ''] })
    stdout.write('{"amount":"1000.00"}\n')
    expect(came.stdout).toBe('{"amount":"1000.00"}\n')
  })
})

describe('everything else', () => {
  test('comes through byte for byte, in whatever pieces', () => {
    const { stdout, came, flush } = guarded()
    const bytes = Buffer.from([...Array(256).keys(), ...Array(256).keys()])
    for (let at = 0; at < bytes.length; at += 3) stdout.write(bytes.subarray(at, at + 3))
    stdout.write('é', 'latin1')
    stdout.write('Q0FO', 'base64')
    flush()
    expect(came.stdout).toBe(`${bytes.toString('latin1')}éCAN`)
  })

  test('that only begins like a secret comes through, and in its place', () => {
    const { stdout, came, flush } = guarded()
    for (const piece of ['CANARY', '/k', 'CANARY/', 'key?', 'CAN']) stdout.write(piece)
    expect(came.stdout).toBe('CANARY/kCANARY/key?')
    flush()
    expect(came.stdout).toBe('CANARY/kCANARY/key?CAN')
  })

  test('is not kept from who sits at a terminal', async () => {
    const { stderr, came } = guarded({ isTTY: true })
    stderr.write('Which one, A, B or C')
    expect(came.stderr).toBe('Which one, A, B or ')
    await expect.poll(() => came.stderr).toBe('Which one, A, B or C')
    await pause(60)
    expect(came.stderr).toBe('Which one, A, B or C')
  })

  test('reaches a terminal in its order, whichever stream it is written to', () => {
    const { stdout, stderr, order } = guarded({ isTTY: true })
    stderr.write('Is it C')
    stdout.write('one CAN')
    stderr.write('done')
    expect(order.join('')).toBe('Is it Cone CANdone')
  })

  test('that is a command to the terminal is not taken for the beginning of a secret', () => {
    const { stderr, came } = guarded({ isTTY: true, secrets: ['hCANARY0000'] })
    stderr.write('\x1b[1G\x1b[?25h')
    expect(came.stderr).toBe('\x1b[1G\x1b[?25h')
  })

  test('is told when it was written, and when it cannot be', async () => {
    const { stdout } = guarded()
    await new Promise<void>((resolve) => stdout.write('CANARY', () => resolve()))
    await new Promise<void>((resolve) => stdout.write('x', 'utf8', () => resolve()))
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) })
    broken.on('error', () => {})
    redactStreams({ stdout: broken, stderr: stdout }).hide(key)
    const told = await new Promise((resolve) => broken.write('x\n', resolve))
    expect(told).toMatchObject({ message: 'full' })
  })

  test('costs next to nothing: 128 MB of rows in less than a second', { tags: ['timing'] }, () => {
    const row = `${JSON.stringify({ id: 'f47ac10b-58cc-4372', forename: 'Zoë', note: 'x'.repeat(1200) })}\n`
    const page = row.repeat(100)
    const { stdout, came } = guarded({ secrets: [key, 'development-key-0001', 'CANARYkey0000'] })
    let bytes = 0
    stdout._write = (_chunk, _encoding, done) => done()
    const started = performance.now()
    for (; bytes < 128e6; bytes += page.length) stdout.write(page)
    expect(performance.now() - started).toBeLessThan(1000)
    expect(came.stdout).toBe('')
  })
})
