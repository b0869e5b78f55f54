import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { consent } from '../commands/auth/connected.ts'
import { freshHome } from '../payroll.ts'
import { run, start } from './built.ts'

/** The sandbox as a person starts it, and a profile that has its key. */
async function served(...words: string[]) {
  const home = freshHome()
  const { child, ended, printed } = start(['sandbox', 'serve', '--port', '0', '--json', ...words], { home })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const { baseUrl, key } = await printed((text) => (text.includes('}') ? JSON.parse(text) : undefined))
  const env = { PAYROLL_CONFIG_DIR: home }
  await run(['auth', 'login', '--profile', 'development', '--base-url', baseUrl], { env, input: key })
  const signIn = async (clientId: string, ...others: string[]) => {
    const words = ['auth', 'login', '--browser', '--profile', 'development', '--client-id', clientId]
    const login = start([...words, ...others], { env, open: true })
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
    const back = await consent(url)
    if (back.startsWith('http://127.0.0.1:')) await fetch(back)
    else login.child.stdin.write(`${back}\n`)
    return { ...(await login.ended), url, back }
  }
  const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  return { env, signIn, settings }
}

describe('payroll sandbox serve', () => {
  test('goes wrong in a sign-in as it is told, and once: state, exchange, and then a token', async () => {
    const { signIn, settings, env } = await served(
      ...['--fault', 'wrong-state=first:1', '--fault', 'reset-after-commit=first:1@auth.token'],
    )
    const [other, lost] = [await signIn('payroll-cli', '--timeout', '3'), await signIn('payroll-cli')]
    expect([other.code, other.err]).toEqual([
      4,
      expect.stringContaining('What came belonged to another sign-in'),
    ])
    expect([lost.code, lost.err]).toEqual([4, expect.stringContaining('The code may be used up.')])
    expect(settings().tokens).toBeUndefined()
    expect((await signIn('payroll-cli')).code).toBe(0)
    expect(settings().tokens.development).toMatchObject({ clientId: 'payroll-cli' })
    expect((await run(['candidates', 'list'], { env })).code).toBe(0)
  })

  test('knows the client application that it is given: the consent page, its redirect address and auth client', async () => {
    const uri = 'https://app.example.com/done'
    const { signIn, settings, env } = await served('--client-id', 'my-app', '--redirect-uri', uri)
    const info = await run(['auth', 'client', '--client-id', 'my-app'], { env })
    expect(JSON.parse(info.out)).toEqual({ clientId: 'my-app', name: 'my-app', redirectUris: [uri] })
    const done = await signIn('my-app', '--redirect-uri', uri)
    expect(await (await fetch(done.url)).text()).toContain('<strong>my-app</strong>')
    expect([done.code, done.back.startsWith(uri)]).toEqual([0, true])
    expect(settings().tokens.development).toMatchObject({ clientId: 'my-app' })
  })

  test.each([
    [['--redirect-uri', 'http://127.0.0.1/done'], '--redirect-uri needs --client-id'],
    [['--client-id', 'my-app', '--redirect-uri', 'nowhere'], '--redirect-uri is not a web address'],
  ])('payroll sandbox serve with %j, which would have no effect, is exit 2', async (words, says) => {
    const { code, err } = await run(['sandbox', 'serve', '--port', '0', ...words])
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
  })
})
