import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../../src/api/contract/countries/ireland/candidate/candidate-ireland.ts'
import { candidate } from '../../../src/api/contract/countries/uk/candidate/candidate-uk.ts'
import { readColumnMap, savedMap, saveMap } from '../../../src/import/reading/columns/column-map.ts'
import { freshHome } from '../../payroll.ts'
import { fileOf } from './read-file.ts'

const map = { Ref: 'generalSetting.agencyRef', Notes: null }

describe('a map of columns', () => {
  test('is a file of JSON or of YAML', async () => {
    expect(await readColumnMap(fileOf(JSON.stringify(map), 'map.json'))).toEqual(map)
    expect(await readColumnMap(fileOf('Ref: generalSetting.agencyRef\nNotes: null\n', 'map.yaml'))).toEqual(
      map,
    )
  })

  test.each([
    ['map.json', '["Ref"]'],
    ['map.json', '{"Ref": 1}'],
    ['map.json', '{'],
    ['map.yaml', 'Ref: [1'],
    ['map.yml', 'Ref'],
    ['map.json', '{"__proto__": "x"}'],
  ])('is refused when it is none: %s %s', async (name, text) => {
    await expect(readColumnMap(fileOf(text, name))).rejects.toMatchObject({ code: 'usage' })
    await expect(readColumnMap('/nowhere/map.json')).rejects.toMatchObject({ code: 'usage' })
  })

  test('is remembered by the header and the kind of record, for one person alone', async () => {
    const directory = join(freshHome(), 'settings')
    const header = ['Ref', 'Notes']
    expect(await savedMap(directory, candidate, header)).toBeUndefined()
    await saveMap(directory, candidate, header, map)
    await saveMap(directory, candidateIreland, header, { Ref: 'generalSetting.surname' })
    expect(await savedMap(directory, candidate, header)).toEqual(map)
    expect(await savedMap(directory, candidate, ['Ref'])).toBeUndefined()
    const file = join(directory, 'columns.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain('"header"')
    writeFileSync(file, '{')
    expect(await savedMap(directory, candidate, header)).toBeUndefined()
  })
})
