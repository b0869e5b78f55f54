import { describe, expect, test } from 'vitest'
import { valueAt } from '../../../src/files/json/path.ts'
import { candidateIreland } from '../../../src/model/resources/ireland-candidate.ts'
import { timesheet } from '../../../src/model/resources/timesheet.ts'
import { column, flaws, type Options, refusal, rowsOf } from './read-file.ts'

/** What a cell under a path becomes. */
async function value(path: string, cell: string, options?: Options): Promise<unknown> {
  const [row] = await rowsOf(column(path, cell), options)
  expect(row?.issues).toEqual([])
  return valueAt(row?.record, path.replace(/\[(\d)\]/, '.$1').split('.'))
}

const flaw = async (path: string, cell: string, options?: Options) =>
  (await flaws(column(path, cell), options)).join()

const doubts = async (path: string, cell: string) =>
  (await rowsOf(column(path, cell))).flatMap(({ warnings }) => warnings.map(({ message }) => message)).join()

const DOB = 'generalSetting.DOB'

describe('texts', () => {
  test.each(['00012345', '1E5', 'TRUE', '03/04/1990', '1.50', "O'Example"])(
    'text in a cell stays the text it is: %j',
    async (text) => expect(await value('generalSetting.surname', text)).toBe(text),
  )

  test('text in a cell comes from behind the apostrophe that marks a formula', async () => {
    expect(await value('generalSetting.mobile', "'+44 7700 900123")).toBe('+44 7700 900123')
  })

  test('NONE in capitals is a code where a service may have one, and is nothing in what people write of people', async () => {
    expect(await value('generalSetting.pensionSetting.scheme', 'NONE')).toBe('NONE')
    expect(await flaw('generalSetting.pensionSetting.scheme', 'none')).toContain('a word for nothing')
    expect(await flaw('generalSetting.city', 'NONE')).toContain('a word for nothing')
  })

  test.each(['', ' ', '\u00A0', '   '])('a blank cell gives no field: %j', async (cell) => {
    expect(await rowsOf(column('generalSetting.surname', cell))).toMatchObject([
      { record: { generalSetting: { agencyRef: 'A1' } }, issues: [] },
    ])
    expect((await rowsOf(column('generalSetting.surname', cell)))[0]?.record).not.toHaveProperty(
      'generalSetting.surname',
    )
  })

  test.each([
    ['bankSetting.sortCode', '12345', '5 digits instead of 6'],
    ['bankSetting.accountNumber', '1234567', '7 digits instead of 8'],
    ['bankSetting.accountNumber', '1.23E+07', 'shortened a long number'],
    ['bankSetting.accountNumber', '1,23E+07', 'shortened a long number'],
    ['generalSetting.agencyRef', '#N/A', 'a spreadsheet error instead of a value'],
    ['generalSetting.surname', '#REF!', 'a spreadsheet error instead of a value'],
    ['generalSetting.city', '########', 'a spreadsheet error instead of a value'],
    ['generalSetting.city', 'Leeds\0', 'a zero byte'],
  ])('a text that a spreadsheet damaged is named: %s %s', async (path, cell, message) => {
    if (path === 'generalSetting.agencyRef') return expect(await flaws(`${path}\n${cell}\n`)).toHaveLength(1)
    const said = await flaw(path, cell)
    expect(said).toContain(`2 column B (${path}): `)
    expect(said).toContain(message)
    expect(said).not.toContain(cell)
  })

  test.each([
    ['generalSetting.department', '01-Mar', 'turned it into a date'],
    ['generalSetting.mobile', '7123456789', 'did you mean 07123456789?'],
    ['generalSetting.jobDescription', 'Night\u00A0nurse', 'a non-breaking space'],
    ['generalSetting.city', 'Baile\u00A0Shampla', 'did you mean Baile Shampla?'],
    ['generalSetting.surname', 'Ní\u00A0Shampla', 'did you mean Ní Shampla?'],
    ['generalSetting.surname', 'Exam\u200bple', 'spaces or invisible characters'],
  ])('a text that a spreadsheet may have damaged is doubted: %s %s', async (path, cell, message) => {
    expect(await doubts(path, cell)).toContain(message)
  })
})

describe('dates', () => {
  test.each([
    ['1990-12-25', '1990-12-25'],
    ['25/12/1990', '1990-12-25'],
    ['12/25/1990', '1990-12-25'],
    ['25.12.1990', '1990-12-25'],
    ['1990/12/25', '1990-12-25'],
    ['04/04/1990', '1990-04-04'],
    ['25 Dec 1990', '1990-12-25'],
    ['25-December-1990', '1990-12-25'],
    ['1st Dec 2025', '2025-12-01'],
    ['Dec 1, 2025', '2025-12-01'],
    ['1st of December 2025', '2025-12-01'],
    ['December 1 2025', '2025-12-01'],
    ['Tuesday, 25 December 1990', '1990-12-25'],
    ['Tue, Dec 25, 1990', '1990-12-25'],
    ['Tue 25/12/1990', '1990-12-25'],
    ['25–12–1990', '1990-12-25'],
    ['1990-12-25 00:00:00', '1990-12-25'],
    ['1990-12-25T00:00:00.000Z', '1990-12-25'],
    // A service that stores midnight of London, as an export has it.
    ['1990-06-24T23:00:00.000Z', '1990-06-25'],
    ['1990-12-25T00:00:00+01:00', '1990-12-25'],
  ])('a date in a cell is understood where it can mean one day only: %s', async (cell, date) => {
    expect(await value(DOB, cell)).toBe(date)
  })

  test('a date in a cell is never guessed where day and month could be taken for each other', async () => {
    for (const cell of ['03/04/1990', '3.4.1990', '03-04-1990', 'Tue 03/04/1990']) {
      const { message, details } = await refusal(column(DOB, cell))
      expect(message).toContain('unclear in the dates of the file, the first of them in B2')
      expect(details.hint).toContain('--date-format dmy')
    }
    expect(await value(DOB, '03/04/1990', { dateFormat: 'dmy' })).toBe('1990-04-03')
    expect(await value(DOB, '03/04/1990', { dateFormat: 'mdy' })).toBe('1990-03-04')
  })

  test.each([
    ['45234', undefined, 'the day number of a spreadsheet'],
    ['23/04/15', undefined, 'the year of two digits can be 1915 or 2015: write all four'],
    ['31/02/1990', undefined, 'the month has no such day'],
    ['25/12/1990', 'mdy', 'a year has twelve months'],
    ['03/04/1990', 'ymd', 'the year does not come first'],
    ['1890-01-01', undefined, 'the year 1890 is too long ago: dates before 1900 are not taken'],
    ['1990-02-30', undefined, 'the month has no such day'],
    ['next week', undefined, 'expected a date that exists'],
    ['25/12', undefined, 'the year is missing'],
    ['1st Dec', undefined, 'the year is missing'],
    ['Monday 25 December 1990', undefined, 'another day of the week than the one that is named'],
    ['Mon 25/12/1990', undefined, 'another day of the week than the one that is named'],
    ['Christmas 25 December 1990', undefined, 'expected a date that exists'],
    ['2 weeks', undefined, 'expected a date that exists'],
  ] as const)(
    'a text in a cell that is no date is named, and not repeated: %s',
    async (cell, dateFormat, message) => {
      const said = await flaw(DOB, cell, dateFormat ? { dateFormat } : {})
      expect(said).toContain(message)
      expect(said).not.toContain(cell)
    },
  )

  test('a date in a cell is the first moment of its day where a moment is sent', async () => {
    const path = 'payrollSetting.NIDirectorStartDate'
    expect(await value(path, '25/12/2020')).toBe('2020-12-25T00:00:00.000Z')
    expect(await value(path, '2020-12-25T10:30:00.000Z')).toBe('2020-12-25T10:30:00.000Z')
    expect(await flaw(path, '2020-12-25T10:30')).toContain('expected a UTC time')
  })
})

describe('numbers', () => {
  const rate = 'generalSetting.rateHour'
  const paidIn = (cell: string) => (/€|EUR/.test(cell) ? { type: candidateIreland } : {})
  /** An hourly rate in a file that Excel writes where 1,5 is one and a half. */
  const inSemicolons = async (cell: string) => {
    const [row] = await rowsOf(`Agency reference;Hourly rate\nA1;${cell}\n`, paidIn(cell))
    return { amount: valueAt(row?.record, rate.split('.')), flaws: row?.issues.map(({ message }) => message) }
  }

  test('a number in a cell is a number, and a decimal stays text', async () => {
    expect(await value(rate, ' 16.50 ')).toBe(16.5)
    expect(String(await value(rate, '0099999999999999.99'))).toBe('99999999999999.99')
    const credit = { type: candidateIreland }
    expect(await value('payrollSetting.taxCreditAnnual', '4000.00', credit)).toBe('4000.00')
  })

  test.each([
    ['0,123', 'expected a number'],
    ['0.500,00', 'expected a number'],
    ['$16.50', 'expected a number'],
    // The sign of a footnote.
    ['16.5¹', 'expected a number'],
    ['12.07%', 'expected a number'],
    ['1.2E+11', 'shortened a long number'],
    ['a lot', 'expected a number'],
  ])('a number that is written otherwise is named: %s', async (cell, message) => {
    expect(await flaw(rate, cell)).toContain(message)
    const decimal = await flaw('payrollSetting.taxCreditAnnual', cell, { type: candidateIreland })
    expect(decimal).toContain(message)
  })

  test.each([
    ['1,234.5', 1234.5],
    ['31,200', 31200],
    ['£12.50', 12.5],
    ['€ 4,000.00', 4000],
    ['16.50 EUR', 16.5],
    ['-£5', -5],
  ])('an amount is understood with its currency and its thousands: %s', async (cell, amount) => {
    expect(await value(rate, cell, paidIn(cell))).toBe(amount)
  })

  test.each([
    ['generalSetting.rateHour', '£12.50 per hour', 12.5],
    ['generalSetting.rateHour', '12.50 p/h', 12.5],
    ['generalSetting.rateHour', '12.50ph', 12.5],
    ['generalSetting.rateHour', '€14.15/hr', 14.15],
    ['generalSetting.annualSalary', '£31,200 per annum', 31200],
    ['generalSetting.annualSalary', '31200 p.a.', 31200],
    ['generalSetting.hours', '37.5 hours', 37.5],
    ['generalSetting.hours', '40 hrs per week', 40],
  ])('a number is understood with the unit of its field: %s %s', async (name, cell, amount) => {
    expect(await value(name, cell, paidIn(cell))).toBe(amount)
  })

  test.each([
    ['generalSetting.rateHour', '£100 per day', 'write only what one hour is paid, as 12.50'],
    ['generalSetting.rateHour', '31200 p.a.', 'write only what one hour is paid, as 12.50'],
    ['generalSetting.annualSalary', '12.50 per hour', 'write only what one year is paid, as 31200'],
    ['generalSetting.annualSalary', '38k', 'write only what one year is paid, as 31200'],
    ['generalSetting.hours', '7.5 a day', 'write only the hours of one week, as 37.5'],
  ])('a number with another unit says what to write: %s %s', async (name, cell, message) => {
    expect(await flaw(name, cell)).toContain(message)
  })

  test.each([
    ['16,50', 16.5],
    ['37,5', 37.5],
    ['0,125', 0.125],
    ['12,0754', 12.0754],
    ['1234,567', 1234.567],
    ['1.234,50', 1234.5],
    ['31.200,00 €', 31200],
    ['-5,5', -5.5],
    ['12,50 € per hour', 12.5],
    ['1,234.50', 1234.5],
    ['1,234,567', 1234567],
    ['16.50', 16.5],
  ])(
    'an amount with a decimal comma is understood in a file with semicolons, and one that can mean nothing else: %s',
    async (cell, amount) => {
      expect(await inSemicolons(cell)).toEqual({ amount, flaws: [] })
    },
  )

  test.each(['1,234', '12,345', '1.234', '12.345', '-1,234'])(
    'an amount that may be thousands or a fraction in a file with semicolons is not guessed: %s',
    async (cell) => {
      const mark = cell.includes(',') ? 'comma' : 'point'
      expect((await inSemicolons(cell)).flaws).toEqual([
        expect.stringContaining(
          `in a file with semicolons this ${mark} may be a thousands separator: write 1234 for the thousand, or two decimals for the fraction`,
        ),
      ])
      expect(await flaws(`Agency reference,Hourly rate\nA1,"${cell}"\n`)).toEqual([])
    },
  )

  test.each(['1.23.456', '1,23,456', '1.234,5.6', '1,234.5,6', '1,2.5', ',5'])(
    'an amount that is none is named in a file with semicolons: %s',
    async (cell) => expect((await inSemicolons(cell)).flaws).toHaveLength(1),
  )

  test('a number with a fraction is no whole number', async () => {
    expect(await flaw('generalSetting.workingPatternId', '1.5')).toContain('expected a whole number')
  })
})

describe('yes and no', () => {
  const path = 'payrollSetting.isApprentice'
  test.each([
    ['TRUE', true],
    ['false', false],
    ['Yes', true],
    ['no', false],
    ['Y', true],
    ['n', false],
    ['1', true],
    ['0', false],
  ])('a cell means yes or no: %s', async (cell, flag) => expect(await value(path, cell)).toBe(flag))

  test.each(['ja', 'WAHR', '2', 'x', 'yep'])('are not guessed from %s in a cell', async (cell) => {
    expect(await flaw(path, cell)).toContain('expected yes or no')
  })
})

describe('codes', () => {
  test.each([
    ['generalSetting.payFrequency', 'Weekly', 'WEEKLY'],
    ['generalSetting.payFrequency', '4-weekly', 'FOUR_WEEKLY'],
    ['generalSetting.payFrequency', 'Calendar monthly', 'MONTHLY'],
    ['generalSetting.payFrequency', 'Wkly', 'WEEKLY'],
    ['generalSetting.payFrequency', 'every two weeks', 'FORTNIGHTLY'],
    ['generalSetting.gender', 'F', 'FEMALE'],
    ['generalSetting.rightToWorkStatus', 'Irish citizen', 'IRISH_CITIZEN'],
    ['payrollSetting.paymentModel', 'PAYE', 'PAYEE'],
    ['payrollSetting.paymentModel', 'RCT', 'CIS'],
    ['payrollSetting.taxBasis', 'Week 1/Month 1', 'W1M1'],
    ['payrollSetting.taxBasis', 'week 1 basis', 'W1M1'],
    ['payrollSetting.starterDeclaration', 'statement b', 'B'],
    ['generalSetting.country', 'United Kingdom', 'GB'],
    ['generalSetting.country', 'Eire', 'IE'],
    ['generalSetting.country', 'uk', 'GB'],
    ['generalSetting.title', 'Dr', 'Dr'],
  ])('a code in a cell is what its words mean: %s %s', async (path, cell, code) => {
    expect(await value(path, cell)).toBe(code)
  })

  test.each([
    ['Emergency basis', 'EMERGENCY'],
    ['Week 1 basis', 'WEEK_1'],
    ['Cumulative basis', 'CUMULATIVE'],
  ])('a tax basis is what Revenue calls it: %s', async (cell, code) => {
    expect(await value('payrollSetting.taxBasis', cell, { type: candidateIreland })).toBe(code)
  })

  test('an unknown country in a cell is refused', async () => {
    expect(await flaw('generalSetting.country', 'Atlantis')).toContain('expected a country')
  })
})

describe('lists', () => {
  test('a list of lines closes up over empty cells, in columns or in one cell', async () => {
    const [row] = await rowsOf('Address 1\tAddress 2\tAddress line 3\n1 Street\t\tHulme\n')
    expect(row?.record).toEqual({ generalSetting: { address: ['1 Street', 'Hulme'] } })
    expect(await value('generalSetting.address', '"1 Street\r\nHulme"')).toEqual(['1 Street', 'Hulme'])
    expect(await value('generalSetting.address', '"[""1 Street""]"')).toEqual(['1 Street'])
  })

  test('a list of objects is JSON, or a column for each of their fields', async () => {
    const rate = { rateId: 'r1', units: '37.50' }
    const options = { type: timesheet }
    const [inOne] = await rowsOf(`rates\n"${JSON.stringify([rate]).replaceAll('"', '""')}"\n`, options)
    const [inTwo] = await rowsOf('rates[0].rateId,rates[0].units\nr1,37.50\n', options)
    expect([inOne?.record, inTwo?.record]).toEqual([{ rates: [rate] }, { rates: [rate] }])
    const map = { a: 'toString.x', b: 'costCentre.code' }
    const [unshown] = await rowsOf('a,b\n1,2\n', { ...options, map })
    expect(unshown?.record).toEqual({ toString: { x: 1 }, costCentre: { code: 2 } })
    expect(Object.keys(Object.prototype.toString)).toEqual([])
    expect(await flaws('rates\nmany\n', options)).toEqual([
      '2 column A (rates): expected JSON, as a list in [ ] or an object in { }',
    ])
  })
})
