/** What the browser shows at the end. Static text: nothing of the request is repeated. */
export type CallbackPage = 'done' | 'denied' | 'failed' | 'again' | 'unknown'

const pages: Readonly<Record<CallbackPage, readonly [status: number, title: string, text: string]>> = {
  done: [
    200,
    'You can close this window',
    'payroll has the answer. The terminal says whether you are signed in.',
  ],
  denied: [200, 'You can close this window', 'The consent was not given, and you are not signed in.'],
  failed: [400, 'This sign-in has failed', 'You can close this window. The terminal says why.'],
  again: [409, 'This sign-in has had its answer', 'You can close this window.'],
  unknown: [404, 'There is nothing here', 'payroll waits for the answer of the consent page.'],
}

export const callbackHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const

export function callbackPage(page: CallbackPage): { readonly status: number; readonly html: string } {
  const [status, title, text] = pages[page]
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`
  return { status, html }
}
