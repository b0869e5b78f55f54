// Runs programs by turns and measures each: time, and memory at its peak. Linux only: the peak is read in /proc.
import { fork, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const tool = fileURLToPath(new URL('../../bin/payroll.js', import.meta.url))
export const beside = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** A folder for one bench; gone at the end. NODE_EXTRA_CA_CERTS slows down every start, ours and theirs. */
export function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'payroll-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return { folder, env: { ...env, PAYROLL_CONFIG_DIR: join(folder, 'settings') } }
}

/** The service of bench/service.js, in a process of its own. */
export async function serve(...words) {
  const child = fork(beside('service.js'), words.map(String))
  const baseUrl = await new Promise((resolve) => child.once('message', resolve))
  return { baseUrl, close: () => child.kill() }
}

/** Words before those of a run whose processor time is wanted. Without them: loading a file makes bare Node slower. */
export const saysProcessorTime = ['--require', beside('kit/say-processor-time.cjs')]

/** One run of Node with these words; what it prints goes into a file, as it would in a script. */
export function run(argv, env, folder, fine = [0]) {
  const output = openSync(join(folder, 'output'), 'w')
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', output, 'pipe', 'pipe'] })
    closeSync(output)
    let [peakKb, cpuMs, said] = [0, 0, '']
    const look = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    }, 20)
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.stdio[3].on('data', (chunk) => {
      cpuMs = Number(chunk)
    })
    child.on('exit', () => clearInterval(look))
    child.on('close', (code) => {
      const ms = performance.now() - started
      if (fine.includes(code)) resolve({ ms, cpuMs, mb: peakKb / 1024 })
      else reject(new Error(`${argv.join(' ')} ended with ${code}: ${said}`))
    })
  })
}

/** Each of the programs so many times, by turns: the medians of their times, and the highest peak. */
export async function byTurns(turns, programs) {
  const results = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, once] of Object.entries(programs)) results[name].push(await once())
  }
  return Object.fromEntries(
    Object.entries(results).map(([name, all]) => [
      name,
      {
        ms: median(all.map(({ ms }) => ms)),
        cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
        mb: Math.max(...all.map(({ mb }) => mb)),
      },
    ]),
  )
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
