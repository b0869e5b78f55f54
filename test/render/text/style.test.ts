import { expect, test } from 'vitest'
import { styleFor } from '../../../src/render/text/style.ts'

const names = ['heading', 'bold', 'dim', 'accent', 'good', 'bad', 'caution'] as const

test('a style without colour changes nothing', () => {
  for (const name of names) expect(styleFor(false)[name]('text')).toBe('text')
})

test('with colour says so itself, whatever standard output is', () => {
  const codes = names.map((name) => styleFor(true)[name]('text').split('text')[0])
  const csi = '\u001B['
  expect(codes).toEqual([
    `${csi}1m${csi}4m`,
    `${csi}1m`,
    `${csi}2m`,
    `${csi}36m`,
    `${csi}32m`,
    `${csi}31m`,
    `${csi}33m`,
  ])
})
