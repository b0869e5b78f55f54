// Imports a file into a sandbox that fails on purpose, kills the import at random with SIGKILL, starts it again,
// and compares what the service then has with the file: no one lost, no one there twice. `reported` are rows that the
// import says it cannot settle: a person has to. `stopped` are runs that ended because the list does not show what was
// created, `waiting` their rows that were not sent. `false` counts sentences that say fewer requests than there were.
//   node bench/import-harness.js --runs 25 --rows 200 --kills 5      the built tool must be there: npm run build
//   node bench/import-harness.js --naive                             a client that retries: must show duplicates
//   node bench/import-harness.js --list lagging --runs 20 --rows 100  before a list of a shape: see bench/list-shapes.js
// Options: --settle <seconds> --concurrency <n> --fault <fault> (repeatable)
// --list <shape> --seed <n> --verbose. Exit 1 when a person was lost or is there twice, or a sentence was false.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { randomFrom, startProgram } from './kit/killed-runs.js'
import { countByRef, firstJson, person, writePeople } from './kit/people.js'
import { openDoor, shapes } from './list-shapes.js'

const self = fileURLToPath(import.meta.url)
const tool = fileURLToPath(new URL('../bin/payroll.js', import.meta.url))

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    rows: { type: 'string', default: '200' },
    kills: { type: 'string', default: '5' },
    settle: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '4' },
    fault: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    naive: { type: 'boolean', default: false },
    list: { type: 'string', default: 'whole' },
    client: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

const faults = options.fault ?? [
  'reset-after-commit=every:19@writes',
  'reset-before-commit=every:47@writes',
  'status=500-after-commit=every:97@writes',
  'status=503-after-commit=every:101@writes',
  'status=429=every:53@writes',
]

const none = { unfinished: 0, stopped: 0, waiting: 0 }

if (options.client) await naiveClient(options.client)
else await harness()

async function harness() {
  const [runs, rows, kills] = [options.runs, options.rows, options.kills].map(Number)
  const random = randomFrom(Number(options.seed))
  const counts = ['rows', 'kills', 'starts', 'duplicates', 'lost', 'reported', 'lies', 'false', 'unfinished']
  const sum = Object.fromEntries([...counts, 'stopped', 'waiting'].map((name) => [name, 0]))
  console.log(`${runs} runs of ${rows} rows, ${kills} kills each, seed ${options.seed}`)
  for (let run = 1; run <= runs; run++) {
    const seen = await oneRun(run, rows, kills, random)
    for (const name of Object.keys(sum)) sum[name] += seen[name]
    if (options.verbose) console.log(run, JSON.stringify(seen))
  }
  console.log(JSON.stringify(sum))
  if (sum.duplicates + sum.lost + sum.lies + sum.false + sum.unfinished > 0) process.exitCode = 1
}

async function oneRun(run, rows, kills, random) {
  const home = mkdtempSync(join(tmpdir(), 'payroll-harness-'))
  const env = { PATH: process.env.PATH, HOME: home, PAYROLL_CONFIG_DIR: join(home, 'settings') }
  const served = ['sandbox', 'serve', '--port', '0', '--json']
  const chosen = faults.flatMap((fault) => ['--fault', fault])
  const ofService = { ...env, PAYROLL_CONFIG_DIR: join(home, 'service') }
  const sandbox = spawn(process.execPath, [tool, ...served, ...chosen], { env: ofService })
  const shape = shapes[options.list]
  let door
  try {
    const { baseUrl, key } = await firstJson(sandbox.stdout)
    door = await openDoor(baseUrl, key, shape)
    const at = { ...env, PAYROLL_BASE_URL: door.baseUrl, PAYROLL_API_KEY: key }
    const keyOf = shape.key ?? ((run, number) => `H${run}-${number}`)
    const keys = Array.from({ length: rows }, (_, at) => keyOf(run, at + 1))
    if (options.list !== 'whole') await settleIn(baseUrl, key)
    const file = join(home, 'starters.ndjson')
    writePeople(file, keys)
    const ended = await importKilled({ file, home, env: at, kills, rows, random })
    const { said, ...counted } = ended
    const compared = await compare(keys, baseUrl, key, home)
    // What a run that stopped has not sent is not lost: it says so.
    if (counted.stopped > 0) {
      counted.waiting = keys.filter((each) => !door.posts.has(each)).length
      compared.lost -= counted.waiting
    }
    return { rows, ...counted, ...compared, false: falseOf(said, door.posts) }
  } finally {
    door?.close()
    sandbox.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

/** People who were there before. What fails on purpose may fail here: then once more. */
async function settleIn(baseUrl, key) {
  for (const ref of ['OLD-1', 'OLD-2', 'OLD-3']) {
    for (let isThere = false; !isThere; ) {
      const [headers, body] = [
        { authorization: key, 'content-type': 'application/json' },
        JSON.stringify(person(ref)),
      ]
      await fetch(`${baseUrl}/svc/candidates`, { method: 'POST', headers, body }).catch(() => {})
      const answer = await fetch(`${baseUrl}/svc/candidates?size=100`, { headers })
      isThere = (await answer.json()).data.some(({ agencyRef }) => agencyRef === ref)
    }
  }
}

/** How many sentences say that fewer requests were sent for a row than there were. */
function falseOf(errors, posts) {
  const times = { once: 1, twice: 2 }
  const told = errors.flatMap((line) => (/it was sent (once|twice)/.test(line.message) ? [line] : []))
  return told.filter(({ path, message }) => {
    const said = times[/it was sent (once|twice)/.exec(message)[1]]
    return said < (posts.get(path.replace(/^row \d+, /, '')) ?? 0)
  }).length
}

/** Starts the import until it has been killed so often and then ends with nothing left to do. */
async function importKilled({ file, home, env, kills, rows, random }) {
  const argv = options.naive
    ? [self, '--client', file]
    : [tool, 'candidates', 'import', file, '--json', '--quiet', '--yes', '--timeout', '10']
  const patience = options.naive ? [] : ['--settle', options.settle, '--concurrency', options.concurrency]
  let [killed, starts, hidden] = [0, 0, 0]
  let issues = []
  while (starts < kills + 20) {
    starts += 1
    const { said, ended, isOver, kill } = startProgram([...argv, ...patience], env)
    if (killed < kills) {
      await moment(home, rows / (kills + 1), random, isOver)
      if (!isOver()) {
        kill()
        killed += 1
      }
    }
    const code = await ended
    if (options.verbose && code !== null) console.log('  ended', code, said.err.split('\n')[0])
    if (code !== null) issues = issuesOf(said.err)
    hidden = said.err.includes('was created, but the list does not show it') ? hidden + 1 : 0
    if (hidden > 7) return { kills: killed, starts, unfinished: 0, stopped: 1, waiting: 0, said: issues }
    const isDone = code === 0 || (code === 8 && JSON.parse(said.out).pending === 0)
    if (isDone && killed >= kills) return { ...none, kills: killed, starts, said: issues }
    // Nobody is left to kill: the import is done, and looking at it again is a start as well.
    if (isDone) killed += 1
  }
  const how = hidden > 0 ? { stopped: 1 } : { unfinished: 1 }
  return { ...none, ...how, kills: killed, starts, said: issues }
}

/** What the error on the last line says of single rows. */
function issuesOf(text) {
  try {
    return JSON.parse(text.trim().split('\n').at(-1)).error.issues ?? []
  } catch {
    return []
  }
}

/** Waits until the import has written so many lines, or for a while: a kill at either finds it at work. */
async function moment(home, rows, random, isOver) {
  const [lines, before] = [random() * rows * 2, journalBytes(home)]
  const until = Date.now() + (random() < 0.3 ? random() * (1000 * Number(options.settle) + 1500) : 8000)
  const bytes = lines * 150
  while (Date.now() < until && !isOver() && journalBytes(home) - before < bytes) await pause(1)
}

function journals(home) {
  const folder = join(home, 'settings', 'imports')
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

function journalBytes(home) {
  const files = options.naive ? [join(home, 'starters.ndjson.done')] : journals(home)
  try {
    return files.reduce((sum, file) => sum + statSync(file).size * (options.naive ? 15 : 1), 0)
  } catch {
    return 0
  }
}

/** What the service has beside what the file says; and whether every row that a journal calls created is there. */
async function compare(keys, baseUrl, key, home) {
  const there = await countByRef(baseUrl, key)
  const duplicates = keys.reduce((sum, each) => sum + Math.max(0, (there.get(each) ?? 0) - 1), 0)
  const last = new Map()
  for (const file of journals(home)) {
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const { key: name, state } = JSON.parse(line.slice(9))
      if (name) last.set(name, state)
    }
  }
  // What the tool says it cannot settle is told to a person, and not lost.
  const missing = keys.filter((each) => !there.has(each))
  const reported = missing.filter((each) => last.get(each) === 'unresolved').length
  const lost = missing.length - reported
  const lies = [...last].filter(([name, state]) => state === 'created' && !there.has(name)).length
  return { duplicates, lost, reported, lies }
}

/** What people write first: send, try again on an error, note what is done. */
async function naiveClient(file) {
  const { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: authorization } = process.env
  const done = new Set(readOr(`${file}.done`).split('\n'))
  const open = readFileSync(file, 'utf8').trim().split('\n')
  const one = async () => {
    for (let body = open.shift(); body !== undefined; body = open.shift()) {
      const { agencyRef } = JSON.parse(body).generalSetting
      if (done.has(agencyRef)) continue
      for (let tries = 0; tries < 5; tries++) {
        const headers = { authorization, 'content-type': 'application/json' }
        const answer = await fetch(`${baseUrl}/svc/candidates`, { method: 'POST', headers, body }).catch(
          () => {},
        )
        if (answer?.status !== 201) continue
        writeFileSync(`${file}.done`, `${agencyRef}\n`, { flag: 'a' })
        break
      }
    }
  }
  await Promise.all([one(), one(), one(), one()])
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
