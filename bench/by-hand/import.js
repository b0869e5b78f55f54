// What somebody writes who wants to create everybody in a file: eight connections, and nothing is remembered.
import { createReadStream } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

const [, , baseUrl, file] = process.argv
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const lines = createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]()

await Promise.all(Array.from({ length: 8 }, sendLines))
agent.destroy()

async function sendLines() {
  for (let line = await lines.next(); !line.done; line = await lines.next())
    await send(JSON.parse(line.value))
}

function send(candidate) {
  const body = Buffer.from(JSON.stringify(candidate))
  const headers = {
    authorization: 'bench-key',
    'content-type': 'application/json',
    'content-length': body.length,
  }
  return new Promise((resolve, reject) => {
    const asked = request(`${baseUrl}/svc/candidates`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 201 ? resolve() : reject(new Error(String(answer.statusCode))),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
