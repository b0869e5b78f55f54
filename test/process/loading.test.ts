import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { production } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { launch, nodes, tool } from './built.ts'

const dist = join(tool, '../../dist')

/** Written when the process ends: what it loaded of Node since its start, and every file. */
const preload = `const before = new Set(process.moduleLoadList)
process.on('exit', () => {
  const builtIns = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ') && !before.has(name))
  const files = Object.keys(require.cache).filter((name) => name !== __filename)
  process.getBuiltinModule('node:fs').writeFileSync(process.env.LOADED, JSON.stringify({ builtIns, files }))
})`

/** What a run of the built tool loads. */
async function load(argv: readonly string[], env: Record<string, string>, node = process.execPath) {
  const home = freshHome()
  const [script, report] = [join(home, 'preload.cjs'), join(home, 'loaded.json')]
  writeFileSync(script, preload)
  const words = ['--require', script, tool, ...argv]
  const ended = await launch(node, words, { home, env: { ...env, LOADED: report } }).ended
  expect(ended).toMatchObject({ code: 0, signal: null })
  return JSON.parse(readFileSync(report, 'utf8')) as { builtIns: string[]; files: string[] }
}

/** What betrays a package, or a part of ours, in the text of a bundled chunk. */
const marks = {
  inquirer: 'ExitPromptError',
  /** All of it, as the schemas of records need it; the settings have a small one of their own. */
  hono: 'HonoRequest',
  database: 'PRAGMA journal_mode',
  conf: 'projectSuffix',
  ora: 'discardStdin',
  'string-width': 'ambiguousIsNarrow',
  pg: 'SCRAM-SERVER-FIRST-MESSAGE',
  ky: 'HTTPError',
  'https-proxy-agent': 'Proxy-Connection',
  'sign-in': 'Open this address:',
  refresh: 'could not be refreshed',
  'fields of a person': 'Freeport and Investment Zone letters',
} as const

type Package = keyof typeof marks

/** The packages that a run of the built tool loads. Compiled code that was kept would be in no list of files. */
async function loaded(argv: readonly string[], env: Record<string, string> = {}): Promise<Package[]> {
  const { files } = await load(argv, { ...env, NODE_DISABLE_COMPILE_CACHE: '1' })
  // package.json names them all, and a native module is no text.
  const scripts = files.filter((file) => /\.c?js$/.test(file))
  const text = scripts.map((file) => readFileSync(file, 'utf8')).join('\n')
  return (Object.keys(marks) as Package[]).filter((name) => text.includes(marks[name]))
}

describe('the built tool loads what it uses', () => {
  test('and each package can be told from the others', () => {
    const chunks = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => readFileSync(join(dist, name), 'utf8'))
    for (const mark of Object.values(marks)) {
      const marked = chunks.filter((text) => text.includes(mark)).length
      expect([mark, marked > 0 && marked < 3]).toEqual([mark, true])
    }
  })

  const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York']
  const set = ['profiles', 'set', 'acme', '--base-url', 'https://acme.example.com']

  test.each<[string, readonly string[], readonly Package[]]>([
    ['a list in cron: the client alone', ['--quiet', 'candidates', 'list'], ['ky']],
    ['a look at what is set up: the client, and the measure of text', ['doctor'], ['string-width', 'ky']],
    [
      'a list as a table: the measure of text too, and which fields are masked',
      ['payslips', 'list', '-o', 'table'],
      ['string-width', 'ky', 'fields of a person'],
    ],
    ['a create: the checks, and no prompt', create, ['ky', 'fields of a person']],
    ['settings that are written: conf alone', set, ['conf']],
    ['settings that are read: nothing', ['profiles', 'list'], []],
    ['help: nothing', ['--help'], []],
  ])('the built tool loads for %s', async (_, argv, packages) => {
    const { env } = await startSandbox({ seeded: 1 })
    expect(await loaded(argv, env)).toEqual(packages)
  })

  test('a stored key: nothing of a sign-in; an access token: the refresh', async () => {
    const { home } = await production()
    const env = { PAYROLL_CONFIG_DIR: home }
    expect(await loaded(['candidates', 'list'], env)).toEqual(['ky'])
    const path = join(home, 'config.json')
    const settings = JSON.parse(readFileSync(path, 'utf8'))
    const { origin, key } = settings.keys.production
    const tokens = { production: { origin, access: key, refresh: 'CANARYrefresh0000', expiresAt: 9e15 } }
    writeFileSync(path, JSON.stringify({ ...settings, tokens }))
    expect(await loaded(['candidates', 'list'], env)).toEqual(['ky', 'refresh'])
  })

  test('the sandbox: the service and its database', async () => {
    const packages = await loaded(['--profile', 'sandbox', 'candidates', 'list'])
    expect(packages).toEqual(expect.arrayContaining(['hono', 'database', 'ky']))
    for (const other of ['inquirer', 'ora']) expect(packages).not.toContain(other)
  })
})

/**
 * Each costs a short command some milliseconds, and none of them is of use to it. Node 22 loads `esm/assert` with the module
 * that keeps what was compiled.
 */
const unwanted =
  /undici|child_process|perf_hooks|worker|http2|tls|zlib|webstreams|crypto|readline|fs\/promises|fs\/streams|(?<!esm\/)assert/

/** Measured, and some room: what goes beyond is a decision. */
const short = [
  { argv: ['--version'], most: { files: 0, bytes: 0, builtIns: 25 } },
  { argv: ['--help'], most: { files: 3, bytes: 125_000, builtIns: 33 } },
  { argv: ['vat-codes', 'list', '--json'], most: { files: 5, bytes: 271_000, builtIns: 42 } },
  { argv: ['candidates', 'list', '--json'], most: { files: 5, bytes: 275_000, builtIns: 42 } },
]

describe.each(nodes)('with %s a short command', (node) => {
  test.each(short)('$argv loads few and small files, and little of Node', async ({ argv, most }) => {
    const { env } = await startSandbox()
    const { builtIns, files } = await load(argv, env, node)
    // What looks for compiled code is small, and saves five times what it takes.
    const built = files.filter((name) => name.endsWith('.cjs') && !name.endsWith('/compile-cache.cjs'))
    expect(builtIns.filter((name) => unwanted.test(name))).toEqual([])
    expect(built.length > 0).toBe(most.files > 0)
    expect(built.length).toBeLessThanOrEqual(most.files)
    const bytes = built.reduce((sum, name) => sum + statSync(name).size, 0)
    expect(bytes).toBeLessThanOrEqual(most.bytes)
    expect(builtIns.length).toBeLessThanOrEqual(most.builtIns)
  })
})
