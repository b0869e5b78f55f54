import type { Archive } from './archive.ts'
import { damagedWorkbook, readXml, unreadableWorkbook } from './read-xml.ts'
import { readStrings } from './shared-strings.ts'
import { type CellFormat, readCellFormats } from './styles.ts'

const mostSheets = 1000

/** One entry in a workbook's list of sheets. */
export interface SheetPart {
  readonly name: string
  readonly part: string
  readonly hidden: boolean
}

/** A workbook without the rows of its sheets. */
export interface Workbook {
  readonly sheets: readonly SheetPart[]
  readonly strings: readonly string[]
  /** By cell format: whether it shows a date. */
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
  const listed: { name: string; id: string; hidden: boolean }[] = []
  let is1904 = false
  let uncomputed = false
  await readXml(bytes, {
    open(element, attributes) {
      const { name = '', id = '', state = 'visible' } = attributes
      if (element === 'sheet') listed.push({ name, id, hidden: state !== 'visible' })
      if (element === 'workbookPr') is1904 = isTrue(attributes.date1904)
      if (element === 'calcPr') uncomputed = isTrue(attributes.fullCalcOnLoad)
      if (listed.length > mostSheets) throw unreadableWorkbook(`it has more than ${mostSheets} sheets`)
    },
  })
  const parts = await readRelations(archive, place.part, 'worksheet', 'sharedStrings', 'styles')
  const partOf = (type: string) => parts.find((each) => each.type === type)?.part
  const open = (part: string | undefined) => (part === undefined ? undefined : archive.part(part))
  return {
    // Other kinds of sheets, such as charts, have no cells.
    sheets: listed.flatMap(({ name, id, hidden }) => {
      const sheet = parts.find((each) => each.id === id && each.type === 'worksheet')
      return sheet ? [{ name, part: sheet.part, hidden }] : []
    }),
    strings: await readStrings(open(partOf('sharedStrings'))),
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
  const found: Related[] = []
  if (!bytes) return found
  await readXml(bytes, {
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      const type = Type.slice(Type.lastIndexOf('/') + 1)
      if (element !== 'Relationship' || !types.includes(type) || TargetMode === 'External') return
      found.push({ id: Id, type, part: resolveTarget(folder, Target) })
      if (found.length > mostSheets + 10) throw unreadableWorkbook(`it has more than ${mostSheets} sheets`)
    },
  })
  return found
}

/** `xl/` and `worksheets/sheet1.xml`, or `/xl/worksheets/sheet1.xml`. */
function resolveTarget(folder: string, target: string): string {
  return new URL(target, `file:///${folder}`).pathname.slice(1)
}
