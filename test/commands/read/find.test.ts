import { describe, expect, test } from 'vitest'
import { loopback } from '../targets.ts'

/** A service with a few people in both lists. */
async function staffed() {
  const at = await loopback()
  const contacts: Record<string, object> = {
    'UK-1': { mobile: '07700 900101', postCode: 'M1 1AA', jobDescription: 'Staff nurse' },
    'IE-1': { mobile: '+353 20 910 0201', eircode: 'A65 F4E2', jobDescription: 'Welder' },
  }
  const add = async (path: string, agencyRef: string, forename: string, surname: string) => {
    const email = `${agencyRef.toLowerCase()}@example.com`
    const numbers = path.endsWith('ireland')
      ? { payrollSetting: { ppsNumber: agencyRef === 'IE-1' ? '1234567FA' : '6433435F' } }
      : {}
    const NINumber = agencyRef === 'UK-1' ? 'QQ123401A' : 'QQ123402A'
    const generalSetting = {
      agencyRef,
      forename,
      surname,
      email,
      ...contacts[agencyRef],
      ...(!numbers.payrollSetting && { NINumber }),
    }
    await at.call('POST', path, { generalSetting, ...numbers })
  }
  await add('/svc/candidates', 'UK-1', 'Zoë', 'O’Shampla')
  await add('/svc/candidates', 'UK-2', 'Mary', 'Sample')
  await add('/svc/candidates/ireland', 'IE-1', 'Aoife', 'Ní Shampla')
  await add('/svc/candidates/ireland', 'IE-2', 'Łukasz', 'Testowy')
  const refs = async (...words: string[]) =>
    (await at.run(['candidates', 'find', ...words])).json().map((each: any) => each.agencyRef)
  return { ...at, refs }
}

describe('candidates find', () => {
  test('looks in both lists, at names, references, e-mail addresses and the beginning of the id', async () => {
    const { refs, run } = await staffed()
    expect(await refs('shampla')).toEqual(['UK-1', 'IE-1'])
    expect(await refs('ni', 'sham')).toEqual(['IE-1'])
    expect(await refs('oshampla')).toEqual(['UK-1'])
    expect(await refs('SHAMPLA zoe')).toEqual(['UK-1'])
    expect(await refs('lukasz')).toEqual(['IE-2'])
    expect(await refs('ie-2@')).toEqual(['IE-2'])
    expect(await refs('uk-2')).toEqual(['UK-2'])
    const [{ id }] = (await run(['candidates', 'find', 'IE-1'])).json()
    expect(await refs(id.slice(0, 8))).toEqual(['IE-1'])
  })

  test('finds an NI or PPS number that is whole, however it is spaced', async () => {
    const { refs, run } = await staffed()
    expect(await refs('QQ 12 34 01 A')).toEqual(['UK-1'])
    expect(await refs('qq', '12', '34', '02', 'a')).toEqual(['UK-2'])
    expect(await refs('1234567 fa')).toEqual(['IE-1'])
    const part = await run(['candidates', 'find', 'QQ1234'])
    expect(part.code).toBe(5)
    expect(part.err).toContain('an NI or PPS number must be whole')
  })

  test.each([
    [['07700', '900101'], ['UK-1']],
    [['+44', '(0)7700900101'], ['UK-1']],
    [['0209100201'], ['IE-1']],
    [['900101'], ['UK-1']],
    [['m11aa'], ['UK-1']],
    [['a65', 'f4e2'], ['IE-1']],
    [['staff', 'nurse'], ['UK-1']],
    [['Testowy,', 'Lukasz'], ['IE-2']],
    [['Ní', 'Shampla,', 'AOIFE'], ['IE-1']],
  ])('reads a telephone number, a postcode, a job and "Surname, Forename": %j', async (words, expected) => {
    const { refs } = await staffed()
    expect(await refs(...words)).toEqual(expected)
  })

  test.each([
    ['a wrong letter', 'tastowy', ['IE-2']],
    ['a missing letter', 'shamla', ['UK-1', 'IE-1']],
    ['a doubled letter', 'lukaszz', ['IE-2']],
    ['two letters changed round', 'testwoy', ['IE-2']],
    ['a slip in one of two words', 'lukasz testovy', ['IE-2']],
  ])('forgives one slip of the hand in a word, and says so: %s', async (_, typed, expected) => {
    const { run } = await staffed()
    const found = await run(['candidates', 'find', typed])
    expect([found.code, found.json().map(({ agencyRef }: any) => agencyRef)]).toEqual([0, expected])
    expect(found.err).toContain(`no exact match for ${typed}; nearest: `)
  })

  test('shows who is called so alone, where somebody else is called nearly so', async () => {
    const { refs, call, run } = await staffed()
    const generalSetting = {
      agencyRef: 'UK-3',
      forename: 'Samuel',
      surname: 'Samples',
      email: 'x@example.org',
    }
    await call('POST', '/svc/candidates', { generalSetting })
    expect(await refs('samples')).toEqual(['UK-3'])
    // The whole word comes before a part of one.
    const found = await run(['candidates', 'find', 'sample'])
    expect(found.json().map(({ agencyRef }: any) => agencyRef)).toEqual(['UK-2', 'UK-3'])
    expect(found.err).not.toContain('no exact match')
  })

  test('suggests the nearest names where nothing fits: exit 5', async () => {
    const { run } = await staffed()
    const none = await run(['candidates', 'find', 'lucas testovi'])
    expect([none.code, none.out]).toEqual([5, ''])
    expect(none.err).toContain('The nearest: Łukasz Testowy (IE-2).')
  })

  test('gives a script each record whole, and the country whose options it takes', async () => {
    const { run } = await staffed()
    const [uk, irish] = (await run(['candidates', 'find', 'shampla'])).json()
    expect([uk.variant, irish.variant]).toEqual(['uk', 'ireland'])
    const got = await run(['candidates', 'get', irish.id, `--${irish.variant}`])
    expect({ ...got.json(), variant: 'ireland' }).toEqual(irish)
  })

  test('is a short table with the country for a person', async () => {
    const { run } = await staffed()
    const found = await run(['candidates', 'find', 'shampla', '-o', 'table'])
    const rows = found.out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(0, 5))
    expect(rows).toEqual([
      ['Agency reference', 'Forename', 'Surname', 'Country', 'Status'],
      ['UK-1', 'Zoë', 'O’Shampla', 'UK', 'ACTIVE'],
      ['IE-1', 'Aoife', 'Ní Shampla', 'Ireland', 'ACTIVE'],
    ])
    expect(found.err).toMatch(/^2 of 4$/m)
  })

  test('reads one list alone where a country is named', async () => {
    const { refs, requests } = await staffed()
    expect(await refs('shampla', '--ireland')).toEqual(['IE-1'])
    expect(requests.map(({ url }) => url.split('?')[0])).toEqual(['/svc/candidates/ireland'])
  })

  test('ends with 5 where there is none, and with 2 for nothing to look for', async () => {
    const { run } = await staffed()
    const none = await run(['candidates', 'find', 'zzz'])
    expect([none.code, none.out]).toEqual([5, ''])
    expect(none.err).toContain('No candidate matches zzz: 4 candidates searched (UK and Ireland).')
    const { requests } = await staffed()
    expect((await run(['candidates', 'find', ' '])).code).toBe(2)
    expect(requests).toEqual([])
  })
})
