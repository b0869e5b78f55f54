import { describe, expect, test } from 'vitest'
import { asTyped, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { file } from '../targets.ts'

/** Says two rates: a reader that keeps the last, or the first, pays another amount than was meant. */
const twice = '{"generalSetting":{"agencyRef":"A1","rateHour":10,"rateHour":99}}'
const sound = twice.replace('"rateHour":10,', '')

/** A service with this record, and what reaches it besides reads. */
async function office(record: string) {
  const { env, received } = await service(({ method, url }, response) => {
    const isOfList = record.startsWith('{"data":[')
    if (method === 'GET' && url.includes('?') && !isOfList)
      return answerJson(response, 200, { data: [], totalDocs: 0 })
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(method === 'GET' ? record : '')
  })
  const written = () => received.filter(({ method }) => method !== 'GET')
  return { env, written }
}

const path = 'generalSetting.rateHour: given more than once'
const map = '{"Ref":"generalSetting.agencyRef","Ref":"generalSetting.city"}'
const cell = 'Agency reference\tpayrollSetting.cutOffPoints\nA1\t"{""a"":1,""a"":2}"\n'

test.each<[place: string, words: string, content: string, code: number, says: string]>([
  ['--file', 'candidates create --uk --file HOME/a', twice, 3, path],
  ['standard input', 'candidates create --uk', twice, 3, path],
  ['a line of NDJSON', 'candidates import HOME/a.ndjson', `${sound}\n${twice}\n`, 3, path],
  ['an item of JSON', 'candidates import HOME/a.json', `[${sound},${twice}]`, 3, `[1].${path}`],
  ['a cell', 'candidates import --ireland HOME/a.csv', cell, 3, 'a is given more than once'],
  [
    '--set',
    'candidates create --ireland --set payrollSetting.cutOffPoints={"a":1,"a":2}',
    '',
    3,
    'payrollSetting.cutOffPoints: a is given more than once',
  ],
  ['what an editor leaves', 'candidates update a1 --edit --yes', twice, 3, path],
  [
    'a map of columns',
    'candidates import HOME/b.csv --map HOME/a',
    map,
    2,
    'the same name more than once (Ref)',
  ],
])('a name that stands twice in one object is refused in %s, and nothing is sent', async (...given) => {
  const [, words, content, code, says] = given
  const { env, written } = await office('{"data":{"id":"a1","generalSetting":{"agencyRef":"A1"}}}')
  const home = freshHome()
  const [name = 'a'] = /(?<=HOME\/)a[.\w]*/.exec(words) ?? []
  file(home, name, content)
  file(home, 'b.csv', 'Ref\nA1\n')
  const run = await payroll(words.replaceAll('HOME', home).split(' '), {
    home,
    env: { ...env, EDITOR: `/bin/cp ${home}/a`, PAYROLL_EMPTY_FIELDS: 'left-out' },
    input: words.includes('HOME') ? '' : content,
  })
  expect([run.code, run.err, written()]).toEqual([code, expect.stringContaining(says), []])
  if (content === twice) expect(run.err).toMatch(/the same name more than once\. Nothing was sent\./)
})

describe('a name that stands twice in a record of the service', () => {
  const update = asTyped`candidates update a1 --set generalSetting.city=Leeds --yes`

  test.each([
    ['candidates get a1 --id', `{"data":${twice}}`, 'data.generalSetting.rateHour'],
    ['candidates list', `{"data":[${twice}],"totalDocs":1}`, 'data[0].generalSetting.rateHour'],
    ['api GET /svc/candidates/a1', `{"data":${twice}}`, 'data.generalSetting.rateHour'],
  ])('is not understood by %s: nobody knows which value is meant', async (words, body, name) => {
    const { env } = await office(body)
    const run = await payroll(words.split(' '), { env })
    expect(run).toMatchObject(endedWith(10, `The service answered 200 with ${name} more than once`))
    expect(run.out).toBe('')
  })

  test('keeps it from being updated', async () => {
    const { env, written } = await office(`{"data":${twice}}`)
    const { code, err } = await payroll(update, { env })
    expect([code, written()]).toEqual([10, []])
    expect(err).toContain('The service answered 200 with data.generalSetting.rateHour more than once')
  })

  test('keeps a record from being updated that could be sent but for it', async () => {
    const bank = { sortCode: '601613', accountNumber: '31926819' }
    const { record } = wholeFor(['candidates'], { id: 'a1', agencyRef: 'A1', bank, setting: {} })
    const sound = JSON.stringify({ data: record })
    for (const [text, code, writes] of [
      [sound.replace('"accountNumber":', '"accountNumber":"55779911","accountNumber":'), 10, 0],
      [sound, 8, 1],
    ] as const) {
      const { env, written } = await office(text)
      expect([(await payroll(update, { env })).code, written().length]).toEqual([code, writes])
    }
  })
})
