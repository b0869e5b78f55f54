// Changes the people of a small service from a spreadsheet with `import --update`, kills the import at random with SIGKILL and
// starts it again, while the service stores a change and cuts the line. Then every field of every person is compared: each change
// once, none lost, and nothing else touched.
//   node bench/update-harness.js --rows 2000 --kills 20 --lost 5      the built tool must be there: npm run build
// Options: --settle <seconds> --concurrency <n> --seed <n>. `--lost`: percent of the answers; half of these requests were stored.
// Exit 1 when anything is wrong.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { randomFrom, startProgram } from './kit/killed-runs.js'

const tool = fileURLToPath(new URL('../bin/payroll.js', import.meta.url))

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200' },
    kills: { type: 'string', default: '3' },
    lost: { type: 'string', default: '5' },
    settle: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [rows, kills, lost] = [options.rows, options.kills, options.lost].map(Number)
const random = randomFrom(Number(options.seed))

/** A person as the service answers it. */
const person = (number) => ({
  ...{
    id: `id-${number}`,
    agencyRef: `U-${number}`,
    forename: 'Ann',
    surname: `Fake${number}`,
    city: 'Leeds',
  },
  ...{ rateHour: 20, hours: 37.5, payMethod: 'BACS', country: 'GB', email: `fake${number}@example.com` },
  ...{ address: [`${number} High Road`], pensionSetting: { optState: 'ignition' }, DOB: '1990-01-02' },
  ...{ NINumber: 'QQ123456C', dateOfJoining: '2026-04-06', payFrequency: 'WEEKLY' },
  bank: { accountName: `Ann Fake${number}`, accountNumber: '31926819', sortCode: '601613' },
  setting: {
    paymentModel: 'PAYEE',
    taxCode: '1257L',
    taxBasis: 'CUMULATIVE',
    niCategory: 'A',
    starterDeclaration: 'A',
    haveStudentLoan: false,
  },
})

/** Every third row says what the service has already. */
const wanted = (number) =>
  number % 3 === 0 ? {} : { city: `York ${number % 100}`, rateHour: 21 + (number % 5) }

const people = new Map(Array.from({ length: rows }, (_, at) => [`id-${at + 1}`, person(at + 1)]))
/** By id: how often a request changed something, and how many requests there were. */
const changed = new Map()
let [puts, cut] = [0, 0]

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const [, , , id] = new URL(request.url, 'http://service').pathname.split('/')
  if (request.method === 'GET') return answer(response, id ? { data: people.get(id) } : page(request))
  puts += 1
  const fails = random() * 100 < lost
  const isStored = !fails || random() < 0.5
  if (isStored) store(id, JSON.parse(Buffer.concat(chunks)))
  if (!fails) return answer(response, { data: people.get(id) })
  cut += 1
  if (random() < 0.3) return answer(response, { message: 'broken' }, 500)
  response.destroy()
})

function page(request) {
  const { searchParams } = new URL(request.url, 'http://service')
  const [number, size] = ['page', 'size'].map((name) => Number(searchParams.get(name)))
  const all = [...people.values()]
  return { data: all.slice((number - 1) * size, number * size), totalDocs: all.length }
}

function answer(response, body, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function store(id, { generalSetting, bankSetting, payrollSetting }) {
  const before = JSON.stringify(people.get(id))
  people.set(id, { id, ...generalSetting, bank: bankSetting, setting: payrollSetting })
  if (JSON.stringify(sorted(JSON.parse(before))) === JSON.stringify(sorted(people.get(id)))) return
  changed.set(id, (changed.get(id) ?? 0) + 1)
}

server.listen(0, '127.0.0.1', harness)

async function harness() {
  const home = mkdtempSync(join(tmpdir(), 'payroll-update-harness-'))
  try {
    const file = join(home, 'staff.csv')
    const lines = Array.from({ length: rows }, (_, at) => {
      const { city = 'Leeds', rateHour = 20 } = wanted(at + 1)
      return `U-${at + 1},${city},${rateHour}`
    })
    writeFileSync(file, `Agency reference,City,Hourly rate\n${lines.join('\n')}\n`)
    const ended = await importKilled(home, file)
    const wrong = compare()
    console.log(JSON.stringify({ rows, ...ended, puts, cut, wrong: wrong.length }))
    for (const line of wrong.slice(0, 10)) console.log(line)
    if (wrong.length > 0 || ended.code !== 0) process.exitCode = 1
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Starts the import until it was killed so often and has ended by itself. */
async function importKilled(home, file) {
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, PAYROLL_CONFIG_DIR: join(home, 'settings') },
    ...{ PAYROLL_BASE_URL: `http://127.0.0.1:${server.address().port}`, PAYROLL_API_KEY: 'made-up-key' },
  }
  const argv = ['candidates', 'import', file, '--update', '--json', '--quiet', '--yes']
  const patience = ['--settle', options.settle, '--concurrency', options.concurrency]
  let killed = 0
  for (let starts = 1; starts < kills + 20; starts++) {
    const { said, ended, isOver, kill } = startProgram([tool, ...argv, ...patience], env)
    if (killed < kills) {
      // Somewhere in the share of the requests that is this start's.
      const until = puts + 1 + random() * ((rows / (kills + 1)) * 0.7)
      while (puts < until && !isOver()) await pause(1)
      if (!isOver()) {
        kill()
        killed += 1
      }
    }
    const code = await ended
    // Too many doubts stop a run (8), and the same command goes on.
    if (code === null || (code === 8 && starts < kills + 15)) continue
    if (code !== 0) console.log(said.err.trim().split('\n').at(-1).slice(0, 500))
    const { rows: _, rejects: __, ...counts } = JSON.parse(said.out)
    const counted = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { code, kills: killed, starts, counted, ...counts }
  }
  return { code: 1, kills: killed, starts: kills + 20 }
}

/** What is not as it should be, a line for each person. */
function compare() {
  return [...people.values()].flatMap((each) => {
    const number = Number(each.id.slice(3))
    const should = JSON.stringify(sorted({ ...person(number), ...wanted(number) }))
    const times = changed.get(each.id) ?? 0
    const most = number % 3 === 0 ? 0 : 1
    if (JSON.stringify(sorted(each)) !== should) return [`${each.agencyRef}: ${JSON.stringify(each)}`]
    return times === most ? [] : [`${each.agencyRef}: changed ${times} times`]
  })
}

function sorted(value) {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}
