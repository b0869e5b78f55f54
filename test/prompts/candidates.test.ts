// @module-tag tables

import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../src/api/contract/countries/ireland/candidate.ts'
import { candidate } from '../../src/api/contract/countries/uk/candidate.ts'
import { leafFields } from '../../src/api/contract/fields/field-tree.ts'
import type { RecordType } from '../../src/api/contract/records/record-type.ts'
import { type JsonObject, valueAt, withValueAt } from '../../src/json/path.ts'
import { everyField, everyFieldResponse } from '../every-field.ts'
import { atTerminal, freshHome, payroll } from '../payroll.ts'
import { answerForm, answersOf, askedFields, partsOf } from './form-driver.ts'

const uk = { name: 'a UK candidate', type: candidate, argv: [], record: everyField('uk') }
const ireland = {
  name: 'an Irish candidate',
  type: candidateIreland,
  argv: ['--ireland'],
  record: everyField('ireland'),
}

/** A record without what no form asks for. */
function asked(type: RecordType, record: JsonObject): JsonObject {
  return askedFields(type).reduce<JsonObject>((body, { path }) => {
    const segments = path.split('.')
    return withValueAt(body, segments, valueAt(record, segments)) as JsonObject
  }, {})
}

/** What the sandbox holds under the only id there is. */
async function held(home: string, argv: readonly string[]): Promise<JsonObject> {
  const list = await payroll(['--profile', 'sandbox', 'candidates', 'list', ...argv], { home })
  const [{ id }, ...others] = list.json()
  expect(others).toEqual([])
  return (await payroll(['--profile', 'sandbox', 'candidates', 'get', id, ...argv], { home })).json()
}

describe('a candidate typed into the form, every field of it', () => {
  test.each([uk, ireland])('makes the body of $name, exactly', async ({ type, argv, record }) => {
    const terminal = atTerminal(['candidates', 'create', '--incomplete', ...argv, '--dry-run', '--json'], {
      home: freshHome(),
    })
    await answerForm(terminal, answersOf(type, record, 'Send'))
    const { code, json } = await terminal.ended
    expect(code).toBe(0)
    expect(json().body).toEqual(asked(type, record))
  })

  test('is what the sandbox then holds, in the UK', async () => {
    const home = freshHome()
    const terminal = atTerminal(['candidates', 'create', '--incomplete'], { home })
    await answerForm(terminal, answersOf(candidate, uk.record, 'Send'))
    const { code, err } = await terminal.ended
    expect(code).toBe(0)
    expect(err).toMatch(/Created [^(]+\([^)]+\)\s+on\s+sandbox\./)
    const { generalSetting, bankSetting, payrollSetting } = asked(candidate, uk.record)
    expect(await held(home, [])).toMatchObject({
      ...(generalSetting as JsonObject),
      registrationStatus: expect.any(String),
      bank: bankSetting,
      setting: payrollSetting,
    })
  })

  test('is what the sandbox then holds, in Ireland', async () => {
    const home = freshHome()
    const terminal = atTerminal(['candidates', 'create', '--incomplete', '--ireland'], { home })
    await answerForm(terminal, answersOf(candidateIreland, ireland.record, 'Send'))
    expect((await terminal.ended).code).toBe(0)
    const whole = everyFieldResponse()
    expect(await held(home, ['--ireland'])).toEqual({
      ...whole,
      // Only a program fills these in; the sandbox makes the bands from the cut-off points.
      pensionSetting: { ...(whole.pensionSetting as JsonObject), optState: null },
      setting: { ...(whole.setting as JsonObject), cutOffPoints: expect.any(Object) },
    })
  })
})

describe('the parts of the form', () => {
  test.each([uk, ireland])(
    'are put to the proof with a value for each field of $name',
    ({ type, record }) => {
      const missing = leafFields(type.fields).filter(
        ({ path }) => valueAt(record, path.split('.')) === undefined,
      )
      expect(missing.map(({ path }) => path)).toEqual([])
    },
  )

  test.each([uk, ireland])('have room for each field of $name, under a label of its own', ({ type }) => {
    const parts = partsOf(type)
    expect([...parts.values()].flat()).toHaveLength(askedFields(type).length)
    expect(parts.has('')).toBe(false)
    for (const labels of parts.values()) expect(labels).toHaveLength(new Set(labels).size)
  })
})
