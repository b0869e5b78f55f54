import { describe, expect, test } from 'vitest'
import { operations } from '../../src/model/operations/operations.ts'
import { everyField, everyRateField } from '../every-field.ts'
import { freshSandbox } from '../sandbox/fresh-sandbox.ts'
import { documentText, readDocument } from './read/interface.ts'

/**
 * The sandbox is held against interface.md itself, not against the contract that it is built from: here by hand, and field by
 * field in test/sandbox/candidates.test.ts.
 */
const document = readDocument(documentText)
const { defaultPage, defaultSize, maximumSize } = document.limits

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

describe('the sandbox, asked to create an Irish candidate', () => {
  const answered = async (body: object) =>
    (await (await sandbox()).create('Create Ireland candidate', body)).json.data.candidate

  test('answers a general body as a person reads the document', async () => {
    const name = { agencyRef: 'HAND-1', forename: 'Aoife', surname: 'Example', DOB: '1990-12-31' }
    const place = { address: ['1 Example Street', 'Dublin'], eircode: 'A65 F4E2', country: 'IE' }
    const same = { ...name, ...place, hours: 37.5, shareCodeVerified: true }
    const pension = { optState: 'ignition', outsideUKWorker: false, memberId: 'M-7' }
    const lost = { loginId: 'aoife@example.com', department: null, workingPatternId: 4 }
    const lostPension = { scheme: 'Example scheme', isSalarySacrifice: true }
    const pensionSetting = { ...pension, ...lostPension, ejhDate: '2026-03-31T23:30:00.000Z' }
    const candidate = await answered({ generalSetting: { ...same, ...lost, pensionSetting } })
    const own = { id: expect.stringMatching(/./), status: 'ACTIVE' }
    const days = { ...pension, ejhDate: '2026-03-31' }
    expect(candidate).toMatchObject({ ...same, ...own, pensionSetting: days })
    for (const absent of [...Object.keys(lost), 'generalSetting', 'NINumber', 'postCode'])
      expect(candidate).not.toHaveProperty(absent)
    for (const absent of Object.keys(lostPension)) expect(candidate.pensionSetting).not.toHaveProperty(absent)
  })

  test('answers a body of bank and payroll as a person reads the document', async () => {
    const iban = { IBANReference: 'IE29AIBK93115212345678', SWIFTNo: 'AIBKIE2D' }
    const bank = { accountName: 'A Example', ...iban, isInternationalAccount: false, country: 'IE' }
    const setting = {
      ppsNumber: '1234567T',
      paymentModel: 'PAYEE',
      taxCreditAnnual: '4000.00',
      totalTax: 0,
      taxRateCutOffPoints: [{ index: 1, yearlyRateCutOff: '44000.00', taxRatePercent: '20' }],
      openingBalance: { eePRSI: 1.05, lptDeduction: 0 },
    }
    const changed = { payrollApproveNeeded: 'true', holidayPayRate: null, holidayPayOpeningBalance: 12.5 }
    const candidate = await answered({
      generalSetting: { agencyRef: 'HAND-2' },
      bankSetting: { ...bank, buildingSocietyNumber: 'B-1', author: 'somebody' },
      payrollSetting: { ...setting, ...changed },
    })
    expect(candidate).toMatchObject({ agencyRef: 'HAND-2', bank, setting })
    for (const absent of ['buildingSocietyNumber', 'author'])
      expect(candidate.bank).not.toHaveProperty(absent)
    expect(candidate.setting).not.toHaveProperty('holidayPayOpeningBalance')
    expect(candidate.setting.payrollApproveNeeded).toBe(true)
    expect(candidate.setting.holidayPayRate).toBeTypeOf('number')
  })
})

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

describe('the sandbox, asked for a list', () => {
  const vatCodes = ['VAT codes', undefined, operations.vatCodes.list.path] as const
  test.each([...creates, vatCodes])(
    'answers that of "%s" in the envelope of a page',
    async (operation, body, path) => {
      const { create, list } = await sandbox()
      if (body) await create(operation, body)
      const answered = await list(path)
      expect(Object.keys(answered).sort()).toEqual(Object.keys(document.page).sort())
      expect([Array.isArray(answered.data), Number.isInteger(answered.totalDocs)]).toEqual([true, true])
      expect(answered.data.length).toBeGreaterThan(0)
    },
  )

  test.each(creates)(
    'answers the first 20 of "%s" by default, the rest on page 2, and 100 at most',
    async (operation, body, path) => {
      const { create, list } = await sandbox()
      const make = async (times: number) => {
        for (let n = 0; n < times; n += 1) await create(operation, body)
      }
      await make(defaultSize + 3)
      const first = await list(path)
      expect([first.data.length, first.totalDocs]).toEqual([defaultSize, defaultSize + 3])
      expect(await list(`${path}?page=${defaultPage}&size=${defaultSize}`)).toEqual(first)
      const second = await list(`${path}?page=${defaultPage + 1}`)
      expect([second.data.length, second.totalDocs]).toEqual([3, defaultSize + 3])
      const ids = [...first.data, ...second.data].map(({ id }) => id)
      expect(new Set(ids).size).toBe(first.totalDocs)
      await make(maximumSize + 1 - first.totalDocs)
      const largest = await list(`${path}?size=${maximumSize}`)
      expect([largest.data.length, largest.totalDocs]).toEqual([maximumSize, maximumSize + 1])
      // "Behaviour when size exceeds 100 …: not shown": refused or cut, but never more than the maximum.
      const { data = [] } = await list(`${path}?size=${maximumSize + 1}`)
      expect(data.length).toBeLessThanOrEqual(maximumSize)
    },
  )
})
