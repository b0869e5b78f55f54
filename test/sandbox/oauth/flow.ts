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

/** What a browser would send back: the cookie, and the hidden fields as text. */
export async function readPage(response: Response) {
  const text = await response.text()
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  )
  return {
    text,
    fields: Object.fromEntries(fields) as Record<string, string>,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
  }
}

/** Sends the form of the page. */
export function sendForm({ app }: Pick<Sandbox, 'app'>, fields: Record<string, string>, cookie: string) {
  return app.request('/oauth/authorize', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams(fields).toString(),
  })
}

/** A person decides on the page; what the client is told, by name. */
export async function decide(sandbox: Sandbox, decision: string, parameters = asked) {
  const { fields, cookie } = await readPage(await openPage(sandbox, parameters))
  const response = await sendForm(sandbox, { ...fields, decision }, cookie)
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

function unescaped(value: string): string {
  return value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
