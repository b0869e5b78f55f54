// How long the short commands take, as ratios to starting bare Node: medians of interleaved runs.
//   npm run bench            the built tool must be there: npm run build
//   NODES=/path/to/node24,/path/to/node22 npm run bench      the same with other versions of Node
// Without NODE_EXTRA_CA_CERTS: it makes bare Node slower and every ratio look better.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const runs = Number(process.env.RUNS ?? 41)
const tool = new URL('../bin/payroll.js', import.meta.url).pathname
const home = mkdtempSync(join(tmpdir(), 'payroll-bench-'))
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
const env = { ...inherited, PAYROLL_CONFIG_DIR: home }

const sandbox = spawn(process.execPath, [tool, 'sandbox', 'serve', '--port', '0', '--json'], { env })
const { baseUrl, key } = await firstJson(sandbox.stdout)
spawnSync(process.execPath, [tool, 'sandbox', 'seed'], { env })
spawnSync(process.execPath, [tool, 'auth', 'login', '--profile', 'development', '--base-url', baseUrl], {
  env,
  input: key,
})
const byEnvironment = { ...env, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key }

const commands = [
  { name: 'node -e 0', argv: ['-e', '0'], env },
  { name: 'payroll --version', argv: [tool, '--version'], env, goal: 1.2 },
  { name: 'payroll --help', argv: [tool, '--help'], env, goal: 1.6 },
  {
    name: 'payroll vat-codes list --json (environment)',
    argv: [tool, 'vat-codes', 'list', '--json'],
    env: byEnvironment,
    goal: 2.3,
  },
  {
    name: 'payroll candidates list --json (environment)',
    argv: [tool, 'candidates', 'list', '--json'],
    env: byEnvironment,
    goal: 2.4,
  },
  {
    name: 'payroll candidates list --json (stored profile)',
    argv: [tool, 'candidates', 'list', '--json'],
    env,
    goal: 2.4,
  },
]

for (const node of [process.execPath, ...(process.env.NODES?.split(',') ?? [])]) measure(node)
sandbox.kill()
rmSync(home, { recursive: true, force: true })

function measure(node) {
  const times = commands.map(() => [])
  for (let run = 0; run < runs; run++) {
    for (const [at, command] of commands.entries()) times[at].push(time(node, command))
  }
  const bare = median(times[0])
  console.log(
    `Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}, ${runs} interleaved runs, medians`,
  )
  commands.forEach(({ name, goal }, at) => {
    const [ms, ratio] = [median(times[at]), median(times[at]) / bare]
    const verdict = goal === undefined ? '' : `  goal ${goal}, ${ratio <= goal ? 'met' : 'not met'}`
    console.log(`${name.padEnd(50)} ${ms.toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)} x${verdict}`)
  })
}

function time(node, command) {
  const start = performance.now()
  const { status, stderr } = spawnSync(node, command.argv, { env: command.env })
  if (status !== 0) throw new Error(`${command.name} ended with ${status}: ${stderr}`)
  return performance.now() - start
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

async function firstJson(stream) {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    try {
      return JSON.parse(text)
    } catch {
      // Not whole yet.
    }
  }
  throw new Error('The sandbox did not start.')
}
