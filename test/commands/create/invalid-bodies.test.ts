import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'
import { file } from '../targets.ts'

/** A service that would take anything, and what reached it. */
async function taking() {
  const { env, received } = await answering(201, { success: true })
  const home = freshHome()
  const create = (more: readonly string[], input = '') =>
    payroll(['candidates', 'create', ...more], { home, env, input })
  const createFrom = (content: string | Uint8Array, ...more: readonly string[]) =>
    create([...more, '--file', file(home, 'starter.json', content)])
  return { create, createFrom, home, requests: received }
}

/** What cannot be sent of a record, and what is said of it. More values: test/model/check.test.ts. */
const invalidFields: readonly [path: string, value: string, says: string][] = [
  ['generalSetting.forenam', '"Ann"', 'did you mean generalSetting.forename?'],
  ['bankSettings', '{}', 'did you mean bankSetting?'],
  ['bankSetting.taxBasis', '"W1M1"', 'did you mean payrollSetting.taxBasis?'],
  ['generalSetting.city', '7', 'expected text in quotes'],
  ['generalSetting.hours', '"39 a week"', 'expected a number'],
  ['generalSetting.hours', '1e999', 'expected a number'],
  ['generalSetting.workingPatternId', '1.5', 'expected a whole number'],
  ['generalSetting.allowPortalLogin', '"yes"', 'expected true or false'],
  ['generalSetting.DOB', '"2001-02-30"', 'expected a date that exists, as YYYY-MM-DD'],
  ['generalSetting.pensionSetting.optInDate', '"06.04.2026T00:00"', 'expected a UTC time with milliseconds'],
  ['generalSetting.country', '"IRL"', 'expected a two-letter country code'],
  ['generalSetting.address', '"1 High St"', 'a list of lines'],
  ['bankSetting', '"none"', 'expected an object in { }'],
]

/** What is no record, and what is said of it. */
const noRecords: readonly [what: string, content: string | Uint8Array, says: string][] = [
  ['an empty file', '', 'holds no record: it is empty'],
  ['a file of blanks', ' \n\t\n', 'holds no record: it is empty'],
  ['no JSON at all', 'forename,surname\nAnn,Example\n', 'holds no record: it is not JSON'],
  ['half a JSON', '{"generalSetting":{"city":', 'holds no record: it is not JSON'],
  ['two records', '{}\n{}\n', 'holds no record: it is not JSON'],
  ['JSON up to line 3', '{\n  "city":\n  "Le\neds"\n}\n', 'it is not JSON at line 3, column'],
  ['Latin-1', Buffer.from('{"city":"Zoë"}', 'latin1'), 'holds no record: it is not UTF-8 text'],
  ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'it is UTF-16 text, as > of PowerShell 5.1 writes it'],
  ['UTF-16 without a mark', Buffer.from('{"city":{}}', 'utf16le'), 'it is UTF-16 text'],
  ['2 MiB', JSON.stringify({ city: 'x'.repeat(2 * 1024 * 1024) }), 'larger than 1 MiB'],
  ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'nested deeper than 64 levels'],
  ['a field __proto__', '{"generalSetting":{"__proto__":{"city":"x"}}}', 'a field __proto__'],
]

type Body = readonly [what: string, content: string | Uint8Array, says: string, path: string | undefined]

const bodies: readonly Body[] = [
  ['a list', '[{"generalSetting":{}}]', 'one JSON object, not a list of 1', ''],
  ['a number', '42', 'one JSON object, not a number', ''],
  ...noRecords.map((row): Body => [...row, undefined]),
  ...invalidFields.map(([path, value, says]): Body => {
    const content = path.split('.').reduceRight((inner, name) => `{"${name}":${inner}}`, value)
    return [`${path}: ${value}`, content, says, path]
  }),
]

describe('an invalid body of a candidate', () => {
  test.each(bodies)('is exit 3 for %s, its place named, nothing sent', async (_, content, says, path) => {
    const { createFrom, requests } = await taking()
    const made = await createFrom(content, '--json')
    expect([made.code, made.out]).toEqual([3, ''])
    const issues = path === undefined ? [] : [{ path, message: expect.stringContaining(says) }]
    const error = { code: 'input', exitCode: 3, outcome: 'not-sent', retryable: false, issues }
    expect(made.error()).toMatchObject(error)
    expect(made.error().message).toContain('Nothing was sent.')
    if (path === undefined) expect(made.error().message).toContain(says)
    const plain = await createFrom(content)
    expect(plain).toMatchObject(endedWith(3, says))
    expect(plain.err).toMatch(/^Error: /)
    if (path) expect(plain.err).toContain(`\n  ${path}: `)
    expect(requests).toEqual([])
  })
})

describe('an invalid body', () => {
  test('has the fields of the other country named as such', async () => {
    const { createFrom, requests } = await taking()
    const given = {
      generalSetting: { NINumber: 'QQ123456A', primaryAgencyId: 'A' },
      payrollSetting: { taxCode: '1257L', ppsNumber: '1234567T' },
    }
    const made = await createFrom(JSON.stringify(given), '--ireland', '--json')
    expect(made.code).toBe(3)
    expect(made.error().message).toBe('3 fields cannot be sent as they are. Nothing was sent.')
    const message = 'not a field of an Irish candidate, only of a UK candidate (--uk)'
    const paths = ['generalSetting.NINumber', 'generalSetting.primaryAgencyId', 'payrollSetting.taxCode']
    expect(made.error().issues).toEqual(paths.map((path) => ({ path, message })))
    expect(requests).toEqual([])
  })

  test('is never repeated in what is said of it: it holds a person', async () => {
    const { createFrom } = await taking()
    const canary = 'CANARY-QQ123456A'
    for (const content of [
      `{"generalSetting":{"NINumber":{"x":"${canary}"}}}`,
      `{"generalSetting":{"DOB":"${canary}"}}`,
      `{"generalSetting":{"country":"${canary}"}}`,
      `{"generalSetting": ${canary}}`,
      `{"generalSetting":{"NINumber":"${canary}`,
      `${canary}`,
    ]) {
      for (const more of [[], ['--json'], ['--debug']]) {
        const made = await createFrom(content, ...more)
        expect([made.code, made.out + made.err]).toEqual([3, expect.not.stringContaining('CANARY')])
      }
    }
  })

  test('names what is wrong with many fields once to a person, and each of them to a script', async () => {
    const { createFrom } = await taking()
    const names = Array.from({ length: 25 }, (_, at) => [`zodiac_${at}_sign`, 1])
    const content = JSON.stringify({ generalSetting: Object.fromEntries(names) })
    const plain = await createFrom(content)
    expect(plain.err.match(/not a field of a UK candidate/g)).toHaveLength(1)
    expect(plain.err).toContain('generalSetting.zodiac_2_sign … and 22 more\n')
    expect((await createFrom(content, '--json')).error().issues).toHaveLength(25)
  })

  test('is refused from a pipe as from a file', async () => {
    const { create, requests } = await taking()
    for (const more of [[], ['--file', '-']]) {
      expect((await create(more, '{"generalSetting":{"city":7}}')).code).toBe(3)
      expect(await create(more)).toMatchObject(
        endedWith(
          3,
          'it is empty. Nothing was sent.\nPipe in one record as JSON, name a file with --file, or set fields with --set.',
        ),
      )
      expect((await create(more, 'x'.repeat(2 * 1024 * 1024))).code).toBe(3)
    }
    expect(requests).toEqual([])
  })

  test('cannot take a --set when it is a list', async () => {
    const made = await (await taking()).create(['--file', '-', '--set', 'city=Leeds'], '[]')
    expect(made).toMatchObject(endedWith(3, 'The input is not one record.'))
  })

  test.each([
    ['is not there', 'missing.json', 2, 'missing.json. Nothing was sent.'],
    ['is a folder', 'folder', 2, 'folder is a folder'],
    ['has no end', '/dev/zero', 3, 'larger than 1 MiB'],
  ])('of a file that %s is refused: %s, exit %i', async (_, name, code, says) => {
    const { create, home, requests } = await taking()
    mkdirSync(join(home, 'folder'))
    const path = name.startsWith('/') ? name : join(home, name)
    expect(await create(['--file', path])).toMatchObject(endedWith(code, says))
    expect(requests).toEqual([])
  })

  test('is not looked at where no service is chosen', async () => {
    const made = await payroll(['candidates', 'create', '--set', 'x=1'])
    expect(made).toMatchObject(endedWith(2, 'No profile is configured.'))
  })
})
