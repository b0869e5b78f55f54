import { describe, expect, test } from 'vitest'
import { loopback } from '../targets.ts'

const person = { forename: 'Aoife', surname: 'Shampla' }

/** What was typed for each field, and the standard form of it. */
const codes = [
  ['generalSetting.NINumber', 'ab 12 34 56 c', 'AB123456C'],
  ['generalSetting.postCode', 'ls1-1aa', 'LS1 1AA'],
  ['bankSetting.sortCode', '60-16-13', '601613'],
  ['bankSetting.accountNumber', '0192 6819', '01926819'],
  ['bankSetting.IBANReference', 'gb29 NWBK 6016 1331 9268 19', 'GB29NWBK60161331926819'],
  ['bankSetting.SWIFTNo', 'nwbk gb 2l', 'NWBKGB2L'],
  ['payrollSetting.taxCode', '1257l', '1257L'],
] as const

const names = Object.entries(person).flatMap(([name, value]) => ['--set', `generalSetting.${name}=${value}`])

function nested(values: readonly (readonly [path: string, value: string])[]) {
  const body: Record<string, Record<string, string>> = { generalSetting: { ...person } }
  for (const [path, value] of values) {
    const [section = '', name = ''] = path.split('.')
    body[section] = { ...body[section], [name]: value }
  }
  return body
}

describe('a code that differs from its standard form only in spaces, dashes and case', () => {
  test('is sent in that form when --set gives it', async () => {
    const { run, writes } = await loopback()
    const sets = codes.flatMap(([path, typed]) => ['--set', `${path}=${typed}`])
    const made = await run(['candidates', 'create', ...names, ...sets])
    expect(made).toMatchObject({ code: 0 })
    expect(made.err).not.toContain('usually')
    expect(JSON.parse(writes()[0]?.body ?? '')).toEqual(nested(codes.map(([path, , form]) => [path, form])))
  })

  test('is sent as it is given in JSON, with a warning for each', async () => {
    const { run, writes } = await loopback()
    const given = nested(codes.map(([path, typed]) => [path, typed]))
    const made = await run(['candidates', 'create'], { input: JSON.stringify(given) })
    expect(made).toMatchObject({ code: 0 })
    expect(JSON.parse(writes()[0]?.body ?? '')).toEqual(given)
    for (const [path, typed] of codes) {
      expect(made.err).toMatch(new RegExp(`^${path}: usually in capitals with`, 'm'))
      if (/sort|account|IBAN|NINumber/i.test(path)) expect(made.err).not.toContain(typed)
    }
  })

  test('is sent in that form by an update too', async () => {
    const { run, writes } = await loopback()
    const make = ['candidates', 'create', '--ireland', '--json', '--set', 'generalSetting.agencyRef=IE-1']
    const made = await run([...make, ...names])
    const { id } = made.json()
    const sets = ['--set', 'eircode=h91ax25', '--set', 'ppsNumber=1234567 fa']
    expect(await run(['candidates', 'update', id, '--ireland', '--yes', ...sets])).toMatchObject({ code: 0 })
    expect(JSON.parse(writes()[1]?.body ?? '')).toMatchObject({
      generalSetting: { eircode: 'H91 AX25' },
      payrollSetting: { ppsNumber: '1234567FA' },
    })
  })

  test('is left as it is where it is not a valid code, and keeps its warning', async () => {
    const { run, writes } = await loopback()
    const sets = ['--set', 'sortCode=6-16-13', '--set', 'taxCode=1257l w1', '--set', 'NINumber=ab 12 34 56']
    const made = await run(['candidates', 'create', ...names, ...sets])
    expect(made.code).toBe(0)
    expect(JSON.parse(writes()[0]?.body ?? '')).toMatchObject({
      bankSetting: { sortCode: '6-16-13' },
      payrollSetting: { taxCode: '1257l w1' },
      generalSetting: { NINumber: 'ab 12 34 56' },
    })
    expect(made.err).toContain('bankSetting.sortCode: one digit is missing')
    expect(made.err).toContain('payrollSetting.taxCode: week 1/month 1 belongs in the tax basis')
    expect(made.err).toContain('generalSetting.NINumber: the last letter is missing')
  })
})
