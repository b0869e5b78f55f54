import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { production } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { run, tool } from './built.ts'

const dist = join(tool, '../../dist')

/** Written when the process ends: every file it loaded. */
const preload = `process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n'))
})`

/** What betrays a package, or a part of ours, in the text of a bundled chunk. */
const marks = {
  inquirer: 'ExitPromptError',
  zod: 'invalid_type',
  hono: 'HonoRequest',
  database: 'PRAGMA user_version',
  conf: 'projectSuffix',
  ora: 'discardStdin',
  'string-width': 'ambiguousIsNarrow',
  pg: 'SCRAM-SERVER-FIRST-MESSAGE',
  ky: 'HTTPError',
  'https-proxy-agent': 'Proxy-Connection',
  'sign-in': 'Open this address:',
  refresh: 'was being renewed when the answer was lost',
} as const

type Package = keyof typeof marks

/** The packages that a run of the built tool loads. */
async function loaded(argv: readonly string[], env: Record<string, string> = {}): Promise<Package[]> {
  const home = freshHome()
  const [script, list] = [join(home, 'preload.cjs'), join(home, 'loaded.txt')]
  writeFileSync(script, preload)
  const ended = await run(argv, { home, env: { ...env, LOADED: list }, flags: ['--require', script] })
  expect(ended).toMatchObject({ code: 0, signal: null })
  // package.json names them all, and a native module is no text.
  const files = readFileSync(list, 'utf8')
    .split('\n')
    .filter((file) => /\.c?js$/.test(file))
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return (Object.keys(marks) as Package[]).filter((name) => text.includes(marks[name]))
}

describe('the built tool loads what it uses', () => {
  test('the built tool loads what it uses and each package can be told from the others', () => {
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
      'a list as a table: the measure of text too',
      ['payslips', 'list', '-o', 'table'],
      ['string-width', 'ky'],
    ],
    ['a create: the checks, and no prompt', create, ['zod', 'ky']],
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
    for (const other of ['zod', 'inquirer', 'ora']) expect(packages).not.toContain(other)
  })

  test('its version: nothing of itself', async () => {
    const home = freshHome()
    const [script, list] = [join(home, 'preload.cjs'), join(home, 'loaded.txt')]
    writeFileSync(script, preload)
    await run(['--version'], { home, env: { LOADED: list }, flags: ['--require', script] })
    expect(readFileSync(list, 'utf8')).not.toContain('dist')
  })
})
