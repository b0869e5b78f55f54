import { type CallEvent, type Client, type ClientOptions, createClient } from '../../api/client.ts'
import { operations } from '../../api/contract/operations/operations.ts'
import type { Authorization } from '../../api/http/attempt.ts'
import type { Profile } from '../../profile/resolve.ts'
import type { RefreshHost } from './refresh-token.ts'
import { tokenSource } from './token-source.ts'

/** How long a refresh may take. In milliseconds. */
const longestRefreshMs = 30_000

interface RenewingHost extends Omit<RefreshHost, 'ask'> {
  readonly note: (text: string) => void
  /** Puts a key or a token into a header. */
  readonly present: (key: string) => Authorization
  /** A refresh is no write that the command was asked for: only --debug tells of it. */
  readonly onRefreshEvent: (event: CallEvent) => void
}

/** The client of a profile with an access token, which is refreshed when it is about to end and when it is refused. */
export function renewingClient(
  profile: Profile & { readonly origin: string },
  options: Omit<ClientOptions, 'authorization'>,
  { present, onRefreshEvent, ...host }: RenewingHost,
): Client {
  const { refuseWrites: _, hints: __, ...shared } = options
  const apiKey = profile.token?.apiKey
  const forTokens = createClient({
    ...shared,
    // assumed: a token request needs the key where there is one. A token that is over would prove nothing.
    authorization: async () => (apiKey === undefined ? undefined : present(apiKey)),
    timeoutMs: Math.min(options.timeoutMs, longestRefreshMs),
    onEvent: onRefreshEvent,
  })
  const keyFor = tokenSource(profile, {
    ...host,
    ask: (body) => forTokens.record(operations.auth.token, { body }),
  })
  return createClient({
    ...options,
    authorization: async (refused) => present(await keyFor(refused?.key)),
  })
}
