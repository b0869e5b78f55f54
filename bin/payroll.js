#!/usr/bin/env node
// CommonJS, as package.json beside this file says: loading the first ES module alone costs 3 ms.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { version, engines } = require('../package.json')

const argv = process.argv.slice(2)
const built = join(__dirname, '../dist/main.cjs')
const sources = join(__dirname, '../src')
const needed = engines.node.replace('>=', '')

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') return
    process.exitCode = 7
    process.stderr.on('error', () => {}).write(`Error: The system refused to write the version (${code}).\n`)
  })
  process.stdout.write(`${[version, commit()].filter(Boolean).join('+')}\n`)
} else if (isTooOld()) {
  refuse(`payroll needs Node ${needed} or newer; this is ${process.versions.node}. Nothing was done.`)
} else if (existsSync(built)) {
  keepCompiled()
  require('./start.js').start(require(built), { version, build, commit })
} else if (process.features.typescript && existsSync(sources)) {
  // A clone that was not built: Node 22.18 and newer run the sources as they are.
  import('../src/main.ts').then((main) => require('./start.js').start(main, { version, build, commit }))
} else {
  refuse('The tool is not built yet. In its folder: npm run build')
}

function isTooOld() {
  const [[major, minor], [leastMajor, leastMinor]] = [process.versions.node, needed].map((text) =>
    text.split('.').map(Number),
  )
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** The commit that was built. A clone that was not built has none to tell. */
function commit() {
  try {
    return require('../dist/build.json').commit
  } catch {
    return ''
  }
}

/** A package of npm has no sources. */
function build() {
  return existsSync(sources) ? 'clone' : 'npm package'
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
