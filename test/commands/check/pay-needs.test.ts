import { describe, expect, test } from 'vitest'
import { fieldAt } from '../../../src/model/fields/field-tree.ts'
import { candidateIreland } from '../../../src/model/resources/ireland-candidate.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { findField } from '../../../src/model/values/find-field.ts'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../../payroll.ts'

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const named = ['agencyRef=A-1', 'forename=Ann', 'surname=Sample']

/** What the form calls needed for pay of a person, and the fields that check says are lacking, by their labels. */
async function neededOf(country: 'uk' | 'ireland', fields: readonly string[]) {
  const home = freshHome()
  const sets = [...named, ...fields].flatMap((each) => ['--set', each])
  const flags = ['--profile', 'sandbox', `--${country}`]
  const created = await payroll(asTyped`candidates create ${flags} ${sets}`, { home })
  expect(created.code).toBe(0)
  const { json } = await payroll(['check', ...flags, '--json'], { home })
  const type = country === 'uk' ? candidate : candidateIreland
  const rules = ['no-bank', 'no-rate', 'tax-details', 'person-details', 'no-ni-number', 'emergency-tax']
  const found = (json() as { rule: string; severity: string; command: string }[]).filter(({ rule }) =>
    rules.includes(rule),
  )
  const checked = found.flatMap(({ command }) =>
    [...command.matchAll(/--set (\w+)=/g)].map(([, name = '']) => {
      const { found } = findField(type.fields, name)
      return fieldAt(type.fields, found?.request ?? '')?.label
    }),
  )
  const terminal = atTerminal(['candidates', 'update', 'A-1', ...flags], { home, columns: 200 })
  await terminal.type('? What next?', keys.ctrlC)
  await terminal.ended
  const needed = /Needed for pay: ([^\n]*)/.exec(terminal.screen())?.[1]?.split(', ') ?? []
  return {
    severities: [...new Set(found.map(({ severity }) => severity))].sort(),
    checked: checked.sort(),
    needed: needed.map((label) => label.replace(/ or (annual salary|starter declaration)$/, '')).sort(),
  }
}

const both = ['DOB=1990-05-04', `dateOfJoining=${dayFromNow(7)}`]

describe('of somebody who starts next week the form and check say the same to be lacking', () => {
  test.each([
    ['uk', 'nothing but a birthday', both, 7],
    ['uk', 'a rate of 0 and a cheque', [...both, 'rateHour=0', 'payMethod=CHEQUE'], 5],
    ['uk', 'an IBAN and a declaration', [...both, 'iban=GB29NWBK60161331926819', 'starterDeclaration=A'], 4],
    ['uk', 'no start', ['rateHour=20', 'paymentModel=CIS', 'UTRNo=1123456789'], 5],
    ['ireland', 'nothing but a birthday', both, 5],
    ['ireland', 'a PPS number, and no notification', [...both, 'ppsNumber=1234567FA'], 8],
    ['ireland', 'the emergency basis', [...both, 'ppsNumber=1234567FA', 'taxBasis=EMERGENCY'], 4],
    ['ireland', 'an account by its number', [...both, 'sortCode=931152', 'accountNumber=12345678'], 4],
  ] as const)('in %s: with %s', async (country, _, fields, count) => {
    const { needed, checked } = await neededOf(country, fields)
    expect(needed).toEqual(checked)
    expect(needed).toHaveLength(count)
  })

  test('and check has it to be reviewed until then', async () => {
    expect((await neededOf('uk', both)).severities).toEqual(['look'])
    const today = ['DOB=1990-05-04', `dateOfJoining=${dayFromNow(0)}`]
    expect((await neededOf('uk', today)).severities).toEqual(['likely-wrong', 'look', 'stops-pay'])
  })
})
