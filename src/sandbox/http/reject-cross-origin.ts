import { errorResponse } from './refusal.ts'

const ownNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Keeps web pages away from the server on 127.0.0.1: a name that was rebound to it (Host), and requests that a
 * page of another site makes (Origin, Sec-Fetch-Site). Answers 403, or nothing when the request may come in.
 */
export function rejectCrossOrigin(request: Request, port: number): Response | undefined {
  // Through URL, because a browser leaves the default port out of both headers.
  const ownOrigins = ownNames.map((name) => new URL(`http://${name}:${port}`).origin)
  const host = request.headers.get('Host')?.toLowerCase()
  const origin = request.headers.get('Origin')
  if (!ownOrigins.includes(`http://${host}`)) {
    return errorResponse(403, 'The sandbox answers to 127.0.0.1 and localhost only')
  }
  if (origin !== null && !ownOrigins.includes(origin) && !isOwnForm(request, origin)) {
    return errorResponse(403, 'The sandbox does not answer to web pages of another origin')
  }
  if (request.headers.get('Sec-Fetch-Site') === 'cross-site') {
    return errorResponse(403, 'The sandbox does not answer to web pages of another site')
  }
  return undefined
}

/**
 * The form of the consent page: its Referrer-Policy is no-referrer, and so a browser sends `Origin: null` with
 * it. No page can choose Sec-Fetch-Site, which says that it is ours all the same.
 */
function isOwnForm(request: Request, origin: string): boolean {
  return origin === 'null' && request.headers.get('Sec-Fetch-Site') === 'same-origin'
}
