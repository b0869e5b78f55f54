import { randomBytes, randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { OAuthClient, Service } from '../records/resource-routes.ts'
import { mediaType, readBodyBytes } from '../requests.ts'
import { findClient, isRegistered, issue } from './oauth-tokens.ts'

/** "A maximum authorization code lifetime of 10 minutes is RECOMMENDED" (RFC 6749); ours is one minute. In ms. */
const codeLifetime = 60 * 1000
const mostBytes = 64 * 1024
const session = 'sandbox-session'

/** The page where a person allows a client, without a key. assumed: whoever reaches it may. */
export function serveConsent(app: Hono, service: Service): void {
  /**
   * What each open page asks, and the browser that has it, by the token in its form: one from another page has none.
   */
  const openPages = new Map<string, { readonly sessionId: string; readonly request: AuthorizationRequest }>()

  app.use(consentPath, async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value)
    if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', policy("'none'"))
  })

  app.get(consentPath, (c) => {
    const reading = readAuthorizationRequest(service, new URL(c.req.url).searchParams)
    if ('sentence' in reading) return c.html(refusalPage(reading.sentence), 400)
    if ('error' in reading) return redirectToClient(c, reading, { error: reading.error })
    const { request } = reading
    const token = randomText()
    openPages.set(token, { sessionId: sessionOf(c) ?? newSession(c), request })
    // Browsers apply the policy to the redirect after a form as well.
    c.header('Content-Security-Policy', policy(`'self' ${new URL(request.redirectUri).origin}`))
    return c.html(consentPage(request, token))
  })

  app.post(consentPath, async (c) => {
    if (mediaType(c.req.raw) !== 'application/x-www-form-urlencoded') {
      return c.html(refusalPage('This page accepts only its own form.'), 415)
    }
    const form = new URLSearchParams(new TextDecoder().decode(await readBodyBytes(c.req.raw, mostBytes)))
    const page = openPages.get(form.get('csrf_token') ?? '')
    if (page === undefined || page.sessionId !== sessionOf(c)) {
      return c.html(refusalPage('This form is not from this sandbox, or is too old.'), 403)
    }
    const { client, redirectUri, codeChallenge } = page.request
    if (form.get('decision') !== 'allow') return redirectToClient(c, page.request, { error: 'access_denied' })
    const grant = { id: randomUUID(), clientId: client.clientId, redirectUri, codeChallenge }
    const code = issue(service.database, 'code', grant, service.now(), codeLifetime)
    return redirectToClient(c, page.request, { code })
  })
}

/** 303, because 307 would post the form to the client (RFC 9700 section 4.12). `iss`: RFC 9207. */
function redirectToClient(
  c: Context,
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: Record<string, string>,
): Response {
  const url = new URL(redirectUri)
  const parameters = { ...answer, ...(state !== null && { state }), iss: new URL(c.req.url).origin }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return c.redirect(url.href, 303)
}

const securityHeaders = {
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

function policy(formAction: string): string {
  return `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`
}

function sessionOf(c: Context): string | undefined {
  const sessionId = getCookie(c, session)
  return sessionId !== undefined && /^[\w-]{43}$/.test(sessionId) ? sessionId : undefined
}

function newSession(c: Context): string {
  const sessionId = randomText()
  setCookie(c, session, sessionId, { httpOnly: true, sameSite: 'Strict', path: consentPath })
  return sessionId
}

const randomText = () => randomBytes(32).toString('base64url')

/** `token`: what its form sends back. Every value is plain text. */
function consentPage({ client, redirectUri }: AuthorizationRequest, token: string) {
  return htmlPage(
    'Allow access to the sandbox?',
    html`<p><strong>${client.name}</strong> asks to act for you in this sandbox. It is for practice: nothing here is real.</p>
<p>The answer goes to <strong>${new URL(redirectUri).host}</strong>.</p>
<form method="post" action="${consentPath}">
<input type="hidden" name="csrf_token" value="${token}">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Do not allow</button>
</form>`,
  )
}

/** Says why there is no consent page. `sentence` is always one of ours. */
function refusalPage(sentence: string) {
  return htmlPage('This cannot be allowed', html`<p>${sentence}</p>`)
}

function htmlPage(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main>
<h1>${title}</h1>
${content}
</main></body>
</html>
`
}

/** Path of the consent page. */
export const consentPath = '/oauth/authorize'

/** The parameters of RFC 6749 section 4.1.1 and RFC 7636 section 4.3. Others, such as scope, are ignored. */
export const parameterNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

interface AuthorizationRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
}

/** A valid request, or what is wrong with it: told to the person alone if the redirect is not certain. */
type ConsentRequest =
  | { readonly request: AuthorizationRequest }
  | { readonly redirectUri: string; readonly state: string | null; readonly error: string }
  | { readonly sentence: string }

/** Reads the parameters of the consent page. PKCE is required, with S256 only (RFC 9700 section 2.1.1). */
function readAuthorizationRequest(service: Service, parameters: URLSearchParams): ConsentRequest {
  // "Request and response parameters MUST NOT be included more than once" (RFC 6749 section 3.1).
  if (parameterNames.some((name) => parameters.getAll(name).length > 1)) {
    return { sentence: 'This address has the same parameter twice.' }
  }
  const client = findClient(service, parameters.get('client_id') ?? '')
  if (!client) return { sentence: 'This sandbox does not know the application that sent you here.' }
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (!isRegistered(client, redirectUri)) {
    return { sentence: 'The redirect address is not registered for this application.' }
  }

  const state = parameters.get('state')
  const refuse = (error: string) => ({ redirectUri, state, error })
  const type = parameters.get('response_type')
  if (type === null) return refuse('invalid_request')
  if (type !== 'code') return refuse('unsupported_response_type')
  const codeChallenge = parameters.get('code_challenge') ?? ''
  // The base64url of 32 bytes has 43 characters.
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)) {
    return refuse('invalid_request')
  }
  return { request: { client, redirectUri, state, codeChallenge } }
}
