import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readColumnMap, savedMatching, saveMatching } from '../../../src/files/table/column-map.ts'
import { candidateIreland } from '../../../src/model/resources/ireland-candidate.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { freshHome } from '../../payroll.ts'
import { fileOf } from './read-file.ts'

const map = { Ref: 'generalSetting.agencyRef', Notes: null }

describe('a map of columns', () => {
  test('is a file of JSON', async () => {
    expect(await readColumnMap(fileOf(JSON.stringify(map), 'map.json'))).toEqual(map)
  })

  test.each([
    ['map.json', '["Ref"]'],
    ['map.json', '{"Ref": 1}'],
    ['map.json', '{'],
    ['map.yaml', 'Ref: generalSetting.agencyRef'],
    ['map.json', '{"__proto__": "x"}'],
  ])('is refused when it is none: %s %s', async (name, text) => {
    await expect(readColumnMap(fileOf(text, name))).rejects.toMatchObject({ code: 'usage' })
    await expect(readColumnMap('/nowhere/map.json')).rejects.toMatchObject({ code: 'usage' })
  })

  test('is remembered by the header and the kind of record, with order and encoding, for one person alone', async () => {
    const directory = join(freshHome(), 'settings')
    const header = ['Ref', 'Notes']
    const matching = { map, dateFormat: 'dmy', encoding: 'windows-1252' } as const
    expect(await savedMatching(directory, candidate, header)).toBeUndefined()
    await saveMatching(directory, candidate, header, matching)
    await saveMatching(directory, candidateIreland, header, { dateFormat: 'mdy' })
    expect(await savedMatching(directory, candidate, header)).toEqual(matching)
    expect(await savedMatching(directory, candidateIreland, header)).toEqual({ dateFormat: 'mdy' })
    expect(await savedMatching(directory, candidate, [...header, 'field', 'message', 'outcome'])).toEqual(
      matching,
    )
    expect(await savedMatching(directory, candidate, ['Ref'])).toBeUndefined()
    const file = join(directory, 'columns.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // What is known already is not written again.
    const { ino } = statSync(file)
    await saveMatching(directory, candidate, header, matching)
    expect(statSync(file).ino).toBe(ino)
    writeFileSync(file, '{')
    expect(await savedMatching(directory, candidate, header)).toBeUndefined()
  })

  test('is found again where the letters of the header depend on the encoding', async () => {
    const directory = join(freshHome(), 'settings')
    await saveMatching(directory, candidate, ['Réf', 'Größe'], { encoding: 'windows-1252' })
    expect(await savedMatching(directory, candidate, ['R\uFFFDf', 'Gr\uFFFD\uFFFDe'])).toEqual({
      encoding: 'windows-1252',
    })
  })
})
