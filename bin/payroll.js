#!/usr/bin/env node
// CommonJS, as package.json beside this file says: loading the first ES module alone costs 3 ms.
const { version } = require('../package.json')

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const { main } = require('../dist/main.cjs')
  const host = {
    argv,
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    clock: () => performance.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    raise: (signal) => process.kill(process.pid, signal),
    node: process.versions.node,
    onStray: (tell) => process.on('uncaughtException', tell),
  }
  main(host, version).then((exitCode) => {
    process.exitCode = exitCode
  })
}
