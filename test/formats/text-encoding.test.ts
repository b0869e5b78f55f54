import { describe, expect, test } from 'vitest'
import { decodeText, encodingOf } from '../../src/formats/text-encoding.ts'

/** The text of bytes that arrive one by one. */
async function read(bytes: Uint8Array, given?: string): Promise<string> {
  async function* parts() {
    for (const byte of bytes) yield Uint8Array.of(byte)
  }
  let text = ''
  for await (const part of decodeText(parts(), encodingOf(bytes, given))) text += part
  return text
}

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the text of a file', () => {
  const name = 'Zoë,Ní Shé'
  test.each([
    ['UTF-8', Buffer.from(name)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${name}`)],
    ['UTF-16 of Excel', Buffer.from(`\uFEFF${name}`, 'utf16le')],
    ['UTF-16 the other way round', swapped(`\uFEFF${name}`)],
    ['UTF-16 without a mark', Buffer.from(name, 'utf16le')],
    ['UTF-16 without a mark the other way round', swapped(name)],
  ])('is known by its first bytes: %s', async (_, bytes) => {
    expect(await read(bytes)).toBe(name)
  })

  test('is Windows-1252 where somebody says so, and no mark says otherwise', async () => {
    expect(await read(Buffer.from(name, 'latin1'), 'windows-1252')).toBe(name)
    expect(await read(Buffer.from(`\uFEFF${name}`), 'windows-1252')).toBe(name)
  })

  test('shows where bytes are no UTF-8', async () => {
    expect(await read(Buffer.from(name, 'latin1'))).toBe('Zo\uFFFD,N\uFFFD Sh\uFFFD')
  })

  test('is refused in an encoding that nobody knows', () => {
    expect(() => encodingOf(Buffer.from('a'), 'ebcdic-900')).toThrow('Unknown encoding.')
  })
})
