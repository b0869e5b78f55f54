import { describe, expect, test } from 'vitest'
import { date, number } from '../../../src/model/fields/field.ts'
import { candidateIrelandAnswer } from '../../../src/model/resources/ireland-candidate.ts'
import { formatTable } from '../../../src/render/table-output.ts'
import { styleFor } from '../../../src/render/text/style.ts'
import { widthOf } from '../../../src/render/text/wrap-text.ts'
import { allHostile, isHarmless } from '../hostile.ts'

const { fields } = candidateIrelandAnswer
const plain = styleFor(false)

/** A table of columns that nobody declared, without colour; on a terminal of a width, or for a pipe. */
const shown = (rows: readonly unknown[], columns: readonly string[], width?: number) =>
  formatTable(rows as never, columns, {}, plain, width === undefined ? {} : { width })

describe('a table', () => {
  test('has the labels of its columns above, no borders, and nothing behind the last word of a line', () => {
    const rows = [
      { id: 'c-1', forename: 'Síle', bank: { country: 'IE' } },
      { id: 'c-22', forename: null },
      { id: 'c-3', forename: '田中', bank: { country: 'GB' } },
    ]
    expect(formatTable(rows, ['id', 'forename', 'bank.country'], fields, plain)).toBe(
      ['ID    Forename  Bank country', 'c-1   Síle      IE', 'c-22', 'c-3   田中      GB', ''].join('\n'),
    )
  })

  test('names a column that nobody declared by its path, and finds a name with a dot in it', () => {
    expect(shown([{ 'a.b': 1, a: { c: 2 } }], ['a.b', 'a.c'])).toBe('a.b  a.c\n  1    2\n')
  })

  test('shows false and nought, which are not nothing', () => {
    expect(shown([{ a: false, b: 0 }], ['a', 'b'])).toBe('a   b\nno  0\n')
  })

  test('has bold labels in colour, in line with what stands below', () => {
    expect(formatTable([{ id: 'c-1' }], ['id', 'forename'], fields, styleFor(true))).toBe(
      '\u001B[1mID\u001B[22m   \u001B[1mForename\u001B[22m\nc-1\n',
    )
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
    const lines = shown(people, columns, width).trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
    // Where the third column begins is the same in each line.
    const third = lines.map((line) => widthOf(/^(\S+ +\S.*? {2,})\S/.exec(line)?.[1] ?? ''))
    expect(new Set(third).size).toBe(1)
  })

  test('cuts between letters, and says so', () => {
    const text = shown(people, columns, 40)
    expect(text).toContain('…')
    expect(text).not.toMatch(/\p{Cs}|\uFFFD|e…/u)
    expect(text).toMatch(/(😀)+…/u)
    expect(text).toMatch(/(e\u0301)+…/)
    for (const width of [20, 21, 22]) {
      const flags = shown([{ flag: '🇮🇪'.repeat(200) }], ['flag'], width)
      expect(flags.replaceAll('🇮🇪', '')).toMatch(/^\s*flag\s+…?\s*$/u)
    }
  })

  test('is as ever where it fits to the column, and cuts nothing for a pipe', () => {
    const rows = [{ a: 'x'.repeat(20), b: 'y'.repeat(18) }]
    const whole = shown(rows, ['a', 'b'])
    expect(whole).toContain(`${'x'.repeat(20)}  ${'y'.repeat(18)}`)
    expect(shown(rows, ['a', 'b'], 40)).toBe(whole)
    expect(shown(rows, ['a', 'b'], 39)).toContain(`${'x'.repeat(20)}  ${'y'.repeat(16)}…`)
    expect(shown([{ a: 'x'.repeat(5000) }], ['a'])).toContain('x'.repeat(5000))
  })

  test('never cuts an id, nor a date, nor an amount', () => {
    const id = '7c4640cf-ca43-4a81-ab10-122bb478fb07'
    const row = { name: 'n'.repeat(60), 'other.id': id, from: '2026-04-06', gross: 123456789.01 }
    const text = shown([row], ['name', 'other.id', 'from', 'gross'], 104)
    expect(text).toContain(`…  ${id}  6 Apr 2026  123456789.01\n`)
    for (let width = 54; width < 140; width++) {
      const narrower = shown([row], ['name', 'other.id', 'from', 'gross'], width)
      for (const whole of [id, '6 Apr 2026', '123456789.01']) expect(narrower).toContain(whole)
    }
  })

  test('is a card for each row where it cannot be read side by side', () => {
    const id = '7c4640cf-ca43-4a81-ab10-122bb478fb07'
    const row = { id, name: '田中', city: null, status: 'ACTIVE', code: 'A' }
    const both = [row, { ...row, code: 'B' }]
    expect(shown(both, ['id', 'name', 'city', 'status', 'code'], 40)).toBe(`  ID
      7c4640cf-ca43-4a81-ab10-122bb478fb
      07
  name    田中
  status  ACTIVE
  code    A

  ID
      7c4640cf-ca43-4a81-ab10-122bb478fb
      07
  name    田中
  status  ACTIVE
  code    B
`)
  })

  test.each([20, 40, 80])('lets no cell pass for a row or a line of its own, at %i columns', (width) => {
    const long = `${'x'.repeat(width)}status  PAID${'y'.repeat(500)}`
    const heap = '\u0300'.repeat(10_000)
    for (const fake of [long, heap, 'a\nc-9  PAID', 'a\u2028c-9  PAID', `${allHostile}${long}`]) {
      const text = shown([{ id: 'c-1', status: fake }], ['id', 'status'], width)
      expect(isHarmless(text)).toBe(true)
      const lines = text.trimEnd().split('\n')
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(lines.filter((line) => /^ {0,2}(status|c-)/.test(line))).toHaveLength(1)
    }
    const combining = shown([{ id: 'c-1', status: heap }], ['id', 'status'], width)
    expect(combining.trimEnd().split('\n')).toHaveLength(2)
  })

  describe('of columns that nobody asked for', () => {
    const rows = [1, 2].map((n) => ({
      code: `RATE-${n}`,
      description: 'a rate for what is done at night and on bank holidays',
      id: `${n}c4640cf-ca43-4a81-ab10-122bb478fb07`,
      worked: `2026-04-0${n}`,
      gross: n * 1000.5,
      status: 'ACTIVE',
    }))
    const all = ['code', 'description', 'id', 'worked', 'gross', 'status']
    const fields = { gross: number('Gross pay of the week', { money: true }), worked: date('Worked') }
    const at = (width: number, columns = all) =>
      formatTable(rows, columns, fields, plain, { width, mayDrop: true })

    test('has spelled-out dates, pence in line, and short ids where there is no room for whole ones', () => {
      const [head, first, second] = at(140).split('\n')
      expect(head).toMatch(/^code {4}description .* ID {8}Worked {6}Gross pay of the week {2}status$/)
      expect(first).toMatch(/ 1c4640cf {2}1 Apr 2026 {16}1000\.50 {2}ACTIVE$/)
      expect(second).toMatch(/ 2c4640cf {2}2 Apr 2026 {16}2001\.00 {2}ACTIVE$/)
      for (const { id } of rows) expect(at(200)).toContain(`${id}  `)
    })

    test('takes as many letters of an id as tell it from the others', () => {
      const idsOf = (...ids: readonly unknown[]) => {
        const records = ids.map((id) => ({ id, name: 'a name '.repeat(9) })) as never
        const table = formatTable(records, ['id', 'name'], {}, plain, { width: 80, mayDrop: true })
        return table.replaceAll(/ +(a )?name.*$/gm, '')
      }
      const [one, other] = ['7c4640cf-ca43-4a81-ab10-122bb478fb07', '7c4640cf-ca44-4a81-ab10-122bb478fb07']
      expect(idsOf(one, other, null)).toBe('ID\n7c4640cf-ca43\n7c4640cf-ca44\n\n')
      const last = '7c4640cf-ca43-4a81-ab10-122bb478fb08'
      expect(idsOf(one, last)).toBe(`ID\n${one}\n${last}\n`)
      // The beginning of a number may be the id of somebody else.
      expect(idsOf('100000012345', '200000012345')).toBe('ID\n100000012345\n200000012345\n')
      expect(idsOf(one, 'EMP-0001-0001')).toBe(`ID\n${one}\nEMP-0001-0001\n`)
      expect(shown(rows, ['id'], 80)).toContain(rows[0]?.id)
    })

    test('puts a label on several lines before it cuts a value, and cuts sentences before it leaves a column out', () => {
      expect(at(110)).toMatch(/^ +Gross\n/)
      expect(at(110)).toContain('on bank holidays')
      expect(at(80)).toMatch(/a rate for .*… {2}1c4640cf .*ACTIVE/)
    })

    test('is a table at every width from 60 on, whole in each line', () => {
      for (let width = 60; width < 160; width++) {
        const lines = at(width).trimEnd().split('\n')
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(lines.filter((line) => line.startsWith('RATE-'))).toHaveLength(2)
      }
      expect(at(40)).toMatch(/^ {2}code +RATE-1$/m)
    })
  })
})
