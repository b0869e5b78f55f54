import type { Answer, Fault } from './fault.ts'
import { replaceResponse, send } from './replace-response.ts'

const statuses = [301, 302, 303, 307, 308]

/** Redirects: a client must not send the key or a write's data there. */
export const redirectFaults: readonly Fault[] = [
  ...statuses.flatMap((status): Fault[] => [
    {
      name: `redirect=${status}`,
      summary: `answers ${status} to another origin; nothing is done`,
      applied: 'no',
      act: ({ outgoing, url }) => send(outgoing, redirect(status, otherOrigin(url))),
    },
    {
      name: `redirect=${status}-path`,
      summary: `answers ${status} to another path of the same origin; nothing is done`,
      applied: 'no',
      act: ({ outgoing, url }) => send(outgoing, redirect(status, `/moved${url.pathname}`)),
    },
  ]),
  {
    name: 'redirect=303-after-commit',
    summary: 'does what was asked, and answers 303 to another path of the same origin',
    applied: 'yes',
    act: replaceResponse((_, { url }) => redirect(303, `/moved${url.pathname}`)),
  },
]

function redirect(status: number, location: string): Answer {
  return { status, headers: { location }, body: Buffer.alloc(0) }
}

/** The sandbox's other host name, so that it notices a client that follows the redirect. */
function otherOrigin(url: URL): string {
  const other = new URL(url)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return other.href
}
