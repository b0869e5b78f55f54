import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operations } from '../../src/api/contract/operations/operations.ts'
import { misfits } from './misfits.ts'
import { objects } from './objects.ts'
import { bodyOf, documentText, envelopeOf, readDocument } from './read/interface.ts'
import { at, clock, everyField, type Json, type OpenSandbox, openSandbox } from './sandbox-at-endpoints.ts'

/** The sandbox is held against interface.md itself, not against the contract that it is built from. */
const document = readDocument(documentText)

const ireland = everyField['Create Ireland candidate'] ?? {}
const rate = everyField['Create new Payment Rate'] ?? {}

let sandbox: OpenSandbox

beforeAll(async () => {
  sandbox = await openSandbox(document)
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

test.each(Object.entries(everyField))(
  'the bodies that are sent of "%s" have every field that the document shows, with its type, and no other',
  (operation, body) => {
    expect(misfits(body, { type: 'object', fields: bodyOf(document, operation, 'request').fields })).toEqual(
      [],
    )
  },
)

test('the sandbox, asked to create a UK candidate answers 201 with no body, and keeps the candidate', async () => {
  const response = await sandbox.send('Create Candidate', everyField['Create Candidate'] ?? {})
  expect(response.status).toBe(statusOf('Create Candidate'))
  expect(await response.text()).toBe('')
  const { data } = await sandbox.list(operations.candidates.list.path)
  expect(data).toMatchObject([{ agencyRef: 'UK-0001', surname: "O'Example-Smith" }])
})

describe('the sandbox, asked to create an Irish candidate', () => {
  test('answers 201 with JSON in the keys and types that the document shows', async () => {
    const response = await sandbox.send('Create Ireland candidate', ireland)
    expect(response.status).toBe(statusOf('Create Ireland candidate'))
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
    const body = await response.json()
    expect(misfits(body, envelopeOf(document, 'Create Ireland candidate'))).toEqual([])
    expect(body).toMatchObject({ data: { success: true }, success: true })
  })

  test('answers in the same keys and types when the cut-off points are left to it', async () => {
    const payrollSetting = {
      ...(ireland.payrollSetting as Json),
      taxRateCutOffPoints: [],
      cutOffPoints: null,
    }
    const body = await answerOf('Create Ireland candidate', { ...ireland, payrollSetting })
    expect(misfits(body, envelopeOf(document, 'Create Ireland candidate'))).toEqual([])
    expect(at(body, 'data.candidate.setting.taxRateCutOffPoints')).not.toEqual([])
    expect(at(body, 'data.candidate.setting.cutOffPoints.values')).not.toEqual([])
  })

  test('does not return what the document says is not returned', async () => {
    const candidate = await createdIrish(ireland)
    const lost = Object.entries(document.candidates.notReturned)
    expect(lost.flatMap(([, names]) => names)).toHaveLength(5)
    for (const [object, names] of lost) {
      for (const name of names) expect(candidate[object]).not.toHaveProperty(name)
    }
    for (const [sent, answered] of document.candidates.renamed) {
      expect(candidate).not.toHaveProperty(sent)
      expect(candidate).toHaveProperty(answered)
    }
  })

  test('returns as it was sent every field that has one type in the request and in the answer', async () => {
    const candidate = await createdIrish(ireland)
    const alike = [
      ['generalSetting', ''],
      ['generalSetting.pensionSetting', 'pensionSetting'],
      ['payrollSetting.openingBalance', 'setting.openingBalance'],
      ...document.candidates.renamed,
    ].flatMap(([from = '', to = '']) =>
      pairs(from, to, (sent, answered) => sent.replace('nullable ', '') === answered),
    )
    expect(alike).toHaveLength(95)
    for (const [sent, answered] of alike) expect(at(candidate, answered), answered).toEqual(at(ireland, sent))
  })

  test('answers the states that the document shows in a response', async () => {
    const candidate = await createdIrish(ireland)
    const seen = (name: string, way?: string) =>
      document.values.find(({ field, direction }) => field === name && direction === way)?.value
    expect(at(ireland, 'generalSetting.registrationStatus')).toBe(seen('registrationStatus', 'request'))
    expect(candidate.registrationStatus).toBe(seen('registrationStatus', 'response'))
    expect(candidate.status).toBe(seen('status'))
  })

  test('answers the day of a timestamp where the document has a date in the answer', async () => {
    const candidate = await createdIrish(ireland)
    const isDay = (sent: string, answered: string) => sent === 'timestamp' && answered === 'date'
    const days = pairs('generalSetting.pensionSetting', 'pensionSetting', isDay)
    expect(days).toHaveLength(6)
    for (const [sent, answered] of days) {
      expect(`${at(candidate, answered)}T00:00:00.000Z`, answered).toBe(at(ireland, sent))
    }
  })

  test('answers a general body as a person reads the document', async () => {
    const candidate = await createdIrish({
      generalSetting: {
        agencyRef: 'HAND-1',
        forename: 'Aoife',
        surname: 'Example',
        DOB: '1990-12-31',
        address: ['1 Example Street', 'Dublin'],
        eircode: 'A65 F4E2',
        country: 'IE',
        hours: 37.5,
        shareCodeVerified: true,
        loginId: 'aoife@example.com',
        department: null,
        workingPatternId: 4,
        pensionSetting: {
          scheme: 'Example scheme',
          optState: 'ignition',
          outsideUKWorker: false,
          isSalarySacrifice: true,
          ejhDate: '2026-03-31T23:30:00.000Z',
          memberId: 'M-7',
        },
      },
    })
    expect(candidate).toMatchObject({
      id: expect.stringMatching(/./),
      agencyRef: 'HAND-1',
      forename: 'Aoife',
      surname: 'Example',
      DOB: '1990-12-31',
      address: ['1 Example Street', 'Dublin'],
      eircode: 'A65 F4E2',
      country: 'IE',
      hours: 37.5,
      shareCodeVerified: true,
      status: 'ACTIVE',
      pensionSetting: {
        optState: 'ignition',
        outsideUKWorker: false,
        ejhDate: '2026-03-31',
        memberId: 'M-7',
      },
    })
    const absent = ['loginId', 'department', 'workingPatternId', 'generalSetting', 'NINumber', 'postCode']
    for (const name of absent) expect(candidate).not.toHaveProperty(name)
    expect(candidate.pensionSetting).not.toHaveProperty('scheme')
    expect(candidate.pensionSetting).not.toHaveProperty('isSalarySacrifice')
  })

  test('answers a body of bank and payroll as a person reads the document', async () => {
    const bank = {
      accountName: 'A Example',
      IBANReference: 'IE29AIBK93115212345678',
      SWIFTNo: 'AIBKIE2D',
      isInternationalAccount: false,
      country: 'IE',
    }
    const setting = {
      ppsNumber: '1234567T',
      paymentModel: 'PAYEE',
      taxCreditAnnual: '4000.00',
      totalTax: 0,
      taxRateCutOffPoints: [{ index: 1, yearlyRateCutOff: '44000.00', taxRatePercent: '20' }],
      openingBalance: { eePRSI: 1.05, lptDeduction: 0 },
    }
    const candidate = await createdIrish({
      generalSetting: { agencyRef: 'HAND-2' },
      bankSetting: { ...bank, buildingSocietyNumber: 'B-1', author: 'somebody' },
      payrollSetting: {
        ...setting,
        payrollApproveNeeded: 'true',
        holidayPayRate: null,
        holidayPayOpeningBalance: 12.5,
      },
    })
    expect(candidate).toMatchObject({ agencyRef: 'HAND-2', bank, setting })
    expect(candidate.bank).not.toHaveProperty('buildingSocietyNumber')
    expect(candidate.bank).not.toHaveProperty('author')
    expect(candidate.setting).not.toHaveProperty('holidayPayOpeningBalance')
    expect(at(candidate, 'setting.payrollApproveNeeded')).toBe(true)
    expect(at(candidate, 'setting.holidayPayRate')).toBeTypeOf('number')
  })
})

describe('the sandbox, asked to create a payment rate', () => {
  test('answers success with JSON in the keys and types that the document shows', async () => {
    const response = await sandbox.send('Create new Payment Rate', rate)
    expect(response.ok).toBe(true)
    expect(misfits(await response.json(), envelopeOf(document, 'Create new Payment Rate'))).toEqual([])
  })

  test('answers as a person reads the document', async () => {
    const { data: codes } = await sandbox.list(operations.vatCodes.list.path)
    const { includeInPayeCalculation, ...kept } = rate
    expect(await answerOf('Create new Payment Rate', rate)).toEqual({
      data: {
        ...kept,
        id: expect.stringMatching(/./),
        incrementId: 1,
        hoursPerUnit: '7.5',
        includeInPayeUmbrellaCalculation: includeInPayeCalculation,
        isStatutory: null,
        author: expect.stringMatching(/./),
        createdAt: clock,
        updatedAt: clock,
        defaultVATCode: codes.find(({ id }) => id === rate.defaultVATCode) ?? 'a VAT code',
      },
      success: true,
    })
  })
})

function statusOf(operation: string): number | undefined {
  return document.operations.find(({ name }) => name === operation)?.status
}

async function answerOf(operation: string, body: Json): Promise<unknown> {
  return (await sandbox.send(operation, body)).json()
}

async function createdIrish(body: Json): Promise<Json> {
  return at(await answerOf('Create Ireland candidate', body), 'data.candidate') as Json
}

/**
 * The fields that an object of the Irish request and one of the answer both have, as pairs of paths, chosen by
 * the types that the document shows. Objects are not fields here, and registrationStatus moves on by itself.
 */
function pairs(from: string, to: string, fits: (sent: string, answered: string) => boolean) {
  const sent = objects(bodyOf(document, 'Create Ireland candidate', 'request').fields)[from] ?? {}
  const answered = objects(bodyOf(document, 'Create Ireland candidate', 'response').fields)[to] ?? {}
  return Object.entries(sent)
    .filter(
      ([name, type]) =>
        type !== 'object' && name !== 'registrationStatus' && fits(type, answered[name] ?? ''),
    )
    .map(([name]) => [`${from}.${name}`, `${to}.${name}`] as const)
}
