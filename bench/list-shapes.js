// A door before the sandbox that shows its list otherwise than it is, as real services do, and counts what is sent.
import { createServer, request } from 'node:http'

const isOld = ({ agencyRef }) => agencyRef.startsWith('OLD')

/** What the list shows of the records. `age`: how long one has been there, in milliseconds. */
export const shapes = {
  whole: { show: (items) => items },
  /** New people are shown after six seconds. */
  lagging: { show: (items, age) => items.filter((each) => isOld(each) || age(each) > 6000) },
  /** After half a second: less than --settle. */
  slow: { show: (items, age) => items.filter((each) => isOld(each) || age(each) > 500) },
  /** Until they are approved. */
  hidden: { show: (items) => items.filter(isOld) },
  /** The first is shown, the others are not. */
  'hidden-later': { show: (items) => items.slice(0, 4) },
  /** References are cut off, all of them. */
  cut: { show: (items) => items.map((each) => ({ ...each, agencyRef: each.agencyRef.slice(0, 4) })) },
  /** Only the long ones are. */
  'cut-long': {
    key: (run, number) => (number % 3 === 2 ? `H${run}-REFERENCE-${number}` : `H${run}-${number}`),
    show: (items) => items.map((each) => ({ ...each, agencyRef: each.agencyRef.slice(0, 10) })),
  },
  /** `0003` becomes 3. */
  numbers: {
    key: (_run, number) => String(number).padStart(5, '0'),
    show: (items) => items.map((each) => ({ ...each, agencyRef: Number(each.agencyRef) || each.agencyRef })),
  },
  /** The total never changes: what is new takes the place of what is old. */
  'same-total': { show: (items) => items.slice(-3) },
}

export async function openDoor(upstream, key, { show }) {
  const born = new Map()
  const posts = new Map()
  const age = ({ id }) => performance.now() - born.get(id)

  async function records() {
    const all = []
    for (let page = 1; ; page++) {
      const answer = await fetch(`${upstream}/svc/candidates?page=${page}&size=100`, {
        headers: { authorization: key },
      })
      const { data } = await answer.json()
      for (const item of data) if (!born.has(item.id)) born.set(item.id, performance.now())
      all.push(...data)
      if (data.length < 100) return all
    }
  }

  async function list(url, response) {
    const items = show(await records(), age)
    const [page, size] = ['page', 'size'].map((name) => Number(url.searchParams.get(name)))
    const data = items.slice((page - 1) * size, page * size)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data, totalDocs: items.length }))
  }

  function pass(method, url, headers, body, response, onStatus) {
    const outgoing = request(`${upstream}${url}`, {
      method,
      headers: { ...headers, host: new URL(upstream).host },
    })
    outgoing.on('error', () => response.destroy())
    outgoing.on('response', (answer) => {
      onStatus(answer.statusCode)
      response.writeHead(answer.statusCode, answer.headers)
      answer.on('error', () => response.destroy())
      answer.on('aborted', () => response.destroy())
      answer.pipe(response)
    })
    outgoing.end(body)
  }

  const server = createServer(async (incoming, response) => {
    const chunks = []
    try {
      for await (const chunk of incoming) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      const url = new URL(incoming.url, upstream)
      let onStatus = () => {}
      if (incoming.method === 'GET' && url.pathname === '/svc/candidates') return await list(url, response)
      if (incoming.method === 'POST') {
        const { agencyRef } = JSON.parse(body).generalSetting
        const count = (change) => posts.set(agencyRef, (posts.get(agencyRef) ?? 0) + change)
        count(1)
        // A 429 is a no: the client asks again by itself, and that is no second request for the row.
        onStatus = (status) => status === 429 && count(-1)
        // By then the record may be there, and its age is counted from here.
        response.on('close', () => void records().catch(() => {}))
      }
      pass(incoming.method, incoming.url, incoming.headers, body, response, onStatus)
    } catch {
      response.destroy()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    posts,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
