import type { ServerResponse } from 'node:http'
import { clockNow } from '../payroll.ts'
import { answerJson } from '../service.ts'
import type { Intercept } from '../start-sandbox.ts'
import type { ImportFixture } from './import-fixture.ts'

/** Every record of the service, in the order in which it was created. */
export async function records(at: Pick<ImportFixture, 'call'>, path = '/svc/candidates'): Promise<any[]> {
  const all: any[] = []
  for (let page = 1; ; page++) {
    const answer: any = await (await at.call('GET', `${path}?size=100&page=${page}`)).json()
    all.push(...answer.data)
    if (all.length >= answer.totalDocs) return all
  }
}

/** Answers a request for a page of these. */
export function answerPage(response: ServerResponse, url: string, items: readonly unknown[]): true {
  const query = new URL(url, 'http://127.0.0.1').searchParams
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('size') ?? 20)]
  answerJson(response, 200, { data: items.slice((page - 1) * size, page * size), totalDocs: items.length })
  return true
}

/** Makes the list show what `show` returns for the records. `show` gets the age of each record. */
export function showList(
  at: Pick<ImportFixture, 'call' | 'intercept'>,
  show: (items: readonly any[], ageOf: (item: any) => number) => readonly unknown[],
  onPost: Intercept = () => false,
): void {
  const born = new Map<string, number>()
  at.intercept(async (request, response, carryOut) => {
    if (request.method === 'POST') return onPost(request, response, carryOut)
    const path = request.url.replace(/\?.*/, '')
    const items = await records(at, path)
    for (const { id } of items) if (!born.has(id)) born.set(id, clockNow())
    return answerPage(
      response,
      request.url,
      show(items, ({ id }) => clockNow() - (born.get(id) ?? 0)),
    )
  })
}

/** Carries out the POST of one row and loses its answer, the first time or always. */
export const loseAnswer =
  (is: (body: any) => boolean, { stored = true, times = 1 } = {}): Intercept =>
  async ({ body }, response, carryOut) => {
    if (body === '' || !is(JSON.parse(body)) || times === 0) return false
    times -= 1
    if (stored) await carryOut()
    response.destroy()
    return true
  }

export const isRef =
  (...refs: string[]) =>
  (body: any) =>
    refs.includes(body.generalSetting.agencyRef)
