import { html } from 'hono/html'

/** What the consent page shows, and what its form sends back. Every value is plain text. */
export interface Consent {
  readonly action: string
  readonly clientName: string
  /** The host that gets the answer. */
  readonly target: string
  readonly hidden: readonly (readonly [name: string, value: string])[]
}

/** Asks the person to allow access. */
export function consentPage({ action, clientName, target, hidden }: Consent) {
  return page(
    'Allow access to the sandbox?',
    html`<p><strong>${clientName}</strong> asks to act for you in this sandbox. It is for practice: nothing here is real.</p>
<p>The answer goes to <strong>${target}</strong>.</p>
<form method="post" action="${action}">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Do not allow</button>
</form>`,
  )
}

/** Says why there is no consent page. `sentence` is always one of ours. */
export function refusalPage(sentence: string) {
  return page('This cannot be allowed', html`<p>${sentence}</p>`)
}

function page(title: string, content: ReturnType<typeof html>) {
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
