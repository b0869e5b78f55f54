import { describe, expect, test } from 'vitest'
import { safeJson, safeReport, safeText, safeTyping } from '../../../src/render/text/safe-text.ts'
import { styleFor } from '../../../src/render/text/style.ts'
import { allHostile, hostile, isHarmless } from '../hostile.ts'

describe('text from outside', () => {
  test.each(hostile)('loses %s', (_, text, harmless) => {
    expect(isHarmless(text)).toBe(false)
    expect(safeText(text)).toBe(harmless)
    expect(isHarmless(safeText(text))).toBe(true)
  })

  test.each([
    'plain text',
    'Síle O’Sampléir, Zoë-André',
    'Ní Shampla \u0301e\u0301',
    '田中 さくら',
    'ไม่มีชื่อ',
    '👩 £ € ½ …',
    '  leading and trailing  ',
    '',
  ])('stays as it is when it is harmless: %j', (text) => {
    expect(safeText(text)).toBe(text)
  })

  test('of several lines keeps the styles of this tool, and no other command to a terminal', () => {
    const styled = Object.values(styleFor(true)).map((style) => style('some\ntext'))
    expect(safeReport(styled.join('\t'))).toBe(styled.join('\t'))
    expect(isHarmless(safeReport(allHostile.replace('\u001B[31m', '')).replaceAll('\t', ''))).toBe(true)
  })

  test('of one character stays as it is, unless the character is a control, a format or a separator of lines', () => {
    const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code)
      const expected = /[\t\r\n]/.test(character) ? ' ' : unsafe.test(character) ? '' : character
      if (safeText(character) !== expected)
        expect([code.toString(16), safeText(character)]).toEqual([code.toString(16), expected])
      const json = JSON.stringify(character)
      if (
        unsafe.test(character) ===
        (safeJson(json) === json && code > 0x1f && !/[\ud800-\udfff]/.test(character))
      )
        expect(code.toString(16)).toBe('written as it should be')
    }
  })

  test('keeps no more than four marks on a letter, whatever stands before them', () => {
    for (const before of ['e', 'é', '’', '€', '\u02ff']) {
      expect(safeText(before + '\u0301'.repeat(9))).toBe(before + '\u0301'.repeat(4))
    }
  })
})

describe('JSON for a terminal', () => {
  test.each(hostile)('says the same with %s, and shows nothing of it', (_, text) => {
    const written = safeJson(JSON.stringify({ [text]: text }))
    expect(JSON.parse(written)).toEqual({ [text]: text })
    expect(isHarmless(written)).toBe(true)
    expect(written).not.toContain('\n')
  })

  test('keeps its own line breaks, and writes an astral character as its two halves', () => {
    expect(safeJson(JSON.stringify(['\u{E0041}', '\u009B'], null, 1))).toBe(
      '[\n "\\udb40\\udc41",\n "\\u009b"\n]',
    )
  })
})

test('typed text keeps its length, so that the cursor stays where it is', () => {
  expect(safeTyping('a\u202Eb\u{E0041}c')).toBe('a\uFFFDb\uFFFD\uFFFDc')
  expect(safeTyping(allHostile.replace(/\p{M}/gu, ''))).toHaveLength(allHostile.replace(/\p{M}/gu, '').length)
})
