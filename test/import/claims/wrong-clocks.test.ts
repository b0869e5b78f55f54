// @module-tag process

import { describe, expect, test } from 'vitest'
import { start } from '../../process/built.ts'
import { importFixture, people, refs } from '../import-fixture.ts'
import { sharedJournal } from '../shared-journal/empty-journal.ts'
import { otherClock, withoutOtherClocks } from '../shared-journal/other-clock.ts'
import { otherRun } from '../shared-journal/other-run.ts'
import { withoutPostgres } from '../shared-journal/postgres.ts'

const missing = withoutPostgres ?? withoutOtherClocks

describe.skipIf(missing).each([
  { whose: 'the database', database: '-1h', ours: '' },
  { whose: 'this computer', database: '', ours: '-1h' },
])(`a clock of $whose that is off ($database$ours)${missing ? `: ${missing}` : ''}`, ({ database, ours }) => {
  const { journal, sql, shared } = sharedJournal({ env: database ? otherClock(database) : {} })

  test('the rows of a run that is gone are sent once, after the wait and no later; all times are of the database', async () => {
    const at = await importFixture('candidates', shared())
    const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home, ...(ours ? otherClock(ours) : {}) }
    const other = await otherRun(journal.url, at.baseUrl, ['a-002', 'a-003'])
    await at.call('POST', '/svc/candidates', people(2)[1])
    await other.close()
    at.write(people(4))
    const since = performance.now()
    const words = ['candidates', 'import', at.file, '--json', '--settle', '1']
    expect(await start(words, { home: at.home, env }).ended).toMatchObject({ code: 0 })
    const seconds = (performance.now() - since) / 1000
    expect(seconds).toBeGreaterThan(1)
    expect(seconds).toBeLessThan(30)
    expect(await at.there()).toEqual(refs(4))
    expect(at.posted()).toHaveLength(3)
    const offMs = database ? Number.parseInt(database, 10) * 3_600_000 : 0
    const ages = sql('select extract(epoch from at) * 1000 from payroll_journal')
    for (const each of ages.split('\n'))
      expect(Math.abs(Number(each) - Date.now() - offMs)).toBeLessThan(60_000)
  })
})
