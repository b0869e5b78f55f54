import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { run, start } from './built.ts'

const kills = Number(process.env.PAYROLL_TEST_KILLS ?? 2)

/** A service that rotates its refresh tokens: one that comes a second time ends the sign-in. */
async function rotating(slowMs: number) {
  const good = { access: 'a-0', refresh: 'r-0' }
  const seen = { refreshes: 0, reused: 0 }
  let onRefresh = () => {}
  const { baseUrl } = await service(async ({ url, headers, body }, response) => {
    if (!url.startsWith('/svc/oauth/token')) {
      if (headers.authorization !== good.access) return answerJson(response, 401, {})
      return answerJson(response, 200, { data: [{ id: 'vat-1' }], totalDocs: 1 })
    }
    if (new URLSearchParams(body).get('refresh_token') !== good.refresh) {
      seen.reused += 1
      return answerJson(response, 400, { error: 'invalid_grant', error_description: 'Used before' })
    }
    seen.refreshes += 1
    onRefresh()
    Object.assign(good, { access: `a-${seen.refreshes}`, refresh: `r-${seen.refreshes}` })
    const { access, refresh } = good
    await pause(slowMs)
    answerJson(response, 200, { access_token: access, refresh_token: refresh, expires_in: 3600 })
  })
  const home = freshHome()
  const path = join(home, 'config.json')
  const settings = () => JSON.parse(readFileSync(path, 'utf8'))
  /** What a new sign-in stores, with a token that is over already. */
  const signIn = () => {
    const acme = { origin: baseUrl, ...good, clientId: 'app', expiresAt: 1 }
    const all = { default: 'acme', profiles: { acme: { baseUrl } }, keys: {}, tokens: { acme } }
    writeFileSync(path, JSON.stringify(all), { mode: 0o600 })
  }
  signIn()
  const whenRefreshed = () =>
    new Promise<void>((resolve) => {
      onRefresh = resolve
    })
  return { home, env: { PAYROLL_CONFIG_DIR: home }, seen, settings, signIn, good, whenRefreshed }
}

describe('an access token that is over', () => {
  test('is refreshed once by six runs at the same time, and each has its answer', async () => {
    const { env, seen, settings, good } = await rotating(200)
    const all = await Promise.all(Array.from({ length: 6 }, () => run(['vat-codes', 'list'], { env })))
    expect(all.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 0))
    for (const { out } of all) expect(JSON.parse(out)).toEqual([{ id: 'vat-1' }])
    expect(seen).toEqual({ refreshes: 1, reused: 0 })
    expect(settings().tokens.acme).toMatchObject(good)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('is stored before a run ends that %s stops', async (signal) => {
    const { env, seen, whenRefreshed } = await rotating(200)
    const { child, ended } = start(['vat-codes', 'list'], { env })
    await whenRefreshed()
    child.kill(signal)
    const err = expect.stringContaining('waiting for the access token that is being refreshed')
    expect(await ended).toMatchObject({ signal, out: '', err })
    expect((await run(['vat-codes', 'list'], { env })).code).toBe(0)
    expect(seen).toEqual({ refreshes: 1, reused: 0 })
  })

  test(`is never half stored, and one sign-in puts all right, after ${kills} kills at random moments`, async () => {
    const { home, env, settings, signIn, whenRefreshed } = await rotating(20)
    const begun = performance.now()
    await run(['vat-codes', 'list'], { env })
    const wholeMs = performance.now() - begun
    const found = { whole: 0, signInAgain: 0 }
    for (let count = 0; count < kills; count++) {
      signIn()
      const { child, ended } = start(['vat-codes', 'list'], { env })
      // Half of them from the start to the end of a run, half of them around the answer to its refresh.
      if (count % 2 === 0) await pause(Math.random() * wholeMs)
      else {
        await Promise.race([whenRefreshed(), ended])
        await pause(Math.random() * 60)
      }
      child.kill('SIGKILL')
      await ended
      const { tokens } = settings()
      expect(tokens.acme).toMatchObject({ access: expect.any(String), refresh: expect.any(String) })
      const after = await run(['vat-codes', 'list'], { env })
      if (after.code === 0) found.whole += 1
      else {
        expect(after).toMatchObject(endedWith(4, 'Sign in again'))
        found.signInAgain += 1
        // One new sign-in is enough.
        signIn()
        expect((await run(['vat-codes', 'list'], { env })).code).toBe(0)
      }
    }
    expect(found.whole + found.signInAgain).toBe(kills)
    expect(readdirSync(home).filter((name) => name.includes('new'))).toEqual([])
  }, 300_000)
})
