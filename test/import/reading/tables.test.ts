import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordTypesByName } from '../../../src/commands/cli/record-types.ts'
import { writeXlsx } from '../../../src/files/formats/xlsx/write-xlsx.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { fileOf, flaws, open, refusal, rejectAll, rowsOf } from './read-file.ts'

const person = 'Agency reference,Forename,Surname,City or town'

/** What is wrong with a header, above a row that has something in each column. */
const headerFlaws = async (header: string, options = {}) => {
  const cells = header.split(',').fill('x')
  const { issues = [] } = (await refusal(`${header}\n${cells}\n`, options)).details
  return issues.map(({ path, message }) => `${path} ${message}`)
}

describe('the header of a table', () => {
  test('names fields by path, or by their labels in any case', async () => {
    const [row] = await rowsOf(
      'generalSetting.agencyRef, SURNAME ,Sort\u00A0code,Emergency contact: Name,address 2\nA1,Example,012345,Sam,x\n',
    )
    expect(row).toMatchObject({
      issues: [],
      record: {
        generalSetting: { agencyRef: 'A1', surname: 'Example', emergencyName: 'Sam', address: ['x'] },
        bankSetting: { sortCode: '012345' },
      },
    })
  })

  test.each(['candidates.uk', 'candidates.ireland', 'timesheets'])(
    'is that of the template, which is read as it stands: %s',
    async (what) => {
      const home = freshHome()
      const argv = ['template', what, '--all', '--example']
      const { out } = await payroll([...argv, '-o', 'csv'], { home })
      const rows = await rowsOf(out, { type: recordTypesByName[what]?.sent ?? candidate })
      const { record } = rows[0] ?? {}
      expect(rows).toHaveLength(1)
      expect(record).toEqual((await payroll(argv, { home })).json())
    },
  )

  test('is refused for every column that cannot be used, with what was probably meant', async () => {
    expect(
      await headerFlaws(
        'Surname,Surnam,generalSetting.forname,Name,,__proto__,constructor,generalSetting,Shoe size',
      ),
    ).toEqual([
      'column B (Surnam) no field has this heading: did you mean Surname?',
      'column C (generalSetting.forname) no field has this heading',
      'column D (Name) can mean Forename, Surname or Account name: say which',
      'column F (__proto__) no field has this heading',
      'column G (constructor) no field has this heading',
      'column H (generalSetting) no field has this heading',
      'column I (Shoe size) no field has this heading',
      'column E has no name: two cells of the header were probably merged',
    ])
    expect(await headerFlaws('generalSetting.eircode')).toEqual([
      'column A (generalSetting.eircode) not a field of a UK candidate, only of an Irish candidate (--ireland)',
    ])
  })

  test('may give no field twice, nor a part of another', async () => {
    expect(await headerFlaws('Surname,DOB2,generalSetting.surname')).toContain(
      'column C (generalSetting.surname) fills the same field as column A (Surname)',
    )
    expect(await headerFlaws('Surname,surname')).toEqual([
      'column B (surname) has the same name as column A (Surname): rename one of them',
    ])
    expect(await headerFlaws('Address,Address 1')).toEqual([
      'column B (Address 1) fills the same field as column A (Address)',
    ])
  })

  test.each([
    ['a title', 'Starters of April,,,\n', 2, 'row 1 above them is left out'],
    ['merged groups', 'Person,,,Home\n', 2, 'row 1 above them is left out'],
    ['a title and an empty row', 'Starters April 2026,,,\n,,,\n', 3, 'rows 1 to 2 above them are left out'],
  ])('is found below %s, which is said', async (_, above, row, says) => {
    const file = `${above}${person}\nA1,Alex,Example,Leeds\n`
    expect((await open(fileOf(file))).remarks).toEqual([`the headings are in row ${row}; ${says}`])
    expect(await rowsOf(file)).toMatchObject([
      { row: row + 1, issues: [], record: { generalSetting: { agencyRef: 'A1', city: 'Leeds' } } },
    ])
  })

  test('is found below a title that is called as a field is, and where most of its names are its own', async () => {
    const map = { Called: null, Where: null, Since: null }
    const file = 'Hourly rate,,,\nAgency reference,Called,Surname,Where,Since\nA1,Alex,Example,Leeds,May\n'
    expect(await rowsOf(file, { map })).toMatchObject([
      { row: 3, issues: [], record: { generalSetting: { agencyRef: 'A1', surname: 'Example' } } },
    ])
  })

  test('is named, and not taken, below more than a title, unless --heading-row says so', async () => {
    const file = `Ours,Theirs,What,\n${person}\nA1,Alex,Example,Leeds\n`
    expect(await refusal(file)).toMatchObject({
      message: 'The headings seem to be in row 2 (Agency reference, Forename, Surname and 1 more).',
      details: { hint: 'If they are, add --heading-row 2: what is above them is left out.' },
    })
    expect(await rowsOf(file, { headingRow: 2 })).toMatchObject([{ row: 3, issues: [] }])
    expect((await refusal(file, { headingRow: 9 })).message).toBe('Row 9 has no headings.')
  })

  test('is not looked for among people, nor below row 10', async () => {
    const rows = (count: number) => 'A1,Alex\n'.repeat(count)
    expect((await refusal(`Ref,What\n${rows(9)}Agency reference,Surname\n`)).message).toContain('of row 1')
    expect((await refusal(`Ref,What\n${rows(8)}Agency reference,Surname\n`)).message).toContain('in row 10')
    expect((await refusal('Surname,What\nTitle,Weekly\n')).message).toContain('of row 1')
  })

  test.each([
    ['Name', undefined],
    ['Full name', undefined],
    ['Who', { Who: 'Forename' }],
    ['Who', { Who: 'Surname' }],
  ])('has no whole names in a column (%s) that nobody said how to take apart', async (names, map) => {
    const file = `Agency reference\t${names}\nA1\tMr Tom Fake\nA2\tFakey, Jane\n`
    expect(await refusal(file, map ? { map } : {})).toMatchObject({
      message: 'One column of row 1 cannot be used.',
      details: {
        issues: [
          {
            path: `column B (${names})`,
            message:
              'has the whole name: a map says "Surname, Forename" or "Forename Surname", as it is written',
          },
        ],
        hint: `Save this as columns.json, with a field for each column or null for "do not import", and add --map columns.json: {"${names}":"?"}`,
      },
    })
  })

  test.each([
    ['surname, forename', 'FAKE, Mary Ann', 'Mary Ann', 'FAKE'],
    ['Surname, Forename', "O'Fake ,  Tom", 'Tom', "O'Fake"],
    ['Forename Surname', 'Tom Fake', 'Tom', 'Fake'],
    ['Forename Surname', 'Tom van Fake', 'Tom', 'van Fake'],
  ])('takes a whole name apart where a map says %s: %s', async (order, whole, forename, surname) => {
    const file = `Agency reference\tName\nA1\t${whole}\n`
    const [row] = await rowsOf(file, { map: { Name: order } })
    expect(row).toMatchObject({
      issues: [],
      record: { generalSetting: { agencyRef: 'A1', forename, surname } },
      original: ['A1', whole],
    })
    const isClear = surname.split(' ').length === 1
    expect(row?.warnings.map(({ message }) => message)).toEqual(
      isClear ? [] : ['column B (Name): read as the forename Tom and the surname van Fake'],
    )
  })

  test.each([
    ['Surname, Forename', 'Fake, Tom, Mr', 'expected a surname, a comma and a forename'],
    ['Surname, Forename', 'Fake,', 'expected a surname, a comma and a forename'],
    ['Forename Surname', 'Fake', 'expected a forename, a blank and a surname'],
  ])('never guesses at a name that is not as the map says (%s): %s', async (order, whole, says) => {
    const file = `Agency reference\tName\nA1\t${whole}\n`
    expect(await flaws(file, { map: { Name: order } })).toEqual([
      expect.stringContaining(`2 column B (Name): ${says}`),
    ])
  })

  test('may have forenames of two words, and whole names beside their parts', async () => {
    expect(await rowsOf('Agency reference,Forename\nA1,Mary Ann\n')).toHaveLength(1)
    const both = 'Agency reference,Forename,Surname,Name\nA1,Tom,Fake,Mr Tom Fake\n'
    expect((await refusal(both)).details.issues).toEqual([
      { path: 'column D (Name)', message: expect.stringContaining('say which') },
    ])
    expect(await rowsOf(both, { map: { Name: null } })).toHaveLength(1)
  })

  test('that is there twice is no person', async () => {
    const paths = 'generalSetting.agencyRef,generalSetting.forename,generalSetting.surname'
    expect(await flaws(`${paths}\nAgency reference,Forename,Surname\nA1,Alex,Example\n`)).toEqual([
      '2 this is a second row of names: delete it',
    ])
  })

  test('of an agency is translated by a map, and null is not sent', async () => {
    const map = { Ref: 'Agency reference', notes: null, 'Line 1': 'generalSetting.address[0]' }
    const file = fileOf('Ref,Notes,Line 1,id\nA1,=SUM(A1),1 Street,c-1\n')
    const source = await open(file, { map })
    expect(source.shown?.flatMap(({ name, path }) => (path ? [] : [name]))).toEqual(['Notes', 'id'])
    for await (const { record } of source.rows()) {
      expect(record).toEqual({ generalSetting: { agencyRef: 'A1', address: ['1 Street'] } })
    }
    expect(await headerFlaws('Ref', { map: { Ref: 'generalSetting.agencyReff' } })).toEqual([
      'column A (Ref) the map says generalSetting.agencyReff, which is not a field of a UK candidate',
    ])
  })
})

describe('the rows of a table', () => {
  test('that are empty are no people, and count', async () => {
    const rows = await rowsOf(`${person},,\n\n,,,,,\nA1,Alex,Example,Leeds,,\n\nA2,Sam,Example,York,,\n`)
    expect(rows.map(({ row }) => row)).toEqual([4, 6])
    expect(rows.flatMap(({ issues }) => issues)).toEqual([])
  })

  test('are refused where they have more or fewer cells than the header', async () => {
    const rows = 'A1,Alex,Example\nA2,Sam,Example,Leeds,X\nA3,Kim,Example,Leeds,\n'
    expect(await flaws(`${person}\n${rows}`)).toEqual([
      expect.stringMatching(/^2 the row has 3 cells, and the header 4/),
      expect.stringMatching(/^3 the row has 5 cells, and the header 4/),
    ])
    expect(await flaws(`${person},\nA1,Alex,Example,Leeds,X\n`)).toEqual([
      '2 column E has no name, but it contains a value',
    ])
  })

  test('are not swallowed by a quotation mark that happens to fit', async () => {
    const text = `${person}\nA1,"Alex,Example,Leeds\nA2,Sam,Example,York\nA3,Kim",Example,Leeds\n`
    expect(await flaws(text)).toEqual([
      '2 column B (Forename) holds what looks like a whole row: a quotation mark is probably missing',
    ])
  })

  test('in another encoding are named where a letter is lost, and read where it is given', async () => {
    const latin = Buffer.from(`${person}\nA1,Alex,Example,Leeds\nA2,Zo\xeb,M\xfcller,Leeds\n`, 'latin1')
    const lost = 'not UTF-8, so a letter is lost: save the file as CSV UTF-8, or add --encoding windows-1252'
    expect(await flaws(latin)).toEqual([`3 column B (Forename): ${lost}`, `3 column C (Surname): ${lost}`])
    const rows = await rowsOf(latin, { encoding: 'windows-1252' })
    expect(rows[1]?.record).toMatchObject({ generalSetting: { forename: 'Zoë', surname: 'Müller' } })
  })

  test('name the column of what the contract and the standards say', async () => {
    const [row] = await rowsOf('Agency reference,Country,NI category letter\nA1,Atlantis,?\n')
    const message = 'column B (Country): expected a country, such as Ireland or IE'
    const letter = /^column C \(NI category letter\): not one of HMRC's NI category letters/
    expect(row?.issues).toEqual([{ path: 'generalSetting.country', message, column: 1 }])
    expect(row?.warnings).toEqual([expect.objectContaining({ message: expect.stringMatching(letter) })])
  })
})

describe('a workbook', () => {
  test('is read as a CSV is, its numbers and errors included', async () => {
    const header = ['Agency reference', 'Sort code', 'Hourly rate', 'Apprentice', 'Account number', 'Surname']
    const cells = [
      ['A1', 12345, 16.5, true, 12345678, 'Example'],
      [],
      ['A2', '012345', 16, false, 1.5e7, '#N/A'],
    ]
    const rows = await rowsOf(await writeXlsx(header, cells), {}, 'starters.csv')
    expect(rows.map(({ row }) => row)).toEqual([2, 4])
    expect(rows[0]?.record).toEqual({
      generalSetting: { agencyRef: 'A1', rateHour: 16.5, surname: 'Example' },
      payrollSetting: { isApprentice: true },
      bankSetting: { accountNumber: '12345678' },
    })
    expect(rows.flatMap(({ issues }) => issues.map(({ path }) => path))).toEqual([
      'bankSetting.sortCode',
      'generalSetting.surname',
    ])
  })
})

describe('the file of a source', () => {
  const changed = { code: 'input', message: expect.stringContaining('was changed') }
  /** Excel puts the whole of such a workbook into one part of a container. */
  const withPassword = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1024),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ])

  test.each([
    ['is empty', '', 'it is empty'],
    [
      'is of Office 97',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'it is a workbook with a password, or a file of Office 97.',
    ],
    ['has a password', withPassword, 'it is a workbook with a password, or'],
    ['is a PDF', '%PDF-1.7', 'it is a PDF'],
    ['has nothing but empty lines', '\n\n', 'The file has no columns'],
  ])('is refused when it %s', async (_, content, message) => {
    const refused = await refusal(content)
    expect(refused).toMatchObject({ code: 'input', message: expect.stringContaining(message) })
    if (message.startsWith('it is')) expect(refused).toMatchObject({ details: { hint: expect.any(String) } })
  })

  test.each([
    ['a list', '\uFEFF[{"agencyRef":"A1"}]'],
    ['a record on each line', '{"agencyRef":"A1"}\n{"agencyRef":"A2"}'],
  ])('is refused as JSON in UTF-16, which PowerShell 5.1 writes: %s', async (_, text) => {
    const file = fileOf(Buffer.from(text, 'utf16le'))
    const { code, err } = await payroll(['candidates', 'import', file, '--profile', 'sandbox'])
    expect([code, err]).toEqual([3, expect.stringContaining('it is UTF-16 text, as > of PowerShell 5.1')])
  })

  test.each(['~$starters.xlsx', '.~lock.starters.csv#'])(
    'is refused where it is what Excel or LibreOffice keeps beside an open one: %s',
    async (name) => {
      await expect(open(fileOf('\u000BSam Example', name))).rejects.toMatchObject({
        message: expect.stringContaining('beside a file that is open'),
        details: { hint: 'Name the file itself, once it is saved and closed.' },
      })
    },
  )

  test('is refused where it is not to be had', async () => {
    const path = fileOf(person)
    await expect(open(`${path}.not-there`)).rejects.toMatchObject({ code: 'usage' })
    await expect(open(dirname(path))).rejects.toMatchObject({ code: 'usage' })
  })

  test('may not change between one reading and the next', async () => {
    const path = fileOf(`${person}\nA1,Alex,Example,Leeds\n`)
    const source = await open(path)
    const read = async () => {
      const rows = []
      for await (const row of source.rows()) rows.push(row)
      return rows
    }
    expect(await read()).toHaveLength(1)
    expect(await read()).toHaveLength(1)
    appendFileSync(path, 'A2,Sam,Example,York\n')
    // Not a row of it is given: it could have been sent.
    await expect(source.rows()[Symbol.asyncIterator]().next()).rejects.toMatchObject(changed)
  })

  test('may not change while it is read', async () => {
    const path = fileOf(`${person}\n${'A1,Alex,Example,Leeds\n'.repeat(20_000)}`)
    const source = await open(path)
    const read = async () => {
      let last = 0
      for await (const { row } of source.rows()) {
        if (last === 0) appendFileSync(path, 'A2,Sam,Example,York\n')
        last = row
      }
    }
    await expect(read()).rejects.toMatchObject(changed)
  })

  test('may be long: it is read to its last row', async () => {
    const path = fileOf(`${person}\n${'A1,Alex,Example,Leeds\n'.repeat(20_000)}`)
    const source = await open(path)
    let last = 0
    for await (const { row } of source.rows()) last = row
    expect(last).toBe(20_001)
  })
})

test('the rejects of a CSV have its own form, and are imported again without what was added', async () => {
  const text = '\uFEFFAgency reference;Forename;Mobile\r\nA1;Zoë;\'+447700900123\r\nA2;"a;b";\r\n'
  const source = await open(fileOf(text))
  const path = join(freshHome(), 'rejects.csv')
  const issues = Object.entries({ a: '=x', b: 'y;z' }).map(([path, message]) => ({ path, message }))
  await rejectAll(source, path, issues)
  expect(readFileSync(path, 'utf8')).toBe(
    '\uFEFFAgency reference;Forename;Mobile;field;message;outcome\r\n' +
      'A1;Zoë;\'+447700900123;"a; b";"\'=x; y;z";refused\r\n' +
      'A2;"a;b";;"a; b";"\'=x; y;z";refused\r\n',
  )
  expect(statSync(path).mode & 0o777).toBe(0o600)

  const again = await open(path)
  expect(again.own).toEqual(['Agency reference', 'Forename', 'Mobile'])
  const before = await rowsOf(text)
  const after = await rowsOf(readFileSync(path))
  expect(after.map(({ record, issues }) => ({ record, issues }))).toEqual(
    before.map(({ record, issues }) => ({ record, issues })),
  )
  await rejectAll(again, `${path}.2.csv`, [])
  expect(readFileSync(`${path}.2.csv`, 'utf8').split('\r\n')[1]).toBe("A1;Zoë;'+447700900123;;;refused")
})
