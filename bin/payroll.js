#!/usr/bin/env node
// CommonJS, as package.json beside this file says: loading the first ES module alone costs 3 ms.
const { version } = require('../package.json')

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const { main } = require('../dist/main.cjs')
  let strayed = false
  const host = {
    argv,
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    clock: () => performance.now(),
    raise: (signal) => process.kill(process.pid, signal),
    onStray: (tell) =>
      process.on('uncaughtException', (error) => {
        strayed = true
        tell(error)
      }),
  }
  main(host, version).then((exitCode) => {
    process.exitCode = exitCode
    // Nobody knows what state the run is in: it must not go on to send or to store anything.
    if (strayed) process.exit()
  })
}
