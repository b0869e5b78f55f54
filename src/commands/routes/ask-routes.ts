import type { Client } from '../../api/client.ts'
import type { Operation } from '../../api/contract/operations/operation.ts'
import { allOperations, candidatesByVariant } from '../../api/contract/operations/operations.ts'
import { spellingsOf } from '../../api/contract/operations/path-spellings.ts'
import {
  applyCorrection,
  type Corrections,
  isCatalogueRead,
} from '../../api/contract/operations/route-correction.ts'
import { idOf } from '../../api/contract/records/identity.ts'
import { readPage } from '../../api/response-body.ts'
import { Failure } from '../../errors.ts'

/** What became of one path that is a guess. */
export interface Asked {
  readonly operation: string
  /** Where it is sent now. */
  readonly path: string
  readonly answer: 'yes' | 'no' | 'unclear' | 'not asked'
  /** What the service said, or why it was not asked. */
  readonly because: string
  /** Where it answered instead. */
  readonly found: string | null
}

type Answer = Pick<Asked, 'answer' | 'because'> & { readonly id?: string | undefined }

/**
 * Asks each read of a path that is not documented once, and where that answers 404 or 405 the usual spellings. Only
 * GET is sent. Throws the failure of a service that cannot be reached or that refuses the key: it would refuse all.
 */
export async function askRoutes(client: Client, corrections: Corrections): Promise<readonly Asked[]> {
  const reads = allOperations.filter((each) => isCatalogueRead(each) && each.known !== 'documented')
  // A record is asked for by an id of its list.
  const inOrder = [...reads].sort((one, other) => depthOf(one) - depthOf(other))
  const ids = new Map<string, string>()
  const lists = new Map<string, string>()
  /** The paths of other operations, and those that are known to lead nowhere. */
  const taken = new Set(
    [...allOperations, ...reads.map((each) => applyCorrection(each, corrections))].map(pathOf),
  )
  const asked: Asked[] = []
  for (const declared of inOrder) {
    const operation = applyCorrection(declared, corrections)
    const result = await askOne(operation)
    asked.push({ operation: declared.id, path: operation.path, ...result })
  }
  return asked

  async function askOne(operation: Operation): Promise<Pick<Asked, 'answer' | 'because' | 'found'>> {
    if (operation.method !== 'GET') return { answer: 'not asked', because: 'it is a POST', found: null }
    const listId = operation.id.replace(/\.get/, '.list')
    const id = ids.get(listId)
    const person = Object.values(candidatesByVariant)
      .map(({ list }) => ids.get(list.id))
      .find((id) => id !== undefined)
    if (operation.path.includes('{employeeId}') && person === undefined)
      return { answer: 'not asked', because: 'there is no person to ask for', found: null }
    if (operation.path.includes('{id}') && id === undefined)
      return { answer: 'not asked', because: 'its list gave no id to ask for', found: null }
    const parameters = {
      ...(id !== undefined && { id }),
      ...(person !== undefined && { employeeId: person }),
    }
    const first = await ask(client, operation, parameters)
    if (first.answer === 'yes') keep(operation.path, first)
    if (first.answer !== 'no') return { answer: first.answer, because: first.because, found: null }
    const beside = lists.get(listId)
    const likely = beside === undefined || !operation.path.endsWith('/{id}') ? [] : [`${beside}/{id}`]
    for (const path of [...likely, ...spellingsOf(operation.path)]) {
      if (taken.has(path)) continue
      const other = await ask(client, { ...operation, path: path as Operation['path'] }, parameters)
      // More requests would be refused too.
      if (other.answer === 'not asked')
        return { ...first, because: `${first.because}; then ${other.because}`, found: null }
      if (other.answer === 'no') taken.add(path)
      // Only a proper answer proves a path: a 400 may come from anything.
      if (other.answer !== 'yes' || other.because !== '200') continue
      keep(path, other)
      return { answer: 'no', because: first.because, found: path }
    }
    return { answer: 'no', because: first.because, found: null }

    function keep(path: string, { id }: Answer) {
      taken.add(path)
      lists.set(operation.id, path)
      if (id !== undefined) ids.set(operation.id, id)
    }
  }
}

const pathOf = ({ path }: Operation): string => path

const depthOf = ({ path }: Operation) => path.split('{').length

async function ask(
  client: Client,
  operation: Operation,
  parameters: Record<string, string>,
): Promise<Answer> {
  const isList = operation.response.kind === 'page'
  try {
    const request = { parameters, ...(isList && { query: { page: 1, size: 1 } }) }
    const { body } = await client.call(operation, request)
    if (!isList) return { answer: 'yes', because: '200' }
    const page = readPage(body)
    if (!page) return { answer: 'unclear', because: 'the answer is not a list' }
    return { answer: 'yes', because: '200', id: idOf(page.items[0]) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status } = error.details
    if (status === undefined || status === 401) throw error
    const because = String(status)
    if (status === 404 || status === 405) return { answer: 'no', because }
    if (status === 403) return { answer: 'yes', because: '403: this key may not read it' }
    if (status >= 500 || status === 408 || status === 429) return { answer: 'not asked', because }
    if (error.code === 'refused') return { answer: 'yes', because: `${because}: it wants more than a path` }
    return { answer: 'unclear', because: `${because}: the answer is not understood` }
  }
}
