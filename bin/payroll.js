#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const { main } = await import('../dist/main.js')
  process.exitCode = await main(
    {
      argv,
      env: process.env,
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      now: () => Date.now(),
      clock: () => performance.now(),
      raise: (signal) => process.kill(process.pid, signal),
    },
    version,
  )
}
