import { type CallEvent, type Client, createClient } from './api/client.ts'
import { createTransport } from './api/transport.ts'
import type { Host } from './context.ts'
import { type Profile, requireBaseUrl, requireKey } from './profile/resolve.ts'

interface ConnectOptions {
  readonly host: Host
  readonly directory: () => Promise<string>
  readonly timeoutMs: number
  readonly debug?: (line: string) => void
}

/** The client of a profile: over the network, or of the sandbox inside this process. */
export async function connect(profile: Profile, options: ConnectOptions): Promise<Client> {
  const { clock } = options.host
  const shared = {
    prefix: profile.prefix,
    clock,
    timeoutMs: options.timeoutMs,
    ...(options.debug && { onEvent: (event: CallEvent) => options.debug?.(describe(event)) }),
  }
  if (profile.kind === 'sandbox') {
    const { openSandbox } = await import('./sandbox/open.ts')
    return createClient({ ...shared, ...(await openSandbox(await options.directory(), options.host.now)) })
  }
  const baseUrl = requireBaseUrl(profile)
  const fetch = createTransport(new URL(baseUrl).origin)
  return createClient({ ...shared, baseUrl, authorization: requireKey(profile), fetch })
}

function describe(event: CallEvent): string {
  const { method, path } = event
  return event.type === 'request'
    ? `> ${method} ${path}`
    : `< ${event.status} ${method} ${path} in ${Math.round(event.ms)} ms`
}
