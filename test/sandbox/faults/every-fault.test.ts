import { createGunzip } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../../src/sandbox/faults/fault.ts'
import { faultNames, faults } from './catalogue/all-faults.ts'
import { alike, expectations, type Usual } from './fault-expectations.ts'
import { faulty } from './faulty-sandbox.ts'
import { addRecords, type Question, questions } from './questions.ts'

/** Long enough for what must have happened by then, in milliseconds. */
const patience = { open: 700, whole: 20_000 }
/** What is never done is not done a little later either. */
const settleMs = 60

async function furnished(...specs: string[]) {
  const served = await faulty(...specs)
  addRecords(served.database)
  return served
}

/** Not those of the consent page: a sign-in meets them, in test/commands/auth/browser/faults.test.ts. */
const ofOperations = faults.filter(({ usualScope }) => usualScope === undefined)

const answers = new Map<Question, Usual>()

/** What the same question is answered where nothing goes wrong. */
async function usualOf(question: Question): Promise<Usual> {
  const known = answers.get(question)
  if (known) return known
  const { send } = await furnished()
  const { status, headers, text } = await send(question)
  const usual = { status, contentType: headers['content-type'], text: alike(text) }
  answers.set(question, usual)
  return usual
}

/** Tens of MiB are sent for one read and one write, and not for each kind: a body is made the same way for all. */
const isLarge = ({ name }: Fault) => name === 'oversized-body' || name === 'gzip-bomb'

const staysOpen = ({ name }: Fault) => name.startsWith('stall-') || name === 'slow'

describe('the vocabulary of faults', () => {
  test('has one expectation for each fault, and none for a fault that is gone', () => {
    expect(Object.keys(expectations).sort()).toEqual(ofOperations.map(({ name }) => name).sort())
  })

  test('has each name once, and a summary of one line', () => {
    expect(new Set(faultNames).size).toBe(faultNames.length)
    for (const { name, summary } of faults) {
      expect(name).toMatch(/^[a-z0-9]+([-=][a-z0-9]+)*$/)
      expect(summary).toMatch(/^[a-z][^\n]{10,110}[^.\n]$/)
    }
  })

  test('says in the name when it says in the name', () => {
    for (const { name, applied } of faults) {
      if (name.endsWith('-after-commit')) expect([name, applied]).toEqual([name, 'yes'])
      if (name.endsWith('-before-commit')) expect([name, applied]).toEqual([name, 'no'])
    }
  })
})

test.each(ofOperations)('the fault $name is met as told, and applied: $applied', async (fault) => {
  const asked = Object.entries(questions).filter(
    ([name, { operation }]) =>
      (fault.on?.(operation) ?? true) && (!isLarge(fault) || ['page', 'create'].includes(name)),
  )
  const usual = new Map(
    await Promise.all(asked.map(async ([name, each]) => [name, await usualOf(each)] as const)),
  )
  const { send, database } = await furnished(fault.name)

  const runFault = async ([name, question]: readonly [string, Question]) => {
    const done = () => question.done?.(database) ?? false
    const met = await send(question, staysOpen(fault) ? patience.open : patience.whole)
    if (fault.applied !== 'yes') expect([name, done()]).toEqual([name, false])
    naming(name, () => expectations[fault.name]?.(met, usual.get(name) as Usual))
    if (!question.done) return
    if (fault.applied === 'no') await new Promise((resolve) => setTimeout(resolve, settleMs))
    const applied = fault.applied !== 'no'
    await vi.waitFor(() => expect([name, done()]).toEqual([name, applied]), 5000)
  }
  // The reads first: what they are answered must not depend on what is written.
  const isRead = ([, { done }]: readonly [string, Question]) => done === undefined
  await Promise.all(asked.filter(isRead).map(runFault))
  await Promise.all(asked.filter((each) => !isRead(each)).map(runFault))
})

/** What is found wrong is told with the question that it was found at. */
function naming(name: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`
    throw error
  }
}

test('gzip-bomb unpacks to 320 MiB of blanks, and then to the answer', async () => {
  const { send } = await furnished('gzip-bomb')
  const { bytes } = await send({ method: 'GET', path: '/svc/payment-rate?page=1&size=1' })
  let size = 0
  let last = Buffer.alloc(0)
  const unpacking = createGunzip()
  unpacking.end(bytes)
  for await (const chunk of unpacking) {
    size += chunk.length
    last = chunk.length > 4096 ? chunk : Buffer.concat([last, chunk])
  }
  expect(size).toBeGreaterThan(320 * 1024 * 1024)
  expect(JSON.parse(last.toString()).totalDocs).toBe(45)
})

test('what the service refuses is answered as ever, and not done, by a fault that answers otherwise', async () => {
  const { send } = await furnished('html-after-commit', 'status=500-after-commit')
  const met = await send({ method: 'POST', path: '/svc/payment-rate', body: { code: 7 } })
  expect([met.status, JSON.parse(met.text).success]).toEqual([400, false])
})
