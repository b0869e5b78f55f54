import { describe, expect, test } from 'vitest'
import { type JsonObject, valueAt } from '../../src/files/json/path.ts'
import { everyField } from '../every-field.ts'
import { freshHome, payroll } from '../payroll.ts'
import { filled } from './form-driver.ts'

/** The body of an update in which `-` was typed at one field, named by its path. */
async function emptied(path: string, label: string): Promise<JsonObject> {
  const home = freshHome()
  const sandbox = ['--profile', 'sandbox', 'candidates']
  await payroll([...sandbox, 'create', '--incomplete'], { home, input: JSON.stringify(everyField('uk')) })
  const [{ id }] = (await payroll([...sandbox, 'list'], { home })).json()
  const replies = { 'What next?': ['Edit', 'Send'], 'Which part?': path, [label]: '-' }
  const argv = ['candidates', 'update', id, '--dry-run', '--json']
  const { code, err, screen, body } = await filled(argv, replies, { home })
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(screen).toContain(`${label.replace(', line 1', '')}: nothing now.`)
  return body()
}

describe('- in an update', () => {
  test.each([
    ['text', 'generalSetting.county', 'County', ''],
    ['what may be null', 'generalSetting.department', 'Department', null],
    ['an address', 'generalSetting.emergencyAddress', 'Address, line 1', []],
    ['a date', 'generalSetting.payrollCalculationEnd', 'Payroll calculation ends', null],
    ['a number', 'generalSetting.annualSalary', 'Annual salary', null],
    ['yes or no', 'payrollSetting.isApprentice', 'Apprentice', null],
    ['a country', 'generalSetting.emergencyCountry', 'Country', null],
  ])('empties %s, and sends it so', async (_, path, label, expected) => {
    expect(valueAt(await emptied(path, label), path.split('.'))).toEqual(expected)
  })
})
