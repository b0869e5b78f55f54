import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'

const isThere = spawnSync('soffice', ['--version']).status === 0

/** Opens a file in LibreOffice and saves it in another format. */
function convert(home: string, file: string, to: string, ...options: string[]): string {
  const argv = [`-env:UserInstallation=file://${home}/office`, '--headless', ...options, '--convert-to', to]
  const outdir = join(home, `as-${to.split(':')[0]}`)
  mkdirSync(outdir, { recursive: true })
  const run = spawnSync('soffice', [...argv, '--outdir', outdir, file], {
    env: { ...process.env, HOME: home },
  })
  expect(run.status).toBe(0)
  return join(outdir, `${basename(file, extname(file))}.${to.split(':')[0]}`)
}

const xlsx = 'xlsx:Calc MS Excel 2007 XML'

async function imported(home: string, file: string, ...argv: string[]) {
  const sandbox = ['--profile', 'sandbox', 'candidates']
  const run = await payroll([...sandbox, 'import', file, '--settle', '0', ...argv], { home })
  return { ...run, held: (await payroll([...sandbox, 'list', '-o', 'json'], { home })).json() }
}

/** Rows of a CSV: a person with the dates of a country. */
const people = (dates: readonly (readonly [string, string])[], between: string) =>
  [
    'Employee ref,First name,Last name,D.O.B.,Date joined,Frequency,Country,Sort-Code',
    ...dates.map(([born, joined], at) => `L${at},Ann,Sample,${born},${joined},Weekly,United Kingdom,001122`),
  ]
    .join('\n')
    .replaceAll(',', between)

test.skipIf(!isThere).each([
  {
    whose: 'German',
    between: ';',
    language: '1031',
    dates: [
      ['25.12.1990', '01.12.2025'],
      ['03.04.1991', '02.12.2025'],
    ],
  },
  {
    whose: 'American',
    between: ',',
    language: '1033',
    dates: [
      ['12/25/1990', '12/01/2025'],
      ['04/03/1991', '12/02/2025'],
    ],
  },
] as const)(
  'workbooks and CSV files of LibreOffice with $whose dates are imported as they are (skipped without soffice)',
  async ({ between, language, dates }) => {
    const home = freshHome()
    const csv = join(home, 'starters.csv')
    writeFileSync(csv, people(dates, between))
    const expected = [
      {
        agencyRef: 'L0',
        DOB: '1990-12-25',
        dateOfJoining: '2025-12-01',
        payFrequency: 'WEEKLY',
        country: 'GB',
      },
      { agencyRef: 'L1', DOB: '1991-04-03', dateOfJoining: '2025-12-02' },
    ]
    expect((await imported(home, csv, '--dry-run')).json()).toMatchObject({ rows: 2, ready: 2, invalid: [] })
    const code = between.charCodeAt(0)
    // Column 8 as text: without it the zeros are lost, which is said and not sent.
    const filter = (columns: string) => `--infilter=CSV:${code},34,76,1,${columns},${language},false,true`
    const lost = await imported(home, convert(home, csv, xlsx, filter('')))
    expect([lost.code, lost.held]).toEqual([3, []])
    expect(lost.err).toContain('did the spreadsheet remove a leading zero?')
    const kept = await imported(home, convert(home, csv, xlsx, filter('8/2')))
    expect([kept.code, kept.held]).toMatchObject([0, expected])
    expect(kept.held[0].bank.sortCode).toBe('001122')
  },
  120_000,
)

/** What a person types over the cells of the example in a workbook of template. */
const typedOver = {
  ...{ 'EXAMPLE-1': '0042', Alex: 'Zoë', Exampleson: 'Sample', 'Alex Exampleson': 'Zoë Sample' },
  ...{ '12 Example Road': '1 Sample Street', 'Example District': 'Hulme', 'Example job title': 'Sample job' },
  ...{ QQ654321C: 'QQ123456C', '202015': '001122', '55555555': '01234567', '9987654321': '0123456789' },
  ...{ '07700 900321': '07700 900123', V0987654321: 'V0123456789' },
  'alex.example@example.com': 'zoe.sample@example.com',
}

test.skipIf(!isThere)(
  'a workbook of template is imported unchanged after it was filled in and LibreOffice saved it (skipped without soffice)',
  async () => {
    const home = freshHome()
    const file = join(home, 'starters.xlsx')
    const template = ['template', 'candidates.uk', '--example']
    expect((await payroll([...template, '--out', file], { home })).code).toBe(0)
    const entries = unzipSync(readFileSync(file))
    const strings = 'xl/sharedStrings.xml'
    const texts = strFromU8(entries[strings] ?? new Uint8Array())
    const filled = texts.replace(/<t>([^<]+)<\/t>/g, (cell, text: keyof typeof typedOver) =>
      typedOver[text] === undefined ? cell : `<t>${typedOver[text]}</t>`,
    )
    writeFileSync(file, zipSync({ ...entries, [strings]: strToU8(filled) }))
    const saved = convert(home, convert(home, file, 'ods'), xlsx)
    expect(dirname(saved)).not.toBe(home)
    const { code, held } = await imported(home, saved)
    expect([code, held]).toMatchObject([
      0,
      [
        {
          ...{ agencyRef: '0042', forename: 'Zoë', surname: 'Sample', DOB: '1990-01-31', country: 'GB' },
          ...{ address: ['1 Sample Street', 'Hulme'], payFrequency: 'WEEKLY', hours: 37.5 },
          bank: { accountName: 'Zoë Sample', sortCode: '001122', accountNumber: '01234567' },
        },
      ],
    ])
  },
  120_000,
)
