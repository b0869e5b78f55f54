// @module-tag tables

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { service } from '../../service.ts'

/** Two people whose ids are one double, and numbers that none holds. */
const people = [
  '{"id":9007199254740992,"agencyRef":"A1","surname":"Even","rateHour":99999999999999.99,"x":1e400}',
  '{"id":9007199254740993,"agencyRef":"A2","surname":"Odd","rateHour":12345678901234567890,"x":[7.5,9007199254740993]}',
]
const digits = ['9007199254740992', '9007199254740993', '99999999999999.99', '12345678901234567890', '1e400']

async function office() {
  const { env, received } = await service(({ method, url }, response) => {
    response.setHeader('content-type', 'application/json')
    if (method === 'POST') return response.writeHead(201).end()
    const id = /candidates\/(\d+)$/.exec(url)?.[1]
    const found = people.find((each) => each.includes(`"id":${id},`))
    if (id && !found) return response.writeHead(404).end('{}')
    response.end(found ? `{"data":${found}}` : `{"data":[${people}],"totalDocs":2}`)
  })
  const home = freshHome()
  const run = (words: string[], input = '') => payroll(words, { home, input, env })
  const sent = () => received.filter(({ method }) => method === 'POST').map(({ body }) => body)
  const write = (name: string, text: string) => {
    writeFileSync(join(home, name), text)
    return join(home, name)
  }
  return { run, sent, write, received }
}

describe('a number of the service that a double would change', () => {
  test.each(['json', 'ndjson', 'csv', 'yaml', 'table'])('is listed digit for digit as %s', async (form) => {
    const { run } = await office()
    const columns = form === 'table' ? ['--columns', 'id,rateHour,x'] : []
    const { out, code } = await run(['candidates', 'list', '-o', form, ...columns])
    expect(code).toBe(0)
    for (const number of digits) {
      // As every version of YAML reads it.
      const text = form === 'yaml' ? number.replace('1e400', '1.0e+400') : number
      expect(out).toMatch(new RegExp(`(?<![\\d.+])${text.replace(/[.+]/g, '\\$&')}(?!\\d|\\.(?!00\\b))`))
    }
  })

  test('is an id by which each record is found', async () => {
    const { run, received } = await office()
    for (const [id, surname] of Object.entries({ '9007199254740992': 'Even', '9007199254740993': 'Odd' })) {
      const { out } = await run(['candidates', 'get', id])
      for (const text of [`"id": ${id}`, surname]) expect(out).toContain(text)
      expect(received.at(-1)?.url).toMatch(new RegExp(`/${id}$`))
    }
  })

  test.each([
    ['[].id', '[9007199254740992,9007199254740993]'],
    [
      "[?surname == 'Odd'] | [0].{id: id, pay: rateHour}",
      '{"id":9007199254740993,"pay":12345678901234567890}',
    ],
  ])('goes through the expression %s digit for digit', async (query, answer) => {
    const { run } = await office()
    const { out } = await run(['candidates', 'list', '-o', 'json', '--query', query])
    expect(out.replaceAll(/\s/g, '')).toBe(answer)
  })

  test('cannot be compared in an expression, which would find another record: exit 2, and --where is named', async () => {
    const { run } = await office()
    const { code, out, err } = await run(['candidates', 'list', '--query', '[?id == `9007199254740993`]'])
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('--where')])
    const found = await run(['candidates', 'list', '--where', 'id=9007199254740993', '--json'])
    expect(found.out).toContain('"Odd"')
  })

  test('cannot be added up, and the expression is named', async () => {
    const { run } = await office()
    expect(await run(['candidates', 'list', '--query', 'sum([].rateHour)'])).toMatchObject(
      endedWith(2, '--query expression does not fit this result'),
    )
  })

  test('stands in the CSV of many pages as in that of one', async () => {
    const { env } = await service(({ url }, response) => {
      const page = Number(new URL(url, 'http://127.0.0.1').searchParams.get('page'))
      const first = 9007199254740992n + BigInt((page - 1) * 100)
      const items = Array.from({ length: page > 25 ? 0 : 100 }, (_, at) => `{"id":${first + BigInt(at)}}`)
      response.setHeader('content-type', 'application/json')
      response.end(`{"data":[${items}],"totalDocs":2500}`)
    })
    const { out, code } = await payroll(['candidates', 'list', '-o', 'csv'], { env })
    const ids = parseCsv(out).flat().slice(1)
    expect([code, ids.length, new Set(ids).size]).toEqual([0, 2500, 2500])
    expect([ids[1], ids.at(-1)]).toEqual(['9007199254740993', '9007199254743491'])
  })
})

describe('a number that is given and that a double would change', () => {
  const body =
    '{"generalSetting":{"agencyRef":"A9","rateHour":99999999999999.99,"workingPatternId":9007199254740993}}'

  test('is sent digit for digit from a file, a pipe and --set', async () => {
    const { run, sent, write } = await office()
    const create = ['candidates', 'create', '--incomplete', '--uk']
    expect((await run([...create, '--file', write('one.json', body)])).code).toBe(0)
    expect((await run(create, body)).code).toBe(0)
    const sets = ['agencyRef=A9', 'rateHour=99999999999999.99', 'workingPatternId=9007199254740993']
    const set = sets.flatMap((each) => ['--set', `generalSetting.${each}`])
    expect((await run([...create, ...set])).code).toBe(0)
    expect(sent()).toEqual([body, body, body])
  })

  test('is shown by a dry run as it would be sent', async () => {
    const { run, sent } = await office()
    const { out } = await run(['candidates', 'create', '--incomplete', '--dry-run'], body)
    expect(out).toContain('"rateHour": 99999999999999.99')
    expect(sent()).toEqual([])
  })

  const headings = 'Agency reference,Hourly rate,generalSetting.workingPatternId'
  test.each([
    ['ndjson', `${body}\n`],
    ['json', `[${body}]`],
    ['csv', `${headings}\nA9,99999999999999.99,9007199254740993\n`],
  ])('is sent digit for digit by an import of %s', async (form, text) => {
    const { run, sent, write } = await office()
    await run(['candidates', 'import', write(`rows.${form}`, text), '--incomplete', '--settle', '0'])
    const posted = sent()[0] ?? ''
    expect(posted).toMatch(/"rateHour":99999999999999\.99[,}]/)
    expect(posted).toMatch(/"workingPatternId":9007199254740993[,}]/)
  })

  test.each([
    ['where its size is no amount', '{"rateHour":1e400}', 'rateHour: expected a number'],
    ['where text is wanted', '{"city":9007199254740993}', 'city: expected text in quotes'],
  ])('is refused %s, and nothing is sent', async (_, general, says) => {
    const { run, sent } = await office()
    const { code, err } = await run(['candidates', 'create', '--incomplete'], `{"generalSetting":${general}}`)
    expect([code, sent()]).toEqual([3, []])
    expect(err).toContain(`generalSetting.${says}`)
  })
})
