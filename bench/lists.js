/**
 * A long list of payslips from the sandbox on loopback: how much memory the command holds at its peak, and how long
 * it takes beside a bare fetch loop that parses each page and writes each item. `node bench/lists.js`
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bin = new URL('../bin/payroll.js', import.meta.url).pathname
const home = mkdtempSync(join(tmpdir(), 'payroll-bench-'))
const env = { ...process.env, PAYROLL_CONFIG_DIR: home }

const fetchLoop = `
  const base = process.argv[1]
  let page = 0, got = 0, total = 1
  while (got < total) {
    const answer = await fetch(base + '/svc/v2/payslips?size=100&page=' + ++page, { headers: { authorization: 'sandbox-key' } })
    const { data, items, totalDocs, meta } = await answer.json()
    total = totalDocs ?? meta.totalDocs
    for (const item of data ?? items) process.stdout.write(JSON.stringify(item) + '\\n')
    got += (data ?? items).length
  }`

try {
  for (const count of [10_000, 100_000]) {
    await run([bin, 'sandbox', 'reset', '--yes', '-q'])
    await run([bin, 'sandbox', 'seed', '--payslips', String(count), '-q'])
    const server = await served()
    try {
      const own = { PAYROLL_BASE_URL: server.baseUrl, PAYROLL_API_KEY: 'sandbox-key' }
      for (const format of ['ndjson', 'csv', 'json']) {
        report(count, format, await run([bin, 'payslips', 'list', '-o', format, '-q'], own))
      }
      report(count, 'fetch loop', await run(['--input-type=module', '-e', fetchLoop, server.baseUrl]))
    } finally {
      server.child.kill()
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

function report(count, what, { lines, peakKb, ms }) {
  const peak = `${(peakKb / 1024).toFixed(0)} MB`
  console.log(
    `${String(count).padStart(7)} ${what.padEnd(10)} ${peak.padStart(7)} ${(ms / 1000).toFixed(2)} s, ${lines} lines`,
  )
}

async function served() {
  const child = spawn(process.execPath, [bin, 'sandbox', 'serve', '--port', '0', '--json'], { env })
  for await (const chunk of child.stdout) {
    const baseUrl = /http:[^"]+/.exec(String(chunk))?.[0]
    if (baseUrl) return { child, baseUrl }
  }
  throw new Error('the sandbox did not start')
}

/** Runs Node with these words. The peak is what Linux tells of the process, looked at until it ends. */
function run(argv, more = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, argv, { env: { ...env, ...more } })
    let lines = 0
    let peakKb = 0
    let said = ''
    const look = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, { encoding: 'utf8', flag: 'r' })
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    }, 10)
    child.stdout.on('data', (chunk) => {
      for (const byte of chunk) if (byte === 10) lines += 1
    })
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.on('exit', () => clearInterval(look))
    child.on('close', (code) => {
      if (code === 0) resolve({ lines, peakKb, ms: performance.now() - started })
      else reject(new Error(`${argv.join(' ')} exited ${code}: ${said}`))
    })
  })
}
