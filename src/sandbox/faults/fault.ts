import type { ServerResponse } from 'node:http'
import type { Operation } from '../../api/contract/operations/operation.ts'

/** A way in which a service, or what stands before it, breaks. */
export interface Fault {
  readonly name: string
  /** One sentence: what a client meets. */
  readonly summary: string
  /** Whether what was asked for is done: before the fault, never, or only once the connection is gone. */
  readonly applied: 'yes' | 'no' | 'later'
  /** The operations that it can happen to; all of them unless told. */
  readonly on?: (operation: Operation) => boolean
  /** It leaves the first page of a list as it is. */
  readonly laterPages?: true
  readonly act: (exchange: Exchange) => void | Promise<void>
}

/** A request that came in whole, and the way back. */
export interface Exchange {
  readonly operation: Operation
  readonly url: URL
  /** Of the service, in milliseconds since 1970. */
  readonly now: () => number
  /** Runs the handler to its end; nothing is sent. `change` makes it a request with another query. */
  readonly apply: (change?: (query: URLSearchParams) => void) => Promise<Answer>
  readonly outgoing: ServerResponse
}

/** An answer that has not been sent. */
export interface Answer {
  readonly status: number
  /** Without a length, which is that of the body. Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The operation makes or changes something. */
export const isWrite = ({ method }: Operation) => method !== 'GET'
export const isPage = ({ response }: Operation) => response.kind === 'page'
export const isOne = ({ response }: Operation) => response.kind === 'one'

/** The page that is asked for, from 1. */
export const pageOf = ({ url }: Pick<Exchange, 'url'>) => Number(url.searchParams.get('page') ?? 1)
