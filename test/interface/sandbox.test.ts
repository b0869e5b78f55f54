import { expect, test } from 'vitest'
import { operations } from '../../src/model/resources/operations.ts'
import { everyField, everyRateField } from '../every-field.ts'
import { freshSandbox } from '../sandbox/fresh-sandbox.ts'
import { documentText, readDocument } from './read/interface.ts'

/**
 * The sandbox is held against interface.md itself, not against the contract that it is built from: here by hand, and field by
 * field in test/sandbox/candidates.test.ts.
 */
const document = readDocument(documentText)

/** The bodies that have every field which the document shows for a request, and the contract's paths of their lists. */
const rate = { ...everyRateField, defaultVATCode: '00000000-0000-4000-8000-000000000001' }
const creates = [
  ['Create Candidate', everyField('uk'), operations.candidates.list.path],
  ['Create Ireland candidate', everyField('ireland'), operations.candidates.listIreland.path],
  ['Create new Payment Rate', rate, operations.paymentRates.list.path],
] as const

/** A sandbox that is asked at the endpoints which the document shows. */
async function sandbox() {
  const { call } = await freshSandbox()
  return {
    list: async (path: string) => (await call('GET', path)).json,
    create(operation: string, body: object) {
      const { method = '', path = '' } = document.operations.find(({ name }) => name === operation) ?? {}
      return call(method, path, body)
    },
  }
}

test.each(creates)(
  'the sandbox, asked for "%s", answers with the status that the document shows',
  async (operation, body) => {
    const { status } = await (await sandbox()).create(operation, body)
    const shown = document.operations.find(({ name }) => name === operation)
    expect(status).toBe(shown?.status ?? 201)
  },
)

test('the sandbox, asked to create a payment rate, answers as a person reads the document', async () => {
  const { create, list } = await sandbox()
  const codes: { id: string }[] = (await list(operations.vatCodes.list.path)).data
  const { includeInPayeCalculation, ...kept } = rate
  const answer = (await create('Create new Payment Rate', rate)).json
  const { createdAt, updatedAt } = answer.data
  expect(answer).toEqual({
    data: {
      ...kept,
      id: expect.stringMatching(/./),
      incrementId: 1,
      hoursPerUnit: '7.5',
      includeInPayeUmbrellaCalculation: includeInPayeCalculation,
      isStatutory: null,
      author: expect.stringMatching(/./),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: createdAt,
      defaultVATCode: codes.find(({ id }) => id === rate.defaultVATCode) ?? 'a VAT code',
    },
    success: true,
  })
  expect(updatedAt).toBe(createdAt)
})
