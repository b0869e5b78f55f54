// The fastest service there can be, so that what is measured is the client: pages of payslips that are made before
// anybody asks, and candidates of which only the key is kept. Started by bench/kit/measure.js.
import { createServer } from 'node:http'

const count = Number(process.argv[2] ?? 0)
const size = 100
const pages = Array.from({ length: Math.ceil(count / size) }, (_, page) =>
  Buffer.from(
    JSON.stringify({
      data: Array.from({ length: size }, (_, at) => payslip(page * size + at)),
      totalDocs: count,
    }),
  ),
)
/** What is asked for when the last page was full. */
const behind = Buffer.from(JSON.stringify({ data: [], totalDocs: count }))
const people = []

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1')
  const page = Number(searchParams.get('page')) - 1
  if (request.method === 'POST') return keep(request, response)
  const shown = people.slice(page * size, (page + 1) * size)
  const listed = Buffer.from(JSON.stringify({ data: shown, totalDocs: people.length }))
  const body = pathname.endsWith('/payslips') ? (pages[page] ?? behind) : listed
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))

function keep(request, response) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { agencyRef, forename, surname, DOB } = JSON.parse(Buffer.concat(chunks)).generalSetting
    const person = { id: String(people.length + 1), agencyRef, forename, surname, DOB }
    people.push(person)
    // Irish people are answered with their record.
    const answer = request.url.endsWith('/ireland') ? Buffer.from(JSON.stringify({ data: person })) : ''
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  })
}

function payslip(number) {
  return {
    id: `00000000-0000-4000-8001-${String(number + 1).padStart(12, '0')}`,
    taxPeriod: String((number % 52) + 1),
    taxYear: '2026-27',
    agencyName: 'Example Agency Ltd',
    subcontractorName: `Ann Sample ${number}`,
    timesheetValue: 800 + (number % 400) / 4,
    margin: 25,
    gross: 775 + (number % 400) / 4,
  }
}
