/** A longer line cannot be a record. */
const longestLine = 1024 * 1024

/** One line of a file, numbered from 1. `bytes` is undefined if it is too long to be a record. */
export interface NumberedLine {
  readonly number: number
  readonly bytes: Uint8Array | undefined
}

/** The lines of a file, empty ones too. Only a line feed ends one: U+2028 in a name does not. */
export async function* numberedLines(
  chunks: AsyncIterable<Uint8Array>,
  longest = longestLine,
): AsyncGenerator<NumberedLine> {
  let number = 0
  let pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      addPiece(chunk.subarray(from, end))
      yield line()
      from = end + 1
    }
    addPiece(chunk.subarray(from))
  }
  if (size > 0) yield line()

  function addPiece(piece: Uint8Array) {
    size += piece.length
    if (size > longest) pieces = []
    else pieces.push(piece)
  }

  function line(): NumberedLine {
    number += 1
    const [first] = pieces
    const whole = pieces.length === 1 && first ? first : Buffer.concat(pieces)
    const bytes = size > longest ? undefined : whole
    pieces = []
    size = 0
    return { number, bytes }
  }
}
