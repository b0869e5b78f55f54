// How long the short commands take, as ratios to starting bare Node, beside the same written by hand: medians of
// interleaved runs, in wall time and in time of the processor. The second holds on a busy machine too.
//   npm run build && node bench/startup.js [--json] [--runs 41] [--gate]
//   NODES=24,/path/to/node22 node bench/startup.js     other versions too: a path, or a number that npx brings
// Without NODE_EXTRA_CA_CERTS: it makes bare Node slower and every ratio look better. With --gate, exit 1 when a goal is
// not met. Each command runs once before: its first start keeps what was compiled. `(nothing kept)` is that first start.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstJson } from './kit/people.js'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    runs: { type: 'string', default: process.env.RUNS ?? '41' },
    gate: { type: 'boolean', default: false },
  },
})
/** What a list may take at most. */
const goal = 2.2
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const tool = pathOf('../bin/payroll.js')
const home = mkdtempSync(join(tmpdir(), 'payroll-bench-'))
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...inherited } = process.env
const env = { ...inherited, PAYROLL_CONFIG_DIR: home }

const sandbox = spawn(process.execPath, [tool, 'sandbox', 'serve', '--port', '0', '--json'], { env })
try {
  const { baseUrl, key } = await firstJson(sandbox.stdout)
  spawnSync(process.execPath, [tool, 'sandbox', 'seed'], { env })
  const login = [tool, 'auth', 'login', '--profile', 'development', '--base-url', baseUrl]
  spawnSync(process.execPath, login, { env, input: key })
  const measured = []
  for (const node of [process.execPath, ...named(process.env.NODES)]) {
    measured.push(await measure(node, commandsAt(baseUrl, key)))
  }
  if (options.json) console.log(JSON.stringify(measured))
  const isMet = measured.every(({ rows }) => rows.every(({ met }) => met !== false))
  if (options.gate && !isMet) process.exitCode = 1
} finally {
  sandbox.kill()
  rmSync(home, { recursive: true, force: true })
}

function commandsAt(baseUrl, key) {
  const byEnvironment = { ...env, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key }
  const uncompiled = { ...byEnvironment, NODE_DISABLE_COMPILE_CACHE: '1' }
  const list = (noun, path) => [
    {
      name: `  by hand over node:http: ${path}`,
      argv: [pathOf('by-hand-http.cjs'), path],
      env: byEnvironment,
    },
    { name: `  by hand over fetch: ${path}`, argv: [pathOf('by-hand-fetch.mjs'), path], env: byEnvironment },
    { name: `${noun} list --json`, argv: [tool, noun, 'list', '--json'], env: byEnvironment, goal },
    { name: `${noun} list --json (nothing kept)`, argv: [tool, noun, 'list', '--json'], env: uncompiled },
  ]
  return [
    { name: 'node -e 0', argv: ['-e', '0'], env },
    { name: '--version', argv: [tool, '--version'], env, goal: 1.2 },
    { name: '--help', argv: [tool, '--help'], env, goal: 1.6 },
    ...list('vat-codes', '/svc/vat-code'),
    ...list('candidates', '/svc/candidates'),
    {
      name: 'candidates list --json (stored profile)',
      argv: [tool, 'candidates', 'list', '--json'],
      env,
      goal,
    },
  ]
}

async function measure(node, commands) {
  for (const command of commands) await start(node, command)
  const samples = commands.map(() => [])
  for (let run = 0; run < Number(options.runs); run++) {
    for (const [at, command] of commands.entries()) samples[at].push(await start(node, command))
  }
  const medianOf = (at, what) => median(samples[at].map((sample) => sample[what]))
  const rows = commands.map(({ name, goal }, at) => {
    const [wall, cpu] = [medianOf(at, 'wall') / medianOf(0, 'wall'), medianOf(at, 'cpu') / medianOf(0, 'cpu')]
    const verdict = goal === undefined ? {} : { goal, met: wall <= goal, metByProcessor: cpu <= goal }
    return { name, ms: medianOf(at, 'wall'), wall, cpu, ...verdict }
  })
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  if (!options.json) print(version, rows)
  return { node: version, runs: Number(options.runs), rows }
}

function print(version, rows) {
  console.log(`Node ${version}, ${options.runs} interleaved runs, medians; ratios to bare Node`)
  for (const { name, ms, wall, cpu, goal, met, metByProcessor } of rows) {
    const verdict =
      goal === undefined
        ? ''
        : `  goal ${goal}: ${met ? 'met' : 'not met'}${met || !metByProcessor ? '' : ', met by processor time'}`
    const figures = `${ms.toFixed(1).padStart(7)} ms ${wall.toFixed(2)} x, processor ${cpu.toFixed(2)} x`
    console.log(`${name.padEnd(42)} ${figures}${verdict}`)
  }
}

/** How long a command takes, and, in a second run, what it takes of the processor in user and system. */
async function start(node, { name, argv, env }) {
  const from = performance.now()
  await ended(name, spawn(node, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const wall = performance.now() - from
  // The line of `times` that says what the children of bash took.
  const line = ['-c', '"$@" >/dev/null 2>&1 || exit $?; times', 'bash', node, ...argv]
  const said = await ended(name, spawn('bash', line, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const times = said
    .trim()
    .split('\n')
    .at(-1)
    .matchAll(/(\d+)m([\d.]+)s/g)
  const cpu = [...times].reduce((sum, [, m, seconds]) => sum + Number(m) * 60_000 + Number(seconds) * 1000, 0)
  return { wall, cpu }
}

function ended(name, child) {
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => (said.out += text))
  child.stderr.on('data', (text) => (said.err += text))
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(said.out)
      else reject(new Error(`${name} ended with ${code}: ${said.err}`))
    })
  })
}

/** The programs of other versions: NODES=24,/path/to/node22. */
function named(nodes) {
  return (nodes ?? '')
    .split(/[,\s]+/)
    .filter(Boolean)
    .map((each) => {
      if (!/^\d+$/.test(each)) return each
      const asked = ['-y', '-p', `node@${each}`, 'node', '-p', 'process.execPath']
      return spawnSync('npx', asked, { encoding: 'utf8' }).stdout.trim().split('\n').at(-1)
    })
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
