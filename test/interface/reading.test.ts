import { describe, expect, test } from 'vitest'
import { objects } from './objects.ts'
import { documentText, readDocument } from './read/interface.ts'

const document = readDocument(documentText)

describe('interface.md, as the tests read it', () => {
  test('names 27 operations in nine groups: 3 shown whole, 7 with a method, 17 by name', () => {
    const count = (known: string) =>
      document.operations.filter((operation) => operation.known === known).length
    expect(document.operations).toHaveLength(27)
    expect(new Set(document.operations.map(({ group }) => group)).size).toBe(9)
    expect([count('documented'), count('method'), count('name')]).toEqual([3, 7, 17])
  })

  test('shows five bodies, and in each object as many fields as a person counts', () => {
    const counts = document.bodies.map(({ operation, side, fields }) => [
      `${side} of ${operation}`,
      Object.fromEntries(
        Object.entries(objects(fields)).map(([path, names]) => [path, Object.keys(names).length]),
      ),
    ])
    expect(Object.fromEntries(counts)).toEqual({
      'request of Create Candidate': {
        '': 3,
        generalSetting: 48,
        'generalSetting.pensionSetting': 14,
        bankSetting: 8,
        payrollSetting: 58,
        'payrollSetting.openingBalance': 20,
      },
      'request of Create Ireland candidate': {
        '': 3,
        generalSetting: 46,
        'generalSetting.pensionSetting': 14,
        bankSetting: 10,
        payrollSetting: 41,
        'payrollSetting.openingBalance': 14,
      },
      'response of Create Ireland candidate': {
        '': 43,
        pensionSetting: 10,
        bank: 8,
        setting: 40,
        'setting.taxRateCutOffPoints[]': 3,
        'setting.cutOffPoints': 2,
        'setting.cutOffPoints.values[]': 3,
        'setting.openingBalance': 14,
      },
      'request of Create new Payment Rate': { '': 15 },
      'response of Create new Payment Rate': { '': 21, defaultVATCode: 9 },
    })
  })

  test('shows what comes back under another name, and what does not come back', () => {
    expect(document.candidates.renamed).toEqual([
      ['bankSetting', 'bank'],
      ['payrollSetting', 'setting'],
    ])
    expect(document.paymentRates.renamed).toHaveLength(1)
    expect(document.candidates.notReturned.pensionSetting).toHaveLength(4)
    expect(document.candidates.notReturned.setting).toHaveLength(1)
  })

  test('shows 19 values and states, three errors and three limits', () => {
    expect(document.values).toHaveLength(19)
    expect(document.errors).toHaveLength(3)
    expect(Object.keys(document.limits)).toHaveLength(3)
  })

  test('is read to the last table row and described object: without any one of them it reads otherwise', () => {
    const whole = JSON.stringify(document)
    const lines = documentText.split('\n')
    const facts = lines.flatMap((line, index) => (isFact(line) ? [index] : []))
    expect(facts.length).toBeGreaterThan(120)
    const unread = facts.filter((index) => readsAs(lines.toSpliced(index, 1).join('\n')) === whole)
    expect(unread.map((index) => lines[index])).toEqual([])
  })
})

/** A line that states a fact in a form of its own; the rest is prose, or says what is "not shown". */
function isFact(line: string): boolean {
  return /^(\||\*\*|- `|\w+ ?\w* \(numbers\)|Values that appear|Envelope|Response envelope|Paginated)/.test(
    line,
  )
}

function readsAs(text: string): string {
  try {
    return JSON.stringify(readDocument(text))
  } catch {
    return 'cannot be read'
  }
}
