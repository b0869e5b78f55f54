import { describe, expect, test } from 'vitest'
import { importFixture, interceptedFixture, person } from './import-fixture.ts'

const nameless = (agencyRef: string) => ({ generalSetting: { agencyRef, forename: ' ' } })

describe('an import of people of whom one has no name', () => {
  test('is refused before anything is sent, with the row and the fields', async () => {
    const at = await importFixture()
    const run = await at.importRows([person('A-1'), nameless('A-2')])
    expect(run.code).toBe(3)
    expect(run.error().issues).toEqual([
      { path: 'row 2, generalSetting.forename', message: expect.stringContaining('a UK candidate needs it') },
      {
        path: 'row 2, generalSetting.surname',
        message: expect.stringContaining('--incomplete would create the record without it'),
      },
    ])
    expect(at.posted()).toEqual([])
  })

  test('is taken with --incomplete, and run again without it', async () => {
    const at = await importFixture()
    expect((await at.importRows([person('A-1'), nameless('A-2')], '--incomplete')).json()).toMatchObject({
      created: 2,
    })
    const again = await at.import()
    expect(again).toMatchObject({ code: 0 })
    expect(again.json()).toMatchObject({ created: 0, createdEarlier: 2, pending: 0 })
    expect(at.posted()).toHaveLength(2)
  })

  test('is refused where an earlier run was told no of that row, and it would be sent again', async () => {
    const at = await interceptedFixture(async ({ method }, response) => {
      if (method === 'POST') response.writeHead(422).end('{}')
      return method === 'POST'
    })
    await at.importRows([nameless('A-2')], '--incomplete')
    expect((await at.import()).code).toBe(3)
    expect(at.posted()).toHaveLength(1)
  })
})
