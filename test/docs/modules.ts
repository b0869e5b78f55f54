import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onceForText } from '../../src/once.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What each module is for. A module that is not named here fails the drawing. */
const purposes: Readonly<Record<string, string>> = {
  'main, program': 'one run: words in, exit code out',
  commands: 'what a person types: each verb as data',
  'commands/kit':
    'what a verb does: a room for each of list, find, create, update, import and export, and beside them what the rooms share',
  'commands/cli': 'what can be typed, declared once: options, verbs, exit codes',
  'commands/check': 'what is wrong before payday: rules over whole lists',
  'commands/changes': 'who is new, gone or changed since a mark of fingerprints',
  model:
    'what the service is, as data, in floors: countries, facts of the law, fields, records, resources, standards, mapping; and keys',
  'model/values': 'words and values that people write, read as fields: headings, dates, codes, amounts',
  text: 'words, durations and hashes of text',
  'files/table': 'the rows of a spreadsheet or a JSON file, read as records',
  'files/formats': 'CSV, workbooks and NDJSON, read and written',
  'files/json': 'JSON read strictly, with exact numbers, and paths into it',
  'files/local': 'locks, private folders, files that are whole or not there',
  credentials: 'settings, profiles and keys, and which of them is in force',
  prompts: 'the form that asks at a terminal',
  context: 'what a command is handed: settings, client, output, signals, facts in force',
  import: 'a file of records, each created once',
  'import/shared-journal': 'claims of rows, in a database that several computers share',
  write:
    'the one write: what is sent, what becomes of it, what the service shows of each field, and what this computer has written',
  reading: 'people and work of a service, and what was not seen of them',
  sandbox: 'the service in small, in this process or on a port',
  render: 'values as tables, cards, JSON, CSV, YAML',
  api: 'the client: requests, pages, what an answer means',
  'api/http': 'one request over one connection, and when it is sent again',
  secrets: 'keeps keys out of everything that is printed',
  environment: 'every environment variable that is read',
  'environment-flags': 'whether a variable is on or off',
  defaults: 'what holds where no option says otherwise',
  once: 'work that is done once: at the first call, or for each object',
  origin: 'which addresses are this computer, and by what a service is known',
  errors: 'every way to fail, with its exit code',
}

/** By module, the modules that its files import from. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** The arrows between the modules of src, from the imports: types count too. */
export function readArrows(): Arrows {
  const arrows = new Map<string, Set<string>>()
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((each) => each.endsWith('.ts'))) {
    const file = `src/${name.replaceAll('\\', '/')}`
    const module = moduleOf(file)
    const used = arrows.get(module) ?? new Set()
    arrows.set(module, used)
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:\bfrom |\bimport\(\s*)'(\.[^']+\.ts)'/g)) {
      const other = moduleOf(join(dirname(file), path).replaceAll('\\', '/'))
      if (other !== module) used.add(other)
    }
  }
  return arrows
}

/** `src/api/http/attempt.ts` is in api/http, `src/api/client.ts` in api. */
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
  const layerOf: (module: string) => number = onceForText((module) =>
    Math.max(0, ...below(module).map((other) => layerOf(other) + 1)),
  )
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
