import { errorResponse } from './refusal.ts'

const ownNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Keeps web pages away from the server on 127.0.0.1: checks for DNS rebinding (Host) and for requests from pages of
 * other sites (Origin, Sec-Fetch-Site). Returns a 403, or undefined if the request is allowed.
 */
export function rejectCrossOrigin(request: Request, port: number): Response | undefined {
  // Uses URL, because browsers leave the default port out of both headers.
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
 * Whether the request is the consent page's form. Its Referrer-Policy is no-referrer, so browsers send `Origin: null`;
 * but no page can fake Sec-Fetch-Site, which says that the form is ours.
 */
function isOwnForm(request: Request, origin: string): boolean {
  return origin === 'null' && request.headers.get('Sec-Fetch-Site') === 'same-origin'
}
