import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { parse } from 'shell-quote'
import { freshHome, payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { launch, tool } from './built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** One thing that the README tells its reader to type, and what it prints where the README shows that. */
export interface Typed {
  readonly line: string
  readonly prints?: string
}

/** What a page tells its reader to type, in its order: blocks of shell, transcripts, and the table of commands. */
export function typedIn(page: string): readonly Typed[] {
  const places = page.matchAll(/^ *```(sh|console)\n([\s\S]*?)^ *```$|^\| [^|]+ \| `(payroll .+)` \|$/gm)
  return [...places].flatMap(([, kind, block = '', command]): Typed[] => {
    if (command !== undefined) return [{ line: command }]
    if (kind === 'sh') {
      const lines = block.trimEnd().split('\n')
      return lines.map((line) => ({ line: line.replace(/\s+#.*$/, '').trim() }))
    }
    return transcript(block, '$ ')
  })
}

export const typed = typedIn(readme)

/** What is typed behind a prompt, and what it prints. */
function transcript(block: string, prompt: string): Typed[] {
  return `\n${block}`
    .split(`\n${prompt}`)
    .slice(1)
    .map((part): Typed => {
      const [line = '', ...prints] = part.trimEnd().split('\n')
      return { line, prints: prints.join('\n') }
    })
}

/** The first start that docs/systems.md shows behind a prompt. */
export const firstStart = (prompt: string): Typed[] => shownIn('docs/systems.md', prompt)

/** What a page shows behind a prompt. */
export function shownIn(path: string, prompt: string): Typed[] {
  const page = readFileSync(join(root, path), 'utf8')
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  return blocks.flatMap(([, block = '']) => transcript(block, prompt))
}

/** The computer of somebody who reads the README: an empty home, `payroll` on the PATH, the examples, a service. */
export async function newReader() {
  const home = freshHome()
  const bin = join(home, 'bin')
  mkdirSync(bin)
  symlinkSync(tool, join(bin, 'payroll'))
  cpSync(join(root, 'examples'), join(home, 'examples'), { recursive: true })
  const { env: service } = await startSandbox({ seeded: true })
  const exported: Record<string, string> = {}
  const withService = (line: string) =>
    line.replace('https://payroll.example.com', String(service.PAYROLL_BASE_URL))
  const PATH = `${bin}:${process.execPath.replace(/\/[^/]+$/, '')}:${process.env.PATH}`
  const inPty = (line: string) => {
    const env = { ...exported, PATH, HOME: home, TERM: 'xterm-256color' }
    return spawn('bash', ['-c', line], { cols: 80, rows: 60, cwd: home, env })
  }
  /** What asks for the key of the service is given it. */
  const inputOf = (line: string) => (line.includes('auth login') ? `${service.PAYROLL_API_KEY}\n` : '')
  /** A line in a shell. */
  const shell = (line: string) => {
    const options = { home, cwd: home, env: { ...exported, PATH }, input: inputOf(line) }
    return launch('bash', ['-o', 'pipefail', '-c', withService(line)], options)
  }
  return {
    home,
    key: String(service.PAYROLL_API_KEY),
    /** What `export` in a block of shell does. */
    exports(line: string): boolean {
      const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? []
      if (name === undefined || value === undefined) return false
      exported[name] = value
      return true
    },
    shell,
    /** A line of nothing but payroll and its words runs in the process of the test; all others need a shell. */
    async types(line: string) {
      const [program, ...argv] = parse(withService(line))
      const isPlain = argv.every((word) => typeof word === 'string') && !line.includes('$(')
      if (program !== 'payroll' || !isPlain) return shell(line).ended
      const before = process.cwd()
      process.chdir(home)
      const env = { PAYROLL_RETRY_FOR: '0', ...exported }
      const run = await payroll(argv, { home: join(home, '.config/payroll'), env, input: inputOf(line) })
      process.chdir(before)
      return run
    },
    /** Waits until a form on a terminal asks this, and stops it. */
    async asks(line: string, question: string): Promise<void> {
      const pty = inPty(`exec ${line}`)
      let shown = ''
      const asked = new Promise<boolean>((resolve) => {
        pty.onData((text) => {
          shown += text
          if (shown.includes(question)) resolve(true)
        })
        pty.onExit(() => resolve(false))
      })
      const isAsked = await asked
      pty.kill('SIGKILL')
      if (!isAsked) throw new Error(`never asked: ${question}\n${shown}`)
    },
    /** What a terminal of 80 columns shows in the end. */
    async terminal(line: string): Promise<string> {
      const screen = new headless.Terminal({ cols: 80, rows: 60, allowProposedApi: true })
      const pty = inPty(line)
      let drawn = Promise.resolve()
      pty.onData((text) => {
        drawn = drawn.then(() => new Promise((done) => screen.write(text, done)))
      })
      await new Promise((resolve) => pty.onExit(resolve))
      await drawn
      const { active } = screen.buffer
      const rows = Array.from(
        { length: active.length },
        (_, at) => active.getLine(at)?.translateToString(true) ?? '',
      )
      return rows.join('\n').trimEnd()
    },
  }
}

/** What was printed, without the lines that a page leaves out by a line with nothing but "…" where it shows them. */
export function asShown(printed: string, page: string): string {
  const [before = '', after] = page.split(/(?<=\n) *…\n/)
  const isWhole = after === undefined || !printed.startsWith(before) || !printed.endsWith(after)
  return isWhole ? printed : page
}

/** The ids of a run are its own. */
export const withoutIds = (text: string) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{8}\b/g, '<start>')
