import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freshHome } from '../payroll.ts'

/** The tool as npm links it. What it runs is in dist: a build that is older than the source is refused. */
export const tool = fileURLToPath(new URL('../../bin/payroll.js', import.meta.url))

/** The running Node, and those whose programs PAYROLL_TEST_NODES names, with commas between. */
export const nodes = [process.execPath, ...(process.env.PAYROLL_TEST_NODES?.split(',') ?? [])]

const root = fileURLToPath(new URL('../..', import.meta.url))
requireFreshBuild()

function requireFreshBuild(): void {
  const written = lastChange(join(root, 'dist'), '.cjs')
  const source = Math.max(lastChange(join(root, 'src'), '.ts'), statSync(join(root, 'package.json')).mtimeMs)
  if (written < source) throw new Error('dist is older than src, or is not there: npm run build')
}

/** When a file with this ending was changed last, in milliseconds; 0 where there is none. */
function lastChange(folder: string, ending: string): number {
  if (!existsSync(folder)) return 0
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith(ending))
  return Math.max(0, ...files.map((name) => statSync(join(folder, name)).mtimeMs))
}

/** The tool in a folder of its own, with none of its packages: as it is where optional packages were left out. Gives its script. */
export function toolAlone(folder = freshHome()): string {
  for (const name of ['package.json', 'bin', 'dist'])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    })
  return join(folder, 'bin/payroll.js')
}

/** What the process left behind. `code` is null where a signal ended it. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Start {
  readonly home?: string
  /** Nothing else is in the environment but PATH, HOME, and that a read is not tried again: nobody would wait but the test. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** Leaves standard input open: somebody may type yet. */
  readonly open?: boolean
  readonly cwd?: string
  /** Of Node itself. */
  readonly flags?: readonly string[]
}

/** Starts the tool in a process of its own. Its standard input is closed after what is given. */
export function start(argv: readonly string[], options: Start = {}) {
  return launch(process.execPath, [...(options.flags ?? []), tool, ...argv], options)
}

/** Starts a line of shell in which `$PAYROLL` is the tool: `"$PAYROLL" candidates list | head -1`. */
export function shell(line: string, options: Start = {}) {
  const env = { PAYROLL: tool, ...options.env }
  return launch('/bin/sh', ['-c', line], { ...options, env })
}

/** Runs the tool to its end. */
export function run(argv: readonly string[], options: Start = {}): Promise<Ended> {
  return start(argv, options).ended
}

/** Written when the process ends. Where Linux tells the memory of this program alone: maxRSS counts what started it too. */
const meter = `process.on('exit', () => {
  const { existsSync, readFileSync, writeFileSync } = require('node:fs')
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const [, kibibytes = maxRSS] = /^VmHWM:\\s+(\\d+) kB$/m.exec(status) ?? []
  const taken = { mebibytes: kibibytes / 1024, seconds: (userCPUTime + systemCPUTime) / 1e6 }
  writeFileSync(process.env.TAKEN, JSON.stringify(taken))
})`

/** Runs the tool to its end, and says what it took: memory in MiB at most, and seconds of a processor. */
export async function measure(argv: readonly string[], options: Start = {}) {
  const folder = freshHome()
  const [script, TAKEN] = [join(folder, 'meter.cjs'), join(folder, 'taken.json')]
  writeFileSync(script, meter)
  const ended = await run(argv, { ...options, env: { ...options.env, TAKEN }, flags: ['--require', script] })
  const taken: { mebibytes: number; seconds: number } = JSON.parse(readFileSync(TAKEN, 'utf8'))
  return { ...ended, ...taken }
}

export function launch(command: string, argv: readonly string[], options: Start) {
  const { home = freshHome(), env = {}, input = '', open = false, cwd } = options
  const PATH = `${process.execPath.replace(/\/[^/]+$/, '')}:${process.env.PATH}`
  const child = spawn(command, argv, {
    env: { PATH, HOME: home, PAYROLL_RETRY_FOR: '0', ...env },
    ...(cwd && { cwd }),
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  // A tool that ends before it has read its input closes the pipe.
  child.stdin.on('error', () => {})
  if (open) child.stdin.write(input)
  else child.stdin.end(input)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, out, err }))
  })
  /** Waits until standard output is what is waited for. */
  const printed = async <T>(read: (text: string) => T | undefined): Promise<T> => {
    const deadline = Date.now() + 40_000
    for (;;) {
      const value = read(out)
      if (value !== undefined) return value
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`never printed; instead: ${out}${err}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  /** Waits until the tool has its own say about SIGHUP, which Node leaves alone. */
  const catchesSignals = async () => {
    const status = `/proc/${child.pid}/status`
    // Where nobody tells what is caught, time has to do.
    if (!existsSync('/proc/self/status')) await pause(3000)
    else while (!isCaught(1, readFileSync(status, 'utf8'))) await pause(10)
    await pause(50)
  }
  return { child, ended, printed, catchesSignals }
}

/** Whether a process catches a signal: its number is a bit, from the right, of a number in base 16. */
function isCaught(signal: number, status: string): boolean {
  const [, caught = '0'] = /^SigCgt:\s+([\da-f]+)$/m.exec(status) ?? []
  return (BigInt(`0x${caught}`) >> BigInt(signal - 1)) % 2n === 1n
}
