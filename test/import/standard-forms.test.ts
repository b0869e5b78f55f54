import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../src/files/table/fingerprint.ts'
import { decode, encode } from '../../src/import/write-log.ts'
import { importFixture, person } from './import-fixture.ts'

const header =
  'generalSetting.agencyRef,generalSetting.forename,generalSetting.surname,generalSetting.NINumber,bankSetting.sortCode,bankSetting.IBANReference,payrollSetting.taxCode'
const asWritten = {
  generalSetting: { agencyRef: 'A-1', forename: 'Ann', surname: 'Sample', NINumber: 'ab 12 34 56 c' },
  bankSetting: { sortCode: '60-16-13', IBANReference: 'GB29 NWBK 6016 1331 9268 19' },
  payrollSetting: { taxCode: '1257l' },
}
const line = [asWritten.generalSetting, asWritten.bankSetting, asWritten.payrollSetting]
  .flatMap((section) => Object.values(section))
  .join(',')

async function withTable() {
  const at = await importFixture()
  const csv = at.save('starters.csv', header, line)
  return { ...at, csv, run: () => at.importFile(csv) }
}

/** Gives the journal the fingerprints of an earlier version, which sent the text of the file as it stood; `upTo` cuts it off. */
function makeOld(path: string, upTo?: string): void {
  const [first = '', ...others] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const { salt } = decode(Buffer.from(first)) as { salt: string }
  const lines = others.map((each) => decode(Buffer.from(each)) ?? {})
  const end = upTo === undefined ? lines.length : lines.findIndex(({ state }) => state === upTo) + 1
  const old = lines.slice(0, end).map((each) => encode({ ...each, hash: hashOf(asWritten, salt) }))
  writeFileSync(path, [`${first}\n`, ...old].join(''))
}

describe('an import of a table', () => {
  test('sends codes in their standard form, without a warning', async () => {
    const { run, sent } = await withTable()
    expect(await run()).toMatchObject({ code: 0, err: expect.not.stringContaining('usually') })
    expect(sent()).toEqual([
      {
        generalSetting: { ...asWritten.generalSetting, NINumber: 'AB123456C' },
        bankSetting: { sortCode: '601613', IBANReference: 'GB29NWBK60161331926819' },
        payrollSetting: { taxCode: '1257L' },
      },
    ])
  })

  test.each([
    ['created the rows sends nothing, and calls none edited', undefined, { createdEarlier: 1, pending: 0 }],
    ['sent a row and heard nothing of it finds the row', 'intent', { created: 1, unresolved: 0 }],
  ])('run again after an earlier version %s', async (_, upTo, counts) => {
    const { run, posted, journalPath } = await withTable()
    await run()
    makeOld(journalPath(), upTo)
    const again = await run()
    expect([again.code, again.json()]).toMatchObject([0, { rows: 1, ...counts }])
    expect(posted()).toHaveLength(1)
  })

  test('still calls a row edited that says something else', async () => {
    const { run, save, journalPath } = await withTable()
    await run()
    makeOld(journalPath())
    save('starters.csv', header, line.replace('60-16-13', '60-16-14'))
    const again = await run()
    expect([again.code, again.err]).toEqual([
      9,
      expect.stringContaining('1 row was edited after it was created'),
    ])
  })
})

test('an import of NDJSON sends codes as they are given, with a warning', async () => {
  const at = await importFixture()
  const given = { ...person('A-1'), bankSetting: { sortCode: '60-16-13' } }
  const run = await at.importRows([given])
  expect(run.code).toBe(0)
  expect(run.err).toContain('row 1, bankSetting.sortCode: usually in capitals without spaces and dashes')
  expect(at.sent()).toEqual([given])
})
