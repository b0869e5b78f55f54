// @module-tag tables

import { describe, expect, test } from 'vitest'
import { type JsonObject, valueAt, withValueAt } from '../../src/files/json/path.ts'
import { leafFields } from '../../src/model/fields/field-tree.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { loopback } from '../commands/targets.ts'
import { everyField, everyFieldResponse } from '../every-field.ts'
import { atTerminal, endedWith } from '../payroll.ts'
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

describe('a candidate typed into the form, every field of it', () => {
  /** Types it, and gives what was sent, and what the sandbox holds of it afterwards. */
  async function typed({ type, argv, record }: typeof uk | typeof ireland) {
    const { home, env, writes, run } = await loopback()
    const terminal = atTerminal(['candidates', 'create', '--incomplete', ...argv], { home, env })
    await answerForm(terminal, answersOf(type, record, 'Send'))
    expect(await terminal.ended).toMatchObject(endedWith(0, /Created [^(]+\([^)]+\)/))
    const [{ body } = { body: '' }, ...others] = writes()
    expect(others).toEqual([])
    const [{ id }] = (await run(['candidates', 'list', ...argv])).json()
    return { sent: JSON.parse(body), held: (await run(['candidates', 'get', id, ...argv])).json() }
  }

  test('is sent exactly and is what the sandbox then holds, in the UK', async () => {
    const { sent, held } = await typed(uk)
    const body = asked(uk.type, uk.record)
    expect(sent).toEqual(body)
    expect(held).toMatchObject({
      ...(body.generalSetting as JsonObject),
      registrationStatus: expect.any(String),
      bank: body.bankSetting,
      setting: body.payrollSetting,
    })
  })

  test('is sent exactly and is what the sandbox then holds, in Ireland', async () => {
    const { sent, held } = await typed(ireland)
    expect(sent).toEqual(asked(ireland.type, ireland.record))
    const whole = everyFieldResponse()
    expect(held).toEqual({
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
