import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'
import { damagedWorkbook, saveAsCsv, unreadableWorkbook } from './read-xml.ts'

/** Larger than any list of people. The zipped file is held in memory, its unzipped parts are not. */
const largestFile = 32 * 1024 * 1024
const largestUnpacked = 256 * 1024 * 1024
const mostParts = 10_000

/** A workbook's XML shrinks to a tenth or a fiftieth; one that shrinks more is an attack on our memory. */
const smallPart = 16 * 1024 * 1024
const largestRatio = 200

/** The parts of a workbook by name, unzipped while they are read. */
export interface Archive {
  part(name: string): AsyncIterable<Uint8Array> | undefined
}

/** Opens a workbook's ZIP. Throws exit 3 for no ZIP, a too large one, or one with a part twice. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  if (bytes.length > largestFile) throw unreadableWorkbook('it is larger than 32 MiB', saveAsCsv)
  const zip = await openZip(bytes)
  const parts = new Map<string, Entry>()
  let size = 0
  for (const entry of await entriesOf(zip)) {
    const name = entry.fileName.toLowerCase()
    if (parts.has(name)) throw damagedWorkbook()
    parts.set(name, entry)
    if (!/\.(xml|rels)$/.test(name)) continue
    size += entry.uncompressedSize
    if (size > largestUnpacked) throw unreadableWorkbook('unpacked it is larger than 256 MiB', saveAsCsv)
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize)
    if (entry.uncompressedSize > smallPart && ratio > largestRatio) {
      throw unreadableWorkbook(`one of its parts unpacks to more than ${largestRatio} times its size`)
    }
  }
  return {
    part(name) {
      const entry = parts.get(name.toLowerCase())
      return entry && unpack(zip, entry)
    },
  }
}

/** A part must have exactly the size that the archive says; otherwise reading it fails. */
async function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const open = promisify<Buffer, Options, ZipFile>(fromBuffer)
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return await open(buffer, { lazyEntries: true, autoClose: false })
  } catch {
    throw damagedWorkbook()
  }
}

function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      if (entries.length <= mostParts) zip.readEntry()
      else reject(unreadableWorkbook(`it has more than ${mostParts} parts`))
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', () => reject(damagedWorkbook()))
    zip.readEntry()
  })
}

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const open = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  yield* await open(entry)
}
