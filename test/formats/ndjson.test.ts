import { describe, expect, test } from 'vitest'
import { lines } from '../../src/formats/ndjson.ts'

async function read(text: string, size: number, longest?: number): Promise<(string | undefined)[]> {
  const bytes = Buffer.from(text)
  async function* parts() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const found: (string | undefined)[] = []
  for await (const { number, bytes } of lines(parts(), longest)) {
    found.push(bytes && Buffer.from(bytes).toString())
    expect(number).toBe(found.length)
  }
  return found
}

describe('the lines of a file', () => {
  test('end at a line feed and nowhere else, however the bytes arrive', async () => {
    for (const size of [1, 2, 7, 100]) {
      expect(await read('{"a":"x\u2028ë"}\n\n{"b":1}', size)).toEqual(['{"a":"x\u2028ë"}', '', '{"b":1}'])
    }
  })

  test('are not held where one is longer than any record, and the next is read', async () => {
    const text = `1\n${'x'.repeat(1001)}\n3\n`
    expect(await read(text, 64, 1000)).toEqual(['1', undefined, '3'])
  })
})
