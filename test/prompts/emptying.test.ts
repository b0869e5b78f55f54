import { describe, expect, test } from 'vitest'
import { type JsonObject, valueAt } from '../../src/json/path.ts'
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
  ])('empties %s, and sends it so', async (_, path, label, expected) => {
    expect(valueAt(await emptied(path, label), path.split('.'))).toEqual(expected)
  })

  test.each([
    ['a date', 'generalSetting.payrollCalculationEnd', 'Payroll calculation ends'],
    ['a number', 'generalSetting.annualSalary', 'Annual salary'],
    ['yes or no', 'payrollSetting.isApprentice', 'Apprentice'],
    ['a country', 'generalSetting.emergencyCountry', 'Country'],
  ])('leaves out %s, which cannot be sent empty', async (_, path, label) => {
    const segments = path.split('.')
    const parent = valueAt(await emptied(path, label), segments.slice(0, -1))
    expect(parent).not.toHaveProperty(segments.at(-1) ?? '')
    expect(parent).toHaveProperty(path.startsWith('general') ? 'forename' : 'taxCode')
  })
})
