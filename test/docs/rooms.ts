import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'

/** What each room is for. A room that is not named here fails the drawing. */
const purposes: Readonly<Record<string, string>> = {
  'main, program': 'one run: words in, exit code out',
  commands: 'what a person types: each verb as data',
  verbs: 'what a verb does, one file each: list, get, find, create, update, delete, export, import',
  cli: 'what can be typed, declared once: options, verbs, exit codes',
  values: 'words and values that people write, read as fields: headings, dates, codes, amounts',
  table: 'the rows of a spreadsheet or a JSON file, read as records',
  credentials: 'settings, profiles and keys, and which of them is in force',
  prompts: 'the form that asks at a terminal',
  context: 'what a command is handed: settings, client, output, signals',
  drafts: 'answers that are kept until they are sent',
  'shared-journal': 'claims of rows, in a database that several computers share',
  import: 'a file of records, each created once',
  export: 'a list, as a file',
  sandbox: 'the service in small, in this process or on a port',
  render: 'values as tables, cards, JSON, CSV, YAML',
  formats: 'CSV, workbooks and NDJSON, read and written',
  api: 'the client: requests, pages, what an answer means',
  'api/http': 'one request over one connection, and when it is sent again',
  'api/contract': 'what the service is, as data: operations, fields, standards',
  secrets: 'keeps keys out of everything that is printed',
  files: 'locks, private folders, files that are whole or not there',
  json: 'JSON read strictly, with exact numbers, and paths into it',
  loopback: 'which addresses are this computer',
  errors: 'every way to fail, with its exit code',
}

interface Cruised {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly resolved: string }[]
  }[]
}

/** By room, the rooms that its files import from. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** The arrows between the rooms of src, from the imports: types count too. */
export function readArrows(): Arrows {
  const argv = [cruiser, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json']
  const printed = execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 })
  const arrows = new Map<string, Set<string>>()
  for (const { source, dependencies } of (JSON.parse(printed) as Cruised).modules) {
    if (!source.startsWith('src/')) continue
    const room = roomOf(source)
    const used = arrows.get(room) ?? new Set()
    arrows.set(room, used)
    for (const { resolved } of dependencies) {
      if (resolved.startsWith('src/') && roomOf(resolved) !== room) used.add(roomOf(resolved))
    }
  }
  return arrows
}

/** `src/api/contract/fields/field.ts` is in api/contract, `src/api/client.ts` in api. */
function roomOf(file: string): string {
  const [, ...folders] = file.split('/').slice(0, -1)
  if (folders.length === 0) {
    const name = file.replace(/^src\/|\.ts$/g, '')
    return name in purposes ? name : 'main, program'
  }
  const inner = folders.slice(0, 2).join('/')
  return inner in purposes ? inner : (folders[0] ?? '')
}

/** The part of docs/architecture.md between its marks. */
export function drawRooms(arrows: Arrows): string {
  const rooms = [...arrows.keys()]
  const reached = new Map(rooms.map((room) => [room, reachable(room, arrows)]))
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) ?? false
  // Rooms that use each other stand on one floor.
  const below = (room: string) => rooms.filter((other) => reaches(room, other) && !reaches(other, room))
  const floorOf = (room: string): number => Math.max(0, ...below(room).map((other) => floorOf(other) + 1))
  const sorted = rooms.sort((a, b) => floorOf(b) - floorOf(a) || a.localeCompare(b))
  // An arrow that only repeats a longer way is left out of the drawing.
  const isShown = (from: string, to: string) =>
    !rooms.some(
      (between) =>
        reaches(from, between) && reaches(between, to) && !reaches(between, from) && !reaches(to, between),
    )
  const shown = sorted.flatMap((from) =>
    [...(arrows.get(from) ?? [])]
      .filter((to) => isShown(from, to))
      .sort()
      .map((to) => `  ${idOf(from)} --> ${idOf(to)}`),
  )
  const nodes = sorted.map((room) => `  ${idOf(room)}["${room}"]`)
  const rows = sorted.map((room) => {
    const uses = sorted.filter((other) => arrows.get(room)?.has(other)).join(' · ')
    return `| ${floorOf(room)} | ${room} | ${purposeOf(room)} | ${uses} |`
  })
  return [
    '```mermaid',
    'flowchart TD',
    ...nodes,
    ...shown,
    '```',
    '',
    '| Floor | Room | What it is for | Uses |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function purposeOf(room: string): string {
  const purpose = purposes[room]
  if (purpose === undefined) throw new Error(`Say in test/docs/rooms.ts what the room ${room} is for.`)
  return purpose
}

function reachable(from: string, arrows: Arrows, seen = new Set<string>()): Set<string> {
  for (const next of arrows.get(from) ?? []) {
    if (seen.has(next)) continue
    seen.add(next)
    reachable(next, arrows, seen)
  }
  return seen
}

const idOf = (room: string) => room.replaceAll(/\W+/g, '_')
