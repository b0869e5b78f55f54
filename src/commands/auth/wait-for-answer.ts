import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import { formatDuration } from '../../formats/duration.ts'
import { openPrompts } from '../../verbs/open-prompts.ts'
import type { CallbackListener } from './callback.ts'

/** How long a person has, unless --timeout says otherwise. In milliseconds. */
const waitTimeoutMs = 180_000

/** What the browser was sent with. */
interface Sent {
  /** The address that was to be opened. */
  readonly address: URL
  readonly clientId: string
  readonly redirectUri: string
  /** What to type next where no answer comes. */
  readonly hint: string
}

interface Waiting extends Sent {
  readonly listener: CallbackListener | undefined
  /** Standard input, where it is no terminal. */
  readonly lines: AsyncIterator<string>
}

/**
 * What the browser brings back: by itself, or pasted by the person on another computer or behind a firewall; the first
 * of the two. Throws an `auth` failure when the time is over.
 */
export async function waitForAnswer(
  context: Context,
  { listener, lines, ...sent }: Waiting,
): Promise<string> {
  const waitMs = context.options.timeout === undefined ? waitTimeoutMs : context.options.timeout * 1000
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(waitMs, sent, listener?.hasRefused() ?? false)), waitMs)
  })
  const paste = pasted(context, { lines, ...sent }, over.signal)
  const ways = [late, ...(listener ? [listener.answered] : []), paste]
  try {
    return await Promise.race(ways)
  } finally {
    clearTimeout(timer)
    over.abort()
    // The terminal is given back before anything else is written.
    if (context.interactive) await paste.catch(() => {})
  }
}

/** What is pasted at the terminal, or is the next line of standard input. Never ends where there is none. */
async function pasted(
  context: Context,
  { lines, address }: Omit<Waiting, 'listener'>,
  over: AbortSignal,
): Promise<string> {
  if (!context.interactive) {
    const { value, done } = await lines.next()
    return done ? never : value
  }
  const ask = await openPrompts(context, over)
  const typed = await ask.input({
    message: 'Waiting for the browser. Or paste here the address that it ended at',
    validate: (text) => problemOf(text.trim(), address) ?? true,
  })
  return typed
}

/** Why what was pasted is certainly no answer: then it is asked for again. */
function problemOf(text: string, sent: URL): string | undefined {
  if (text === '') return 'Paste the whole address, or the code alone.'
  if (!URL.canParse(text)) return undefined
  const { origin, pathname, searchParams } = new URL(text)
  if (['code', 'error'].some((name) => searchParams.has(name))) return undefined
  if (origin === sent.origin && pathname === sent.pathname)
    return 'This is the address to open. Decide there, then paste the address that the browser shows.'
  return searchParams.has('state')
    ? undefined
    : 'This address has no code. Paste the one that the browser shows after you have decided.'
}

const never = new Promise<never>(() => {})

/** A service that does not know an application or its address sends no answer: only the browser shows it (RFC 6749, 4.1.2.1). */
function tooLate(waitMs: number, { clientId, redirectUri, hint }: Sent, hasRefused: boolean): Failure {
  const refused = hasRefused
    ? ' What came belonged to another sign-in (its state differs), and was refused.'
    : ''
  return new Failure(
    'auth',
    `No answer came from the browser within ${formatDuration(waitMs)}.${refused} Nothing was stored.`,
    {
      outcome: 'not-sent',
      retryable: true,
      hint: `If the browser showed an error: the service must know the client application ${clientId} and its redirect address ${redirectUri}. ${hint}`,
    },
  )
}
