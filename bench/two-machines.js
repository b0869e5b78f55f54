// Imports one file from several machines at once into a sandbox that loses answers, with one journal in PostgreSQL: kills
// the imports at random, stops the database in the middle, and compares what the service then has with the file.
//   node bench/two-machines.js --rows 2000                                        the built tool must be there: npm run build
//   node bench/two-machines.js --rows 20000 --kills 20 --stops 5 --lost 20
//   node bench/two-machines.js --update --kills 3 --lost 20      every machine changes half of the people of the next one too
// Options: --machines <n> --kills <n, for each machine> --stops <n, of the database> --lost <n: each nth answer> --settle <s>
// --alone (no shared journal: shows that duplicates are seen) --verbose. Exit 1 when a person is there twice, or was lost.
// A machine is a network namespace: the locks of one do not reach the other. So it needs Linux, root, and PostgreSQL.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { countByRef, firstJson, writePeople } from './kit/people.js'

const self = fileURLToPath(import.meta.url)
const tool = fileURLToPath(new URL('../bin/payroll.js', import.meta.url))
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000' },
    machines: { type: 'string', default: '2' },
    kills: { type: 'string', default: '0' },
    stops: { type: 'string', default: '0' },
    lost: { type: 'string', default: '0' },
    settle: { type: 'string', default: '2' },
    alone: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    machine: { type: 'string' },
  },
})
/** PostgreSQL does not start as root. */
const serverUser = { uid: 65_534, gid: 65_534 }

if (options.machine) await machine(JSON.parse(options.machine))
else await harness()

async function harness() {
  const [rows, machines, stops] = [options.rows, options.machines, options.stops].map(Number)
  const folder = mkdtempSync(join(tmpdir(), 'payroll-machines-'))
  chmodSync(folder, 0o755)
  const database = await startDatabase(join(folder, 'database'))
  const env = { PATH: process.env.PATH, HOME: folder, PAYROLL_CONFIG_DIR: join(folder, 'service') }
  const fails = options.update ? 'candidates.update' : 'writes'
  const fault = `reset-after-commit=every:${options.lost}@${fails}`
  const faults = Number(options.lost) > 0 ? ['--fault', fault] : []
  const served = ['sandbox', 'serve', '--port', '0', '--json']
  const sandbox = spawn(process.execPath, [tool, ...served, ...faults], { env })
  try {
    const { baseUrl, key } = await firstJson(sandbox.stdout)
    const port = Number(new URL(baseUrl).port)
    const door = relay(join(folder, 'service.sock'), port)
    execFileSync(process.execPath, [tool, 'journal', 'init'], {
      env: { ...env, PAYROLL_JOURNAL: database.url },
    })
    const file = join(folder, 'starters.ndjson')
    const keys = Array.from({ length: rows }, (_, at) => `M-${at + 1}`)
    writePeople(file, keys)
    if (options.update) {
      const at = { ...env, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key }
      execFileSync(process.execPath, [tool, 'candidates', 'import', file, '--yes', '--quiet'], { env: at })
    }
    const started = Date.now()
    const running = Array.from({ length: machines }, (_, at) =>
      startMachine({
        name: `office-${at + 1}`,
        folder,
        port,
        file: options.update ? writeChanges(join(folder, `staff-${at + 1}.csv`), keys, at / machines) : file,
        key,
        journal: options.alone ? '' : database.url,
        database: database.at,
      }),
    )
    let isOver = false
    const all = Promise.all(running).finally(() => {
      isOver = true
    })
    for (let stop = 1; stop <= stops && !isOver; stop++) {
      await pause((rows / 25 / (stops + 1)) * 1000)
      if (isOver) break
      database.stop()
      await pause(2000)
      database.start()
    }
    const ended = await all
    const seconds = Math.round((Date.now() - started) / 1000)
    const count = await countByRef(baseUrl, key)
    const keysIn = (states) =>
      database.sql(`select key from payroll_journal where state in (${states})`).split('\n').filter(Boolean)
    const [created, open] = [keysIn("'created'"), keysIn("'sending', 'doubt'")]
    const cities = options.update ? await citiesOf(baseUrl, key) : []
    const low = new Set([...count.keys()].map((each) => each.toLowerCase()))
    const result = {
      rows,
      seconds,
      doubled: [...count.values()].filter((times) => times > 1).length,
      lost: keys.filter((each) => !count.has(each)).length,
      falselyCreated: options.update ? 0 : created.filter((each) => !low.has(each)).length,
      ...(options.update && { unchanged: cities.filter((city) => city !== 'York').length }),
      open: open.length,
      [options.update ? 'updatedInAll' : 'createdInAll']: ended.reduce(
        (sum, { last }) => sum + (options.update ? last.updated + last.updatedEarlier : last.created),
        0,
      ),
      machines: ended,
    }
    console.log(JSON.stringify(result, null, 1))
    door.close()
    if (result.doubled + result.lost + result.falselyCreated + (result.unchanged ?? 0) > 0)
      process.exitCode = 1
  } finally {
    sandbox.kill('SIGKILL')
    database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that changes the people from a place in the list on, three quarters of all: so any two such files overlap. */
function writeChanges(file, keys, from) {
  const first = Math.floor(keys.length * from)
  const own = [...keys.slice(first), ...keys.slice(0, first)].slice(0, Math.ceil(keys.length * 0.75))
  writeFileSync(file, `Agency reference,City\n${own.map((each) => `${each},York\n`).join('')}`)
  return file
}

/** Where everybody lives. */
async function citiesOf(baseUrl, authorization) {
  const cities = []
  for (let page = 1; ; page++) {
    const answer = await fetch(`${baseUrl}/svc/candidates?page=${page}&size=100`, {
      headers: { authorization },
    })
    const { data, totalDocs } = await answer.json()
    cities.push(...data.map(({ city }) => city))
    if (cities.length >= totalDocs || data.length === 0) return cities
  }
}

/** Starts this program again in a network namespace of its own. */
function startMachine(about) {
  const argv = [
    '--machine',
    JSON.stringify(about),
    '--kills',
    options.kills,
    '--settle',
    options.settle,
    '--rows',
    options.rows,
    ...(options.update ? ['--update'] : []),
  ]
  const child = spawn('unshare', ['--net', '--uts', process.execPath, self, ...argv], {
    stdio: ['ignore', 'pipe', options.verbose ? 'inherit' : 'ignore'],
  })
  return firstJson(child.stdout)
}

/** A machine: imports until there is nothing left to do, and kills its import so often. */
async function machine({ name, folder, port, file, key, journal, database }) {
  for (const argv of [
    ['ip', 'link', 'set', 'lo', 'up'],
    ['hostname', name],
  ])
    spawnSync(argv[0], argv.slice(1))
  relay(port, join(folder, 'service.sock'))
  relay(database.port, database.socket)
  const home = join(folder, name)
  mkdirSync(home)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PAYROLL_CONFIG_DIR: home,
    PAYROLL_BASE_URL: `http://127.0.0.1:${port}`,
    PAYROLL_API_KEY: key,
    PAYROLL_JOURNAL: journal,
  }
  const argv = ['candidates', 'import', file, '--json', '--yes', '--quiet', '--settle', options.settle]
  if (options.update) argv.push('--update')
  const [kills, codes] = [Number(options.kills), {}]
  let [killed, last, reported] = [0, '', undefined]
  for (let starts = 0; starts < kills + 60; starts++) {
    const child = spawn(process.execPath, [tool, ...argv], { env })
    let [out, err] = ['', '']
    child.stdout.on('data', (text) => (out += text))
    child.stderr.on('data', (text) => (err += text))
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
    const patience =
      killed < kills ? (Number(options.rows) / 30 / (kills + 1)) * 2000 * Math.random() + 1500 : 1e9
    const code = await Promise.race([ended, pause(patience, 'time', { ref: false })])
    if (code === 'time') {
      killed += 1
      child.kill('SIGKILL')
    }
    const how = await ended
    codes[how] = (codes[how] ?? 0) + 1
    if (how !== 'SIGKILL') console.error(name, how, err.trim().split('\n').at(-1)?.slice(0, 300))
    if (out) last = JSON.parse(out)
    if (how === 0) break
    if (how === 8 && last.pending === 0 && killed >= kills) {
      reported = namesIn(err)
      if (starts > kills + 20) break
    }
    await pause(300)
  }
  console.log(JSON.stringify({ name, killed, codes, last, ...(reported && { reported }) }))
  process.exit(0)
}

/** The rows that the error on the last line names. */
function namesIn(err) {
  const { issues = [] } = JSON.parse(err.trim().split('\n').at(-1)).error
  return issues.map(({ path }) => path)
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Passes connections on: a port or a socket file to another. */
function relay(from, to) {
  const server = createServer((one) => {
    const other = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to)
    one.pipe(other).pipe(one)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
    other.on('error', () => one.destroy()).on('close', () => one.destroy())
  })
  return typeof from === 'number' ? server.listen(from, '127.0.0.1') : server.listen(from)
}

async function startDatabase(folder) {
  const debian = '/usr/lib/postgresql'
  const version = existsSync(debian) ? readdirSync(debian).sort().at(-1) : undefined
  if (version === undefined) throw new Error('PostgreSQL is not installed.')
  mkdirSync(folder)
  chownSync(folder, serverUser.uid, serverUser.gid)
  const at = { cwd: folder, ...serverUser, env: { LC_ALL: 'C', PATH: process.env.PATH }, stdio: 'ignore' }
  const [bin, data] = [join(debian, version, 'bin'), join(folder, 'data')]
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'payroll', '--auth=trust', '--no-sync'], at)
  const port = await freePort()
  const settings = [
    `port = ${port}`,
    `unix_socket_directories = '${folder}'`,
    "listen_addresses = '127.0.0.1'",
    '',
  ]
  writeFileSync(join(data, 'postgresql.auto.conf'), settings.join('\n'))
  const control = (...argv) =>
    spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), ...argv], at)
  control('start')
  return {
    url: `postgres://payroll@127.0.0.1:${port}/postgres`,
    /** For the other machines, whose 127.0.0.1 is their own. */
    at: { port, socket: join(folder, `.s.PGSQL.${port}`) },
    start: () => control('start'),
    stop: () => control('-m', 'immediate', 'stop'),
    sql: (text) =>
      execFileSync(
        join(bin, 'psql'),
        ['-h', folder, '-p', String(port), '-U', 'payroll', '-d', 'postgres', '-qAtXc', text],
        {
          ...at,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      ),
  }
}
