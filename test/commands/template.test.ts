import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../src/api/contract/countries/ireland/candidate/candidate-ireland.ts'
import { candidate } from '../../src/api/contract/countries/uk/candidate/candidate-uk.ts'
import { check } from '../../src/api/contract/fields/check.ts'
import type { Fields } from '../../src/api/contract/fields/field.ts'
import { paymentRate } from '../../src/api/contract/records/payment-rate.ts'
import { timesheet } from '../../src/api/contract/records/timesheet.ts'
import { warnings } from '../../src/api/contract/standards/warnings.ts'
import { withChanges } from '../../src/commands/kit/input/set-fields.ts'
import { isObject } from '../../src/json/path.ts'
import { atTerminal, freshHome, payroll } from '../payroll.ts'

const templates = [
  ['candidates.uk', candidate],
  ['candidates.ireland', candidateIreland],
  ['payment-rates', paymentRate],
  ['timesheets', timesheet],
] as const

async function template(...argv: string[]) {
  const run = await payroll(['template', ...argv], { home: freshHome() })
  expect([run.code, run.err]).toEqual([0, ''])
  return run
}

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

  test.each(templates)('fills every field with something, and may be sent: %s', async (what, type) => {
    const body = (await template(what)).json()
    expect(check(type, body)).toEqual([])
    expect(given(body).sort()).toEqual(declared(type.fields, () => true).sort())
    for (const value of values(body)) expect(['', 0, false, null]).not.toContain(value)
    expect(JSON.stringify(body)).not.toMatch(/\[\]|\{\}/)
  })

  test.each(templates)('with --essential has just the fields that everybody has: %s', async (what, type) => {
    const body = (await template(what, '--essential')).json()
    expect(check(type, body)).toEqual([])
    expect(given(body).sort()).toEqual(declared(type.fields, ({ essential }) => essential ?? false).sort())
  })

  test.each(templates)('is warned of only as an example that was left in: %s', async (what, type) => {
    const body = (await template(what)).json()
    const messages = warnings(type, body, '2026-05-01').map(({ message }) => message)
    for (const message of messages) expect(message).toMatch(/for (film and )?documentation/)
  })

  test('is a person of the country that was asked for, and nobody', async () => {
    const uk = (await template('candidates.uk')).json()
    const irish = (await template('candidates.ireland')).json()
    expect(uk.generalSetting).toMatchObject({ surname: 'Example', NINumber: 'QQ123456A', country: 'GB' })
    expect(uk.bankSetting.IBANReference).toBe('GB29NWBK60161331926819')
    expect(irish.generalSetting).toMatchObject({ country: 'IE', eircode: 'D02 X285' })
    expect(irish.bankSetting.IBANReference).toBe('IE29AIBK93115212345678')
    expect(irish.payrollSetting.ppsNumber).toBe('1234567FA')
  })

  test.each(templates)('with --csv is one row under the paths of its fields: %s', async (what, type) => {
    const { out } = await template(what, '--csv')
    expect(out).toMatch(/\r\n$/)
    expect(out.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const [header = [], row = [], ...more]: string[][] = parse(out, { record_delimiter: '\r\n' })
    expect(more).toEqual([])
    // Each cell is read as the type of its field, as --set reads it: the same record again.
    const read = withChanges(type, {}, { set: header.map((path, index) => `${path}=${row[index]}`) })
    expect(read).toEqual((await template(what)).json())
  })

  test('gives each line of an address a column of its own', async () => {
    const [header = ''] = (await template('candidates.uk', '--csv', '--essential')).out.split('\r\n')
    expect(header).toContain('generalSetting.address[0],generalSetting.address[1],generalSetting.city')
  })

  test('quotes what a spreadsheet would take apart', async () => {
    const { out } = await template('candidates.ireland', '--csv')
    expect(out).toContain('"[{""index"":1,""yearlyRateCutOff"":""44000.00"",""taxRatePercent"":""20""},')
  })

  test('is created as it stands, for practice', async () => {
    const home = freshHome()
    const argv = ['--profile', 'sandbox', 'candidates', 'create', '--ireland']
    const created = await payroll(argv, { home, input: (await template('candidates.ireland')).out })
    expect(created.code).toBe(0)
    expect(created.json()).toMatchObject({ surname: 'Example', bank: { accountNumber: '12345678' } })
  })

  test('is readable on a terminal, because nothing in it is a secret', async () => {
    const { out } = await atTerminal(['template', 'candidates.uk'], { home: freshHome() }).ended
    expect(out).toContain('"NINumber": "QQ123456A"')
    const sheet = await atTerminal(['template', 'candidates.uk', '--csv'], { home: freshHome() }).ended
    expect(sheet.out).toContain('QQ123456A')
  })

  test.each(['candidates', 'vat-codes', 'toString'])('refuses what has no template: %s', async (what) => {
    const { code, out, err } = await payroll(['template', what], { home: freshHome() })
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('To list the templates: payroll template')
  })
})
