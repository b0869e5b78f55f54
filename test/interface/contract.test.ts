import { describe, expect, test } from 'vitest'
import type { Field, Fields } from '../../src/model/fields/field.ts'
import { neverReturned } from '../../src/model/mapping/field-mapping.ts'
import type { Operation } from '../../src/model/records/operation.ts'
import { limits } from '../../src/model/records/operation.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { allOperations, operations } from '../../src/model/resources/operations.ts'
import { objects } from './objects.ts'
import { type Body, documentText, readDocument } from './read/interface.ts'

/** What is expected comes from interface.md alone; test/interface/reading.test.ts holds the reading of it. */
const document = readDocument(documentText)

const shownOperations = document.operations.map((shown) => [shown.name, shown.group, shown] as const)

describe('the operations of the contract', () => {
  test('are those that the document names, each in its group: one that it does not name would be made up', () => {
    const named = document.operations.map(({ group, name }) => `${group}: ${name}`)
    const declared = allOperations.map((operation) => `${operation.group}: ${nameOf(operation)}`)
    expect(declared.sort()).toEqual(named.sort())
  })

  test.each(shownOperations)(
    'say of "%s" (%s) what the document shows, and no more',
    (name, group, shown) => {
      const { method, path, known, status } = shown
      const operation = operationOf(group, name)
      expect(operation).toMatchObject({ known, ...(method && { method }), ...(path && { path }) })
      expect(operation.status).toBe(status)
      const assumed = ['method', 'path'].filter((each) => operation.assumes?.includes(each))
      expect(assumed).toEqual([...(method ? [] : ['method']), ...(path ? [] : ['path'])])
    },
  )

  test.each(shownOperations.filter(([, , { answers }]) => answers))(
    'read the answer of "%s" as the document shows it',
    (name, group, shown) => {
      const { response } = operationOf(group, name)
      expect(response.kind).toBe(shown.answers === 'nothing' ? 'nothing' : 'one')
      const body = document.bodies.find(({ operation, side }) => operation === name && side === 'response')
      expect('envelope' in response ? response.envelope : undefined).toEqual(body?.under)
    },
  )

  test('read a page wherever the name of an operation says "list"', () => {
    const lists = document.operations.filter(({ name }) => /\blist\b/i.test(name))
    expect(lists).toHaveLength(5)
    expect(lists.map(({ group, name }) => operationOf(group, name).response.kind)).toEqual(
      lists.map(() => 'page'),
    )
  })

  test('declare no envelope that the document does not show', () => {
    const shown = document.bodies.filter(({ under }) => under).map(({ operation }) => operation)
    const enveloped = allOperations.filter(({ response }) => 'envelope' in response && response.envelope)
    expect(enveloped.map(nameOf).sort()).toEqual(shown.sort())
  })
})

describe.each(document.bodies.map((body) => [body.side, body.operation, body] as const))(
  'the %s of %s in the contract',
  (_side, _operation, body) => {
    const shown = objects(body.fields)
    const declared = () => objects(recordOf(body).fields)

    test('has the objects that the document shows', () => {
      expect(Object.keys(declared()).sort()).toEqual(Object.keys(shown).sort())
    })

    test.each(Object.keys(shown).map((path) => [path || 'the top level', path]))(
      'has the fields, types and nulls that the document shows for %s',
      (_title, path) => {
        expect(declared()[path]).toEqual(shown[path])
      },
    )
  },
)

describe('the records of the contract', () => {
  test('are marked as shown where the document shows their fields, and nowhere else', () => {
    const shown = new Set([...document.bodies.map(recordOf), ...answered(operations.vatCodes.list)])
    const marked = allOperations
      .flatMap((each) => [...sent(each), ...answered(each)])
      .filter(({ documented: shown }) => shown)
    expect(new Set(marked)).toEqual(shown)
  })

  test('give a VAT code the fields that the document shows', () => {
    const [vatCode] = answered(operations.vatCodes.list)
    expect(objects(vatCode?.fields ?? {})).toEqual(objects(document.paymentRates.vatCode))
  })

  test.each(seenValues())('suggest %s for %s', (value, _where, { of, direction, field }) => {
    const found = allOperations
      .flatMap((operation) => [
        ...(direction === 'response' ? [] : sent(operation)),
        ...(direction === 'request' ? [] : answered(operation)),
      ])
      .filter(({ displayName: noun }) => of === undefined || noun.endsWith(of))
      .flatMap((record) => fieldsNamed(record.fields, field))
    expect(found.length).toBeGreaterThan(0)
    for (const each of found) expect(each.exampleValues).toContain(value)
  })

  test.each(document.emails)('hold %s against the form of an e-mail address', (name) => {
    const found = allOperations.flatMap(sent).flatMap((record) => fieldsNamed(record.fields, name))
    expect(found.length).toBeGreaterThan(0)
    for (const field of found) expect(field.standard).toBe('email')
  })
})

describe('the correspondence of request and answer in the contract', () => {
  test.each([
    ['Create Ireland candidate', document.candidates.renamed],
    ['Create new Payment Rate', document.paymentRates.renamed],
  ])('renames for "%s" what the document renames', (operation, renamed) => {
    const names = requestOf(operation)?.answer?.names
    expect(names).toEqual(expect.arrayContaining(renamed.map((pair) => [...pair])))
  })

  test('loses of an Irish candidate what the document says does not come back', () => {
    const lost = neverReturned(requestOf('Create Ireland candidate'))
    const lostUnder = (path: string) =>
      lost.flatMap((each) => (each.startsWith(path) ? [each.slice(path.length)] : [])).sort()
    const { pensionSetting = [], setting = [] } = document.candidates.notReturned
    expect(lostUnder('generalSetting.pensionSetting.')).toEqual([...pensionSetting].sort())
    expect(lostUnder('payrollSetting.')).toEqual([...setting].sort())
    const shownIn = (side: Body['side'], path: string) => {
      const shown = document.bodies.find((body) => body.operation.includes('Ireland') && body.side === side)
      return Object.keys(objects(shown?.fields ?? {})[path] ?? {})
    }
    for (const [path, answer] of [
      ['generalSetting', ''],
      ['bankSetting', 'bank'],
    ] as const) {
      const answered = new Set(shownIn('response', answer))
      const unanswered = shownIn('request', path).filter((name) => !answered.has(name))
      expect(unanswered.length).toBeGreaterThan(0)
      expect(lostUnder(`${path}.`).filter((name) => !name.includes('.'))).toEqual(unanswered.sort())
    }
  })

  test('loses nothing of a UK candidate, as far as is assumed, and nothing of a payment rate', () => {
    expect(neverReturned(requestOf('Create Candidate'))).toEqual([])
    expect(neverReturned(requestOf('Create new Payment Rate'))).toEqual([])
  })
})

test('the limits of the contract are those of the document', () => {
  expect(limits).toEqual(document.limits)
})

/** The list and the table of states say some values twice. */
function seenValues() {
  const titled = document.values.map((seen) => {
    const where = [seen.field, seen.of && `of a ${seen.of}`, seen.direction && `in a ${seen.direction}`]
    return [seen.value, where.filter(Boolean).join(' '), seen] as const
  })
  return [...new Map(titled.map((each) => [`${each[0]} ${each[1]}`, each])).values()]
}

/** Its name as the document has it, which says "list … a document" where the catalogue says `the documents`. */
function nameOf({ title }: Operation): string {
  return title.replace(' the documents ', ' a document ')
}

function operationOf(group: string, name: string): Operation {
  const found = allOperations.find((operation) => operation.group === group && nameOf(operation) === name)
  if (!found) throw new Error(`the contract has no operation "${name}" in ${group}`)
  return found
}

/** What the contract sends or reads where the document shows this body. */
function recordOf({ operation, side }: Pick<Body, 'operation' | 'side'>): RecordType {
  const found = allOperations.find((each) => nameOf(each) === operation)
  const [record] = found ? (side === 'request' ? sent(found) : answered(found)) : []
  if (!record) throw new Error(`the contract has no ${side} of ${operation}`)
  return record
}

function requestOf(operation: string): RecordType {
  return recordOf({ operation, side: 'request' })
}

function sent({ requestRecord: sends }: Operation): RecordType[] {
  return sends ? [sends] : []
}

function answered({ response }: Operation): RecordType[] {
  return 'type' in response && response.type ? [response.type] : []
}

function fieldsNamed(fields: Fields, name: string): Field[] {
  return Object.entries(fields).flatMap(([each, field]) => [
    ...(each === name ? [field] : []),
    ...fieldsNamed(field.fields ?? {}, name),
  ])
}
