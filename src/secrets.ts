import type { Writable } from 'node:stream'

/**
 * The variables whose values no output may show. They stand here because every start needs them, and the
 * table in environment.ts only help.
 */
export const secretVariables = [
  'PAYROLL_API_KEY',
  'PAYROLL_CLIENT_SECRET',
  'PAYROLL_CLIENT_KEY_PASSPHRASE',
] as const

/** The text that replaces a secret. */
const replacement = '[key]'

/** How long to hold back the end of a line that may be the start of a secret. */
const flushDelayMs = 30

/** The secrets that no stream may show. */
export interface Secrets {
  /** Hides the secret in both streams, in every encoding. Parts separated by blanks are hidden one by one. */
  hide(secret: string): void
  /** Allows standard output to show the secret, because the user asked for it. */
  reveal(secret: string): void
  /** A text as standard output would show it, for a program that shows it instead, such as the pager. */
  redact(text: string): string
}

type Stream = Writable & { readonly isTTY?: boolean }

interface StreamRedactor extends Secrets {
  /** Writes the text that is held back, at the end of the run. */
  flush(): void
}

/**
 * Hides secrets in these streams, should one get past everything else. Call `flush` at the end of the run, to
 * write what is held back.
 */
export function redactStreams({ stdout, stderr }: { stdout: Stream; stderr: Stream }): StreamRedactor {
  const answer = redactStream(stdout, () => stdout.isTTY && messages.flush())
  const messages: StreamRedactor = redactStream(stderr, () => stderr.isTTY && answer.flush())
  return {
    hide(secret) {
      answer.hide(secret)
      messages.hide(secret)
    },
    reveal: answer.reveal,
    redact: answer.redact,
    flush() {
      answer.flush()
      messages.flush()
    },
  }
}

/**
 * A command to the terminal at the end of a text, such as to show the cursor: its last letter cannot begin a secret.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
const terminalCommand = /\x1b\[[0-?]*[ -/]*[@-~]$/

/**
 * Replaces the methods of the stream, so that what packages write is redacted too. `beforeWriting` writes
 * what the other stream holds back.
 */
function redactStream(stream: Stream, beforeWriting: () => void): StreamRedactor {
  const formsBySecret = new Map<string, readonly string[]>()
  let forms: readonly string[] = []
  let waitingText = ''
  const [write, end] = [stream.write.bind(stream), stream.end.bind(stream)]

  function redact(text: string): string {
    return forms.reduce(
      (rest, form) => (rest.includes(form) ? rest.replaceAll(form, replacement) : rest),
      text,
    )
  }

  /** The part of the text so far that can be written now; the rest is held back. */
  function passing(text: string): string {
    const whole = redact(waitingText + text)
    waitingText = beginningAtEnd(whole)
    return waitingText === '' ? whole : whole.slice(0, -waitingText.length)
  }

  /** The longest end of a text that is the start of a secret. */
  function beginningAtEnd(text: string): string {
    const last = text.at(-1)
    if (last === undefined || !forms.some((form) => form.includes(last))) return ''
    if (terminalCommand.test(text.slice(-20))) return ''
    const longest = Math.min((forms[0]?.length ?? 1) - 1, text.length)
    for (let length = longest; length > 0; length--) {
      const ending = text.slice(-length)
      if (forms.some((form) => form.startsWith(ending))) return ending
    }
    return ''
  }

  /** Whether bytes have no secret in them, nor the beginning of one at their end. Then they need not be copied. */
  function isHarmless(chunk: Uint8Array): boolean {
    if (waitingText !== '') return false
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const ending = bytes.subarray(-(forms[0]?.length ?? 1)).toString('latin1')
    return !forms.some((form) => bytes.includes(form, 0, 'latin1')) && beginningAtEnd(ending) === ''
  }

  function flush(): void {
    const rest = waitingText
    waitingText = ''
    if (rest !== '') write(rest)
  }

  function writeRedacted(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    beforeWriting()
    const encoding = rest.find((each): each is BufferEncoding => typeof each === 'string') ?? 'utf8'
    const callback = rest.find((each): each is () => void => typeof each === 'function')
    if (typeof chunk !== 'string' && isHarmless(chunk)) return write(chunk, callback)
    const isText = typeof chunk === 'string' && /^utf-?8$/i.test(encoding)
    // latin1 has one character for each byte, so only the secrets change.
    const text = isText ? chunk : Buffer.from(chunk as string, encoding).toString('latin1')
    const passed = passing(text)
    if (waitingText !== '' && stream.isTTY) setTimeout(flush, flushDelayMs).unref()
    return write(isText ? passed : Buffer.from(passed, 'latin1'), callback)
  }

  stream.write = writeRedacted
  stream.end = (...parameters: unknown[]) => {
    const [chunk, encoding] = parameters.filter((each) => typeof each !== 'function' && each !== null)
    if (chunk !== undefined) writeRedacted(chunk as string, encoding)
    flush()
    return end(parameters.find((each): each is () => void => typeof each === 'function'))
  }

  const remember = () => {
    // The longest first, because one secret may be the start of another.
    forms = [...formsBySecret.values()].flat().sort((one, other) => other.length - one.length)
  }
  return {
    hide(secret) {
      for (const part of secretParts(secret)) formsBySecret.set(part, encodedForms(part))
      remember()
    },
    reveal(secret) {
      for (const part of secretParts(secret)) formsBySecret.delete(part)
      remember()
    },
    redact,
    flush,
  }
}

/**
 * The parts that consist of the characters of a key (ASCII), so that a key that was copied with other text is
 * hidden too.
 */
const secretParts = (secret: string) => secret.split(/[^\x21-\x7e]+/)

/** Shorter secrets are not hidden, because amounts, dates and names contain such short texts too. */
const shortest = 8

/** The forms of an ASCII secret in a text: plain, in a URL, a form or JSON, and base64 at any position. */
function encodedForms(secret: string): readonly string[] {
  if (secret.length < shortest) return []
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret)
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const inBase64 = [0, 1, 2].map((before) => base64(bytes, before))
  return [
    ...new Set([
      secret,
      json,
      // Some JSON libraries escape the slash too.
      json.replaceAll('/', '\\/'),
      ...[url, form].flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]),
      ...inBase64,
      ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ]
}

/** The bytes in base64 after `before` other bytes, without the characters that also encode neighbouring bytes. */
function base64(bytes: Uint8Array, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  const shared = [0, 2, 3][before]
  return text.slice(shared).replace(/.=+$/, '')
}

/** The variables by which a program finds its files, speaks our language, draws on the terminal and reaches the agents of its user. */
const needed = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR PWD COLUMNS LINES',
    'TERM TERMINFO TERMINFO_DIRS COLORTERM COLORFGBG NO_COLOR FORCE_COLOR TERM_PROGRAM',
    'VISUAL EDITOR PAGER PAYROLL_PAGER LESS LESSCHARSET LESSOPEN LESSCLOSE LESSKEY MORE',
    'BROWSER DISPLAY WAYLAND_DISPLAY XAUTHORITY DESKTOP_SESSION DBUS_SESSION_BUS_ADDRESS',
    'GNUPGHOME GPG_TTY GPG_AGENT_INFO SSH_AUTH_SOCK',
    'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR NVIM_APPNAME VIMINIT VIMRUNTIME EMACSLOADPATH',
    // Windows starts nothing without most of these.
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE USERNAME USERDOMAIN HOMEDRIVE',
    'HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) TEMP TMP OS',
  ].flatMap((names) => names.split(' ')),
)

/** Proxies are needed by a program that asks the network; the name and password in their address are not. */
const proxyName = /^(https?|all|no)_proxy$/i

/** The variables that an editor, a pager or a browser needs, by name: a list of what is secret would never be whole. */
export function neededEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']) => {
      // `http://name:password@proxy:3128` becomes `http://proxy:3128`.
      if (proxyName.test(name)) return [[name, value.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1')]]
      const upper = name.toUpperCase()
      return needed.has(upper) || /^(LC|XDG)_/.test(upper) ? [[name, value]] : []
    }),
  )
}

/** The masks by the kind of a value: each shows enough to recognise it, and not enough to learn it. */
const masks = {
  /** A key or a token: its last four characters, which tell two keys apart; nothing of a short one. */
  key: (text) => (text.length < 12 ? '****' : `****${text.slice(-4)}`),
  /** A number or a text: its last three letters or digits, if it has eight or more. */
  value(text) {
    const characters = text.match(/[\p{L}\p{N}]/gu) ?? []
    return characters.length < 8 ? '******' : `******${characters.slice(-3).join('')}`
  },
  /** A date: nothing. */
  date: () => '******',
  /** A date that was just typed, spelled out: day and month, which are easily confused, and not the year. */
  'typed date': (text) => text.replace(/\d{4}$/, '****'),
  /** A sort code that an import doubts, in full: of one that lost its leading zero, a mask would show nothing. */
  'doubted sort code': (text) => text,
} satisfies Readonly<Record<string, (text: string) => string>>

/** The mask of a value of this kind. */
export function maskAs(kind: keyof typeof masks, text: string): string {
  return masks[kind](text)
}
