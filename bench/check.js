// check and changes over a large payroll, beside the three lists that check reads.
//   npm run bench -- check        the built tool must be there: npm run build
//   PEOPLE=5000 RUNS=9 npm run bench -- check
// The ratio is of processor and clock time together. That of the processor time alone stands beside it: on a busy machine the
// clock says little.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { median, openFolder, run, saysProcessorTime, tool } from './kit/measure.js'
import { report } from './kit/report.js'

const people = Number(process.env.PEOPLE ?? 2000)
const others = 3 * people
const size = 100
const { folder, env } = openFolder()
const shapes = await recordsOfSandbox()
const baseUrl = await serve()
const own = { ...env, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'bench-key' }
// check ends with 9 for what it finds.
const payroll = (...words) => run([...saysProcessorTime, tool, ...words], own, folder, [0, 9])

const lists = async () =>
  added([
    await payroll('candidates', 'list', '--uk', '-o', 'ndjson', '-q'),
    await payroll('timesheets', 'list', '-o', 'ndjson', '-q'),
    await payroll('payslips', 'list', '-o', 'ndjson', '-q'),
  ])
const check = () => payroll('check', '--uk', '-q')
await compare('before there is a mark', { lists, check })
await payroll('changes', '--uk', '-q')
await compare('with a mark, which check reads too', {
  lists,
  check,
  'changes, the first mark': () => payroll('changes', '--uk', '-q', '--mark', `mark-${Math.random()}`),
  changes: () => payroll('changes', '--uk', '-q'),
})
process.exit()

/** Reports each program beside the lists of its own turn, between which other programs begin and end: the median of the turns. */
async function compare(when, programs) {
  const turns = []
  for (let turn = 0; turn < Number(process.env.RUNS ?? 5); turn++) {
    const one = {}
    for (const [name, once] of Object.entries(programs)) one[name] = await once()
    turns.push(one)
  }
  const beside = (name, timeOf) => median(turns.map((turn) => timeOf(turn[name]) / timeOf(turn.lists)))
  const summaryOf = (name) => ({
    ms: Math.min(...turns.map((turn) => turn[name].ms)),
    mb: Math.max(...turns.map((turn) => turn[name].mb)),
  })
  report(`${people} people, ${others} timesheets, ${others} payslips, ${when}, Node ${process.version}`, [
    { what: 'the three lists', ...summaryOf('lists') },
    ...Object.keys(programs)
      .slice(1)
      .map((name) => ({
        what: `${name} (processor ${beside(name, ({ cpuMs }) => cpuMs).toFixed(2)} x)`,
        ...summaryOf(name),
        ratio: beside(name, ({ ms, cpuMs }) => ms + cpuMs),
        goal: 1.3,
        mbGoal: 150,
      })),
  ])
}

function added(runs) {
  const sum = (name) => runs.reduce((all, each) => all + each[name], 0)
  return { ms: sum('ms'), cpuMs: sum('cpuMs'), mb: Math.max(...runs.map(({ mb }) => mb)) }
}

/** A record of each kind, with the fields that a service answers. */
async function recordsOfSandbox() {
  const file = join(folder, 'record.json')
  const read = async (...words) => {
    await run([tool, ...words, '--profile', 'sandbox', '--out', file], env, folder)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  await run([tool, 'sandbox', 'seed'], env, folder)
  const list = async (name) => (await read(name, 'list', '--limit', '1', '--json'))[0]
  return {
    person: await read('candidates', 'get', 'SANDBOX-UK-02', '--json'),
    timesheet: await list('timesheets'),
    payslip: await list('payslips'),
  }
}

function person(number) {
  const digits = String(number).padStart(4, '0')
  const { person: record } = shapes
  return {
    ...record,
    id: idOf(number),
    agencyRef: `UK-${digits}`,
    forename: forenameOf(number),
    surname: `Sample ${digits}`,
    NINumber: `AB12${digits}A`,
    // As few people share these as elsewhere.
    DOB: `19${60 + (number % 40)}-${String(1 + (number % 12)).padStart(2, '0')}-${String(1 + (number % 28)).padStart(2, '0')}`,
    email: `made.up.${digits}@example.com`,
    mobile: `07700 90${digits}`,
    bank: { ...record.bank, accountNumber: `3192${digits}`, IBANReference: null, SWIFTNo: null },
  }
}

function timesheet(number) {
  return {
    ...shapes.timesheet,
    id: idOf(number),
    subcontractorRef: `UK-${String(number % people).padStart(4, '0')}`,
    assignmentRef: `A-${number}`,
  }
}

function payslip(number) {
  return {
    ...shapes.payslip,
    id: idOf(number),
    subcontractorName: `${forenameOf(number % people)} Sample ${String(number % people).padStart(4, '0')}`,
    // One in each period: two would be found.
    taxPeriod: 1 + Math.floor(number / people),
  }
}

/** As many initials as there are letters. */
function forenameOf(number) {
  return `${String.fromCharCode(65 + (number % 26))}nn`
}

function idOf(number) {
  return `00000000-0000-4000-8001-${String(number + 1).padStart(12, '0')}`
}

/** Pages that are made before anybody asks. */
async function serve() {
  const lists = {
    '/svc/candidates': pagesOf(people, person),
    '/svc/time-sheets': pagesOf(others, timesheet),
    '/svc/v2/payslips': pagesOf(others, payslip),
    '/svc/payment-rate': pagesOf(1, () => ({ id: 'rate-1', code: 'STD', units: 'Hours', hoursPerUnit: 1 })),
  }
  const server = createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const pages = lists[pathname]
    const one = pathname.includes('/candidates/0') && Buffer.from(JSON.stringify({ data: person(0) }))
    const body =
      pages?.[Number(searchParams.get('page')) - 1] ?? (one || Buffer.from('{"data":[],"totalDocs":0}'))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}

function pagesOf(count, item) {
  return Array.from({ length: Math.ceil(count / size) }, (_, page) => {
    const data = Array.from({ length: Math.min(size, count - page * size) }, (_, at) =>
      item(page * size + at),
    )
    return Buffer.from(JSON.stringify({ data, totalDocs: count }))
  })
}
