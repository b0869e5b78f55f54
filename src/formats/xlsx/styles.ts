import { readXml, unreadableWorkbook } from './read-xml.ts'

/** Excel allows 64,000 cell formats. */
const mostFormats = 65_536

/** What a cell format shows of a number. */
export interface CellFormat {
  /** Spreadsheets store a date as a number with a date format. */
  readonly isDate: boolean
  /** As many digits at least: 000000 shows 40004 as 040004. */
  readonly digits: number
  /** A number with such a format is shown times a hundred, with a percent sign. */
  readonly isPercent: boolean
}

/** The cell formats, by number. */
export async function readCellFormats(
  bytes: AsyncIterable<Uint8Array> | undefined,
): Promise<readonly CellFormat[]> {
  const custom = new Map<number, CellFormat>()
  const formats: number[] = []
  if (!bytes) return []
  let inCells = false
  await readXml(bytes, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'cellXfs') inCells = true
      if (name === 'numFmt') custom.set(Number(numFmtId), formatOf(formatCode))
      if (name === 'xf' && inCells) formats.push(Number(numFmtId ?? 0))
      if (formats.length + custom.size > mostFormats)
        throw unreadableWorkbook(`it has more than ${mostFormats} formats`)
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats.map(
    (id) => custom.get(id) ?? { isDate: isDateId(id), digits: 0, isPercent: isPercentId(id) },
  )
}

function formatOf(pattern: string): CellFormat {
  const isDigits = pattern.length <= 255 && /^0(?:[\\"\- ]*0)*$/.test(pattern)
  return {
    isDate: isDatePattern(pattern),
    digits: isDigits ? pattern.replaceAll(/[^0]/g, '').length : 0,
    isPercent: pattern.length <= 255 && pattern.replaceAll(/\\.|_.|\*.|"[^"]*"/g, '').includes('%'),
  }
}

/** The built-in formats `0%` and `0.00%`. */
const isPercentId = (id: number) => id === 9 || id === 10

/** ECMA-376 Part 1, 18.8.30: the built-in formats; from 27 on they differ by language. */
function isDateId(id: number): boolean {
  return (
    (id >= 14 && id <= 22) ||
    (id >= 27 && id <= 36) ||
    (id >= 45 && id <= 47) ||
    (id >= 50 && id <= 58) ||
    (id >= 71 && id <= 81)
  )
}

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
