#!/usr/bin/env node
// CommonJS, as package.json beside this file says: loading the first ES module alone costs 3 ms.
const { existsSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { version, engines } = require('../package.json')

const argv = process.argv.slice(2)
const built = join(__dirname, '../dist/main.cjs')
const about = join(__dirname, '../dist/build.json')
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
  require('./start.js').start(loadBuilt(), { version, build, commit })
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
    return require(about).commit
  } catch {
    return ''
  }
}

/** Which package this is. One of npm has no sources. */
function build() {
  return existsSync(sources) ? 'clone' : 'npm package'
}

function refuse(why) {
  process.exitCode = 2
  process.stderr.on('error', () => {}).write(`Error: ${why}\n`)
}

/** Loads the tool, with compiled code that earlier runs kept. */
function loadBuilt() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return require(built)
  const { compileCacheDirectory, loadKept } = require('../dist/compile-cache.cjs')
  const directory = compileCacheDirectory(process.env)
  if (directory === undefined) return require(built)
  const dist = dirname(built)
  return loadKept('main.cjs', { dist, build: require(about).id, directory, fromNode: require })
}
