// A long list of payslips in each format, beside a loop over node:http that writes each item as a line.
//   npm run bench -- lists        the built tool must be there: npm run build
import { beside, byTurns, openFolder, run, serve, tool } from './kit/measure.js'
import { report } from './kit/report.js'

const [few, many] = [10_000, 100_000]
const goals = {
  ndjson: { goal: 1.15, mbGoal: 100, growth: 30 },
  csv: { goal: 1.6, mbGoal: 110 },
  json: { goal: 1.3, mbGoal: 110, growth: 30 },
}
const formats = Object.keys(goals)
const { folder, env } = openFolder()

const short = await measured(few, 1)
const long = await measured(many, Number(process.env.RUNS ?? 5))
report(`${many} payslips, Node ${process.version}`, [
  { what: 'a loop over node:http', ...long.byHand },
  ...formats.flatMap((format) => {
    const { goal, mbGoal, growth } = goals[format]
    const { ms, mb } = long[format]
    const grown = { what: `${format}: more than for ${few}`, mb: mb - short[format].mb, mbGoal: growth }
    return [{ what: format, ms, mb, ratio: ms / long.byHand.ms, goal, mbGoal }, ...(growth ? [grown] : [])]
  }),
])

async function measured(count, turns) {
  const service = await serve(count)
  const own = { ...env, PAYROLL_BASE_URL: service.baseUrl, PAYROLL_API_KEY: 'bench-key' }
  const list = (format) => () => run([tool, 'payslips', 'list', '-o', format, '-q'], own, folder)
  const byHand = () => run([beside('by-hand/list.js'), service.baseUrl], env, folder)
  try {
    return await byTurns(turns, { byHand, ...Object.fromEntries(formats.map((each) => [each, list(each)])) })
  } finally {
    service.close()
  }
}
