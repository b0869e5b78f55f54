/**
 * The few web classes that ky needs, over plain values; the build puts them where ky names those of the platform.
 * Node's own load its built-in fetch when they are first touched: 20 ms on Node 20, 50 to 70 on 24, for a tool that
 * never uses that fetch. A body is there whole, as a text or as bytes: nothing here streams.
 */

type HeaderSource = Headers | Iterable<readonly [string, string]> | Readonly<Record<string, string>>

/** What a header may hold besides a tab (RFC 9110, 5.5): a line feed would begin a header of its own. */
const headerValue = /^[\t\x20-\x7E\x80-\xFF]*$/

/** Header fields by their lower-case name. Throws for a value that a header cannot hold, without repeating it. */
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

/** A request whose body is a text. */
export class Request {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal
  /** What is sent. */
  readonly content: string | undefined
  /** Where ky looks for a stream to cancel. */
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

/** A response whose body has arrived. */
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

/** Sends one request, and resolves when the body of its answer is there whole. */
export type Fetch = (request: Request) => Promise<Response>
