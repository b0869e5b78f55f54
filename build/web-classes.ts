/**
 * The part of the platform's Request, Response and Headers that ky and our transport use, on plain values. The build puts
 * them in the place of the platform's (rolldown.config.ts): Node loads its built-in fetch at the first use of its own, 20 ms
 * on Node 20 and 50 on 24, and this tool never uses that fetch. The sources run with Node's own as well. Bodies are whole:
 * nothing here streams.
 */

/** The characters that a header may contain (RFC 9110, 5.5): a line feed would start another header. */
const headerValue = /^[\t\x20-\x7E\x80-\xFF]*$/

/** Header fields by lower-case name. Throws for a value with invalid characters, without repeating it. */
export class Headers {
  readonly #fields = new Map<string, string>()

  constructor(source: Iterable<readonly [string, string]> | Readonly<Record<string, string>> = []) {
    const fields = Symbol.iterator in source ? source : Object.entries(source)
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

  keys(): IterableIterator<string> {
    return this.#fields.keys()
  }

  values(): IterableIterator<string> {
    return this.#fields.values()
  }

  entries(): IterableIterator<[string, string]> {
    return this.#fields.entries()
  }

  forEach(callback: (value: string, name: string) => void): void {
    this.#fields.forEach((value, name) => {
      callback(value, name)
    })
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#fields.entries()
  }
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  /** Text, or something that knows its own bytes. */
  readonly body?: string | URLSearchParams | Bytes
  readonly signal?: AbortSignal
}

interface Bytes {
  readonly bytes: Uint8Array
}

/** A request with a whole body. It asks a body for its bytes when they are wanted, and keeps none. */
export class Request {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal
  /** ky looks here for a stream to cancel. */
  readonly body = null
  readonly #body: string | Bytes

  constructor(input: string | URL | Request, options: RequestOptions = {}) {
    const from = input instanceof Request ? input : undefined
    this.url = from?.url ?? new URL(input as string | URL).href
    this.method = (options.method ?? from?.method ?? 'GET').toUpperCase()
    this.headers = new Headers(options.headers ?? from?.headers)
    this.signal = options.signal ?? from?.signal ?? new AbortController().signal
    const body = options.body ?? (from ? from.#body : '')
    this.#body = typeof body === 'object' && 'bytes' in body ? body : String(body)
  }

  clone(): Request {
    return new Request(this)
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const body = this.#body
    return exactBuffer(typeof body === 'string' ? new TextEncoder().encode(body) : body.bytes)
  }
}

interface ResponseOptions {
  readonly status?: number
  readonly headers?: ConstructorParameters<typeof Headers>[0]
}

/** A response with its complete body. */
export class Response {
  readonly status: number
  readonly headers: Headers
  readonly body = null
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array | null = null, { status = 200, headers }: ResponseOptions = {}) {
    this.#bytes = bytes ?? new Uint8Array()
    this.status = status
    this.headers = new Headers(headers)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  clone(): Response {
    return new Response(this.#bytes, this)
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return exactBuffer(this.#bytes)
  }
}

/** The bytes as a buffer of their own; Node keeps many small ones in one. A large one is not copied. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const buffer = bytes.buffer as ArrayBuffer
  return bytes.byteLength === buffer.byteLength
    ? buffer
    : buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}
