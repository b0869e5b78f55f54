import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { main } from '../../src/main.ts'

/** The command as a process of its own. Its last line on standard error is the most memory it held, in KiB. */
process.exitCode = await main(
  {
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    monotonicNow: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onSignal: () => () => {},
    raiseSignal: (signal) => process.kill(process.pid, signal),
  },
  '0.0.0-test',
)
process.stderr.write(`\n${mostMemory()}`)

/** In KiB. Where Linux tells it, of this program alone: maxRSS counts what started it too. */
function mostMemory(): number {
  const { maxRSS } = process.resourceUsage()
  if (!existsSync('/proc/self/status')) return maxRSS
  const told = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return told ? Number(told[1]) : maxRSS
}
