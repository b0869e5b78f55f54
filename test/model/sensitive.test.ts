import { describe, expect, test } from 'vitest'
import { leafFields } from '../../src/model/fields/field-tree.ts'
import { allOperations } from '../../src/model/resources/operations.ts'
import { isSensitive } from '../../src/model/resources/sensitive.ts'

const types = allOperations.flatMap(({ requestRecord, response }) => [
  ...(requestRecord ? [requestRecord] : []),
  ...('type' in response && response.type ? [response.type] : []),
])
const leaves = types.flatMap(({ fields }) => leafFields(fields))
const lastName = (path: string) => /(\w+)(\[\d*\])*$/.exec(path)?.[1] ?? ''
const namesOf = (found: typeof leaves) => [...new Set(found.map(({ path }) => lastName(path)))].sort()

describe('what is sensitive', () => {
  test('are the fields of these names: a new one is seen here, and by who reviews it', () => {
    expect(namesOf(leaves.filter(({ field }) => field.sensitive))).toEqual([
      ...['DOB', 'IBANReference', 'NINumber', 'UTRNo', 'accountNumber', 'buildingSocietyNumber'],
      ...['personalVerificationNumber', 'ppsNumber', 'sortCode'],
    ])
  })

  test('is the same for the form, which asks the field, as for tables and messages, which ask its name', () => {
    expect(leaves.length).toBeGreaterThan(100)
    const differing = leaves.filter(
      ({ path, field }) => isSensitive(lastName(path)) !== (field.sensitive ?? false),
    )
    expect(namesOf(differing)).toEqual([])
  })
})
