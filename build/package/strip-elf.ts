const allocated = 2n
const withoutBytes = 8

/**
 * A program for Linux without what only debuggers read, above all its symbols, as strip(1) makes it. The layout is
 * that of elf(5), 64 bits, lowest byte first. Throws if anything to be kept follows what is left out.
 */
export function stripElf(program: Buffer): Buffer {
  const start = Number(program.readBigUInt64LE(0x28))
  const [size, count, namesAt] = [0x3a, 0x3c, 0x3e].map((at) => program.readUInt16LE(at)) as [
    number,
    number,
    number,
  ]
  const sections = Array.from({ length: count }, (_, index) => {
    const head = program.subarray(start + index * size, start + (index + 1) * size)
    const [offset, length] = [Number(head.readBigUInt64LE(0x18)), Number(head.readBigUInt64LE(0x20))]
    const isKept = index === 0 || (head.readBigUInt64LE(0x08) & allocated) !== 0n
    const end = head.readUInt32LE(0x04) === withoutBytes ? 0 : offset + length
    return { head, offset, end, isKept }
  })
  const kept = sections.filter(({ isKept }) => isKept)
  const end = Math.max(...kept.map((section) => section.end))
  const others = sections.slice(kept.length)
  const names = sections[namesAt]
  // The sections name each other by their numbers, which stay.
  if (!names || others.some(({ isKept, offset }) => isKept || offset < end))
    throw new Error('the program has something behind its symbols')
  const namesHead = Buffer.from(names.head)
  namesHead.writeBigUInt64LE(BigInt(end), 0x18)
  const texts = program.subarray(names.offset, names.end)
  const heads = Math.ceil((end + texts.length) / 8) * 8
  const room = Buffer.alloc(heads - end - texts.length)
  const made = Buffer.concat([
    program.subarray(0, end),
    texts,
    room,
    ...kept.map(({ head }) => head),
    namesHead,
  ])
  made.writeBigUInt64LE(BigInt(heads), 0x28)
  made.writeUInt16LE(kept.length + 1, 0x3c)
  made.writeUInt16LE(kept.length, 0x3e)
  return made
}
