/**
 * The few web classes that ky needs, on plain values; the build makes ky use them instead of Node's. Node's classes
 * load its built-in fetch at first use: 20 ms on Node 20, 50 to 70 on 24, and this tool never uses that fetch. Bodies
 * are complete text or bytes: nothing here streams.
 */

type HeaderSource = Headers | Iterable<readonly [string, string]> | Readonly<Record<string, string>>

/** The characters that a header may contain (RFC 9110, 5.5): a line feed would start another header. */
const headerValue = /^[\t\x20-\x7E\x80-\xFF]*$/

/** Header fields by lower-case name. Throws for a value with invalid characters, without repeating it. */
export class Headers {
  readonly #fields = new Map<string, string>()

  constructor(source: HeaderSource = []) {
    const fields = isPairs(source) ? source : Object.entries(source)
    for (const [name, value] of fields) this.append(name, value)
  }

  append(name: string, value: string): void {
    const before = this.get(name)
    this.set(name, before === null ? value : `${before}, ${value}`)
  }

  delete(name: string): void {
    this.#fields.delete(name.toLowerCase())
  }

  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    if (!headerValue.test(value))
      throw new TypeError(`The header ${name} has characters that no header can hold.`)
    this.#fields.set(name.toLowerCase(), value)
  }

  entries(): IterableIterator<[string, string]> {
    return this.#fields.entries()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#fields.entries()
  }
}

function isPairs(source: HeaderSource): source is Iterable<readonly [string, string]> {
  return Symbol.iterator in source
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: HeaderSource
  readonly body?: string
  readonly signal?: AbortSignal
}

/** A request with a text body. */
export class Request {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal
  /** The body to send. */
  readonly content: string | undefined
  /** ky looks here for a stream to cancel. */
  readonly body = null

  constructor(input: string | URL | Request, options: RequestOptions = {}) {
    const from = input instanceof Request ? input : undefined
    this.url = from?.url ?? new URL(input as string | URL).href
    this.method = (options.method ?? from?.method ?? 'GET').toUpperCase()
    this.headers = new Headers(options.headers ?? from?.headers)
    this.signal = options.signal ?? from?.signal ?? new AbortController().signal
    this.content = options.body ?? from?.content
  }

  clone(): Request {
    return new Request(this)
  }
}

/** A response with its complete body. */
export class Response {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly body = null

  constructor(bytes: Uint8Array, { status, headers }: { status: number; headers: Headers }) {
    this.bytes = bytes
    this.status = status
    this.headers = headers
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
}

/** Sends one request and waits for the whole response. */
export type Fetch = (request: Request) => Promise<Response>
