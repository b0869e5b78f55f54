import { expect, test } from 'vitest'
import * as light from '../../build/web-classes.ts'

/** What the build puts instead of Node's classes, and Node's: each case must give the same with both. */
const both = [light, { Headers, Request, Response } as unknown as typeof light] as const

const cases: readonly [string, (classes: typeof light) => unknown][] = [
  ['a header under any spelling', ({ Headers }) => new Headers({ 'If-Match': '"1"' }).get('if-match')],
  ['a header that is not there', ({ Headers }) => [new Headers().get('etag'), new Headers().has('etag')]],
  ['a header that comes twice', ({ Headers }) => [...new Headers([...twice])]],
  ['headers from headers', ({ Headers }) => [...new Headers(new Headers([...twice]))]],
  ['a header that was deleted', ({ Headers }) => without(new Headers([...twice]))],
  ['each header in turn', ({ Headers }) => inTurn(new Headers({ a: '1', b: '2' }))],
  ['a header with a line feed', ({ Headers }) => thrown(() => new Headers({ a: 'x\ny' }))],
  ['a header beyond Latin 1', ({ Headers }) => thrown(() => new Headers({ a: '€' }))],
  ['a request for a page', ({ Request }) => heads(new Request('https://example.com/a b?c=d'))],
  ['a request for no address', ({ Request }) => thrown(() => new Request('svc'))],
  ['the body of a request', ({ Request }) => read(new Request(url, { method: 'POST', body: '{"€":1}' }))],
  ['a form', ({ Request }) => read(new Request(url, { method: 'POST', body: new URLSearchParams(form) }))],
  ['no body', ({ Request }) => read(new Request(url))],
  ['a clone', ({ Request }) => read(new Request(url, { method: 'POST', body: 'x' }).clone())],
  ['another signal', ({ Request }) => new Request(new Request(url), { signal }).signal.aborted],
  ['a response', async ({ Response }) => whole(new Response(bytes, { status: 418, headers: { a: '1' } }))],
  ['a response without a body', async ({ Response }) => whole(new Response(null, { status: 204 }))],
  ['a clone of a response', async ({ Response }) => whole(new Response(bytes, { status: 200 }).clone())],
]

const url = 'https://example.com/'
const form = { code: 'a b&c', state: '€' }
const bytes = new Uint8Array([0, 255, 128])
const signal = AbortSignal.abort()
const twice = [
  ['X-Odd', '1'],
  ['x-odd', '2'],
] as const

function without(headers: light.Headers) {
  headers.delete('X-ODD')
  return [...headers.entries()]
}

function inTurn(headers: light.Headers) {
  const all: string[] = []
  headers.forEach((value, name) => {
    all.push(`${name}: ${value}`)
  })
  return [all, [...headers.keys()], [...headers.values()]]
}

function thrown(make: () => unknown) {
  try {
    return make()
  } catch (error) {
    return (error as Error).name
  }
}

const heads = ({ url, method, signal }: light.Request) => [url, method, signal.aborted]
const read = async (sent: light.Request | light.Response) => [...new Uint8Array(await sent.arrayBuffer())]
const whole = async (response: light.Response) => [
  response.status,
  response.ok,
  [...response.headers],
  await read(response),
]

test.each(cases)('the web classes of the build do as those of Node with %s', async (_, run) => {
  const [ours, theirs] = both
  expect(await run(ours)).toEqual(await run(theirs))
})
