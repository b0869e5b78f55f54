import type { CallEvent } from '../api/client.ts'

/** An event of a call as --debug prints it: method, path and page, and how it ended after how long. */
export function describeEvent(event: CallEvent): string {
  const { method, path, page } = event
  const request = `${method} ${path}${page === undefined ? '' : ` page ${page}`}`
  if (event.type === 'request') return `> ${request}`
  const ms = `${Math.round(event.ms)} ms`
  if (event.type === 'answer') {
    return `< ${event.status} ${request} in ${ms}${event.requestId ? `, request ${event.requestId}` : ''}`
  }
  return event.type === 'lost'
    ? `< no answer (${event.why}) ${request} after ${ms}`
    : `  again in ${ms} (${event.why})`
}
