import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Service } from '../records/resource-routes.ts'
import { readForm } from '../requests.ts'
import { isRegistered, issue, ownClient } from './oauth-tokens.ts'

/** "A maximum authorization code lifetime of 10 minutes is RECOMMENDED" (RFC 6749); ours is one minute. In ms. */
const codeLifetime = 60 * 1000

/** Path of the consent page. */
export const consentPath = '/oauth/authorize'

/**
 * The page where a person allows a client, without a key. assumed: anyone who reaches it may. Its form is sent to the
 * address of the page, and so with what the page asked; `serve` keeps out the forms of other sites.
 */
export function serveConsent(app: Hono, service: Service): void {
  app.get(consentPath, (c) => {
    const request = readAuthorizationRequest(c)
    return request instanceof Response ? request : c.html(consentPage(request.redirectUri))
  })

  app.post(consentPath, async (c) => {
    const request = readAuthorizationRequest(c)
    if (request instanceof Response) return request
    const { decision } = await readForm(c.req.raw)
    if (decision !== 'allow') return redirectToClient(c, request, { error: 'access_denied' })
    const { redirectUri, codeChallenge } = request
    const grant = { redirectUri, codeChallenge }
    const code = issue(service.database, 'code', grant, service.now(), codeLifetime)
    return redirectToClient(c, request, { code })
  })
}

interface Redirect {
  readonly redirectUri: string
  readonly state: string | undefined
}

/** 303, because 307 would post the form to the client (RFC 9700 section 4.12). `iss`: RFC 9207. */
function redirectToClient(
  c: Context,
  { redirectUri, state }: Redirect,
  answer: Record<string, string>,
): Response {
  const url = new URL(redirectUri)
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: new URL(c.req.url).origin }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return c.redirect(url.href, 303)
}

/**
 * What the consent page is asked (RFC 6749 section 4.1.1, RFC 7636 section 4.3), or the answer to what is wrong with it: to the person alone where the redirect is not
 * certain. PKCE is required, with S256 only (RFC 9700 section 2.1.1).
 */
function readAuthorizationRequest(c: Context): (Redirect & { readonly codeChallenge: string }) | Response {
  if (c.req.query('client_id') !== ownClient.clientId)
    return c.text('This sandbox does not know the application that sent you here.', 400)
  const redirectUri = c.req.query('redirect_uri') ?? ''
  if (!isRegistered(redirectUri))
    return c.text('The redirect address is not registered for this application.', 400)
  const redirect = { redirectUri, state: c.req.query('state') }
  const type = c.req.query('response_type')
  if (type !== undefined && type !== 'code')
    return redirectToClient(c, redirect, { error: 'unsupported_response_type' })
  const codeChallenge = c.req.query('code_challenge') ?? ''
  // The base64url of 32 bytes has 43 characters.
  const isProvable = c.req.query('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(codeChallenge)
  if (type === undefined || !isProvable) return redirectToClient(c, redirect, { error: 'invalid_request' })
  return { ...redirect, codeChallenge }
}

const consentPage = (redirectUri: string) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Allow access to the sandbox?</title></head>
<body><main>
<h1>Allow access to the sandbox?</h1>
<p><strong>${ownClient.name}</strong> asks to act for you in this sandbox. It is for practice: nothing here is real.</p>
<p>The answer goes to <strong>${new URL(redirectUri).host}</strong>.</p>
<form method="post">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Do not allow</button>
</form>
</main></body>
</html>
`
