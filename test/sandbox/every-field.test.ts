import { describe, expect, test } from 'vitest'
import type { Fields } from '../../src/model/fields/field.ts'
import { leafFields } from '../../src/model/fields/field-tree.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { everyField } from '../every-field.ts'
import { bodyOf, freshSandbox } from './fresh-sandbox.ts'

const declaredPaths = (fields: Fields) => leafFields(fields).map(({ path }) => path)

/** The paths of a body, down to where `declared` ends. */
function givenPaths(body: object, declared: readonly string[], path = ''): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    declared.some((known) => known.startsWith(`${path}${name}.`))
      ? givenPaths(value, declared, `${path}${name}.`)
      : [path + name],
  )
}

describe('the bodies with every field', () => {
  test.each([
    ['uk', candidate.fields],
    ['ireland', candidateIreland.fields],
  ] as const)('%s: have the fields that the contract declares, no more and no fewer', (country, fields) => {
    const declared = declaredPaths(fields)
    const given = givenPaths(everyField(country), declared)
    expect(given.sort()).toEqual(declared.sort())
  })

  test.each([
    ['candidate-uk', '/svc/candidates', candidate.fields],
    ['candidate-ireland', '/svc/candidates/ireland', candidateIreland.fields],
  ])('examples/%s.json is taken, and has only declared fields', async (name, path, fields) => {
    const { call } = await freshSandbox()
    const body = await bodyOf(`examples/${name}.json`)
    const declared = declaredPaths(fields)
    const given = givenPaths(body, declared)
    expect((await call('POST', path, body)).status).toBe(201)
    expect(declared).toEqual(expect.arrayContaining(given))
    expect(given.length).toBeGreaterThanOrEqual(30)
    expect(given.length).toBeLessThanOrEqual(45)
  })
})
