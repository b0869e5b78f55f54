import type { freshSandbox } from '../fresh-sandbox.ts'
import { read } from '../fresh-sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof freshSandbox>>

/** The example of RFC 7636, appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

export const asked = {
  response_type: 'code',
  client_id: 'payroll-cli',
  redirect_uri: 'http://127.0.0.1:50123/callback',
  state: 'a state & more',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

/** The consent page for these parameters, without a key: a browser has none. */
export function openPage({ app }: Pick<Sandbox, 'app'>, parameters: Record<string, string> = asked) {
  return app.request(`/oauth/authorize?${new URLSearchParams(parameters)}`)
}

/** A person decides on the page, whose form goes to its own address; what the client is told, by name. */
export async function decide({ app }: Pick<Sandbox, 'app'>, decision: string, parameters = asked) {
  const response = await app.request(`/oauth/authorize?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ decision }).toString(),
  })
  const location = new URL(response.headers.get('location') ?? 'none:')
  return { response, location, told: Object.fromEntries(location.searchParams) }
}

/** A request to the token endpoint with the key. */
export function askToken({ call }: Pick<Sandbox, 'call'>, body: unknown) {
  return call('POST', '/svc/oauth/token', body)
}

export const exchange = (code: string | undefined) => ({
  grant_type: 'authorization_code',
  client_id: asked.client_id,
  redirect_uri: asked.redirect_uri,
  code_verifier: verifier,
  code,
})

export const refresh = (token: string) => ({
  grant_type: 'refresh_token',
  client_id: asked.client_id,
  refresh_token: token,
})

/** The whole way to tokens. */
export async function tokens(sandbox: Sandbox) {
  const { told } = await decide(sandbox, 'allow')
  return { code: told.code ?? '', ...(await askToken(sandbox, exchange(told.code))).json }
}

/** How a call with this Authorization header is answered. */
export async function statusWith({ app }: Pick<Sandbox, 'app'>, authorization: string) {
  return (await read(await app.request('/svc/vat-code', { headers: { authorization } }))).status
}
