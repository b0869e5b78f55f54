import { describe, expect, test } from 'vitest'
import { freshSandbox } from './fresh-sandbox.ts'

/** A sandbox with a UK and an Irish candidate, and where their documents are. */
async function withEmployees() {
  const sandbox = await freshSandbox()
  const { candidates } = sandbox.database.tables
  const pathOf = (country: string) =>
    `/svc/employees/${candidates.insert(country, {}, Date.UTC(2026, 0, 1)).id}/documents`
  return { ...sandbox, uk: pathOf('uk'), ireland: pathOf('ireland') }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const contract = {
  name: 'contract.txt',
  contentType: 'text/plain',
  description: 'Signed',
  content: base64('hello, world'),
  folder: { kept: true },
}

describe('the documents of an employee', () => {
  test('answer null for what was never given', async () => {
    const { call, uk } = await withEmployees()
    const { id } = (await call('POST', uk, {})).json.data
    const empty = { name: null, contentType: null, description: null, size: null, content: null }
    expect((await call('GET', `${uk}/${id}`)).json.data).toMatchObject(empty)
    expect((await call('PUT', `${uk}/${id}`, { content: '' })).json.data.size).toBe(0)
  })

  test('are updated field by field, and keep a content that is not named', async () => {
    const { call, uk } = await withEmployees()
    const { data } = (await call('POST', uk, contract)).json
    const renamed = await call('PUT', `${uk}/${data.id}`, { name: 'new.txt', size: 99, id: 'mine' })
    expect(renamed.status).toBe(200)
    const updatedAt = '2026-04-06T08:00:02.000Z'
    expect(renamed.json).toStrictEqual({ data: { ...data, name: 'new.txt', updatedAt }, success: true })
    expect((await call('GET', `${uk}/${data.id}`)).json.data.content).toBe(contract.content)

    const replaced = await call('PUT', `${uk}/${data.id}`, { content: base64('more than before') })
    expect(replaced.json.data).toMatchObject({ name: 'new.txt', size: 16 })
    expect(replaced.json.data).not.toHaveProperty('content')
    const again = (await call('GET', `${uk}/${data.id}`)).json.data
    expect(again.content).toBe(base64('more than before'))
    expect((await call('PUT', `${uk}/${data.id}`, again)).json.data.size).toBe(16)
  })

  test('are deleted with 204 and no body, once, content and all', async () => {
    const { call, database, uk } = await withEmployees()
    const { id } = (await call('POST', uk, contract)).json.data
    await call('POST', uk, { name: 'other' })
    const { status, text, headers } = await call('DELETE', `${uk}/${id}`)
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
    expect((await call('DELETE', `${uk}/${id}`)).status).toBe(404)
    expect((await call('GET', `${uk}/${id}`)).status).toBe(404)
    expect((await call('GET', uk)).json).toMatchObject({ data: [{ name: 'other' }], totalDocs: 1 })
    expect(database.tables.documentContents.find('', id)).toBeUndefined()
  })

  test("are one employee's alone, in either country", async () => {
    const { call, uk, ireland } = await withEmployees()
    const { id } = (await call('POST', ireland, contract)).json.data
    expect((await call('GET', uk)).json).toEqual({ data: [], totalDocs: 0 })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? {} : undefined
      expect([method, (await call(method, `${uk}/${id}`, body)).status]).toEqual([method, 404])
    }
    expect((await call('GET', `${ireland}/${id}`)).json.data.name).toBe('contract.txt')
  })

  test('are 404 for an employee who does not exist', async () => {
    const { call, database, ireland } = await withEmployees()
    const { id } = (await call('POST', ireland, contract)).json.data
    const nobody = '/svc/employees/nobody/documents'
    for (const [method, path] of [
      ['GET', nobody],
      ['POST', nobody],
      ...['GET', 'PUT', 'DELETE'].map((each) => [each, `${nobody}/${id}`] as const),
    ] as const) {
      const { status } = await call(method, path, method.startsWith('P') ? contract : undefined)
      expect([method, path, status]).toEqual([method, path, 404])
    }
    expect(database.tables.documents.all('nobody')).toEqual([])
  })

  test.each(['not base64', 'YQ', 'YQ=', 'Y===', '====', 'YQ==YQ==', 'YQ-_', 'YWJj\n', 7, null, ['YQ==']])(
    'are refused when their content is %j, and nothing changes',
    async (content) => {
      const { call, uk } = await withEmployees()
      const { status, json } = await call('POST', uk, { ...contract, content })
      expect(status).toBe(400)
      expect(json.error.details).toEqual([{ path: 'content', message: 'must be base64' }])
      const { id } = (await call('POST', uk, contract)).json.data
      expect((await call('PUT', `${uk}/${id}`, { name: 'lost', content })).status).toBe(400)
      expect((await call('GET', uk)).json).toMatchObject({ data: [{ name: 'contract.txt' }], totalDocs: 1 })
    },
  )
})
