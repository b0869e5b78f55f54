import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { consent } from '../commands/auth/connected.ts'
import { asTyped, freshHome, payroll } from '../payroll.ts'
import { start } from './built.ts'

/** The JSON of what was printed; undefined until it is whole. */
const whole = (text: string): any => (text.includes('}') ? JSON.parse(text) : undefined)

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** The sandbox as a person starts it, and a profile that has its key. */
async function served(...words: string[]) {
  const home = freshHome()
  const { child, ended, printed } = start(['sandbox', 'serve', '--port', '0', '--json', ...words], { home })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const { baseUrl, key } = await printed(whole)
  const env = { PAYROLL_CONFIG_DIR: home }
  await payroll(['auth', 'login', '--profile', 'development', '--base-url', baseUrl], { home, input: key })
  const signIn = async () => {
    const words = ['auth', 'login', '--browser', '--profile', 'development', '--client-id', 'payroll-cli']
    const login = start(words, { env, open: true })
    let shown = ''
    login.child.stderr.on('data', (text) => {
      shown += text
    })
    const url = await new Promise<string>((resolve) => {
      login.child.stderr.on('data', () => {
        const found = /^ {2}(http\S+)\n/m.exec(shown)?.[1]
        if (found) resolve(found)
      })
    })
    await fetch(await consent(url))
    return login.ended
  }
  const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  return { home, signIn, settings }
}

describe('payroll sandbox serve', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps what is created, ends by %s, and its port is free again',
    async (signal) => {
      const { child, ended, printed } = start(['sandbox', 'serve', '--port', '0', '--json'])
      const { baseUrl, key } = await printed(whole)
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key }
      const create = asTyped`candidates create --incomplete --set agencyRef=A-1 --find --quiet`
      const made = await payroll(create, { env })
      expect([made.code, made.json().agencyRef]).toEqual([0, 'A-1'])
      child.kill(signal)
      expect(await ended).toMatchObject({ code: null, signal })
      expect(await listens(Number(new URL(baseUrl).port))).toBe(false)
    },
  )

  test('tells a person what to type', async () => {
    const { child, ended, printed } = start(['sandbox', 'serve', '--port', '0', '-o', 'table'])
    const line = await printed(
      (text) => /export (PAYROLL_BASE_URL=\S+) PAYROLL_API_KEY=\S+\n/.exec(text)?.[1],
    )
    expect(line).toMatch(/=http:\/\/127\.0\.0\.1:\d+$/)
    child.kill()
    await ended
  })

  test('goes wrong in a sign-in as it is told, and once: the exchange is lost, and then a token comes', async () => {
    const { signIn, settings, home } = await served('--fault', 'reset-after-commit=first:1@auth.token')
    const lost = await signIn()
    expect(lost.code).toBe(4)
    expect(lost.err).toContain('The code may be used up.')
    expect(settings().tokens).toBeUndefined()
    expect((await signIn()).code).toBe(0)
    expect(settings().tokens.development).toMatchObject({ clientId: 'payroll-cli' })
    expect((await payroll(['candidates', 'list'], { home })).code).toBe(0)
  })
})
