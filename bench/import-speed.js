// How long an import of many people takes, and the memory it holds at its peak, beside what a shell would do:
// xargs -P8 curl, a request for each. Each into an empty sandbox of its own on loopback.
//   node bench/import-speed.js [rows]        the built tool must be there: npm run build
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const tool = fileURLToPath(new URL('../bin/payroll.js', import.meta.url))
const rows = Number(process.argv[2] ?? 10_000)
const folder = mkdtempSync(join(tmpdir(), 'payroll-speed-'))

try {
  const few = await imported(Math.round(rows / 10))
  const many = await imported(rows)
  const shell = await byCurl(rows)
  tell(`import of ${Math.round(rows / 10)}`, few)
  tell(`import of ${rows}`, many)
  tell(`xargs -P8 curl, ${rows}`, shell)
  console.log(`the import is ${(shell.ms / many.ms).toFixed(1)} x as fast`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function person(number) {
  return {
    generalSetting: {
      agencyRef: `SPEED-${number}`,
      forename: 'Ann',
      surname: `Sample${number}`,
      city: 'Leeds',
      email: `ann${number}@example.com`,
    },
    bankSetting: { sortCode: '010203', accountNumber: '12345678' },
  }
}

async function imported(count) {
  const file = join(folder, `people-${count}.ndjson`)
  const lines = Array.from({ length: count }, (_, at) => `${JSON.stringify(person(at + 1))}\n`)
  writeFileSync(file, lines.join(''))
  return served((env) =>
    run(process.execPath, [tool, 'candidates', 'import', file, '-q', '--concurrency', '8'], env),
  )
}

async function byCurl(count) {
  const bodies = join(folder, 'bodies')
  mkdirSync(bodies)
  for (let at = 1; at <= count; at++) writeFileSync(join(bodies, `${at}`), JSON.stringify(person(at)))
  return served((env) => {
    const header = `-H 'authorization: ${env.PAYROLL_API_KEY}' -H 'content-type: application/json'`
    const curl = `curl -s -o /dev/null ${header} --data-binary @{} ${env.PAYROLL_BASE_URL}/svc/candidates`
    return run('sh', ['-c', `ls ${bodies}/* | xargs -P8 -I{} ${curl}`], env)
  })
}

/** Does the work against a sandbox that holds nothing. */
async function served(work) {
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { ...process.env, PAYROLL_CONFIG_DIR: home }
  const server = spawn(process.execPath, [tool, 'sandbox', 'serve', '--port', '0', '--json'], { env })
  const baseUrl = await new Promise((resolve) => {
    server.stdout.on('data', (chunk) => {
      const [found] = /http:[^"]+/.exec(String(chunk)) ?? []
      if (found) resolve(found)
    })
  })
  try {
    return await work({ ...env, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'sandbox-key' })
  } finally {
    server.kill()
  }
}

function run(command, argv, env) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let peakKb = 0
    let said = ''
    const look = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    }, 20)
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.on('exit', () => clearInterval(look))
    child.on('close', (code) => {
      if (code === 0) resolve({ ms: performance.now() - started, peakKb })
      else reject(new Error(`${command} ended with ${code}: ${said}`))
    })
  })
}

function tell(what, { ms, peakKb }) {
  console.log(`${what.padEnd(26)} ${(ms / 1000).toFixed(2).padStart(7)} s, ${Math.round(peakKb / 1024)} MB`)
}
