import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'

/** What each module is for. A module that is not named here fails the drawing. */
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
  history: 'what this computer has written to services',
  'shared-journal': 'claims of rows, in a database that several computers share',
  facts: 'facts of the law that an admin lays over ours: a file, read strictly',
  import: 'a file of records, each created once',
  changes: 'who is new, gone or changed since a mark of fingerprints',
  write: 'the one write: what is sent, what becomes of it, and what the service shows of each field',
  reading: 'people and work of a service, and what was not seen of them',
  check: 'what is wrong before payday: rules over whole lists',
  sandbox: 'the service in small, in this process or on a port',
  render: 'values as tables, cards, JSON, CSV, YAML',
  formats: 'CSV, workbooks and NDJSON, read and written',
  api: 'the client: requests, pages, what an answer means',
  'api/http': 'one request over one connection, and when it is sent again',
  'api/contract': 'what the service is, as data: operations, fields, standards',
  secrets: 'keeps keys out of everything that is printed',
  files: 'locks, private folders, files that are whole or not there',
  json: 'JSON read strictly, with exact numbers, and paths into it',
  environment: 'every environment variable that is read',
  defaults: 'what holds where no option says otherwise',
  origin: 'which addresses are this computer, and by what a service is known',
  errors: 'every way to fail, with its exit code',
}

interface Cruised {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly resolved: string }[]
  }[]
}

/** By module, the modules that its files import from. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** The arrows between the modules of src, from the imports: types count too. */
export function readArrows(): Arrows {
  const argv = [cruiser, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json']
  const printed = execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 })
  const arrows = new Map<string, Set<string>>()
  for (const { source, dependencies } of (JSON.parse(printed) as Cruised).modules) {
    if (!source.startsWith('src/')) continue
    const module = moduleOf(source)
    const used = arrows.get(module) ?? new Set()
    arrows.set(module, used)
    for (const { resolved } of dependencies) {
      if (resolved.startsWith('src/') && moduleOf(resolved) !== module) used.add(moduleOf(resolved))
    }
  }
  return arrows
}

/** `src/api/contract/fields/field.ts` is in api/contract, `src/api/client.ts` in api. */
function moduleOf(file: string): string {
  const [, ...folders] = file.split('/').slice(0, -1)
  if (folders.length === 0) {
    const name = file.replace(/^src\/|\.ts$/g, '')
    return name in purposes ? name : 'main, program'
  }
  const inner = folders.slice(0, 2).join('/')
  return inner in purposes ? inner : (folders[0] ?? '')
}

/** The part of docs/architecture.md between its marks. */
export function drawModules(arrows: Arrows): string {
  const modules = [...arrows.keys()]
  const reached = new Map(modules.map((module) => [module, reachable(module, arrows)]))
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) ?? false
  // Modules that use each other stand on one layer.
  const below = (module: string) =>
    modules.filter((other) => reaches(module, other) && !reaches(other, module))
  const layerOf = (module: string): number => Math.max(0, ...below(module).map((other) => layerOf(other) + 1))
  const sorted = modules.sort((a, b) => layerOf(b) - layerOf(a) || a.localeCompare(b))
  // An arrow that only repeats a longer way is left out of the drawing.
  const isShown = (from: string, to: string) =>
    !modules.some(
      (between) =>
        reaches(from, between) && reaches(between, to) && !reaches(between, from) && !reaches(to, between),
    )
  const shown = sorted.flatMap((from) =>
    [...(arrows.get(from) ?? [])]
      .filter((to) => isShown(from, to))
      .sort()
      .map((to) => `  ${idOf(from)} --> ${idOf(to)}`),
  )
  const nodes = sorted.map((module) => `  ${idOf(module)}["${module}"]`)
  const rows = sorted.map((module) => {
    const uses = sorted.filter((other) => arrows.get(module)?.has(other)).join(' · ')
    return `| ${layerOf(module)} | ${module} | ${purposeOf(module)} | ${uses} |`
  })
  return [
    '```mermaid',
    'flowchart TD',
    ...nodes,
    ...shown,
    '```',
    '',
    '| Layer | Module | What it is for | Uses |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function purposeOf(module: string): string {
  const purpose = purposes[module]
  if (purpose === undefined) throw new Error(`Say in test/docs/modules.ts what the module ${module} is for.`)
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

const idOf = (module: string) => module.replaceAll(/\W+/g, '_')
