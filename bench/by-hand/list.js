// What somebody writes who wants all payslips as lines: one page after the other over node:http.
import { Agent, get } from 'node:http'

const [, , baseUrl] = process.argv
const agent = new Agent({ keepAlive: true })

for (let page = 1, got = 0, total = 1; got < total; page++) {
  const { data, totalDocs } = await read(`${baseUrl}/svc/v2/payslips?page=${page}&size=100`)
  for (const item of data) process.stdout.write(`${JSON.stringify(item)}\n`)
  got += data.length
  total = totalDocs
}
agent.destroy()

function read(url) {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent, headers: { authorization: 'bench-key' } }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks))))
    })
    asked.on('error', reject)
  })
}
