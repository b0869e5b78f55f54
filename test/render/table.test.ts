import { describe, expect, test } from 'vitest'
import { candidateIrelandAnswer } from '../../src/api/contract/candidate/candidate-response.ts'
import { table } from '../../src/render/table.ts'
import { styleFor } from '../../src/render/text/style.ts'
import { widthOf } from '../../src/render/text/width.ts'
import { allHostile, isHarmless } from './hostile.ts'

const { fields } = candidateIrelandAnswer
const plain = styleFor(false)

describe('a table', () => {
  test('has the labels of its columns above, no borders, and nothing behind the last word of a line', () => {
    const rows = [
      { id: 'c-1', forename: 'Síle', bank: { country: 'IE' } },
      { id: 'c-22', forename: null },
      { id: 'c-3', forename: '田中', bank: { country: 'GB' } },
    ]
    expect(table(rows, ['id', 'forename', 'bank.country'], fields, plain)).toBe(
      ['ID    Forename  Bank country', 'c-1   Síle      IE', 'c-22', 'c-3   田中      GB', ''].join('\n'),
    )
  })

  test('names a column that nobody declared by its path, and finds a name with a dot in it', () => {
    expect(table([{ 'a.b': 1, a: { c: 2 } }], ['a.b', 'a.c'], {}, plain)).toBe('a.b  a.c\n1    2\n')
  })

  test('without columns is one value a line', () => {
    expect(table(['T1', null, 7], [], {}, plain)).toBe('T1\n\n7\n')
  })

  test('shows false and nought, which are not nothing', () => {
    expect(table([{ a: false, b: 0 }], ['a', 'b'], {}, plain)).toBe('a   b\nno  0\n')
  })

  test('has bold labels in colour, in line with what stands below', () => {
    expect(table([{ id: 'c-1' }], ['id', 'forename'], fields, styleFor(true))).toBe(
      '\u001B[1mID\u001B[22m   \u001B[1mForename\u001B[22m\nc-1\n',
    )
  })

  test('is harmless, a line for each row, with hostile text in names and values', () => {
    const text = table([{ [allHostile]: allHostile, id: allHostile }], ['id', allHostile], fields, plain)
    expect(isHarmless(text)).toBe(true)
    expect(text.split('\n')).toHaveLength(3)
  })
})

describe('a table on a terminal', () => {
  const people = [
    { id: 'c-1', name: '田中太郎、経理部の長い肩書き', note: 'plain' },
    { id: 'c-2', name: 'e\u0301'.repeat(30), note: '😀'.repeat(20) },
    { id: 'c-3', name: 'محمد بن راشد المكتوم الطويل جدا', note: 'עברית ארוכה מאוד בשביל עמודה אחת' },
  ]
  const columns = ['id', 'name', 'note']

  test.each([30, 40, 60, 80])('fits %i columns, in line, whatever the script', (width) => {
    const lines = table(people, columns, {}, plain, width).trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
    // Where the third column begins is the same in each line.
    const third = lines.map((line) => widthOf(/^(\S+ +\S.*? {2,})\S/.exec(line)?.[1] ?? ''))
    expect(new Set(third).size).toBe(1)
  })

  test('cuts between letters, and says so', () => {
    const text = table(people, columns, {}, plain, 40)
    expect(text).toContain('…')
    expect(text).not.toMatch(/\p{Cs}|\uFFFD|e…/u)
    expect(text).toMatch(/(😀)+…/u)
    expect(text).toMatch(/(e\u0301)+…/)
    for (const width of [20, 21, 22]) {
      const flags = table([{ flag: '🇮🇪'.repeat(200) }], ['flag'], {}, plain, width)
      expect(flags.replaceAll('🇮🇪', '')).toMatch(/^flag\s+…?\s*$/u)
    }
  })

  test('is as ever where it fits to the column, and cuts nothing for a pipe', () => {
    const rows = [{ a: 'x'.repeat(20), b: 'y'.repeat(18) }]
    const whole = table(rows, ['a', 'b'], {}, plain)
    expect(whole).toContain(`${'x'.repeat(20)}  ${'y'.repeat(18)}`)
    expect(table(rows, ['a', 'b'], {}, plain, 40)).toBe(whole)
    expect(table(rows, ['a', 'b'], {}, plain, 39)).toContain(`${'x'.repeat(20)}  ${'y'.repeat(16)}…`)
    expect(table([{ a: 'x'.repeat(5000) }], ['a'], {}, plain)).toContain('x'.repeat(5000))
  })

  test('never cuts an id, nor a date, nor an amount', () => {
    const id = '7c4640cf-ca43-4a81-ab10-122bb478fb07'
    const row = { name: 'n'.repeat(60), 'other.id': id, from: '2026-04-06', gross: '1234567.89' }
    const text = table([row], ['name', 'other.id', 'from', 'gross'], {}, plain, 104)
    expect(text).toContain(`…  ${id}  2026-04-06  1234567.89\n`)
    for (let width = 54; width < 140; width++) {
      const narrower = table([row], ['name', 'other.id', 'from', 'gross'], {}, plain, width)
      for (const whole of [id, '2026-04-06', '1234567.89']) expect(narrower).toContain(whole)
    }
  })

  test('is a card for each row where it cannot be read side by side', () => {
    const row = {
      id: '7c4640cf-ca43-4a81-ab10-122bb478fb07',
      name: '田中',
      city: null,
      status: 'ACTIVE',
      code: 'A',
    }
    const both = [row, { ...row, code: 'B' }]
    expect(table(both, ['id', 'name', 'city', 'status', 'code'], {}, plain, 40)).toBe(
      [
        'id',
        '    7c4640cf-ca43-4a81-ab10-122bb478fb07',
        'name    田中',
        'status  ACTIVE',
        'code    A',
        '',
        'id',
        '    7c4640cf-ca43-4a81-ab10-122bb478fb07',
        'name    田中',
        'status  ACTIVE',
        'code    B',
        '',
      ].join('\n'),
    )
  })

  test.each([20, 40, 80])('lets no cell pass for a row or a line of its own, at %i columns', (width) => {
    const long = `${'x'.repeat(width)}status  PAID${'y'.repeat(500)}`
    for (const fake of [
      long,
      '\u0300'.repeat(10_000),
      'a\nc-9  PAID',
      'a\u2028c-9  PAID',
      `${allHostile}${long}`,
    ]) {
      const text = table([{ id: 'c-1', status: fake }], ['id', 'status'], {}, plain, width)
      expect(isHarmless(text)).toBe(true)
      const lines = text.trimEnd().split('\n')
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(lines.filter((line) => /^(status|c-)/.test(line))).toHaveLength(1)
    }
    const combining = table(
      [{ id: 'c-1', status: '\u0300'.repeat(10_000) }],
      ['id', 'status'],
      {},
      plain,
      width,
    )
    expect(combining.trimEnd().split('\n')).toHaveLength(2)
  })

  test('fits a terminal that is wider by a word only', () => {
    for (let width = 8; width < 120; width++) {
      const text = table(people, columns, {}, plain, width)
      for (const line of text.split('\n')) {
        // A card keeps its margin, and a piece of ten columns, however narrow it is.
        expect(widthOf(line)).toBeLessThanOrEqual(Math.max(width, 14))
      }
    }
  })
})
