import { describe, expect, test } from 'vitest'
import { valueAt } from '../../src/files/json/path.ts'
import { candidateIreland, candidateIrelandAnswer } from '../../src/model/countries/ireland/candidate.ts'
import { candidate } from '../../src/model/countries/uk/candidate.ts'
import { anything, array, lines, object, text } from '../../src/model/fields/field.ts'
import { fieldAt, leafFields } from '../../src/model/fields/field-tree.ts'
import { everyField } from '../every-field.ts'

const fields = {
  name: text('Name'),
  home: object('Home', { address: lines('Address'), town: object('Town', { code: text('Code') }) }),
  rates: array('Rates', object('Rate', { units: text('Units') })),
  points: anything('Points'),
}

describe('leaves', () => {
  test('are the fields that hold a value, by their whole path, in the order of the declaration', () => {
    const paths = ['name', 'home.address', 'home.town.code', 'rates', 'points']
    expect(leafFields(fields).map(({ path }) => path)).toEqual(paths)
    // Those of an object in a list are not its own: the list is the value.
    expect(leafFields(fields).find(({ path }) => path === 'rates')?.field.type).toBe('array')
  })

  test.each([
    ['UK', candidate, 'uk'],
    ['Irish', candidateIreland, 'ireland'],
  ] as const)('of a %s candidate stand where fieldAt finds them', (_, type, country) => {
    const all = leafFields(type.fields)
    const absent = all.filter(({ path }) => valueAt(everyField(country), path.split('.')) === undefined)
    expect(absent.map(({ path }) => path)).toEqual([])
    for (const { path, field } of all) expect(fieldAt(type.fields, path)).toBe(field)
  })
})

describe('fieldAt', () => {
  test.each([
    ['home', 'object'],
    ['home.address', 'lines'],
    ['home.address[0]', 'string'],
    ['home.address.7', 'string'],
    ['rates[2]', 'object'],
    ['rates[2].units', 'string'],
    ['points', 'unknown'],
  ])('%s is of type %s', (path, type) => {
    expect(fieldAt(fields, path)?.type).toBe(type)
  })

  test.each([
    ...['', 'nothing', 'home.nothing', 'name.first', 'name[0]', 'home[0]', 'home.address[0].line'],
    ...['rates.units', 'rates[0].nothing', 'points.x', 'toString', 'constructor', 'home.__proto__'],
  ])('%j is no field', (path) => {
    expect(fieldAt(fields, path)).toBeUndefined()
  })

  test('goes into the lists of objects of an Irish answer', () => {
    const { fields } = candidateIrelandAnswer
    expect(fieldAt(fields, 'setting.cutOffPoints.values[0].uscRatePercent')?.type).toBe('number')
    expect(fieldAt(fields, 'setting.taxRateCutOffPoints[1].taxRatePercent')?.type).toBe('string')
  })
})
