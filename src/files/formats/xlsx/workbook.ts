import { unescapeText } from '../escaped-text.ts'
import type { Archive } from './archive.ts'
import { type Attributes, damagedWorkbook, readXml, saveAsCsv, unreadableWorkbook } from './read-xml.ts'

const mostSheets = 1000

/** One entry in a workbook's list of sheets. */
interface SheetPart {
  readonly name: string
  readonly part: string
  readonly hidden: boolean
}

/** A workbook without the rows of its sheets. */
export interface Workbook {
  readonly sheets: readonly SheetPart[]
  readonly strings: readonly string[]
  /** The numbers of those of which a part is struck through. */
  readonly struck: ReadonlySet<number>
  /** The cell formats, by their number. */
  readonly formats: readonly CellFormat[]
  /** Whether day numbers count from 1904, as in old Excel for Mac. */
  readonly is1904: boolean
  /** Whether the program that wrote it left the computing to the spreadsheet. */
  readonly uncomputed: boolean
}

/** Reads a workbook except the rows of its sheets. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const [place] = await readRelations(archive, '', 'officeDocument')
  const bytes = place && archive.part(place.part)
  if (!place || !bytes) throw damagedWorkbook()
  const sheets: { name: string; id: string; hidden: boolean }[] = []
  let root: string | undefined
  let is1904 = false
  let uncomputed = false
  await readXml(bytes, {
    open(element, attributes) {
      root ??= element
      const { name = '', id = '', state = 'visible' } = attributes
      if (element === 'sheet') sheets.push({ name, id, hidden: state !== 'visible' })
      if (element === 'workbookPr') is1904 = isTrue(attributes.date1904)
      if (element === 'calcPr') uncomputed = isTrue(attributes.fullCalcOnLoad)
      if (sheets.length > mostSheets) throw unreadableWorkbook(`it has more than ${mostSheets} sheets`)
    },
  })
  // Another document of Office is a ZIP of the same form.
  if (root !== 'workbook') throw damagedWorkbook()
  const parts = await readRelations(archive, place.part, 'worksheet', 'sharedStrings', 'styles')
  const partOf = (type: string) => parts.find((each) => each.type === type)?.part
  const open = (part: string | undefined) => (part === undefined ? undefined : archive.part(part))
  return {
    // Other kinds of sheets, such as charts, have no cells.
    sheets: sheets.flatMap(({ name, id, hidden }) => {
      const sheet = parts.find((each) => each.id === id && each.type === 'worksheet')
      return sheet ? [{ name, part: sheet.part, hidden }] : []
    }),
    ...(await readStrings(open(partOf('sharedStrings')))),
    formats: await readCellFormats(open(partOf('styles'))),
    is1904,
    uncomputed,
  }
}

/** True in XML Schema. */
export const isTrue = (text: string | undefined) => text === '1' || text === 'true'

interface Related {
  readonly id: string
  readonly type: string
  readonly part: string
}

/** The parts of these types that a part refers to. A type's URL differs by edition, but its last word does not. */
async function readRelations(archive: Archive, part: string, ...types: string[]): Promise<Related[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const bytes = archive.part(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const related: Related[] = []
  if (!bytes) return related
  await readXml(bytes, {
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      const type = Type.slice(Type.lastIndexOf('/') + 1)
      if (element !== 'Relationship' || !types.includes(type) || TargetMode === 'External') return
      related.push({ id: Id, type, part: resolveTarget(folder, Target) })
      if (related.length > mostSheets + 10) throw unreadableWorkbook(`it has more than ${mostSheets} sheets`)
    },
  })
  return related
}

/** The part that a target in a folder means: `worksheets/sheet1.xml` in `xl/`, or `/xl/worksheets/…`. */
function resolveTarget(folder: string, target: string): string {
  return new URL(target, `file:///${folder}`).pathname.slice(1)
}

/** The most memory for all texts of a workbook, in bytes. */
const largestPart = 48 * 1024 * 1024
/** Bytes that a text needs besides its characters. */
const overhead = 32

/** The shared texts of the cells, by number. Throws a Failure (exit 3) if they are larger than 48 MiB. */
async function readStrings(bytes: AsyncIterable<Uint8Array> | undefined) {
  const strings: string[] = []
  const struck = new Set<number>()
  if (!bytes) return { strings, struck }
  let size = 0
  const text = textOfRuns()
  await readXml(bytes, {
    open(name, attributes) {
      if (name === 'si') text.start()
      text.open(name, attributes)
    },
    text: text.add,
    close(name) {
      text.close(name)
      if (name !== 'si') return
      const string = compact(unescapeText(text.taken()))
      size += overhead + (/[^\0-\xFF]/.test(string) ? 2 : 1) * string.length
      if (size > largestPart) throw unreadableWorkbook('its texts are larger than 48 MiB', saveAsCsv)
      if (text.isStruck()) struck.add(strings.length)
      strings.push(string)
    },
  })
  return { strings, struck }
}

/** Collects the text of `<t>` in runs of formatting, without `<rPh>`: the reading of Japanese. */
export function textOfRuns() {
  let parts = ''
  let inText = false
  let spoken = false
  let isStruck = false
  return {
    start() {
      parts = ''
      isStruck = false
    },
    open(name: string, { val = '1' }: Attributes) {
      if (name === 'strike' && isTrue(val)) isStruck = true
      if (name === 'rPh') spoken = true
      if (name === 't') inText = true
    },
    add(text: string) {
      if (inText && !spoken) parts += text
    },
    close(name: string) {
      if (name === 'rPh') spoken = false
      if (name === 't') inText = false
    },
    taken: () => parts,
    /** Whether some of it is struck through. */
    isStruck: () => isStruck,
  }
}

/** A copy, because a slice would keep the whole longer text in memory. */
function compact(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString()
}

/** Excel allows 64,000 cell formats. */
const mostFormats = 65_536

/** The way in which a cell format shows a number. */
export interface CellFormat {
  /** Spreadsheets store a date as a number with a date format. */
  readonly isDate: boolean
  /** A time without a day, such as h:mm, or a span of hours, [h]:mm. */
  readonly isTime?: boolean
  /** The fewest digits shown: 000000 shows 40004 as 040004. */
  readonly digits: number
  /** The letters shown before them: `"EMP-"000` shows 7 as EMP-007. */
  readonly prefix?: string
  /** A number with such a format is shown times a hundred, with a percent sign. */
  readonly isPercent: boolean
  /** Whether its font strikes through what stands there. */
  readonly isStruck?: boolean
}

async function readCellFormats(bytes: AsyncIterable<Uint8Array> | undefined): Promise<readonly CellFormat[]> {
  const custom = new Map<number, CellFormat>()
  const struckFonts: boolean[] = []
  const formats: { readonly id: number; readonly font: number }[] = []
  if (!bytes) return []
  let list = ''
  await readXml(bytes, {
    open(name, { numFmtId = '0', fontId = '0', formatCode = '', val = '1' }) {
      if (name === 'cellXfs' || name === 'fonts') list = name
      if (name === 'numFmt') custom.set(Number(numFmtId), readCellFormat(formatCode))
      if (name === 'font' && list === 'fonts') struckFonts.push(false)
      if (name === 'strike' && list === 'fonts') struckFonts[struckFonts.length - 1] = isTrue(val)
      if (name === 'xf' && list === 'cellXfs') formats.push({ id: Number(numFmtId), font: Number(fontId) })
      if (formats.length + custom.size + struckFonts.length > mostFormats)
        throw unreadableWorkbook(`it has more than ${mostFormats} formats`)
    },
    close(name) {
      if (name === list) list = ''
    },
  })
  return formats.map(({ id, font }) => {
    const format = custom.get(id) ?? {
      isDate: isDateId(id),
      isTime: (id >= 18 && id <= 21) || id === 46,
      digits: 0,
      isPercent: isPercentId(id),
    }
    return struckFonts[font] ? { ...format, isStruck: true } : format
  })
}

function readCellFormat(pattern: string): CellFormat {
  const [, before = '', zeros = ''] =
    (pattern.length <= 255 && /^((?:"[^"]*"|\\.)*)(0(?:[\\"\- ]*0)*)$/.exec(pattern)) || []
  const count = zeros.replaceAll(/[^0]/g, '').length
  const prefix = before.replaceAll(/["\\]/g, '')
  // One zero behind words is a number with its unit, and so are zeros behind the sign of a currency.
  const isName = prefix === '' || (count > 1 && /[a-z]/i.test(prefix))
  return {
    isDate: isDatePattern(pattern),
    isTime:
      isDatePattern(pattern) &&
      /^[^dy]*h[^dy]*$/i.test(pattern.replace(/"[^"]*"|\\.|\[\$[^\]]*\]/g, '')) &&
      !/mmm/i.test(pattern),
    ...(isName ? { digits: count, prefix } : { digits: 0 }),
    isPercent: pattern.length <= 255 && pattern.replaceAll(/\\.|_.|\*.|"[^"]*"/g, '').includes('%'),
  }
}

/** The built-in formats `0%` and `0.00%`. */
const isPercentId = (id: number) => id === 9 || id === 10

/** ECMA-376 Part 1, 18.8.30: the built-in formats of every language. */
const isDateId = (id: number) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)

/** Whether a pattern shows a day or a time: `dd/mm/yyyy`, `[$-809]d mmmm yyyy;@`, `[h]:mm`. */
function isDatePattern(pattern: string): boolean {
  if (pattern.length > 255) return false
  const plain = pattern
    .toLowerCase()
    .replace(/\\.|_.|\*./g, ' ')
    .replace(/"[^"]*"/g, ' ')
    .replace(/\[(h+|m+|s+)\]/g, '$1')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/general/g, '')
  return plain.split(';').some((each) => /[dmyhs]/.test(each) && !/[#?]/.test(each))
}
