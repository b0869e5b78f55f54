import { describe, expect, test } from 'vitest'
import { countries } from '../../../src/model/countries/countries.ts'
import { wordList } from '../../../src/text/words.ts'
import { endedWith, payroll, type Run } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { loopback } from '../targets.ts'

const uk = '/svc/candidates'
const ireland = '/svc/candidates/ireland'
const zoe = {
  NINumber: 'QQ123401A',
  mobile: '07700 900101',
  postCode: 'M1 1AA',
  jobDescription: 'Staff nurse',
}
const people = [
  [uk, { agencyRef: 'UK-1', forename: 'Zoë', surname: 'O’Shampla', ...zoe }, {}],
  [uk, { agencyRef: 'UK-2', forename: 'Mary', surname: 'Sample', NINumber: 'QQ123402A' }, {}],
  [
    ireland,
    {
      agencyRef: 'IE-1',
      forename: 'Aoife',
      surname: 'Ní Shampla',
      mobile: '+353 20 910 0201',
      eircode: 'A65 F4E2',
    },
    { ppsNumber: '1234567FA' },
  ],
  [ireland, { agencyRef: 'IE-2', forename: 'Łukasz', surname: 'Testowy', email: 'ie-2@example.com' }, {}],
] as const

/** A service with a few people in both lists. */
async function staffed() {
  const at = await loopback()
  for (const [path, generalSetting, payrollSetting] of people)
    await at.call('POST', path, { generalSetting, payrollSetting })
  const find = (...words: string[]) => at.run(['candidates', 'find', ...words])
  const refs = async (...words: string[]) => refsOf(await find(...words))
  return { ...at, find, refs }
}

const refsOf = ({ json }: Run) => json().map(({ agencyRef }: any) => agencyRef)

describe('candidates find', () => {
  test('knows the fields of both countries by their labels', async () => {
    const { find } = await staffed()
    const { code, out } = await find('shampla', '--columns', 'agencyRef,NI number,PPS number', '-o', 'csv')
    expect([code, out]).toEqual([
      0,
      'agencyRef,NINumber,setting.ppsNumber\nUK-1,QQ123401A,\nIE-1,,1234567FA\n',
    ])
  })

  test.each([
    ['shampla', ['UK-1', 'IE-1']],
    ['ni sham', ['IE-1']],
    ['oshampla', ['UK-1']],
    ['SHAMPLA zoe', ['UK-1']],
    ['Testowy, Lukasz', ['IE-2']],
    ['Ní Shampla, AOIFE', ['IE-1']],
    ['lukasz', ['IE-2']],
    ['ie-2@', ['IE-2']],
    ['uk-2', ['UK-2']],
    ['07700 900101', ['UK-1']],
    ['+44 (0)7700900101', ['UK-1']],
    ['0209100201', ['IE-1']],
    ['900101', ['UK-1']],
    ['m11aa', ['UK-1']],
    ['a65 f4e2', ['IE-1']],
    ['staff nurse', ['UK-1']],
    ['QQ 12 34 01 A', ['UK-1']],
    ['1234567 fa', ['IE-1']],
  ])(
    'finds by name, reference, e-mail address, telephone number, postcode, job and NI or PPS number: %s',
    async (...row) => {
      const [text, expected] = row
      const { refs } = await staffed()
      expect([await refs(text), await refs(...text.split(' '))]).toEqual([expected, expected])
    },
  )

  test('finds by the beginning of an id, and a part of an NI number does not', async () => {
    const { find, refs } = await staffed()
    const [{ id }] = (await find('IE-1')).json()
    expect(await refs(id.slice(0, 8))).toEqual(['IE-1'])
    const part = await find('QQ1234')
    const says = 'an NI or PPS number must be whole'
    expect(part).toMatchObject(endedWith(5, says))
  })

  test('shows first who has the text as the reference', async () => {
    const { refs, call } = await staffed()
    const generalSetting = { agencyRef: 'SAMPLE', forename: 'Zed', surname: 'Other' }
    await call('POST', uk, { generalSetting })
    expect(await refs('sample')).toEqual(['SAMPLE', 'UK-2'])
  })

  test.each(['lucas testowy', 'zzz'])('%s, which fits nobody, is exit 5', async (text) => {
    const places = countries.map(({ place }) => place)
    const says = `No candidate matches ${text}: 4 people searched (${wordList(places, 'and')}).`
    const { find } = await staffed()
    const none = await find(text)
    expect([none.code, none.out, none.err]).toEqual([5, '', expect.stringContaining(says)])
  })

  test('is exit 2 for nothing to look for', async () => {
    const { find, requests } = await staffed()
    expect([(await find(' ')).code, requests]).toEqual([2, []])
  })

  test('gives a script each record whole, and the country whose options it takes', async () => {
    const { find, run } = await staffed()
    const [uk, irish] = (await find('shampla')).json()
    expect([uk.variant, irish.variant]).toEqual(['uk', 'ireland'])
    const got = await run(['candidates', 'get', irish.id, `--${irish.variant}`])
    expect({ ...got.json(), variant: 'ireland' }).toEqual(irish)
  })

  test('is a short table with the country for a person', async () => {
    const { find } = await staffed()
    const { out, err } = await find('shampla', '-o', 'table')
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['Agency reference', 'Forename', 'Surname', 'Country', 'Status'],
      ['UK-1', 'Zoë', 'O’Shampla', 'UK', 'ACTIVE'],
      ['IE-1', 'Aoife', 'Ní Shampla', 'Ireland', 'ACTIVE'],
    ])
    expect(err).toMatch(/^2 of 4$/m)
  })

  test('reads one list alone where a country is named', async () => {
    const { refs, requests } = await staffed()
    expect(await refs('shampla', '--ireland')).toEqual(['IE-1'])
    expect(requests.map(({ url }) => url.split('?')[0])).toEqual([ireland])
  })
})

test('candidates find says how to look in one country, where the key may not read the other', async () => {
  const { env } = await service(({ url }, response) => {
    const isIrish = url.startsWith(`${ireland}?`)
    answerJson(response, isIrish ? 403 : 200, isIrish ? {} : { data: [], totalDocs: 0 })
  })
  const both = await payroll(['candidates', 'find', 'Sample'], { env })
  const says = 'To look in one country alone, add its option, such as --uk.'
  expect(both).toMatchObject(endedWith(4, says))
  expect(await payroll(['candidates', 'find', 'Sample', '--uk'], { env })).toMatchObject(endedWith(5, '(UK)'))
})
