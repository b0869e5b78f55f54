import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answerJson } from '../service.ts'
import { sharedJournal } from '../shared-journal/empty-journal.ts'
import { importFixture, people, person, refs } from './import-fixture.ts'

const { journals, sql } = sharedJournal()

describe.each(journals)('an import with a journal $where', ({ variables, missing }) => {
  const it = test.skipIf(missing)
  const here = () => importFixture('candidates', variables())

  it('creates every row once, and run again sends nothing', async () => {
    const at = await here()
    expect(await at.importRows(people(12))).toMatchObject({ code: 0 })
    expect((await at.import()).json()).toMatchObject({
      rows: 12,
      created: 0,
      createdEarlier: 12,
      existing: 0,
      pending: 0,
    })
    expect(at.posted()).toHaveLength(12)
    expect(await at.there()).toEqual(refs(12))
  })

  it('leaves those alone who are there already', async () => {
    const at = await here()
    await at.call('POST', '/svc/candidates', person(' a-002 '))
    expect((await at.importRows(people(3))).json()).toMatchObject({ rows: 3, created: 2, existing: 1 })
    expect(at.posted()).toHaveLength(2)
  })

  it('finds a row that was created although its answer was lost, and does not send it again', async () => {
    const at = await here()
    at.intercept(async ({ method, body }, response, carryOut) => {
      if (method !== 'POST' || !body.includes('A-003')) return false
      await carryOut()
      response.destroy()
      return true
    })
    expect((await at.importRows(people(5))).json()).toMatchObject({ created: 5, unresolved: 0 })
    expect(at.posted()).toHaveLength(5)
  })

  it('sends a row that never arrived once more, and no more than once', async () => {
    const at = await here()
    at.intercept(({ method, body }, response) => {
      if (method !== 'POST' || !body.includes('A-003')) return false
      response.destroy()
      return true
    })
    const run = await at.importRows(people(5))
    expect([run.code, run.error().issues]).toEqual([8, [expect.objectContaining({ path: 'row 3, A-003' })]])
    expect((await at.import()).code).toBe(8)
    expect(at.posted().filter(({ body }) => body.includes('A-003'))).toHaveLength(2)
    expect(await at.there()).toEqual(['A-001', 'A-002', 'A-004', 'A-005'])
  })

  it('reports a refused row, and sends it when it was corrected', async () => {
    const at = await here()
    at.intercept(({ method, body }, response) => {
      const isRefused = method === 'POST' && body.includes('A-002') && !body.includes('corrected')
      if (isRefused) answerJson(response, 422, { success: false, message: 'Not like this' })
      return isRefused
    })
    expect(await at.importRows(people(3))).toMatchObject({ code: 9 })
    expect(
      (
        await at.importRows([...people(1), person('A-002', { surname: 'corrected' }), ...people(1, 3)])
      ).json(),
    ).toMatchObject({ created: 1, createdEarlier: 2, refused: 0 })
    expect(await at.there()).toEqual(refs(3))
  })

  it('sends a row that the service put off, once', async () => {
    const at = await here()
    let put = 0
    at.intercept(({ method }, response) => {
      if (method !== 'POST' || ++put > 4) return false
      answerJson(response, 429, { success: false })
      return true
    })
    expect((await at.importRows(people(4))).json()).toMatchObject({ created: 4 })
    expect(await at.there()).toEqual(refs(4))
  })

  it('stops when the key is refused, and goes on with the rest when it is right', async () => {
    const at = await here()
    at.intercept(({ method, post }, response) => {
      const isRefused = method === 'POST' && post > 3
      if (isRefused) answerJson(response, 401, { success: false })
      return isRefused
    })
    expect(await at.importRows(people(9))).toMatchObject({ code: 4 })
    at.intercept(() => false)
    expect((await at.import()).json()).toMatchObject({ created: 6, createdEarlier: 3, pending: 0 })
    expect(await at.there()).toEqual(refs(9))
  })

  it('names nobody in what it keeps', async () => {
    const at = await here()
    await at.importRows([
      person('A-1', { NINumber: 'QQ123456A', email: 'ann@example.com', DOB: '1990-01-01' }),
    ])
    const kept = [readFileSync(at.journalPath(), 'utf8')]
    if (variables().PAYROLL_JOURNAL) kept.push(sql('table payroll_journal'))
    for (const text of kept) {
      for (const personal of ['Sample', 'QQ123456A', 'example.com', '1990-'])
        expect(text).not.toContain(personal)
    }
  })
})
