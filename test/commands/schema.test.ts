import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parsePath, withValueAt } from '../../src/files/json/path.ts'
import { countries, countryIds } from '../../src/model/countries/countries.ts'
import { leafFields } from '../../src/model/fields/field-tree.ts'
import { fitsField } from '../../src/model/resources/check-record.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../src/model/resources/payment-rate.ts'
import { timesheet } from '../../src/model/resources/timesheet.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { everyField } from '../every-field.ts'
import { otherRecords } from '../every-operation.ts'
import { atTerminal, payroll } from '../payroll.ts'
import { bodyOf } from '../sandbox/fresh-sandbox.ts'
import { seededHome } from '../start-sandbox.ts'

const judges = new Map<string, Promise<ValidateFunction>>()

/** The schema that the command prints, ready to judge, made once. */
function judge(...argv: string[]): Promise<ValidateFunction> {
  const made = judges.get(argv.join(' ')) ?? makeJudge(argv)
  judges.set(argv.join(' '), made)
  return made
}

/** Strict, so that a keyword nobody knows is an error. */
async function makeJudge(argv: readonly string[]) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addVocabulary(['x-sensitive', 'x-section', 'x-assumed'])
  const run = await payroll(['schema', ...argv])
  expect([run.code, run.err]).toEqual([0, ''])
  return ajv.compile(run.json())
}

const answered = [...countryIds.map((id) => `candidates.${id}`), ...otherRecords.map(({ name }) => name)]

/** What a sandbox with the sample records in it prints. */
async function seeded() {
  const home = await seededHome()
  const run = (words: string) => payroll(`--profile sandbox ${words}`.split(' '), { home })
  return async (words: string) => (await run(words)).json()
}

/** Whether all of them are taken, and if not, what is wrong with the first of those. */
function expectTaken(taken: ValidateFunction, all: readonly unknown[]) {
  expect(all.length).toBeGreaterThan(0)
  for (const record of all) expect([taken(record), taken.errors]).toEqual([true, null])
}

describe('schema', () => {
  test('alone lists what there is', async () => {
    const { json } = await payroll(['schema'])
    expect(json().map((row: { schema: string }) => row.schema)).toEqual([...answered, 'openapi'])
    for (const { schema, sent } of json())
      expect((await payroll(['schema', schema, ...(sent ? [] : ['--answer'])])).code).toBe(0)
  })

  test('--answer takes what get and list print, nulls and fields that nobody knows included, and no other form', {
    timeout: 60_000,
  }, async () => {
    const print = await seeded()
    const people: Record<string, object[]> = {}
    for (const { id, flag } of countries) {
      const [person] = await print(`candidates list --limit 1 ${flag}`)
      people[`candidates.${id}`] = [await print(`candidates get ${person.id} ${flag}`)]
    }
    const [irish] = await print('candidates list --ireland --limit 1')
    const printed: Record<string, object[]> = {
      ...people,
      'payment-rates': await print('payment-rates list'),
      'vat-codes': await print('vat-codes list'),
      timesheets: await print('timesheets list'),
      payslips: await print('payslips list'),
      documents: await print(`documents list --employee ${irish.id}`),
    }
    expect(Object.keys(printed)).toEqual(answered)
    for (const what of answered) expectTaken(await judge(what, '--answer'), printed[what] ?? [])
    expect(JSON.stringify(printed)).toContain(':null')
    expect((await judge('candidates.uk', '--answer'))({ surname: 7 })).toBe(false)
    const taken = await judge('candidates.ireland', '--answer')
    const [person]: any[] = people['candidates.ireland'] ?? []
    expectTaken(taken, [{ ...person, grade: 7 }])
    for (const wrong of [
      { setting: { ...person.setting, payrollApproveNeeded: 'true' } },
      { bank: { accountNumber: 12345678 } },
      { DOB: 19800214 },
    ])
      expect(taken({ ...person, ...wrong })).toBe(false)
  })

  test.each([['candidates', '--uk'], ['candidates', '--ireland'], ['payment-rates'], ['timesheets']])(
    'takes a record of an export, with its id: %s %s',
    async (noun, ...country) => {
      const print = await seeded()
      const all = await print([noun, 'export', ...country, '-o', 'json'].join(' '))
      expect(all[0].id).toEqual(expect.any(String))
      expectTaken(await judge(noun ?? '', ...country), all)
    },
  )

  test.each(answered)(
    '%s --answer gives each field a type: of one without, programs that make types make an object',
    async (what) => {
      const { out } = await payroll(['schema', what, '--answer'])
      const untyped: string[] = []
      JSON.parse(out, (name, value) => {
        if (typeof value?.title === 'string' && value.type === undefined) untyped.push(name)
        return value
      })
      expect(untyped).toEqual([])
    },
  )

  test.each(['uk', 'ireland'] as const)(
    'takes a body with every field, and an example: %s',
    async (country) => {
      const example = await bodyOf(`examples/candidate-${country}.json`)
      expectTaken(await judge(`candidates.${country}`), [everyField(country), example, {}])
    },
  )

  test.each([
    ['candidates.uk', candidate],
    ['candidates.ireland', candidateIreland],
    ['payment-rates', paymentRate],
    ['timesheets', timesheet],
  ])('takes and refuses what the command itself takes and refuses: %s', async (what, type) => {
    const taken = await judge(what)
    const odd = [
      ...[null, '', 'text', '12.50', '-3', '1.', 'GB', 'gbr', true, false],
      ...[0, 1, -2.5, [], ['line'], [1], [null]],
      ...['2026-04-06', '2026-02-29', '2026-04-06T00:00:00.000Z', '2026-04-06T00:00:00Z', {}, { strange: 1 }],
      ...['2026-04-06T00:00:00.000+01:00', '2026-13-06T00:00:00.000Z', [{ rate: 1 }], [{ rate: '1.00' }]],
    ]
    const differences = leafFields(type.fields).flatMap(({ path }) =>
      odd
        .map((value) => withValueAt({}, parsePath(path) ?? [], value))
        .filter((body) => taken(body) !== fitsField({ type: 'object', label: '', fields: type.fields }, body))
        .map((body) => JSON.stringify(body)),
    )
    expect(differences).toEqual([])
  })

  test('says of a field what is known of it', async () => {
    const { json } = await payroll(['schema', 'candidates.ireland'])
    const { generalSetting, payrollSetting } = json().properties
    expect(payrollSetting.properties.ppsNumber).toEqual({
      title: 'PPS number',
      description: 'Seven digits and one or two letters.',
      type: 'string',
      'x-sensitive': true,
      'x-section': 'Person',
    })
    expect(payrollSetting.properties.taxBasis.examples).toEqual(['CUMULATIVE', 'WEEK_1', 'EMERGENCY'])
    expect(generalSetting.properties.documentExpiryDate.type).toEqual(['string', 'null'])
    const type = expect.arrayContaining(['boolean', 'string'])
    expect(generalSetting.properties.shareCodeVerified).toMatchObject({ 'x-assumed': true, type })
    expect(JSON.stringify(json())).not.toMatch(/"(enum|required|maxLength)":/)
  })

  test('leaves open what is a guess, and says that it is one', async () => {
    const { json } = await payroll(['schema', 'timesheets'])
    expect(json()).toMatchObject({ 'x-assumed': true, type: 'object' })
    expect((await judge('timesheets'))({ strange: 1 })).toBe(true)
    expect((await judge('payment-rates'))({ strange: 1 })).toBe(false)
  })

  test.each([
    [{}, 'candidates.uk'],
    [{ PAYROLL_COUNTRY: 'ireland' }, 'candidates.ireland'],
  ])('and template take candidates for those of the country that is set: %o', async (env, meant) => {
    for (const verb of ['schema', 'template'])
      expect((await payroll([verb, 'candidates'], { env })).json()).toEqual(
        (await payroll([verb, meant])).json(),
      )
  })

  test('shows the names of sensitive fields on a terminal as they are', async () => {
    const { out } = await atTerminal(['schema', 'candidates.uk']).ended
    expect(out).toContain('"accountNumber": {')
    expect(out).not.toContain('***')
  })

  test.each([
    ['constructor', 'There is no schema of constructor.'],
    ['vat-codes', 'payroll schema vat-codes --answer'],
    ['openapi --answer', '--answer does not work with openapi'],
  ])('%s is exit 2', async (words, says) => {
    const { code, err, out } = await payroll(`schema ${words}`.split(' '))
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(says)])
  })
})
