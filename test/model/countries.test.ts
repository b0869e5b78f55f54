import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isObject } from '../../src/files/json/path.ts'
import { fieldAt } from '../../src/model/fields/field-tree.ts'
import { isServiceOwned } from '../../src/model/mapping/map-record.ts'
import { countryCandidates } from '../../src/model/resources/country-candidates.ts'
import { sample } from '../../src/model/standards/sample.ts'
import { freshHome, payroll } from '../payroll.ts'

describe.each(countryCandidates)(
  'the candidate $inPlace',
  ({ id, flag, inPlace, sent, answered, isoCode }) => {
    test('has an example of its own country', () => {
      const { generalSetting } = sample(sent)
      expect(isObject(generalSetting) && generalSetting.country).toBe(isoCode)
      expect(fieldAt(sent.fields, 'generalSetting.country')?.type).toBe('country')
    })

    test('is known to everything that compares a record with its answer', () => {
      expect(sent.answer?.type).toBe(answered)
      expect(isServiceOwned(sent, ['status'])).toBe(true)
    })

    test('is offered by the help, explained, and kept by the sandbox', async () => {
      const home = freshHome()
      const sandbox = (argv: string[], input = '') =>
        payroll(['--profile', 'sandbox', '--json', ...argv], { home, input })
      const { out: help } = await payroll(['candidates', 'create', '--help'], { home })
      expect(help).toMatch(new RegExp(`${flag} +for people paid ${inPlace}`))
      expect((await sandbox(['explain', `candidates.${id}`])).code).toBe(0)
      const person = { generalSetting: { forename: 'Ann', surname: 'Sample' } }
      const created = await sandbox(['candidates', 'create', flag], JSON.stringify(person))
      expect(created.code).toBe(0)
      for (const other of countryCandidates) {
        const { out } = await sandbox(['candidates', 'list', other.flag])
        expect(JSON.parse(out)).toHaveLength(other.id === id ? 1 : 0)
      }
    })
  },
)

test('a country is named in its own files, in the lists of countries, and in what is checked for each of them', () => {
  const root = fileURLToPath(new URL('../../src', import.meta.url))
  const code =
    /\b(?:ireland|IE)\b\??\s*[:,}]|[.?]ireland\b|'(--)?(?:ireland|IE)'|\w+Ireland\b|'Ireland'|\b(?:irish|ireland)[A-Z]/
  const own =
    /\/(?:countries\/(?:uk|ireland)\.|(?:resources|standards)\/(?:uk|ireland)-|standards\/(?:places|bank|country|reference-numbers)\.)/
  const prose = /^\s*(\*|\/\/|\/\*)|'payroll .*'|'candidates\.ireland/
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const linesOf = (name: string) => readFileSync(join(root, name), 'utf8').split('\n')
  const knowing = names.filter(
    (name) => !own.test(name) && linesOf(name).some((line) => !prose.test(line) && code.test(line)),
  )
  expect(knowing.sort()).toEqual([
    'commands/check/rules.ts',
    'model/countries/countries.ts',
    'model/facts/facts.ts',
    'model/resources/country-candidates.ts',
    'model/resources/operations.ts',
    'model/standards/warnings.ts',
    'sandbox/countries/countries.ts',
  ])
})
