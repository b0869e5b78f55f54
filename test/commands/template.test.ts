import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { notesTitle } from '../../src/files/formats/xlsx/write-form.ts'
import { isObject } from '../../src/files/json/path.ts'
import { countries } from '../../src/model/countries/countries.ts'
import type { Fields } from '../../src/model/fields/field.ts'
import { checkRecord } from '../../src/model/resources/check-record.ts'
import { countryCandidates } from '../../src/model/resources/country-candidates.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { warnings } from '../../src/model/standards/warnings.ts'
import { fieldHelp, helpMark } from '../../src/model/values/explanation.ts'
import { otherRecords } from '../every-operation.ts'
import { asTyped, atTerminal, endedWith, freshHome, payroll } from '../payroll.ts'
import { file } from './targets.ts'

const templates = [
  ...countryCandidates.map(({ id, sent }) => [`candidates.${id}`, sent] as const),
  // A document is a file, which no template has.
  ...otherRecords.flatMap(({ name, operations }) => {
    const [type] = operations.flatMap(({ requestRecord, path }) =>
      path.includes('{') ? [] : (requestRecord ?? []),
    )
    return type ? [[name, type] as const] : []
  }),
]

async function template(words = '') {
  const run = await payroll(`template ${words}`.trim().split(' '))
  expect([run.code, run.err]).toEqual([0, ''])
  return run
}

/** What the sandbox makes of a file, without sending it. */
const dryRun = (home: string, file: string, ...words: string[]) =>
  payroll(['--profile', 'sandbox', 'candidates', 'import', file, '--dry-run', ...words], { home })

/** The paths of the declared fields that have no fields of their own, and are asked for. */
function declared(fields: Fields, asked: (field: Fields[string]) => boolean, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.fields ? declared(field.fields, asked, `${above}${name}.`) : asked(field) ? [above + name] : [],
  )
}

/** The paths of a body down to what is no object. */
function given(body: object, above = ''): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    isObject(value) && name !== 'cutOffPoints' ? given(value, `${above}${name}.`) : [above + name],
  )
}

/** Everything in a body that is no object and no list. */
function values(body: unknown): unknown[] {
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(values) : [body]
}

describe('template', () => {
  test('alone lists what there is', async () => {
    const rows = (await template()).json()
    expect(rows.map((row: { template: string }) => row.template)).toEqual(templates.map(([name]) => name))
  })

  test.each(templates)('is blank, and has just the fields that everybody has: %s', async (what, type) => {
    const body = (await template(what)).json()
    const asked = ({ essential, picks }: Fields[string]) => (essential ?? false) && picks !== 'vat-code'
    const plans = declared(type.fields, () => true).filter((path) => /studentLoanPlan\dStartDate/.test(path))
    expect(given(body).sort()).toEqual([...declared(type.fields, asked), ...plans].sort())
    expect(new Set(values(body))).toEqual(new Set([null]))
  })

  test.each(templates)(
    'has every field with --all, filled with something by --example: %s',
    async (what, type) => {
      const every = declared(type.fields, () => true).sort()
      expect(given((await template(`${what} --all`)).json()).sort()).toEqual(every)
      const body = (await template(`${what} --all --example`)).json()
      expect([checkRecord(type, body), given(body).sort()]).toEqual([[], every])
      for (const value of values(body)) expect(['', 0, false, null]).not.toContain(value)
      expect(JSON.stringify(body)).not.toMatch(/\[\]|\{\}/)
      for (const { message } of warnings(type, body, '2026-05-01'))
        expect(message).toMatch(/for (film and )?documentation/)
    },
  )

  test('is a person of the country that was asked for, and nobody', async () => {
    const uk = (await template('candidates.uk --all --example')).json()
    const irish = (await template('candidates.ireland --all --example')).json()
    expect(uk.generalSetting).toMatchObject({ surname: 'Exampleson', NINumber: 'QQ654321C', country: 'GB' })
    expect(uk.bankSetting.IBANReference).toBe('GB33BUKB20201555555555')
    expect(irish.generalSetting).toMatchObject({ country: 'IE', eircode: 'D02 X285' })
    expect(irish.bankSetting.IBANReference).toBe('IE92BOFI90001710027952')
    expect(irish.payrollSetting.ppsNumber).toBe('7654321PA')
  })

  test.each(templates)('with -o csv is a header of labels, and with --example one row: %s', async (what) => {
    const blank = (await template(`${what} -o csv`)).out
    expect(blank.trimEnd().split('\r\n')).toHaveLength(1)
    const { out } = await template(`${what} -o csv --example --all`)
    const [header = [], row = [], ...more]: string[][] = parse(out, { record_delimiter: '\r\n' })
    expect([header.length, more]).toEqual([row.length, []])
    expect(header).toEqual(expect.arrayContaining(parse(blank)[0] ?? []))
  })

  test('with -o csv gives each line of an address a column, and quotes what a spreadsheet would take apart', async () => {
    const header = 'Address line 1,Address line 2,Address line 3,City or town'
    expect((await template('candidates.uk -o csv')).out).toContain(header)
    const points = '"[{""index"":1,""yearlyRateCutOff"":""44000.00"",""taxRatePercent"":""20""},'
    expect((await template('candidates.ireland -o csv --example --all')).out).toContain(points)
  })

  test('is refused while it is the example still, created or imported', async () => {
    const home = freshHome()
    const input = (await template('candidates.ireland --example --all')).out
    const create = asTyped`--profile sandbox candidates create --ireland --json`
    const refused = await payroll(create, { home, input })
    expect([refused.code, refused.out]).toEqual([3, ''])
    expect(refused.error().issues.map(({ path }: { path: string }) => path)).toContain('bankSetting.author')
    const starters = file(home, 'starters.csv', (await template('candidates.uk --example -o csv')).out)
    const says = 'this is still the value of the example'
    expect(await dryRun(home, starters)).toMatchObject(endedWith(3, says))
  })

  /** The leaves of a body that are text, each with a body that has this one alone. */
  function alone(body: object): [string, object][] {
    return Object.entries(body).flatMap(([name, value]): [string, object][] => {
      if (typeof value === 'string') return [[name, { [name]: value }]]
      if (Array.isArray(value)) return [[name, { [name]: value }]]
      return isObject(value) ? alone(value).map(([path, only]) => [`${name}.${path}`, { [name]: only }]) : []
    })
  }

  const everywhere = [
    ...['agencyRef', 'surname', 'address', 'mobile', 'email'].map((name) => `generalSetting.${name}`),
    'bankSetting.accountName',
  ]
  test.each([
    [
      'candidates.uk',
      '--uk',
      ['generalSetting.NINumber', 'bankSetting.accountNumber', 'payrollSetting.UTRNo'],
    ],
    ['candidates.ireland', '--ireland', ['payrollSetting.ppsNumber', 'bankSetting.IBANReference']],
  ])(
    'is refused for each value of the example that cannot be right by chance: %s',
    async (what, country, own) => {
      const home = freshHome()
      const example = (await template(`${what} --example`)).json()
      const rows = alone(example).map(([path, only], at) => {
        const { generalSetting, ...rest } = only as { generalSetting?: object }
        const real = { agencyRef: `T${at}`, forename: 'Ann', surname: 'Sample' }
        return { path, text: JSON.stringify({ generalSetting: { ...real, ...generalSetting }, ...rest }) }
      })
      const starters = file(home, 'starters.ndjson', rows.map(({ text }) => text).join('\n'))
      const { invalid } = (await dryRun(home, starters, country, '--json')).json()
      const found = invalid.map(({ row }: { row: number }) => rows[row - 1]?.path)
      for (const { message } of invalid) expect(message).toBe('this is still the value of the example')
      expect(found).toEqual(expect.arrayContaining([...everywhere, ...own]))
      for (const name of ['forename', 'DOB', 'city', 'country', 'payFrequency', 'dateOfJoining'])
        expect(found).not.toContain(`generalSetting.${name}`)
    },
  )

  test.each(['payment-rates', 'timesheets'])(
    'of %s asks for no ID of a VAT code, unless all is wanted',
    async (what) => {
      expect((await template(`${what} -o csv`)).out).not.toMatch(/VAT/i)
      expect((await template(`${what} -o csv --all`)).out).toMatch(/VAT/i)
    },
  )

  test('is readable on a terminal, because nothing in it is a secret', async () => {
    const { out } = await atTerminal(['template', 'candidates.uk', '--example']).ended
    expect(out).toContain('"NINumber": "QQ654321C"')
  })

  test.each(['vat-codes', 'toString'])('refuses what has no template: %s', async (what) => {
    const { code, out, err } = await payroll(['template', what])
    const says = 'To list the templates: payroll template'
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(says)])
  })
})

describe('template as a workbook', () => {
  /** The workbook, filled in below its help by whoever opens it. */
  async function saved(home: string, what: string): Promise<string> {
    const out = join(home, 'starters.xlsx')
    expect(await payroll(['template', what, '--out', out, '-q'], { home })).toMatchObject({
      code: 0,
      err: '',
    })
    return out
  }

  test('has headings, a line of help, text columns, lists of values and a sheet that explains them', async () => {
    const parts = unzipSync(readFileSync(await saved(freshHome(), 'candidates.ireland')))
    const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array())
    expect(part('xl/workbook.xml')).toMatch(/Fill in.*Values/s)
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).toContain(
      '<formula1>"WEEKLY,FORTNIGHTLY,FOUR_WEEKLY,MONTHLY,TWICE_MONTHLY,WK_BASED_MONTHLY,QUARTERLY,BI_ANNUAL,ANNUAL,OTHER"</formula1>',
    )
    expect(sheet).toContain(`<formula1>"${countries.map(({ isoCode }) => isoCode).join(',')}"</formula1>`)
    expect(sheet).toMatch(/<col min="1" style="\d+"/)
    const texts = part('xl/sharedStrings.xml')
    for (const text of ['PPS number', helpMark, notesTitle]) expect(texts).toContain(text)
  })

  test('and as a CSV refuses a choice of columns, and begins as Excel expects it with --excel', async () => {
    for (const words of ['--columns agencyRef', '--query agencyRef'])
      expect(await payroll(`template candidates.uk -o csv ${words}`.split(' '))).toMatchObject({
        ...endedWith(2, 'A table to fill in has all its columns'),
        out: '',
      })
    expect((await template('candidates.uk -o csv --excel')).out).toMatch(/^\uFEFFAgency reference,/)
    expect((await template('candidates.uk -o csv')).out).toMatch(/^Agency reference,/)
  })

  test('is imported without its help and its second sheet', async () => {
    const home = freshHome()
    const { code, json } = await dryRun(home, await saved(home, 'candidates.uk'))
    expect([code, json()]).toMatchObject([0, { rows: 0 }])
  })

  describe('and its line of help', () => {
    const help = `"${helpMark}${fieldHelp(candidate.fields.generalSetting?.fields?.agencyRef as never)}"`
    const date = '"A date, such as 2026-04-06."'
    const ann = 'A1,Ann,Sample,1990-03-14'
    const ready = async (...rows: string[]) => {
      const home = freshHome()
      const table = ['Agency reference,Forename,Surname,Date of birth', ...rows, ''].join('\n')
      return dryRun(home, file(home, 'starters.csv', table))
    }

    test.each([
      ['in its place', [`${help},,,${date}`, ann]],
      ['where the sheet was sorted', [ann, `${help},,,${date}`]],
      ['where its first column was deleted of text', [ann, `,,,${date}`]],
    ])('are left out %s', async (_, rows) => {
      const run = await ready(...rows)
      expect([run.code, run.json()]).toMatchObject([0, { rows: 1, ready: 1 }])
      expect(run.json()).toMatchObject({
        columns: [{ first: 'A1' }, { first: 'Ann' }, {}, { first: '******' }],
      })
    })

    test.each([
      [
        'beside its first words',
        `${help},Ann,Sample,${date}`,
        'column A (Agency reference) and column D (Date of birth)',
      ],
      ['over its first words', `A1,Ann,Sample,${date}`, 'column D (Date of birth)'],
    ])('are refused where somebody typed %s, and nothing else is said of the row', async (_, row, where) => {
      const run = await ready(row)
      expect(run).toMatchObject(
        endedWith(3, `the help of the template still stands in ${where}: delete the row`),
      )
      expect(run.json()).toMatchObject({ invalid: [{ row: 2, path: '' }] })
    })

    test('make no payment rate, whatever columns are left', async () => {
      const home = freshHome()
      const rates = file(
        home,
        'rates.csv',
        `Code,Description,Type\nAAA,Alpha,RATE\n"${helpMark}",,Such as RATE.\n`,
      )
      const run = await payroll(['--profile', 'sandbox', 'payment-rates', 'import', rates, '--yes'], { home })
      expect([run.code, run.json()]).toMatchObject([0, { rows: 1, created: 1 }])
    })
  })
})
