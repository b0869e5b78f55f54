import { clockNow, freshHome, payroll, type Setting } from '../payroll.ts'
import { service } from '../service.ts'
import { thirdService } from './service.ts'

/** A third service on a port of its own, and a computer that works with it. Time passes only where a run waits. */
export async function office({
  people,
  busyEvery,
  onRequest = () => {},
}: {
  people?: number
  busyEvery?: number
  onRequest?: (url: string) => void
} = {}) {
  const third = thirdService({
    now: clockNow,
    ...(people !== undefined && { people }),
    ...(busyEvery && { busyEvery }),
  })
  const { env, received } = await service((request, response) => {
    onRequest(request.url)
    const { status, value } = third.answer(request)
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(value === undefined ? undefined : JSON.stringify(value))
  })
  const home = freshHome()
  /** The writes that reached it, whatever it made of them. */
  const writes = () =>
    received
      .filter(({ method }) => method !== 'GET')
      .map(({ method, url, body }) => ({ method, url, body: body === '' ? undefined : JSON.parse(body) }))
  const run = (words: readonly string[], setting: Setting = {}) =>
    payroll(words, { home, ...setting, env: { ...env, ...setting.env } })
  return { ...third, env, home, received, writes, run }
}
