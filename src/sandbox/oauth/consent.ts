import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Service } from '../records/resource-routes.ts'
import { readForm } from '../requests.ts'
import { isRegistered, issue, ownClient } from './oauth-tokens.ts'

/** "A maximum authorization code lifetime of 10 minutes is RECOMMENDED" (RFC 6749); ours is one minute. In ms. */
const codeLifetime = 60 * 1000

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

/**
 * The page where a person allows a client, without a key. assumed: whoever reaches it may. Its form is sent to the
 * address of the page, and so with what the page asked; `serve` keeps out the forms of other sites.
 */
export function serveConsent(app: Hono, service: Service): void {
  app.get(consentPath, async (c) => {
    const request = await readAuthorizationRequest(c)
    return request instanceof Response ? request : c.html(consentPage(request.redirectUri))
  })

  app.post(consentPath, async (c) => {
    const request = await readAuthorizationRequest(c)
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
 * What the consent page is asked, or the answer to what is wrong with it: to the person alone where the redirect is not
 * certain. PKCE is required, with S256 only (RFC 9700 section 2.1.1).
 */
async function readAuthorizationRequest(
  c: Context,
): Promise<(Redirect & { readonly codeChallenge: string }) | Response> {
  if (c.req.query('client_id') !== ownClient.clientId)
    return c.html(refusalPage('This sandbox does not know the application that sent you here.'), 400)
  const redirectUri = c.req.query('redirect_uri') ?? ''
  if (!isRegistered(redirectUri))
    return c.html(refusalPage('The redirect address is not registered for this application.'), 400)
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

function consentPage(redirectUri: string) {
  return htmlPage(
    'Allow access to the sandbox?',
    html`<p><strong>${ownClient.name}</strong> asks to act for you in this sandbox. It is for practice: nothing here is real.</p>
<p>The answer goes to <strong>${new URL(redirectUri).host}</strong>.</p>
<form method="post">
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
