import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

/** A text that is not what its encoding says: the line, counted from 1, and what stands there before the fault. */
export class NotText extends Error {
  override readonly name = 'NotText'
  readonly line: number
  readonly before: string

  constructor(line: number, before: string) {
    super(`not UTF-8 in line ${line}`)
    this.line = line
    this.before = before
  }
}

/** A row that no record fills. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
  readonly row: number

  constructor(row: number) {
    super(`row ${row} is too long`)
    this.row = row
  }
}

/** Of one row, in characters. */
export const longestRow = 1024 * 1024

const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * A text file piece by piece, without its byte-order mark: in the encoding that the mark tells, else in the one
 * given, else in UTF-8. Throws NotText for bytes that are none, and RangeError for an encoding that nobody knows.
 */
export async function* readText(path: string, encoding?: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let line = 1
  /** Of the line that is not at its end: what can no longer be looked at when the fault comes. */
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(markOf(chunk) ?? encoding ?? 'utf-8', { fatal: true })
    try {
      yield decoder.decode(chunk, { stream: true })
    } catch {
      throw faultIn(Buffer.concat([rest, chunk]), line)
    }
    line += chunk.toString('latin1').split('\n').length - 1
    rest = Buffer.concat([rest, chunk]).subarray(-longestRow)
    rest = rest.subarray(rest.lastIndexOf(0x0a) + 1)
  }
  try {
    yield decoder?.decode() ?? ''
  } catch {
    throw faultIn(rest, line)
  }
}

function markOf(chunk: Buffer): string | undefined {
  return marks.find(([, bytes]) => bytes.every((byte, at) => chunk[at] === byte))?.[0]
}

/** A line feed is never part of a longer character of UTF-8, so that its lines can be looked at one by one. */
function faultIn(bytes: Buffer, firstLine: number): NotText {
  let line = firstLine
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    const one = bytes.subarray(start, end < 0 ? undefined : end)
    if (!isUtf8(one)) return new NotText(line, one.subarray(0, firstFault(one)).toString('latin1'))
    if (end < 0) return new NotText(line, '')
    start = end + 1
  }
}

/** Where the first byte stands that cannot be read. */
function firstFault(bytes: Buffer): number {
  let [from, to] = [0, bytes.length]
  // The decoder reads on happily up to the fault, and not beyond.
  while (from < to) {
    const middle = (from + to + 1) >> 1
    if (readable(bytes.subarray(0, middle))) from = middle
    else to = middle - 1
  }
  return from
}

function readable(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
