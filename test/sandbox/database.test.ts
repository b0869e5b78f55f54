import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { defaultVatCodes, openDatabase, resetDatabase } from '../../src/sandbox/database/database.ts'
import { freshFolder, freshSandbox } from './fresh-sandbox.ts'

const now = Date.UTC(2026, 3, 6)

async function opened(file: string) {
  const database = await openDatabase(file)
  onTestFinished(database.close)
  return database
}

/** A new place for a database, in which there may be something already. */
async function placeOf(name = 'sandbox.db', text?: string) {
  const file = join(await freshFolder(), name)
  if (text !== undefined) await writeFile(file, text)
  return file
}

/** A program of another process over the same file, by the database library alone. */
function otherProcess(program: string, file: string) {
  const text = `import Libsql from 'libsql'; const db = new Libsql(process.argv[1]); ${program}`
  const words = ['--input-type=module', '-e', text, file]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, exit: once(child, 'exit') }
}

/** Starts that other process and waits until it says that it writes. Call what is returned to await its end. */
async function whileWriting(program: string, file: string) {
  const { child, exit } = otherProcess(program, file)
  await once(child.stdout, 'data')
  return () => exit
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

describe('the database file of the sandbox', () => {
  test("is its owner's alone", async () => {
    const folder = await freshFolder()
    const database = await opened(join(folder, 'sandbox.db'))
    database.tables.candidates.insert('uk', {}, now)
    for (const name of await readdir(folder)) {
      expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  test('is closed to others even when it was open to them before', async () => {
    const file = await placeOf('sandbox.db', '')
    await chmod(file, 0o666)
    await opened(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('keeps its records when it is opened again', async () => {
    const file = await placeOf()
    const first = await openDatabase(file)
    const body = { generalSetting: { surname: "O'Brien 🙂" } }
    const { id } = first.tables.candidates.insert('uk', body, now)
    first.close()
    const second = await opened(file)
    const times = { createdAt: '2026-04-06T00:00:00.000Z', updatedAt: '2026-04-06T00:00:00.000Z' }
    expect(second.tables.candidates.find('uk', id)).toEqual({ id, sequence: 1, body, ...times })
    expect(second.tables.vatCodes.all('')).toHaveLength(defaultVatCodes.length)
  })

  test('is refused, and left as it is, when it is something else', async () => {
    const text = 'payroll notes, not a database\n'.repeat(100)
    const file = await placeOf('notes.txt', text)
    const { code, message, details } = await failureOf(openDatabase(file))
    expect([code, message]).toEqual(['usage', expect.stringContaining(file)])
    expect(details.hint).toMatch(/makes a new one/)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('gets the table of a resource that came after it', async () => {
    const { file, database } = await freshSandbox()
    database.tables.candidates.insert('uk', {}, now)
    database.close()
    await otherProcess(`db.exec('DROP TABLE timesheets')`, file).exit
    const { tables } = await opened(file)
    tables.timesheets.insert('', {}, now)
    expect([tables.timesheets.countRecords(''), tables.candidates.countRecords('uk')]).toEqual([1, 1])
  })

  test('is refused when its folder cannot be made', async () => {
    const file = await placeOf('sandbox.db', '')
    expect((await failureOf(openDatabase(join(file, 'sandbox.db')))).code).toBe('usage')
  })
})

describe('two sandboxes with one database', () => {
  test('see what the other wrote, and number on', async () => {
    const { file, database } = await freshSandbox()
    const other = await opened(file)
    database.tables.paymentRates.insert('', { code: 'A' }, now)
    other.tables.paymentRates.insert('', { code: 'B' }, now)
    expect(database.tables.paymentRates.all('').map(({ sequence, body }) => [sequence, body.code])).toEqual([
      [1, 'A'],
      [2, 'B'],
    ])
    expect(other.tables.paymentRates.page('', { page: 1, size: 1 }).total).toBe(2)
  })

  test('make a new file once: the slower one takes what the quicker one made', async () => {
    const file = await placeOf()
    // The quicker one makes a table without the VAT codes, so that they would show who made it.
    const program = `
      db.exec('PRAGMA journal_mode = WAL')
      db.exec('BEGIN IMMEDIATE')
      db.exec('CREATE TABLE vat_codes (sequence INTEGER PRIMARY KEY, id, variant, body, created_at, updated_at)')
      console.log('writing')
      setTimeout(() => db.exec('COMMIT'), 400)`
    const ended = await whileWriting(program, file)
    const database = await opened(file)
    expect(database.tables.vatCodes.all('')).toEqual([])
    await ended()
  })

  test('wait for another process that is writing', async () => {
    const { file, database } = await freshSandbox()
    const program = `db.exec('BEGIN IMMEDIATE'); console.log('writing'); setTimeout(() => db.exec('COMMIT'), 400)`
    const ended = await whileWriting(program, file)
    const before = performance.now()
    database.tables.candidates.insert('uk', {}, now)
    expect(performance.now() - before).toBeGreaterThan(100)
    expect(database.tables.candidates.all('uk')).toHaveLength(1)
    await ended()
  })
})

test('a transaction of the sandbox keeps nothing of work that throws', async () => {
  const { database } = await freshSandbox()
  const work = () =>
    database.transaction(() => {
      database.tables.candidates.insert('uk', {}, now)
      throw new Error('stop')
    })
  expect(work).toThrow('stop')
  expect(database.tables.candidates.all('uk')).toEqual([])
})

test('resetDatabase forgets the records, counts from 1 again and has the VAT codes as in a new file', async () => {
  const { database } = await freshSandbox()
  const codes = database.tables.vatCodes.all('')
  database.tables.paymentRates.insert('', { code: 'A' }, now)
  const names = ['candidates', 'timesheets', 'payslips', 'documents', 'documentContents'] as const
  for (const name of names) database.tables[name].insert('uk', {}, now)
  resetDatabase(database)
  for (const name of names) expect(database.tables[name].all('uk')).toEqual([])
  expect(database.tables.vatCodes.all('')).toEqual(codes)
  expect(database.tables.paymentRates.insert('', { code: 'B' }, now).sequence).toBe(1)
})
