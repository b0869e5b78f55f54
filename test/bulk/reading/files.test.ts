import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { candidate } from '../../../src/api/contract/candidate/candidate.ts'
import { timesheet } from '../../../src/api/contract/timesheet.ts'
import { openSource, type SourceOptions } from '../../../src/bulk/reading/source.ts'
import type { Row } from '../../../src/bulk/row.ts'
import { Failure } from '../../../src/errors.ts'
import { writeXlsx } from '../../../src/formats/xlsx.ts'
import { freshHome } from '../../payroll.ts'

const two = 'generalSetting.forename,generalSetting.agencyRef'

function fileOf(content: string | Buffer, name = 'starters.csv'): string {
  const path = join(freshHome(), name)
  writeFileSync(path, content)
  return path
}

async function opened(content: string | Buffer, options: Partial<SourceOptions> = {}) {
  return openSource(fileOf(content), { type: candidate, today: '2026-11-21', ...options })
}

async function read(content: string | Buffer, options: Partial<SourceOptions> = {}): Promise<Row[]> {
  const source = await opened(content, options)
  const rows: Row[] = []
  for await (const row of source.rows()) rows.push(row)
  return rows
}

async function refusal(content: string | Buffer, options: Partial<SourceOptions> = {}): Promise<Failure> {
  const failure = await read(content, options).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof Failure) return failure
  throw new Error(`it was read: ${failure}`)
}

const general = (row: Row | undefined) => row?.record.generalSetting

describe('a table', () => {
  test.each<[string, string | Buffer, Partial<SourceOptions>]>([
    ['with commas', `${two}\nAmélie,A-1\nBob,A-2\n`, {}],
    ['with semicolons and CRLF', `${two.replace(',', ';')}\r\nAmélie;A-1\r\nBob;A-2\r\n`, {}],
    ['with tabs', `${two.replace(',', '\t')}\nAmélie\tA-1\nBob\tA-2`, {}],
    ['with a byte-order mark', `\uFEFF${two}\nAmélie,A-1\nBob,A-2\n`, {}],
    [
      'in UTF-16 from Excel',
      Buffer.from(`\uFEFF${two.replace(',', '\t')}\r\nAmélie\tA-1\r\nBob\tA-2`, 'utf16le'),
      {},
    ],
    ['with a line sep=; above it', `sep=;\r\n${two.replace(',', ';')}\r\nAmélie;A-1\r\nBob;A-2\r\n`, {}],
    [
      'in another encoding that is named',
      Buffer.from(`${two}\nAmélie,A-1\nBob,A-2\n`, 'latin1'),
      { encoding: 'windows-1252' },
    ],
    ['with labels for names', 'Forename,Agency reference\nAmélie,A-1\nBob,A-2\n', {}],
    [
      'with names that a map explains',
      'First,Ref,Note\nAmélie,A-1,x\nBob,A-2,y\n',
      { map: { First: 'generalSetting.forename', Ref: 'generalSetting.agencyRef', Note: null } },
    ],
    ['with empty lines and cells', `${two},\n\nAmélie,A-1,\n,,\nBob,A-2,\n`, {}],
    ['that was exported', `id,${two}\n77,Amélie,A-1\n78,Bob,A-2\n`, {}],
    [
      'that was refused before',
      `${two},field,message,outcome\nAmélie,A-1,generalSetting.city,no,refused\nBob,A-2,,no,refused\n`,
      {},
    ],
  ])('%s is read', async (_, content, options) => {
    const rows = await read(content, options)
    expect(rows.map(general)).toEqual([
      { forename: 'Amélie', agencyRef: 'A-1' },
      { forename: 'Bob', agencyRef: 'A-2' },
    ])
    expect(rows.flatMap(({ issues }) => issues)).toEqual([])
  })

  test('counts its rows as a spreadsheet does', async () => {
    const rows = await read(`${two}\n"Ann\nMarie",A-1\n\nBob,A-2\n`)
    expect(rows.map(({ row }) => row)).toEqual([2, 4])
    expect((await read(`sep=,\n${two}\nAnn,A-1\n`))[0]?.row).toBe(2)
  })

  test.each<[string, string | Buffer, string, RegExp]>([
    [
      'a stray quotation mark',
      `${two}\nAnn,A-1\nBo"b,A-2\nX,A-3\n`,
      'row 3, column 1',
      /quotation mark stands inside/,
    ],
    [
      'a quotation mark that is never closed',
      `${two}\nAnn,A-1\n"Bob,A-2\nX,A-3\n`,
      'row 3, column 1',
      /never closed/,
    ],
    [
      'Latin-1',
      Buffer.from(`${two}\nAnn,A-1\nA,Am\xe9lie\n`, 'latin1'),
      'row 3, column 2',
      /--encoding windows-1252/,
    ],
    ['a column nobody knows', `${two},shoeSize\nAnn,A-1,41\n`, 'row 1, column 3', /shoeSize: not a field/],
    [
      'a name that is nearly one',
      'surnam,generalSetting.agencyRef\nAnn,A-1\n',
      'row 1, column 1',
      /generalSetting\.surname/,
    ],
    [
      'one column twice',
      `${two},Forename\nAnn,A-1,Ann\n`,
      'row 1, column 3',
      /column 1 fills the same field/,
    ],
    [
      'a name that reaches into JavaScript',
      `${two},__proto__.x\nAnn,A-1,y\n`,
      'row 1, column 3',
      /not a field/,
    ],
    [
      'a merged header',
      'Person,,Bank,\nForename,Surname,Sort code,Account number\nAnn,S,1,2\n',
      'row 1, column 1',
      /Person/,
    ],
  ])('with %s is refused, and the place is named', async (_, content, place, message) => {
    const { code, details } = await refusal(content)
    expect(code).toBe('input')
    expect(details.issues?.[0]?.path).toBe(place)
    expect(details.issues?.[0]?.message).toMatch(message)
  })

  test.each([
    ['more cells than the header', `${two}\nAnn,A-1,x\n`, /column 3 has a value and no name/],
    ['fewer cells', `${two}\nAnn\n`, /it has 1 cells, and the header 2/],
    ['the header once more', `${two}\nAnn,A-1\n${two}\n`, /repeats the header/],
    ['a value under no name', 'generalSetting.agencyRef,\nA-1,Ann\n', /column 2 has a value and no name/],
  ])('names a row with %s', async (_, content, message) => {
    const issues = (await read(content)).flatMap((row) => row.issues)
    expect(issues.map((issue) => issue.message).join()).toMatch(message)
  })

  test('keeps text as it stands: zeros, numbers in disguise, the apostrophe of an export', async () => {
    const rows = await read(`${two}\n00012345,1E5\nTRUE,'=1+1\n'Ann,'-x\n`)
    expect(rows.map(general)).toEqual([
      { forename: '00012345', agencyRef: '1E5' },
      { forename: 'TRUE', agencyRef: '=1+1' },
      { forename: "'Ann", agencyRef: '-x' },
    ])
  })

  test('closes the gaps of an address, and takes lists of objects from cells', async () => {
    const address = ['generalSetting.address[0]', 'generalSetting.address[1]', 'generalSetting.address[2]']
    const [row] = await read(`generalSetting.agencyRef,${address.join()}\nA-1,1 Example Street,,Leeds\n`)
    expect(general(row)).toMatchObject({ address: ['1 Example Street', 'Leeds'] })
    const sheet = 'subcontractorRef,rates[0].units,rates[0].rate,rates[1].units\nA-1,37.5,21.50,2\n'
    const [first] = await read(sheet, { type: timesheet })
    expect(first?.record.rates).toEqual([{ units: '37.5', rate: '21.50' }, { units: '2' }])
    const [json] = await read('subcontractorRef,rates\nA-1,"[{""units"":""1""}]"\n', { type: timesheet })
    expect(json?.record.rates).toEqual([{ units: '1' }])
  })
})

describe('what a spreadsheet damages', () => {
  const one = async (column: string, cell: string, options: Partial<SourceOptions> = {}) => {
    const [row] = await read(`generalSetting.agencyRef;${column}\nA-1;${cell}\n`, options)
    return row as Row
  }

  test.each([
    ['bankSetting.accountNumber', '9.87E+07', /shortened a long number/],
    ['generalSetting.DOB', '33123', /counts days/],
    ['generalSetting.DOB', '03/04/1990', /day and month could be taken for each other/],
    ['generalSetting.DOB', '03/04/90', /two digits/],
    ['generalSetting.DOB', 'last May', /expected a date/],
    ['generalSetting.forename', '#N/A', /formula/],
    ['generalSetting.rateHour', '12,50', /write 12\.50/],
    ['generalSetting.rateHour', '1.234,50', /write 1234\.50/],
    ['generalSetting.rateHour', '1,234', /between thousands/],
    ['generalSetting.rateHour', '£12.50', /without its currency/],
  ])('(%s: %s) is named and not repaired', async (column, cell, message) => {
    const { issues } = await one(column, cell)
    expect(issues[0]?.path).toBe(column)
    expect(issues[0]?.message).toMatch(message)
    // A birthday and an account are nobody's business in a log.
    if (/DOB|account/.test(column)) expect(issues[0]?.message).not.toContain(cell.slice(0, 5))
  })

  test.each([
    ['25/12/1990', {}, '1990-12-25'],
    ['12/25/1990', {}, '1990-12-25'],
    ['5.5.1990', {}, '1990-05-05'],
    ['1990-12-25', {}, '1990-12-25'],
    ['1990/12/25', {}, '1990-12-25'],
    ['03/04/1990', { dateFormat: 'dmy' }, '1990-04-03'],
    ['03/04/1990', { dateFormat: 'mdy' }, '1990-03-04'],
  ] as const)('a date like %s is read with %j', async (cell, options, date) => {
    expect(general(await one('generalSetting.DOB', cell, options))).toMatchObject({ DOB: date })
  })

  test('a lost zero is a warning, because the service may know better', async () => {
    const { issues, warnings } = await one('bankSetting.sortCode', '12345')
    expect(issues).toEqual([])
    expect(warnings).toEqual([
      { path: 'bankSetting.sortCode', message: expect.stringContaining('leading zero') },
    ])
  })

  test('a date that is none is named by the contract', async () => {
    const { issues } = await one('generalSetting.DOB', '31.02.1990')
    expect(issues[0]?.path).toBe('generalSetting.DOB')
  })
})

describe('a workbook', () => {
  test('is read with its zeros', async () => {
    const columns = ['generalSetting.agencyRef', 'bankSetting.sortCode', 'generalSetting.rateHour']
    const record = {
      generalSetting: { agencyRef: '007', rateHour: 27.5 },
      bankSetting: { sortCode: '010203' },
    }
    const [row] = await read(await writeXlsx([record], columns))
    expect(row?.record).toEqual(record)
    expect(row?.row).toBe(2)
  })

  test('that is none is refused', async () => {
    const { code, message } = await refusal(Buffer.from('PK\u0003\u0004 and nothing more'))
    expect(code).toBe('input')
    expect(message).toContain('no workbook')
  })
})

describe('records', () => {
  test('one a line are read, and a line that is none is named', async () => {
    const rows = await read('{"generalSetting":{"forename":"A"}}\n\n[1]\n{"x":1}\n{bad\n')
    expect(rows.map(({ row, issues }) => [row, issues[0]?.message])).toEqual([
      [1, undefined],
      [3, expect.stringContaining('not a list of 1')],
      [4, expect.stringContaining('not a field')],
      [5, expect.stringContaining('not JSON')],
    ])
  })

  test('in a list are read', async () => {
    const rows = await read(
      '[{"generalSetting":{"forename":"A"}},{"id":"9","generalSetting":{"forename":"B"}}]',
    )
    expect(rows.map(general)).toEqual([{ forename: 'A' }, { forename: 'B' }])
  })

  test('on a line that is too long, or in bytes that are no text, are refused', async () => {
    expect((await refusal(`{"a":"${'x'.repeat(1024 * 1024)}"}\n`)).message).toContain('longer than 1 MiB')
    const [row] = await read(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]))
    expect(row?.issues[0]?.message).toContain('UTF-8')
  })
})

describe('a source', () => {
  test('can be read twice, and not when the file has changed meanwhile', async () => {
    const path = fileOf(`${two}\nAnn,A-1\n`)
    const source = await openSource(path, { type: candidate, today: '2026-11-21' })
    const count = async () => {
      let rows = 0
      for await (const _ of source.rows()) rows += 1
      return rows
    }
    expect([await count(), await count()]).toEqual([1, 1])
    writeFileSync(path, `${two}\nAnn,A-1\nBob,A-2\n`)
    await expect(count()).rejects.toThrow('was changed while it was read')
  })

  test('writes refused rows as they stood, to be put right and read again', async () => {
    const path = fileOf(`${two.replace(',', ';')}\n0012;A-1\nBob;'=A\n`)
    const source = await openSource(path, { type: candidate, today: '2026-11-21' })
    const to = join(freshHome(), 'rejects.csv')
    const writer = source.rejects(to)
    for await (const row of source.rows()) {
      await writer.add(row, [{ path: 'generalSetting.forename', message: 'too short' }], 'refused')
    }
    await writer.close()
    expect(statSync(to).mode & 0o777).toBe(0o600)
    expect(readFileSync(to, 'utf8')).toBe(
      `${two},field,message,outcome\n0012,A-1,generalSetting.forename,too short,refused\n` +
        `Bob,'=A,generalSetting.forename,too short,refused\n`,
    )
    const again = await read(readFileSync(to))
    expect(again.map(general)).toEqual([
      { forename: '0012', agencyRef: 'A-1' },
      { forename: 'Bob', agencyRef: '=A' },
    ])
  })

  test('that is not there, a folder, or in an encoding nobody knows is exit 2', async () => {
    const options = { type: candidate, today: '2026-11-21' }
    await expect(openSource('/nonexistent/file.csv', options)).rejects.toMatchObject({ code: 'usage' })
    await expect(openSource(freshHome(), options)).rejects.toMatchObject({ code: 'usage' })
    expect((await refusal(`${two}\nA,B\n`, { encoding: 'klingon' })).code).toBe('usage')
  })
})
