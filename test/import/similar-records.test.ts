import { expect, test } from 'vitest'
import { importFixture, person } from './import-fixture.ts'

const asked = { forename: 'Ann', surname: 'Sample', DOB: '1990-01-02' }

/** Imports A-001, whose answer is lost after somebody with its key was created as `there`. */
async function lost(sent: Record<string, unknown>, there: Record<string, unknown>) {
  const at = await importFixture()
  at.intercept(async ({ method, body }, response) => {
    if (method !== 'POST' || !body.includes('A-001')) return false
    await at.call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-001', ...there } })
    response.destroy()
    return true
  })
  const run = await at.importRows(
    [person('A-000'), { generalSetting: { agencyRef: 'A-001', ...sent } }],
    '--incomplete',
  )
  return { run, posts: at.posted().length }
}

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['is the same in every part', asked, asked],
  ['says nothing of a birthday that was sent', asked, { ...asked, DOB: undefined }],
  ['has a birthday that was not sent', { ...asked, DOB: undefined }, asked],
  ['has nothing but blanks for a name that was sent', asked, { ...asked, forename: '  ' }],
  ['has a name instead of blanks', { ...asked, forename: '  ' }, asked],
  ['has blanks around a name, and another case', asked, { ...asked, surname: ' SAMPLE ' }],
])('a record that %s is the one whose answer was lost', async (_, sent, there) => {
  const { run, posts } = await lost(sent, there)
  expect(run.json()).toMatchObject({ created: 2, unresolved: 0 })
  expect(run.code).toBe(0)
  expect(posts).toBe(2)
})

test.each<[string, Record<string, unknown>]>([
  ['another birthday', { ...asked, DOB: '1990-02-01' }],
  ['another surname', { ...asked, surname: 'Other' }],
  ['another forename', { ...asked, forename: 'Bea' }],
])('a record with %s is another person: exit 8, and nothing is sent again', async (_, there) => {
  const { run, posts } = await lost(asked, there)
  expect([run.code, run.json()]).toMatchObject([8, { created: 1, unresolved: 1 }])
  expect(run.error().issues).toMatchObject([{ message: expect.stringContaining('another person') }])
  expect(posts).toBe(2)
})
