import { gzipSync } from 'node:zlib'
import { payroll, type Run } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor, withoutAdded } from '../../whole-record.ts'

export interface Behaviour {
  /** What each read answers, by its number; the last of them from then on. Fields that it lacks are null. */
  readonly reads: readonly unknown[]
  /** What the update answers; undefined: 204. */
  readonly answer?: (body: any) => unknown
  readonly status?: number
  /** The ETag of each read. */
  readonly etag?: string
  /** The record comes compressed. */
  readonly gzip?: boolean
  /** The answer of the update never comes; `body`: its head does. */
  readonly isLost?: boolean | 'body'
  /** What standard input holds. */
  readonly input?: string
}

/** A service on loopback with one record, and an update of it; as one text where no word has a blank in it. */
export async function updateOne(
  typed: string | readonly string[],
  { reads, answer, status = 200, etag, gzip, isLost, input = '' }: Behaviour,
): Promise<{ run: Run; puts: any[]; ifMatch: (string | undefined)[]; gets: number }> {
  const words = typeof typed === 'string' ? typed.split(' ') : typed
  let gets = 0
  const answered = reads.map((read) => wholeFor(words, read))
  const { env, received } = await service(({ method, url, body }, response) => {
    if (url.includes('page=')) return answerJson(response, 404, { message: 'no lists here' })
    if (method === 'GET') {
      const data = answered[Math.min(gets++, reads.length - 1)]?.record
      if (data === undefined) return answerJson(response, 500, {})
      if (etag !== undefined) response.setHeader('ETag', etag)
      if (!gzip) return answerJson(response, 200, { data, success: true })
      response.setHeader('content-encoding', 'gzip')
      return void response.end(gzipSync(JSON.stringify({ data, success: true })))
    }
    if (isLost === 'body') {
      return response.writeHead(200, { 'content-length': 99 }).write('{"d', () => response.destroy())
    }
    if (isLost) return response.destroy()
    const data = answer?.(JSON.parse(body))
    if (data === undefined) return response.writeHead(204).end()
    answerJson(response, status, { data, success: true })
  })
  const run = await payroll(words, { env, input })
  const puts = received.filter(({ method }) => method === 'PUT')
  return {
    run,
    puts: puts.map(({ body }) => withoutAdded(JSON.parse(body), answered[0]?.added ?? [])),
    ifMatch: puts.map(({ headers }) => headers['if-match']),
    gets,
  }
}
