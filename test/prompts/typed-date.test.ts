import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dateExamples, dateFormats } from '../../src/model/values/date-formats.ts'
import { readDate, typedDates } from '../../src/model/values/read-date.ts'
import { spelledOut } from '../../src/text/day.ts'
import { payroll } from '../payroll.ts'

/** A Wednesday. */
const today = '2026-05-06'

function readTyped(typed: string, on = today): string | undefined {
  const reading = readDate(typed, typedDates(on))
  return 'date' in reading ? reading.date : undefined
}

describe('a typed date', () => {
  test.each([
    ['4/11/1991', '1991-11-04'],
    ['04/11/1991', '1991-11-04'],
    ['04-11-1991', '1991-11-04'],
    ['4.11.1991', '1991-11-04'],
    ['4 11 1991', '1991-11-04'],
    ['4 / 11 / 1991', '1991-11-04'],
    [' 4/11/1991 ', '1991-11-04'],
    ['4/11/91', '1991-11-04'],
    ['4 Nov 1991', '1991-11-04'],
    ['4 November 1991', '1991-11-04'],
    ['4th november, 1991', '1991-11-04'],
    ['04-NOV-91', '1991-11-04'],
    ['4Nov1991', '1991-11-04'],
    ['Mon 4/11/1991', '1991-11-04'],
    ['Monday, 4.11.91', '1991-11-04'],
    ['1 sept 2026', '2026-09-01'],
    ['1991-11-04', '1991-11-04'],
    ['1991-1-4', '1991-01-04'],
    ['1991/11/04', '1991-11-04'],
    ['29/2/2024', '2024-02-29'],
    ['31/12/9999', '9999-12-31'],
    ['1/1/1900', '1900-01-01'],
  ])('%s is %s', (typed, date) => {
    expect(readTyped(typed)).toBe(date)
  })

  test.each([
    ['today', '2026-05-06'],
    ['Yesterday', '2026-05-05'],
    [' tomorrow ', '2026-05-07'],
    ['last sunday', '2026-05-03'],
    ['last wednesday', '2026-04-29'],
  ])('%s is %s; in a file, which is read another day too, it is none', (typed, date) => {
    expect(readTyped(typed)).toBe(date)
    expect(readDate(typed, { today, order: 'dmy' })).toHaveProperty('flaw')
  })

  test.each([
    ['1/2/26', '2026-02-01'],
    ['1/2/75', '2075-02-01'],
    ['1/2/76', '1976-02-01'],
    ['1/2/00', '2000-02-01'],
    ['1/2/99', '1999-02-01'],
  ])('%s, with a year of two digits, is %s: the nearest of its centuries', (typed, date) => {
    expect(readTyped(typed)).toBe(date)
  })

  test('with a year of two digits follows the turn of a century', () => {
    expect(readTyped('1/2/05', '2098-01-01')).toBe('2105-02-01')
    expect(readTyped('1/2/49', '2098-01-01')).toBe('2049-02-01')
  })

  test.each([
    '',
    '-',
    'next sunday',
    '31/2/2026',
    '29/2/2025',
    '29/2/2100',
    '31/4/2026',
    '0/1/2026',
    '1/0/2026',
    '1/13/2026',
    '11/25/1991',
    '2026-02-30',
    '4/11',
    '4/11/191',
    '4/11/19911',
    '4/11/0091',
    '31/12/1899',
    '04111991',
    '4 Ju 1991',
    '4 Novembre 1991',
    '4 Nov',
    '4/11/1991 or so',
  ])('%s is none', (typed) => {
    expect(readTyped(typed)).toBeUndefined()
  })

  test.each([
    ['1991-11-04', '4 November 1991'],
    ['2026-01-02', '2 January 2026'],
    ['2024-02-29', '29 February 2024'],
  ])('%s is read back as %s', (date, words) => {
    expect(spelledOut(date)).toBe(words)
    expect(readTyped(words)).toBe(date)
  })
})

describe('a format of dates', () => {
  test.each(dateFormats)('is read as its example says: $example', ({ example }) => {
    expect(readTyped(example)).toBe('1991-11-04')
  })

  test('is on the page about imports, and in payroll help fields', async () => {
    const page = readFileSync(new URL('../../docs/import.md', import.meta.url), 'utf8')
    expect(page).toContain(dateExamples)
    const { out } = await payroll(['help', 'fields'])
    expect(out.replaceAll(/\s+/g, ' ')).toContain(dateExamples)
  })
})
