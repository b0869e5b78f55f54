import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operations } from '../../src/api/contract/operations/operations.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { misfits } from './misfits.ts'
import { documentText, readDocument } from './read/interface.ts'
import type { Shape } from './read/shape.ts'
import { everyField, type OpenSandbox, openSandbox } from './sandbox-at-endpoints.ts'

const document = readDocument(documentText)
const { defaultPage, defaultSize, maximumSize } = document.limits

/** The paths of the lists are not shown: these are the contract's. */
const { candidates, paymentRates, vatCodes } = operations
const lists = [
  ['UK candidates', candidates.list.path, 'Create Candidate'],
  ['Irish candidates', candidates.listIreland.path, 'Create Ireland candidate'],
  ['payment rates', paymentRates.list.path, 'Create new Payment Rate'],
] as const

let sandbox: OpenSandbox

beforeAll(async () => {
  sandbox = await openSandbox(document)
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

async function create(operation: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await sandbox.send(operation, everyField[operation] ?? {})
}

describe('the sandbox, asked for a list', () => {
  test('answers VAT codes with the keys and types that the document shows', async () => {
    const { data } = await sandbox.list(vatCodes.list.path)
    expect(data.length).toBeGreaterThan(0)
    const shape: Shape = { type: 'object', fields: document.paymentRates.vatCode }
    expect(data.flatMap((code) => misfits(code, shape))).toEqual([])
  })

  test.each([...lists, ['VAT codes', vatCodes.list.path, undefined] as const])(
    'answers %s in the envelope of a page',
    async (_name, path, operation) => {
      if (operation) await create(operation, 1)
      const page = { ...document.page, data: { type: 'array', item: { type: 'unknown' } } } as const
      const answered = await sandbox.list(path)
      expect(misfits(answered, { type: 'object', fields: page })).toEqual([])
      expect(answered.data.length).toBeGreaterThan(0)
    },
  )

  test.each(lists)(
    'answers the first 20 %s by default, the rest on page 2',
    async (_name, path, operation) => {
      await create(operation, defaultSize + 3)
      const first = await sandbox.list(path)
      expect([first.data.length, first.totalDocs]).toEqual([defaultSize, defaultSize + 3])
      expect(await sandbox.list(`${path}?page=${defaultPage}&size=${defaultSize}`)).toEqual(first)
      const second = await sandbox.list(`${path}?page=${defaultPage + 1}`)
      expect([second.data.length, second.totalDocs]).toEqual([3, defaultSize + 3])
      const ids = [...first.data, ...second.data].map(({ id }) => id)
      expect(new Set(ids).size).toBe(first.totalDocs)
    },
  )

  test.each(lists)('answers 100 %s at most', async (_name, path, operation) => {
    await create(operation, maximumSize + 1)
    const largest = await sandbox.list(`${path}?size=${maximumSize}`)
    expect([largest.data.length, largest.totalDocs]).toEqual([maximumSize, maximumSize + 1])
    // "Behaviour when size exceeds 100 …: not shown": refused or cut, but never more than the maximum.
    const above = await sandbox.request('GET', `${path}?size=${maximumSize + 1}`)
    const { data = [] } = (await above.json()) as { data?: unknown[] }
    expect(data.length).toBeLessThanOrEqual(maximumSize)
  })
})

describe('the sandbox, without its key', () => {
  const unauthorized = document.errors.find(({ name }) => name === 'Unauthorized')?.status

  /** How many records there are of the kinds that can be created. */
  const kept = async () => {
    const pages = await Promise.all(lists.map(([, path]) => sandbox.list(path)))
    return pages.reduce((sum, { totalDocs }) => sum + totalDocs, 0)
  }

  test('is told by the document to answer 401', () => {
    expect(unauthorized).toBe(401)
  })

  test.each(Object.entries(everyField))(
    'refuses "%s" with a wrong key and with none, and keeps nothing',
    async (operation, body) => {
      const wrong = ['wrong', `${sandboxKey}x`, sandboxKey.slice(1), '']
      for (const headers of [{}, ...wrong.map((Authorization) => ({ Authorization }))]) {
        expect((await sandbox.send(operation, body, headers)).status).toBe(unauthorized)
      }
      expect(await kept()).toBe(0)
    },
  )
})
