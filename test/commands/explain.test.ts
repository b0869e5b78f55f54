import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countryIds } from '../../src/model/countries/countries.ts'
import { leafFields } from '../../src/model/fields/field-tree.ts'
import { countryCandidates } from '../../src/model/resources/country-candidates.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { otherRecords } from '../every-operation.ts'
import { endedWith, payroll } from '../payroll.ts'

const explain = (...words: string[]) => payroll(['explain', ...words])
/** The fields that are sent, and what an answer adds: id, status, dateLeft, reason. */
const ukFields = leafFields(candidate.fields).length + 4
/** And the two parts of cutOffPoints. */
const irishFields = leafFields(candidateIreland.fields).length + 6

const names = (rows: { field: string }[]) => rows.map(({ field }) => field)

describe('explain', () => {
  test('tells all of one field: its names, its type, its standard, and what nobody has shown', async () => {
    const told = await explain('candidates.ireland.payrollSetting.ppsNumber')
    expect([told.code, told.err]).toEqual([0, ''])
    expect(told.json()).toEqual({
      field: 'candidates.ireland.payrollSetting.ppsNumber',
      label: 'PPS number',
      section: 'Person',
      type: 'string',
      nullable: false,
      sensitive: true,
      request: 'payrollSetting.ppsNumber',
      answer: 'setting.ppsNumber',
      document: [],
      official: [],
      seen: [],
      guess: [],
      meanings: {},
      standard: 'ppsn',
      rule: expect.stringContaining('modulus 23'),
      help: 'Seven digits and one or two letters.',
      example: '7654321PA',
      notShown: 'whether it is required, its length, and the full set of its values',
    })
  })

  test('tells the words of a field with their meanings, and of each where it comes from', async () => {
    const wordsOf = async (field: string) => {
      const { document, official, seen, guess } = (await explain(field)).json()
      return { document, official, seen, guess }
    }
    expect((await explain('candidates.uk.Marital status')).json()).toMatchObject({
      guess: expect.arrayContaining(['SINGLE', 'CIVIL_PARTNER']),
      meanings: expect.objectContaining({ SINGLE: 'Single', CIVIL_PARTNER: 'Civil partner' }),
    })
    expect(await wordsOf('candidates.uk.holidayPayMethod')).toEqual({
      ...{ document: ['ROLLED_UP', 'NO_HOLIDAY_PAY'], official: [], seen: [], guess: ['ACCRUED'] },
    })
    expect(await wordsOf('candidates.uk.taxBasis')).toEqual({
      ...{ document: [], official: [], seen: [], guess: ['W1M1', 'CUMULATIVE'] },
    })
    expect(await wordsOf('candidates.ireland.taxBasis')).toEqual({
      ...{ document: [], official: ['CUMULATIVE', 'WEEK_1', 'EMERGENCY'], seen: [], guess: [] },
    })
  })

  test('calls no word of interface.md our guess, and none that is not there its word', async () => {
    const page = readFileSync('test/fixtures/interface.md', 'utf8')
    for (const record of ['candidates.uk', 'candidates.ireland', 'payment-rates']) {
      const fields = (await explain(record)).json()
      for (const { field } of fields.filter(({ words }: { words: string[] }) => words.length > 0)) {
        const { document } = (await explain(field)).json()
        for (const word of document ?? []) expect(page, `${field} ${word}`).toContain(word)
      }
    }
  })

  test.each([
    ['ppsNumber', 'candidates.ireland.payrollSetting.ppsNumber'],
    ['PPSNUMBER', 'candidates.ireland.payrollSetting.ppsNumber'],
    ['openingBalance.erNI', 'candidates.uk.payrollSetting.openingBalance.erNI'],
    ['eeNI', 'candidates.uk.payrollSetting.openingBalance.eeNI'],
    ['hoursPerUnit', 'payment-rates.hoursPerUnit'],
    ['setting.ppsNumber', 'candidates.ireland.payrollSetting.ppsNumber'],
    ['PPS number', 'candidates.ireland.payrollSetting.ppsNumber'],
    ['candidates.uk.Hourly rate', 'candidates.uk.generalSetting.rateHour'],
    ['PRSIClass', 'candidates.ireland.payrollSetting.prsiEeClasses'],
    ['timesheets.rates.units', 'timesheets.rates[0].units'],
    ['timesheets.rates[0].units', 'timesheets.rates[0].units'],
  ])('finds the one field that is called %s', async (name, field) => {
    expect((await explain(name)).json()).toMatchObject({ field })
  })

  test.each([
    [['candidates.ireland', 'ppsNumber'], 'candidates.ireland.payrollSetting.ppsNumber'],
    [['candidates', 'taxBasis', '--ireland'], 'candidates.ireland.payrollSetting.taxBasis'],
    [['hourly', 'rate', '--ireland'], 'candidates.ireland.generalSetting.rateHour'],
    [['timesheets', 'rates.units'], 'timesheets.rates[0].units'],
  ])('finds it by words of its own: %s', async (words, field) => {
    expect((await explain(...words)).json()).toMatchObject({ field })
  })

  test('lists the fields of that name where there are several', async () => {
    const uk = 'candidates.uk.payrollSetting.taxBasis'
    expect((await explain('taxBasis')).json()).toEqual([
      { field: uk, type: 'string', label: 'Tax basis', words: ['W1M1', 'CUMULATIVE'] },
      expect.objectContaining({ field: 'candidates.ireland.payrollSetting.taxBasis' }),
    ])
  })

  test('lists a section of a record, and by its bare name that of every country', async () => {
    const irish = names((await explain('candidates.ireland.bankSetting')).json())
    expect(irish).toContain('candidates.ireland.bankSetting.isInternationalAccount')
    expect(irish).toHaveLength(10)
    for (const field of irish) expect(field).toMatch(/^candidates\.ireland\.bankSetting\./)
    const all = names((await explain('bankSetting')).json())
    const sortCodes = ['candidates.uk.bankSetting.sortCode', 'candidates.ireland.bankSetting.sortCode']
    const sections = countryCandidates.map(
      ({ sent }) => Object.keys(sent.fields.bankSetting?.fields ?? {}).length,
    )
    expect(sections.slice(0, 2)).toEqual([8, 10])
    const total = sections.reduce((sum, count) => sum + count, 0)
    expect([all.length, all]).toEqual([total, expect.arrayContaining(sortCodes)])
  })

  test('lists what can be explained, and every field of it', async () => {
    const listed = (await explain()).json()
    const kinds = [...countryIds.map((id) => `candidates.${id}`), ...otherRecords.map(({ name }) => name)]
    expect(listed.map((row: any) => row.explain)).toEqual(kinds)
    const known = [
      { explain: 'candidates.uk', what: 'a UK candidate', fields: ukFields },
      { explain: 'candidates.ireland', what: 'an Irish candidate', fields: irishFields },
      { explain: 'payslips', what: 'a payslip', fields: 8 },
    ]
    expect(listed).toEqual(expect.arrayContaining(known))
    // Its own fields, and those of a line.
    expect((await explain('timesheets')).json()).toHaveLength(7 + 4)
    const countries = (await explain('candidates')).json().map((row: any) => row.explain)
    expect(countries).toEqual(countryIds.map((country) => `candidates.${country}`))
  })

  test.each([
    ['candidates.ireland.generalSetting.loginId', 'not returned'],
    ['candidates.ireland.generalSetting.pensionSetting.scheme', 'not returned'],
    ['candidates.ireland.generalSetting.pensionSetting.optState', 'pensionSetting.optState'],
    ['candidates.ireland.bankSetting.country', 'bank.country'],
    ['candidates.uk.generalSetting.city', 'city (assumed)'],
    ['payment-rates.includeInPayeCalculation', 'includeInPayeUmbrellaCalculation'],
    ['vat-codes.VATRate', 'VATRate'],
    ['candidates.ireland.status', 'status'],
  ])('says under which name %s comes back', async (field, answer) => {
    expect((await explain(field)).json()).toMatchObject({ answer })
  })

  const records = 'To list the records: payroll explain'
  const ukHint = 'To list its fields: payroll explain candidates.uk'
  test.each([
    ['zodiac', 'There is no record or field called zodiac.', records],
    ['candidates.france', 'There is no record or field called candidates.france.', records],
    ['candidates.uk.zodiac', 'A UK candidate has no field zodiac.', ukHint],
    ['candidates.uk.__proto__', 'A UK candidate has no field __proto__.', ukHint],
  ])('is exit 2 for %s, which there is not', async (name, message, hint) => {
    const told = await explain(name, '--json')
    expect([told.code, told.out]).toEqual([2, ''])
    expect(told.error()).toMatchObject({ code: 'usage', message, hint })
  })

  test('names what was probably meant', async () => {
    const says = 'Did you mean candidates.uk.generalSetting.surname?'
    expect(await explain('candidates.uk.surnam')).toMatchObject({ ...endedWith(2, says), out: '' })
  })

  test('is a card and a table for a person', async () => {
    const { out } = await explain('ppsNumber', '-o', 'table')
    expect(out).toMatch(/^ {2}Field +PPS number$/m)
    expect(out).toMatch(/^ {2}On the screen +masked$/m)
    expect(out).not.toMatch(/nullable|request|notShown|assumed|answer|null/)
    const words = (await explain('candidates.uk.holidayPayMethod', '-o', 'table')).out
    expect(words).toMatch(
      /^ {2}Words in the document +Rolled up: paid with each hour \(ROLLED_UP\); No holiday pay/m,
    )
    expect(words).toMatch(/^ {2}Our guess; it may be called otherwise +Accrued: .* \(ACCRUED\)$/m)
    const chosen = await explain('ppsNumber', '-o', 'table', '--columns', 'label,nullable')
    expect(chosen.out).toMatch(/nullable/)
    expect((await explain('taxBasis', '-o', 'table')).out).toMatch(/^Field +Type +Label +Words$/m)
  })
})

test.each([
  ['tax basis', '--ireland', 'candidates.ireland.payrollSetting.taxBasis'],
  ['taxBasis', '--uk', 'candidates.uk.payrollSetting.taxBasis'],
  ['dob', '--ireland', 'candidates.ireland.generalSetting.DOB'],
])('explain %s %s tells of that country', async (words, country, field) => {
  const { code, json } = await explain(...words.split(' '), country)
  expect([code, json().field]).toEqual([0, field])
})

test('explain takes a label of several words without quotes', async () => {
  const fields = countryIds.map((country) => `candidates.${country}.generalSetting.payFrequency`)
  const { code, json } = await explain('pay', 'frequency')
  expect([code, names(json())]).toEqual([0, fields])
})

test.each([
  ['ni', ['candidates.uk.generalSetting.NINumber', 'candidates.uk.payrollSetting.niCategory']],
  ['week1', ['candidates.uk.payrollSetting.taxBasis', 'candidates.ireland.payrollSetting.taxBasis']],
  ['leaving date', countryIds.map((country) => `candidates.${country}.dateLeft`)],
  [
    'reference',
    [
      ...countryIds.flatMap((country) =>
        ['agencyRef', 'pensionSetting.reference'].map(
          (path) => `candidates.${country}.generalSetting.${path}`,
        ),
      ),
      'timesheets.subcontractorRef',
    ],
  ],
])('explains %s, which people use for these', async (word, fields) => {
  const { code, json } = await payroll(['explain', word])
  expect([code, json().map(({ field }: { field: string }) => field)]).toEqual([0, fields])
})

test('explain lists the fields that have a word in their names', async () => {
  const { code, json } = await explain('pension', '--uk')
  const labels: string[] = json().map(({ label }: { label: string }) => label)
  expect([code, labels]).toEqual([0, expect.arrayContaining(['Pension scheme', 'Employee pension'])])
})

test.each([
  ['wage', 'Did you mean generalSetting.rateHour or generalSetting.annualSalary?'],
  ['salry', 'Did you mean generalSetting.annualSalary'],
])(
  'a field that is set and is not there: of %s is proposed what it can mean, and nothing else',
  async (word, says) => {
    const { code, err } = await payroll([
      'candidates',
      'create',
      '--profile',
      'sandbox',
      '--dry-run',
      '--set',
      `${word}=5`,
    ])
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([3, expect.stringContaining(says)])
  },
)
