import { expect, test } from 'vitest'
import { planFile } from '../../src/import/plan.ts'
import { tasksOf } from '../../src/import/send-file.ts'
import type { RowSource } from '../../src/table/open-source.ts'
import { person } from './import-fixture.ts'

const kind = {
  noun: 'candidates',
  key: { request: ['generalSetting.agencyRef'], item: ['agencyRef'] },
  identityFields: [],
}

/** Rows that are in no file, so that no digest of a file notices when they change. */
function sourceOf(people: readonly any[]): RowSource {
  return {
    format: 'json',
    columns: undefined,
    notSent: [],
    sha256: '',
    async *rows() {
      for (const [at, record] of people.entries()) {
        const digest = JSON.stringify(record)
        yield { row: at + 1, original: record, record, issues: [], warnings: [], digest }
      }
    },
    rejects: () => ({ add: async () => {}, close: async () => {} }),
  }
}

const salt = '1'.repeat(32)

async function sent(planned: readonly any[], read: readonly any[]): Promise<string[]> {
  const plan = await planFile(sourceOf(planned), kind, salt, { rows: new Map() })
  const names: string[] = []
  for await (const { entry } of tasksOf(sourceOf(read), plan)) names.push(entry.name)
  return names
}

test('rows are sent as they were planned, and none that says something else than then', async () => {
  const planned = [person('A-1'), person('A-2')]
  expect(await sent(planned, planned)).toEqual(['A-1', 'A-2'])
  const edited = [person('A-1'), person('A-2', { surname: 'Changed' })]
  const message = 'The file was changed while payroll was importing it.'
  await expect(sent(planned, edited)).rejects.toMatchObject({ code: 'input', message })
})
