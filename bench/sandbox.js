// A list of the sandbox read to its end: a page deep in it must cost what the first one does, so a list that is ten
// times as long takes ten times as long.
//   npm run bench -- sandbox        the built tool must be there: npm run build
import { spawn } from 'node:child_process'
import { median, openFolder, run, tool } from './kit/measure.js'
import { firstJson } from './kit/people.js'
import { report } from './kit/report.js'

const [few, many] = [10_000, 100_000]
const { folder, env } = openFolder()
const short = await read(few)
const long = await read(many)
report(`The sandbox, Node ${process.version}`, [
  { what: `${few} payslips, page by page`, ms: short.ms },
  { what: `${many}, beside ten times ${few}`, ms: long.ms, ratio: long.ms / (10 * short.ms), goal: 1.2 },
  {
    what: `the last 50 pages of ${many}, beside the first`,
    ms: long.last,
    ratio: long.last / long.first,
    goal: 1.2,
  },
])

/** The time for all pages, and of the median page at the beginning and at the end. */
async function read(count) {
  await run([tool, 'sandbox', 'seed', '--payslips', String(count), '-q'], env, folder)
  const child = spawn(process.execPath, [tool, 'sandbox', 'serve', '--port', '0', '--json'], { env })
  try {
    const { baseUrl, key } = await firstJson(child.stdout)
    const times = []
    for (let page = 1; page <= count / 100; page++) {
      const started = performance.now()
      const url = `${baseUrl}/svc/v2/payslips?page=${page}&size=100`
      await (await fetch(url, { headers: { authorization: key } })).arrayBuffer()
      times.push(performance.now() - started)
    }
    // The first pages are read while the code is still being compiled.
    const [first, last] = [times.slice(50, 100), times.slice(-50)].map(median)
    return { ms: times.reduce((sum, ms) => sum + ms, 0), first, last }
  } finally {
    child.kill()
  }
}
