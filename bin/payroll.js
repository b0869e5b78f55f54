#!/usr/bin/env node
// CommonJS, as package.json beside this file says: loading the first ES module alone costs 3 ms.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { version, engines } = require('../package.json')

const argv = process.argv.slice(2)
const built = join(__dirname, '../dist/main.cjs')
const needed = engines.node.replace('>=', '')
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') return
    process.exitCode = 7
    process.stderr.on('error', () => {}).write(`Error: The system refused to write the version (${code}).\n`)
  })
  process.stdout.write(`${version}\n`)
} else if (isTooOld()) {
  refuse(`payroll needs Node ${needed} or newer; this is ${process.versions.node}. Nothing was done.`)
} else if (existsSync(built)) {
  keepCompiled()
  start(require(built))
} else if (process.features.typescript && existsSync(join(__dirname, '../src'))) {
  // A clone that was not built: Node 22.18 and newer run the sources as they are.
  import('../src/main.ts').then(start)
} else {
  refuse('The tool is not built yet. In its folder: npm run build')
}

function isTooOld() {
  const [[major, minor], [leastMajor, leastMinor]] = [process.versions.node, needed].map((text) =>
    text.split('.').map(Number),
  )
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

function refuse(why) {
  process.exitCode = 2
  process.stderr.on('error', () => {}).write(`Error: ${why}\n`)
}

/** Lets Node keep what it compiled for the next start. Node 20 cannot, and would load much to say so. */
function keepCompiled() {
  if (Number.parseInt(process.versions.node, 10) < 22) return
  const directory = require('../dist/compile-cache.cjs').compileCacheDirectory(process.env)
  if (directory !== undefined) require('node:module').enableCompileCache?.(directory)
}

function start({ main }) {
  let strayed = false
  const host = {
    argv,
    env: process.env,
    // Opened when it is read: most commands do not read it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    // performance.now() would load all of perf_hooks.
    monotonicNow: () => Number(process.hrtime.bigint()) / 1e6,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        // A timer that nobody waits for would keep the process, and a listener the memory.
        const wake = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        signal?.addEventListener('abort', wake)
      }),
    onSignal: (heard) => {
      for (const signal of signals) process.on(signal, heard)
      return () => {
        for (const signal of signals) process.off(signal, heard)
      }
    },
    raiseSignal: (signal) => process.kill(process.pid, signal),
    node: process.versions.node,
    onUncaughtError: (tell) =>
      process.on('uncaughtException', (error) => {
        strayed = true
        tell(error)
      }),
  }
  main(host, version).then((exitCode) => {
    process.exitCode = exitCode
    // The one case: the state of the run is unknown, and it must not go on to send or to store anything.
    if (strayed) process.exit()
  })
}
